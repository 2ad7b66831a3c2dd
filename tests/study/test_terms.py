"""The page of terms: every entry, with the place that explains it."""

import pytest
from django.urls import reverse

TERMS = """
[kv-cache]
title = "KV cache"
says = "Keys and values that are *kept*."
see = "manual:1.1"

[secret]
title = "A secret"
says = "Explained in private."
see = "card:secret"
"""


@pytest.fixture(autouse=True)
def terms(content):
    content.write("terms.toml", TERMS)


def test_every_term_is_there_under_its_own_address(candidate):
    html = candidate.get(reverse("study:terms")).content.decode()
    assert 'id="kv-cache"' in html
    assert "Keys and values that are <em>kept</em>." in html


def test_a_term_leads_to_what_explains_it(candidate):
    html = candidate.get(reverse("study:terms")).content.decode()
    assert f'href="{reverse("study:section", args=["1.1"])}"' in html


def test_the_manual_leads_to_its_terms(candidate):
    html = candidate.get(reverse("study:manual")).content.decode()
    assert f'href="{reverse("study:terms")}"' in html


def test_a_card_that_one_may_not_see_is_not_named(candidate):
    html = candidate.get(reverse("study:terms")).content.decode()
    assert "Explained in private." in html
    assert reverse("study:card", args=["secret"]) not in html
