from django.urls import path

from . import views

urlpatterns = [
    path("", views.questions, name="questions"),
    path("cards/<slug:card_id>/", views.card, name="card"),
    path("cards/<slug:card_id>/leak/", views.leak, name="leak"),
]
