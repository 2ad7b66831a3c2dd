from django.urls import path

from . import posts, views

urlpatterns = [
    path("", views.kits, name="kits"),
    path("<uuid:kit_id>/", views.kit, name="kit"),
    path("<uuid:kit_id>/versions/<int:number>/", views.kit_version, name="kit_version"),
    path("<uuid:kit_id>/print/", views.kit_print, name="kit_print"),
    path("<uuid:kit_id>/draw/", posts.draw, name="kit_draw"),
    path("<uuid:kit_id>/share/", posts.share, name="kit_share"),
    path("<uuid:kit_id>/duplicate/", posts.duplicate, name="kit_duplicate"),
    path("<uuid:kit_id>/retire/", posts.retire, name="kit_retire"),
    path("<uuid:kit_id>/void/", posts.void, name="kit_void"),
]
