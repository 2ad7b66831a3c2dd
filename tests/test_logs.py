"""The log as JSON: one line is one event, whatever it says."""

import json
import logging
import sys

import pytest
from django.core.exceptions import PermissionDenied

from interview.logs import JsonLines
from interview.settings import refused_without_traceback


def record(message, *arguments, exc_info=None):
    told = ("interview.lab", logging.WARNING, "worker.py", 7, message, arguments)
    return logging.LogRecord(*told, exc_info)


def test_an_event_is_one_object_on_one_line():
    line = JsonLines().format(record("Run %s: two\nlines, ü", "abc"))
    assert "\n" not in line
    said = json.loads(line)
    assert said["message"] == "Run abc: two\nlines, ü"
    assert (said["level"], said["logger"]) == ("WARNING", "interview.lab")
    assert said["at"].endswith("+00:00")
    assert "traceback" not in said


def test_a_traceback_is_a_field_of_its_event():
    try:
        raise ValueError("broken")
    except ValueError:
        line = JsonLines().format(record("It failed", exc_info=sys.exc_info()))
    assert "\n" not in line
    assert "ValueError: broken" in json.loads(line)["traceback"]


@pytest.mark.parametrize(("wrong", "kept"), [(PermissionDenied, 0), (ValueError, 1)])
def test_a_missing_right_has_no_traceback(wrong, kept):
    try:
        raise wrong("No.")
    except wrong:
        refused = record("Forbidden", exc_info=sys.exc_info())
    assert refused_without_traceback(refused)
    assert ("traceback" in json.loads(JsonLines().format(refused))) == kept


def test_django_logs_a_missing_right_through_that_filter(settings):
    assert settings.LOGGING["loggers"]["django.request"]["filters"] == ["refused_alone"]
    told = settings.LOGGING["filters"]["refused_alone"]
    assert told["callback"] is refused_without_traceback
