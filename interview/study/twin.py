"""The JSON twins of the card pages; their keys are a contract.

Markdown is as in the file, HTML as on the page. Missing is null.
"""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from interview.cards.card import Card
from interview.cards.library import Library
from interview.cards.outline import Passage

from .card_page import CardPage

LIST_FORMAT = "prefill-cards/1"
CARD_FORMAT = "prefill-card/1"


def cards_twin(cards: Sequence[Card], library: Library) -> dict[str, Any]:
    """{format, edition, count, cards: [{id, title, url, json, roles, topics, levels,
    competences, minutes, status, engine, checked, edition}]}, in page order.

    `levels` are those at which the card has most to say, and the ones that
    `?level=` looks at; every card has follow-ups at L1, L2, L3 and L4."""
    return {
        "format": LIST_FORMAT,
        "edition": library.contents.edition or None,
        "count": len(cards),
        "cards": [head(card) for card in cards],
    }


def card_twin(page: CardPage, library: Library) -> dict[str, Any]:
    """The keys of the list's cards, and {format, version, hash, needs, taught_in,
    experiments, question, short_answer, full_answer: {markdown, html},
    follow_ups: [{id, level, hash, question, answer: {markdown, html}}],
    wrong_answers: [{id, quote, why: {markdown, html}, experiment}],
    sources: [{text, facts: [{id, says, origin}]}]}.

    `levels` means the same as in the list; the levels there are stand in
    `follow_ups`."""
    card = page.card
    return {
        "format": CARD_FORMAT,
        **head(card),
        "version": card.version,
        "hash": card.hash,
        "needs": list(card.needs),
        "taught_in": list(card.taught_in),
        "experiments": list(card.experiments),
        "question": text(card.question, page.question),
        "short_answer": text(card.short, page.short),
        "full_answer": text(card.full, page.full),
        "follow_ups": follow_ups(page),
        "wrong_answers": wrong_answers(page),
        "sources": sources(card, library),
    }


def head(card: Card) -> dict[str, Any]:
    return {
        "id": card.id,
        "title": card.title_text,
        "url": reverse("study:card", args=[card.id]),
        "json": reverse("study:card_json", args=[card.id]),
        "roles": list(card.roles),
        "topics": list(card.topics),
        "levels": list(card.levels),
        "competences": list(card.competences),
        "minutes": card.minutes,
        "status": str(card.status),
        "engine": card.engine,
        "checked": card.checked.isoformat(),
        "edition": card.edition,
    }


def text(passage: Passage, html: str) -> dict[str, str]:
    return {"markdown": passage.markdown, "html": html}


def follow_ups(page: CardPage) -> list[dict[str, Any]]:
    return [
        {
            "id": rung.id,
            "level": rung.level,
            "hash": rung.hash,
            "question": rung.title,
            "answer": text(rung.answer, shown.answer),
        }
        for rung, shown in zip(page.card.follow_ups, page.rungs, strict=True)
    ]


def wrong_answers(page: CardPage) -> list[dict[str, Any]]:
    return [
        {
            "id": wrong.id,
            "quote": wrong.quote,
            "why": text(wrong.why, shown.why),
            "experiment": wrong.experiment,
        }
        for wrong, shown in zip(page.card.wrong_answers, page.wrongs, strict=True)
    ]


def sources(card: Card, library: Library) -> list[dict[str, Any]]:
    """`says` and `origin` are null for a fact that sources.toml does not have."""
    return [
        {"text": source.text, "facts": [fact(name, library) for name in source.facts]}
        for source in card.sources
    ]


def fact(fact_id: str, library: Library) -> dict[str, str | None]:
    known = library.facts.get(fact_id)
    says, origin = (known.says, known.origin) if known else (None, None)
    return {"id": fact_id, "says": says, "origin": origin}
