from django.urls import path

from . import views

urlpatterns = [
    path("<uuid:interview_id>/anonymise/", views.anonymise, name="anonymise"),
    path("<uuid:interview_id>/delete/", views.delete, name="delete"),
    path("<uuid:interview_id>/audit/", views.audit, name="audit"),
]
