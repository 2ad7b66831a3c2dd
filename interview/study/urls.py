from django.urls import path

from . import views

app_name = "study"
urlpatterns = [
    path("cards/", views.cards, name="cards"),
    path("cards.json", views.cards_json, name="cards_json"),
    path("cards/<slug:card_id>/", views.card, name="card"),
    path("cards/<slug:card_id>.json", views.card_json, name="card_json"),
    path("cards/<slug:card_id>/print/", views.card_print, name="card_print"),
    path("manual/", views.manual, name="manual"),
    path("manual/<str:number>/", views.section, name="section"),
]
