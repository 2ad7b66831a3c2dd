from django.urls import path

app_name = "study"
urlpatterns: list = []
