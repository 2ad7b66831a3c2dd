"""No address sends a NUL to the database: PostgreSQL refuses even to look for one."""

import re
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.db import connection

from tests.people import address, gather, named_urls

pytestmark = pytest.mark.django_db
ASKED = re.compile(r"""(?:GET|POST|query|posted|given)\.get(?:list)?\(\"([a-z_]+)\"""")
DECLARED = re.compile(r"^    ([a-z_]+) = (?:forms\.)?\w*Field\(", re.MULTILINE)


def field_names():
    """Whatever a view asks an address or a form for."""
    sources = Path(configured.BASE_DIR, "interview").rglob("*.py")
    texts = [path.read_text() for path in sources if "migrations" not in path.parts]
    return {n for text in texts for of in (ASKED, DECLARED) for n in of.findall(text)}


def refuse_nul(execute, sql, params, many, context):
    """As PostgreSQL does, on every database."""
    values = [one for row in params for one in row] if many else params or ()
    assert not any(isinstance(one, str) and "\0" in one for one in values), sql
    return execute(sql, params, many, context)


@pytest.mark.parametrize("who", ["host", "cand"])
def test_nobody_brings_a_nul_to_the_database(settings, who):
    names, people = field_names(), gather(settings)
    assert {"run", "claim", "kit", "q", "act", "summary"} <= names
    sent, answers = dict.fromkeys(names, "\0"), []
    with connection.execute_wrapper(refuse_nul):
        for name in named_urls():
            # Anew, because one of them signs out.
            client = people.client(who)
            answers += [ask(address(name), sent) for ask in (client.get, client.post)]
    for answer in answers:
        answer.close()
