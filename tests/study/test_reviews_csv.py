"""Grades for a spreadsheet: one a line, plain numbers, and no formula."""

import csv
import io

import pytest
from django.test import Client

from interview.study.models import Act
from interview.study.portable.reviews import COLUMNS
from tests.study.learner import learner

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(settings, db):
    settings.PREFILL_MODE = "shared"
    return learner()


def lines_of(person):
    client = Client()
    client.force_login(person)
    answer = client.get("/data/reviews.csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    text = answer.getvalue().decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_each_grade_is_a_line_with_all_columns(ada):
    learner("bob")
    lines = lines_of(ada)
    grades = Act.objects.of(ada).grades()
    assert list(lines[0]) == list(COLUMNS)
    assert {line["act"] for line in lines} == {str(act.pk) for act in grades}
    assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)


def test_numbers_stay_numbers_and_times_are_in_utc(ada):
    slip = lines_of(ada)[0]
    assert (slip["took_ms"], slip["position"], slip["turn"]) == ("4200", "1", "0")
    assert slip["retention"] == "0.85"
    assert slip["at"] == "2026-11-30T09:00:00.123456Z"
    assert slip["undone_at"] == "2026-11-30T09:00:00.123456Z"
    assert (slip["grade"], slip["confidence"]) == ("missed", "guess")
    assert slip["title"]


@pytest.mark.parametrize("start", list("=+-@\t\r"))
def test_no_cell_is_a_formula(ada, start):
    Act.objects.of(ada).grades().update(zone=f"{start}1+1")
    assert {line["zone"] for line in lines_of(ada)} == {f"'{start}1+1"}


def test_who_graded_nothing_gets_the_header_alone(ada):
    Act.objects.all()._raw_delete(Act.objects.db)
    assert lines_of(ada) == []
