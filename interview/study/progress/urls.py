from django.urls import path

from . import views

urlpatterns = [
    path("", views.progress, name="progress"),
    path("recalled/weeks/", views.recalled, name="recalled"),
    path("<slug:card_id>/", views.history, name="history"),
]
