from django.urls import include, path

from interview.web.uncached import uncached

from . import views
from .mock import urls as mock
from .own import urls as own
from .portable import urls as portable
from .portable.views import cards_print
from .practice import urls as practice
from .progress import urls as progress

app_name = "study"
lists = [
    path("", views.cards, name="cards"),
    path("print/", cards_print, name="cards_print"),
]
urlpatterns = [
    path("cards/", include(uncached(lists))),
    path("cards.json", views.cards_json, name="cards_json"),
    path("cards/<slug:card_id>/", views.card, name="card"),
    path("cards/<slug:card_id>.json", views.card_json, name="card_json"),
    path("cards/<slug:card_id>/print/", views.card_print, name="card_print"),
    path("practice/", include(uncached(practice.urlpatterns))),
    path("mock/", include(uncached(mock.urlpatterns))),
    path("progress/", include(uncached(progress.urlpatterns))),
    path("", include(uncached(own.urlpatterns))),
    path("data/", include(uncached(portable.urlpatterns))),
    path("terms/", views.terms, name="terms"),
    path("manual/", views.manual, name="manual"),
    path("manual/<str:number>/", views.section, name="section"),
]
