from django.urls import path

from .theme import theme

app_name = "web"
urlpatterns = [path("theme/", theme, name="theme")]
