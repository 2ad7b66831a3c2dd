from django.urls import path

from . import views

urlpatterns = [
    path("at/<uuid:interview_id>/", views.surface, name="surface"),
    path("<str:token>/", views.brief, name="brief"),
]
