from django.urls import path

from . import views

urlpatterns = [
    path("cards/<slug:card_id>/mine/", views.mine, name="mine"),
    path("search/", views.search, name="search"),
]
