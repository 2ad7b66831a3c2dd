from django.apps import AppConfig


class BankConfig(AppConfig):
    name = "interview.bank"
    label = "bank"
