from django.apps import AppConfig


class LabConfig(AppConfig):
    name = "interview.lab"
    label = "lab"
