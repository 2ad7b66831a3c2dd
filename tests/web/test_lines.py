"""Typed lines: what a browser counts is what is counted here."""

import pytest
from django import forms
from django.urls import get_resolver

from interview.web.lines import LinesField


def forms_of_the_site(above=forms.BaseForm):
    for form in above.__subclasses__():
        yield from forms_of_the_site(form)
        if form.__module__.startswith("interview."):
            yield form


def test_a_text_that_fills_its_field_is_taken():
    field = LinesField(max_length=5)
    assert field.clean("a\r\nb\r\nc") == "a\nb\nc"
    with pytest.raises(forms.ValidationError):
        field.clean("a\r\nb\r\ncd")


def test_every_field_of_several_lines_counts_a_line_end_once():
    assert get_resolver().url_patterns, "every module with a form is loaded"
    fields = {
        f"{form.__name__}.{name}": field
        for form in forms_of_the_site()
        for name, field in form.base_fields.items()
        if isinstance(field.widget, forms.Textarea)
    }
    assert {"SummaryForm.summary", "RunForm.prompt"} <= fields.keys()
    assert not [
        name for name, field in fields.items() if not isinstance(field, LinesField)
    ]
