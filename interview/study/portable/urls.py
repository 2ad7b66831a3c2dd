from django.urls import path

from . import import_views, views

urlpatterns = [
    path("", views.data, name="data"),
    path("study.json", views.study_json, name="study_json"),
    path("reviews.csv", views.reviews_csv, name="reviews_csv"),
    path("cards.apkg", views.cards_apkg, name="cards_apkg"),
    path("delete/", views.delete_data, name="delete_data"),
    path("import/", import_views.import_study, name="import_study"),
    path("import/<uuid:upload_id>/", import_views.import_shown, name="import_shown"),
]
