from django.urls import path

from . import views

urlpatterns = [
    path("", views.samples, name="calibration"),
    path("new/", views.write_sample, name="write_sample"),
    path("<uuid:sample_id>/", views.sample, name="sample"),
    path("<uuid:sample_id>/rate/", views.rate_sample, name="rate_sample"),
    path("<uuid:sample_id>/retire/", views.retire_sample, name="retire_sample"),
]
