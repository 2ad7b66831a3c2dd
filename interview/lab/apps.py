from django.apps import AppConfig


class LabConfig(AppConfig):
    name = "interview.lab"
    label = "lab"

    def ready(self) -> None:
        from . import checks  # noqa: F401  # registers them
