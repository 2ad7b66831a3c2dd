"""Log lines hold no key: whoever reads the log must not be able to come in."""

import logging

import pytest

from interview.accounts.masking import MaskKeys, masked

TOKEN = "Yb8n1-mP_0xkq3hT5vQz7A"


@pytest.mark.parametrize(
    ("line", "safe"),
    [
        (f"Not Found: /invitations/{TOKEN}/", "Not Found: /invitations/…/"),
        (f'"POST /password/{TOKEN}/ HTTP/1.1" 422', '"POST /password/…/ HTTP/1.1" 422'),
        ("Gone: /join/ABC234/?next=/", "Gone: /join/…/?next=/"),
        ("Not Found: /join/", "Not Found: /join/"),
        ("Forbidden: /account/password/", "Forbidden: /account/password/"),
        ("Not Found: /cards/kv-cache/", "Not Found: /cards/kv-cache/"),
    ],
)
def test_a_key_in_an_address_is_masked(line, safe):
    assert masked(line) == safe


def test_a_record_is_masked_with_its_arguments():
    record = logging.LogRecord(
        "django.request", 30, "", 0, "%s: %s", ("Gone", f"/invitations/{TOKEN}/"), None
    )
    assert MaskKeys().filter(record)
    assert record.getMessage() == "Gone: /invitations/…/"


def test_the_handler_of_every_line_masks(settings):
    handlers = settings.LOGGING["handlers"]
    assert all("mask_keys" in handler["filters"] for handler in handlers.values())
