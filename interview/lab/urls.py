from django.urls import path

app_name = "lab"
urlpatterns: list = []
