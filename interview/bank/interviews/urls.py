from django.urls import path

from . import posts, views

urlpatterns = [
    path("", views.interviews, name="interviews"),
    path("<uuid:interview_id>/", views.interview, name="interview"),
    path("<uuid:interview_id>/edit/", posts.edit_interview, name="edit_interview"),
    path("<uuid:interview_id>/link/", posts.make_link, name="make_link"),
    path("<uuid:interview_id>/link/revoke/", posts.revoke_link, name="revoke_link"),
]
