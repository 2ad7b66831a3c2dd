"""Reads one experiment from the text of its file; knows nothing of the other files."""

from collections.abc import Mapping

from interview.cards import claimrules, rules
from interview.cards.card import Source
from interview.cards.claims import find_quantity, read_claims
from interview.cards.experiment import Experiment, Load
from interview.cards.form import Form, nearest
from interview.cards.frontmatter import read
from interview.cards.gathering import gathering_loads, gathers
from interview.cards.loads import read_loads
from interview.cards.markdown import cited
from interview.cards.outline import Part, Passage, parts, passage
from interview.cards.problem import Notes, Place
from interview.cards.quantity import LAST, Quantity

_QUESTION = "Question to predict"
_LOOK_FOR = "What to look for"
_CLAIMS = "Claims"
_SECTIONS = (_QUESTION, _LOOK_FOR, _CLAIMS)
_ASKED = ("ttft_ms", "tpot_ms", "output_tokens_per_s")


def read_experiment(text: str, notes: Notes) -> Experiment | None:
    """The experiment, or None with notes of all that is wrong with it."""
    document = read(text, notes)
    if document is None:
        return None
    form = Form(document, notes)
    written = form.one_of("status", ("planned", "written")) == "written"
    intro, named = _sections(document.body, document.body_line, notes)
    is_gathering = gathers(form)
    if is_gathering:
        loads, by_users = gathering_loads(form, notes), True
    else:
        loads, by_users = read_loads(form, notes)
    known = {load.name: load for load in loads}
    if is_gathering:
        known[LAST] = loads[-1]
    experiment = Experiment(
        id=form.slug("id"),
        title=form.text("title"),
        written=written,
        order=form.whole("order", 1, 999, default=999),
        loads=loads,
        by_users=by_users,
        repetitions=form.whole("repetitions", 1, 20, default=1),
        gathers=is_gathering,
        predict=_predict(form, known, notes),
        claims=read_claims(named.get(_CLAIMS), text.split("\n"), known, notes),
        cards=form.words("cards"),
        intro=intro,
        question=_passage(named, _QUESTION),
        look_for=_passage(named, _LOOK_FOR),
        sources=tuple(Source((fact,), "", 1) for fact in cited(document.body)),
        path=notes.path,
        source=text,
    )
    form.close()
    if written:
        _note_missing(named, Place(document.body_line, 1), notes)
    return None if notes.broken else experiment


def _sections(
    body: str, first_line: int, notes: Notes
) -> tuple[Passage, dict[str, Part]]:
    """The text before the first `##`, and the known parts by title."""
    before, found = parts(body, 2, first_line)
    named: dict[str, Part] = {}
    for part in found:
        name = part.heading.title
        if name in _SECTIONS and name not in named:
            named[name] = part
            continue
        place = Place(part.heading.line, part.heading.column)
        near = "" if name in _SECTIONS else nearest(name, _SECTIONS)
        notes.add(rules.UNKNOWN_SECTION, place, section=name, nearest=near)
    return passage(before, first_line, 2), named


def _passage(named: dict[str, Part], name: str) -> Passage:
    return named[name].passage() if name in named else Passage("", 1, 3)


def _predict(
    form: Form, loads: Mapping[str, Load], notes: Notes
) -> tuple[Quantity, ...]:
    """What the form asks; without the key, three numbers of the last load."""
    if not form.has("predict"):
        last = list(loads)[-1]
        return tuple(Quantity(metric, last) for metric in _ASKED)
    found = (
        find_quantity(text.value, text.place, loads, notes)
        for text in form.texts("predict")
    )
    return tuple(quantity for quantity in found if quantity)


def _note_missing(named: dict[str, Part], place: Place, notes: Notes) -> None:
    """What a written experiment lacks."""
    for name in (_QUESTION, _LOOK_FOR):
        if not _passage(named, name):
            notes.add(rules.MISSING_SECTION, place, section=name)
    if _CLAIMS not in named:
        notes.add(claimrules.NO_CLAIMS, place)
