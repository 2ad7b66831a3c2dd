from django.apps import AppConfig


class StudyConfig(AppConfig):
    name = "interview.study"
    label = "study"
