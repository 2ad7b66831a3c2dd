"""A run asked for as JSON: the fields of the form, with the form's own defaults.

What a page cannot send is refused here, so that nothing that was asked is dropped.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from django import forms

from interview.cards.experiment import Experiment

from .. import content
from ..errors import LabError
from ..runs.presets import PRESETS
from .fields import ChoiceField, TextField
from .forms import RunForm

Errors = dict[str, list[str]]
PROMPTS = ("card", "prompt", "prompt_tokens")
"""Each is a prompt of its own kind."""
OF_A_LOAD = ("levels", "repeat", "limit_ttft", "limit_tpot", "limit_e2e")
LISTS = ("levels",)


class NoDocument(LabError):
    """The body is no JSON object."""


def document_of(body: bytes) -> dict[str, Any]:
    """The object in `body`; raises NoDocument."""
    try:
        found = json.loads(body, parse_constant=_no_number)
    except json.JSONDecodeError as wrong:
        place = f"line {wrong.lineno}, column {wrong.colno}"
        raise NoDocument(f"The body is no JSON from {place} on.") from wrong
    except UnicodeDecodeError as wrong:
        raise NoDocument("The body is no JSON: write it in UTF-8.") from wrong
    except RecursionError as wrong:
        raise NoDocument("The body is nested too deeply for a run.") from wrong
    except ValueError as wrong:
        raise NoDocument("The body has a number with too many digits.") from wrong
    if not isinstance(found, dict):
        raise NoDocument('The body must be a JSON object, such as {"max_tokens": 64}.')
    return found


def form_of(document: Mapping[str, Any]) -> tuple[RunForm, Errors]:
    """The filled form, and what is wrong with the document before it is read.

    Numbers are taken as they would be typed, a list of numbers as the users of the
    levels; null and "" leave a field out. An experiment has its own load.
    """
    asked = {name: value for name, value in document.items() if value not in (None, "")}
    named = asked.get("experiment")
    chosen = content.experiment(named) if isinstance(named, str) else None
    if named and chosen is None:
        wrong = "No experiment has this id; /lab/ lists them."
        return RunForm(), {"experiment": [wrong]}
    fields = RunForm(experiment=chosen).fields
    typed, errors = _typed(asked, fields)
    errors |= _unknown(asked, fields, chosen) | _too_much(asked)
    defaults = {name: field.initial for name, field in fields.items()}
    if "card" in asked:
        defaults["source"] = "card"
    filled = {name: str(value) for name, value in defaults.items() if value is not None}
    return RunForm(filled | typed, chosen), errors


def _typed(
    asked: Mapping[str, Any], fields: Mapping[str, forms.Field]
) -> tuple[dict[str, str], Errors]:
    """Each value as it would be typed."""
    typed, errors = {}, {}
    for name in asked.keys() & fields.keys():
        value, is_list = asked[name], name in LISTS
        is_words = isinstance(fields[name], TextField | ChoiceField) and not is_list
        if isinstance(value, str) and _is_text(value):
            typed[name] = value
        elif isinstance(value, str):
            errors[name] = ["The text holds half of a surrogate pair: take it out."]
        elif is_words:
            errors[name] = ["Write a text."]
        elif _is_number(value):
            typed[name] = str(value)
        elif is_list and isinstance(value, list) and all(map(_is_number, value)):
            typed[name] = ", ".join(map(str, value))
        else:
            wanted = "a list of numbers" if is_list else "one number"
            errors[name] = [f"Write {wanted}."]
    return typed, errors


def _unknown(
    asked: Iterable[str], fields: Mapping[str, forms.Field], chosen: Experiment | None
) -> Errors:
    names = ", ".join(fields)
    said = f"A run has no such field. It has: {names}."
    if chosen:
        said = (
            "A run of an experiment has no such field, because its loads are the "
            f"experiment’s own. It has: {names}."
        )
    return {name: [said] for name in asked if name not in fields}


def _too_much(asked: Mapping[str, Any]) -> Errors:
    """What the form would drop without a word, because something else decides it."""
    load = asked.get("load")
    preset = PRESETS.get(load) if isinstance(load, str) else None
    errors: Errors = {}
    if preset:
        said = f"The load “{preset.name}” brings its own: leave this out."
        errors |= {name: [said] for name in (*PROMPTS, *preset.fields) if name in asked}
    given = [name for name in PROMPTS if name in asked]
    if len(given) > 1 and not preset:
        said = f"A run has one prompt: give either {' or '.join(given)}."
        errors |= {name: [said] for name in given}
    if not load:
        said = 'Only a load has this: give a load, too, such as "custom".'
        errors |= {name: [said] for name in OF_A_LOAD if name in asked}
    return errors


def _is_text(value: str) -> bool:
    """JSON can name half of a character, which no text in UTF-8 can hold."""
    return all(not 0xD800 <= ord(letter) <= 0xDFFF for letter in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _no_number(name: str) -> NoReturn:
    raise NoDocument(f"The body is no JSON: {name} is no number.")
