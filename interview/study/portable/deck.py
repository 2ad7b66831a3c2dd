"""Cards as an Anki package: a note for each question and each rung.

Model, deck and note ids never change, so that an import of a later package updates
the notes of an earlier one. Grades, due times and marks stay here.
"""

import io
import itertools
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from zipfile import ZIP_DEFLATED, ZipFile

import genanki
import nh3

from interview.cards.card import Card
from interview.cards.library import Library
from interview.cards.outline import Passage
from interview.cards.render import Figure, Renderer

from ..item_name import item_name

# Drawn once; Anki knows a kind of note and a deck by them for ever.
MODEL_ID, DECK_ID = 1_764_492_301, 1_764_492_302
FIELDS = ("Item", "Card", "Level", "Asked before", "Question", "Answer", "More")
FRONT = """\
<p class="card-title">{{Card}}{{#Level}} · {{Level}}{{/Level}}</p>
{{#Asked before}}<div class="before">{{Asked before}}</div>{{/Asked before}}
<div class="question">{{Question}}</div>"""
BACK = """\
{{FrontSide}}
<hr id="answer">
<div class="answer">{{Answer}}</div>
{{#More}}<div class="more">{{More}}</div>{{/More}}"""
STYLE = """\
.card { font: 19px/1.5 Georgia, serif; text-align: left; }
.card { max-width: 37em; margin: 0 auto; }
.card-title { font: 14px sans-serif; opacity: 0.7; }
.before { font-size: 16px; opacity: 0.75; }
.question { font-size: 21px; }
.more { margin-top: 1.5em; }
pre { overflow-x: auto; font-size: 15px; }
table { border-collapse: collapse; font: 15px sans-serif; }
th, td { padding: 0.2em 0.7em; border-bottom: 1px solid #8886; text-align: left; }
"""
TAGS = {"p", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "a", "hr"}
TAGS |= {"br", "table", "thead", "tbody", "tr", "th", "td", "h3", "h4", "h5", "h6"}
MODEL = genanki.Model(
    MODEL_ID,
    "Prefill",
    [{"name": name} for name in FIELDS],
    [{"name": "Question", "qfmt": FRONT, "afmt": BACK}],
    STYLE,
)


def write_deck(cards: Iterable[Card], content: Library, now: datetime) -> bytes:
    """The package; `now` is the time of its notes, by which Anki takes the later."""
    renderer = Renderer(content, lambda kind, name: None, caption)
    deck = genanki.Deck(DECK_ID, "Prefill")
    for card in cards:
        for note in Notes(card, renderer).all():
            deck.add_note(note)
    # In memory: the library's own way leaves its database behind in the temp folder.
    with sqlite3.connect(":memory:") as database:
        stamp = now.timestamp()
        ids = itertools.count(int(stamp * 1000))
        genanki.Package(deck).write_to_db(database.cursor(), stamp, ids)
        database.commit()
        collection = database.serialize()
    database.close()
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as package:
        package.writestr("collection.anki2", collection)
        package.writestr("media", "{}")
    return file.getvalue()


def caption(figure: Figure) -> str:
    """A drawing needs the pages' styles; what it shows is said below it."""
    return f"<p><em>{figure.caption}</em></p>"


class Notes:
    def __init__(self, card: Card, renderer: Renderer) -> None:
        self._card, self._renderer = card, renderer

    def all(self) -> Iterator[genanki.Note]:
        card = self._card
        question = self._html(card.question)
        yield self._note(
            "",
            levels=card.levels,
            fields=("", "", question, self._html(card.short), self._html(card.full)),
        )
        for rung in card.follow_ups:
            asked, answer = self._line(rung.title), self._html(rung.answer)
            yield self._note(
                rung.id,
                levels=[rung.level],
                fields=(rung.level, question, asked, answer, ""),
            )

    def _note(
        self, rung_id: str, levels: Sequence[str], fields: tuple[str, ...]
    ) -> genanki.Note:
        card, name = self._card, item_name(self._card.id, rung_id)
        words = {"topic": card.topics, "role": card.roles, "level": levels}
        tags = [f"prefill::{kind}::{word}" for kind in words for word in words[kind]]
        return genanki.Note(
            model=MODEL,
            fields=[name, self._line(card.title), *fields],
            guid=genanki.guid_for("prefill", name),
            tags=tags,
        )

    def _html(self, passage: Passage) -> str:
        return bare(self._renderer.html(passage, level=3))

    def _line(self, markdown: str) -> str:
        return bare(self._renderer.inline(markdown))


def bare(html: str) -> str:
    """Without classes, and without links that lead nowhere outside of these pages."""
    return nh3.clean(
        html,
        tags=TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes={"https"},
        url_relative="deny",
        link_rel=None,
    ).strip()
