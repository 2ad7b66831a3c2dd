"""The page on which a kit is made: its form, what it covers, what stands against it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Self

from django.utils.safestring import SafeString

from interview.cards.card import Audience, Card, Status
from interview.cards.draw import minutes_for
from interview.cards.library import Library
from interview.cards.render import Renderer
from interview.web.card_texts import Texts

from ..models import CardState, Interview, Kit, KitVersion, Line
from .coverage import Coverage
from .difference import Side, differences
from .editing import Editing, LineForm, addable
from .fairness import Fairness, Frame
from .forms import FrameForm

MOST_FOUND = 100


@dataclass(frozen=True, slots=True)
class RungBox:
    id: str
    question: SafeString
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Step:
    """The follow-ups of one level."""

    level: str
    title: str
    rungs: Sequence[RungBox]


@dataclass(frozen=True, slots=True)
class Row:
    form: LineForm
    title: SafeString | str
    badge: str
    """What a card that candidates do not see is: "draft", "kit-only", "retired"."""
    steps: Sequence[Step]
    usual: str
    """What the card takes with the follow-ups that are chosen; "" when it is gone."""

    @classmethod
    def of(cls, form: LineForm, library: Library, renderer: Renderer) -> Self:
        card = form.card
        if card is None:
            return cls(form, str(form["card_id"].value()), "gone", (), "")
        texts, chosen = Texts(card, library, renderer), form.chosen
        steps = []
        for level, title in library.vocabulary.levels.items():
            boxes = [
                RungBox(rung.id, texts.inline(rung.title), rung.id in chosen)
                for rung in card.follow_ups
                if rung.level == level
            ]
            if boxes:
                steps.append(Step(level, str(title), boxes))
        usual = f"The card takes about {minutes_for(card, len(chosen))}."
        return cls(form, texts.inline(card.title), badge(card), steps, usual)


@dataclass(frozen=True, slots=True)
class Found:
    """A card that may come in."""

    card: Card
    title: SafeString
    badge: str
    topic: str
    position: int
    """Of the question that it is already; 0: it is none."""
    leaked: bool


@dataclass(frozen=True, slots=True)
class Stored:
    """A question as it is saved, in one line."""

    title: str
    levels: Sequence[str]
    minutes: int
    notes: str


@dataclass(frozen=True, slots=True)
class Read:
    """What the form was drawn from; the next save is compared with it."""

    number: int | str
    revision: int | str
    title: str

    @classmethod
    def of(cls, version: KitVersion) -> Self:
        return cls(version.number, version.revision, version.kit.title)

    @classmethod
    def sent(cls, frame: FrameForm) -> Self:
        names = ("number", "revision", "title_was")
        return cls(*(str(frame[name].value() or "") for name in names))


@dataclass(frozen=True, slots=True)
class KitPage:
    kit: Kit
    version: KitVersion
    """The newest."""
    editing: Editing
    read: Read
    rows: Sequence[Row]
    stored: Sequence[Stored]
    against: Sequence[str]
    """Where what was sent differs from it, when somebody else saved first."""
    coverage: Coverage
    fairness: Fairness
    find: str | None
    """What was looked for; "" for all cards, None for nothing yet."""
    found: Sequence[Found]
    versions: Sequence[KitVersion]
    """Newest first."""
    used: int
    """Interviews with any of them."""

    @classmethod
    def of(
        cls,
        kit: Kit,
        editing: Editing | None,
        find: str | None,
        library: Library,
        renderer: Renderer,
        *,
        late: Sequence[Line] | None = None,
    ) -> Self:
        """`editing` is what somebody sent; without it the form is as stored. `late` are
        its lines when somebody else saved first: its next save is then on top of what
        is stored now, which the page shows."""
        versions = list(kit.versions.order_by("-number"))
        version = versions[0]
        version.kit = kit
        questions = list(version.in_order())
        lines = [each.line for each in questions]
        against: Sequence[str] = ()
        read = Read.of(version)
        if editing is None:
            editing = Editing.of(version, lines, library)
        elif late is None:
            read = Read.sent(editing.frame)
        else:
            sent = editing.version(kit)
            editing = editing.with_rows(late, library)
            against = differences(
                Side(version, questions, library.cards),
                Side(sent, sent.asking(late), library.cards),
                library.vocabulary,
            )
        leaks = CardState.objects.leaked()
        leaked = {card_id: state.leak_reason for card_id, state in leaks.items()}
        frame = Frame(version.role, version.level)
        return cls(
            kit=kit,
            version=version,
            editing=editing,
            read=read,
            stored=[_stored(line, library) for line in lines],
            against=against,
            rows=[Row.of(form, library, renderer) for form in editing.rows],
            coverage=Coverage.of(lines, library.cards, library.vocabulary),
            fairness=Fairness.of(lines, frame, library, leaked),
            find=find,
            found=_found(
                find, [line.card_id for line in lines], leaked, library, renderer
            )
            if find is not None
            else (),
            versions=versions,
            used=Interview.objects.filter(version__kit=kit).count(),
        )

    @property
    def next_number(self) -> int:
        """Of the version that a save writes."""
        return self.version.number + self.version.is_frozen


def _stored(line: Line, library: Library) -> Stored:
    card = library.cards.get(line.card_id)
    if card is None:
        return Stored(line.card_id, (), line.minutes, line.notes)
    rungs = filter(None, map(card.follow_up, line.rung_ids))
    levels = sorted({rung.level for rung in rungs})
    return Stored(card.title_text, levels, line.minutes, line.notes)


def _found(
    find: str,
    in_kit: Sequence[str],
    leaked: "dict[str, str]",
    library: Library,
    renderer: Renderer,
) -> list[Found]:
    cards = library.listed(Audience.AUTHOR, text=find)
    fit = (card for card in cards if addable(library, card.id))
    topics = library.vocabulary.topics
    return [
        Found(
            card=card,
            title=Texts(card, library, renderer).inline(card.title),
            badge=badge(card),
            topic=str(topics.get(card.topics[0], card.topics[0])),
            position=in_kit.index(card.id) + 1 if card.id in in_kit else 0,
            leaked=card.id in leaked,
        )
        for card in islice(fit, MOST_FOUND)
    ]


def badge(card: Card) -> str:
    return "" if card.status is Status.PUBLISHED else str(card.status)
