from django.urls import path

from . import pack_views, views

urlpatterns = [
    path("write/", views.write, name="write"),
    path("preview/", views.preview, name="preview"),
    path("cards/<slug:card_id>/edit/", views.edit, name="edit"),
    path("cards/<slug:card_id>.md", views.card_file, name="card_file"),
    path("packs/", pack_views.packs, name="packs"),
    path("packs/<uuid:pack_id>/", pack_views.pack, name="pack"),
    path("pack.zip", pack_views.pack_file, name="pack_file"),
]
