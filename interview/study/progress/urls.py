from django.urls import path

from . import views

urlpatterns = [
    path("", views.progress, name="progress"),
    path("<slug:card_id>/", views.history, name="history"),
]
