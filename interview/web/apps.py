from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "interview.web"
    label = "web"
