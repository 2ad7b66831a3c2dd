"""Checks the prose of one file: links, cites, quotes, figures, headings, tables."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from markdown_it.token import Token

from interview.cards import houserules, rules, termrules
from interview.cards.card import Source
from interview.cards.enginenames import EngineNames, Unknown
from interview.cards.form import nearest
from interview.cards.links import State, target
from interview.cards.markdown import flat, parser
from interview.cards.outline import Passage
from interview.cards.problem import Notes, Place
from interview.cards.quotes import BadQuote, ratio_of, read_claim, read_quote, shown
from interview.cards.references import check_experiment, check_section
from interview.cards.results import NoSuchResult
from interview.cards.shelf import Shelf

_HTML = re.compile(r"</?[A-Za-z][^<>]*>|<!--")
_BRACES = re.compile(r"\{#[^{}]*\}$")
_parser = parser()


@dataclass(slots=True)
class Prose:
    """The checks of one file; `cited` fills as passages are checked."""

    source: str
    shelf: Shelf
    figures: Collection[str] | None
    """Names that can be drawn; None when that is not known here."""
    listed: Collection[str] | None
    """Facts in the file's list of sources; None for a file without one."""
    notes: Notes
    names: EngineNames
    cited: set[str] = field(default_factory=set)
    _heading_ids: dict[str, int] = field(default_factory=dict)
    _seen: dict[tuple[int, str], int] = field(default_factory=dict)
    _unexplained: set[str] = field(default_factory=set)

    def check(self, passages: Iterable[Passage]) -> None:
        for passage in passages:
            tokens = _parser.parse(passage.markdown)
            self._check_headings(tokens, passage)
            self._check_heading_ids(tokens, passage)
            self._check_tables(tokens, passage)
            for token, block in flat(tokens):
                self._check_inline(token, _lines(block, passage))
            for token in tokens:
                if token.type == "figure":
                    self._check_figure(token, _lines(token, passage))
                elif token.type == "fence":
                    unknown = self.names.in_fence(token.content, token.info.strip())
                    self._check_names(unknown, _lines(token, passage))

    def check_sources(self, sources: Iterable[Source]) -> None:
        for source in sources:
            for fact_id in source.facts:
                place = self._find(fact_id, (source.line, source.line + 1))
                self._check_fact(fact_id, place)
                if fact_id not in self.cited:
                    self.notes.add(rules.NOT_CITED, place, id=fact_id)
            self.check([Passage(source.text, source.line, 3)])

    def _check_headings(self, tokens: Sequence[Token], passage: Passage) -> None:
        deepest = passage.top - 1
        for opening, inline in pairwise(tokens):
            if opening.type != "heading_open":
                continue
            lines = _lines(opening, passage)
            title = inline.content
            place = self._find(title, lines)
            level = int(opening.tag[1])
            if opening.markup in ("=", "-"):
                self.notes.add(rules.UNDERLINED_HEADING, place, title=title)
            elif level > deepest + 1:
                words = {"found": "#" * level, "wanted": "#" * (deepest + 1)}
                self.notes.add(rules.HEADING_SKIPS, place, title=title, **words)
            deepest = level

    def _check_heading_ids(self, tokens: Sequence[Token], passage: Passage) -> None:
        for opening, inline in pairwise(tokens):
            if opening.type != "heading_open":
                continue
            lines = _lines(opening, passage)
            named = dict(opening.meta["attributes"])
            given = named.pop("id", None)
            wrong = [f"{key}={value}" for key, value in named.items()]
            wrong += _BRACES.findall(inline.content)
            for text in wrong:
                place = self._find(text, lines)
                self.notes.add(rules.BAD_ATTRIBUTE, place, text=text)
            if given in self._heading_ids:
                words = {"id": given, "first": self._heading_ids[given]}
                place = self._find(f"#{given}", lines)
                self.notes.add(rules.DUPLICATE_ITEM_ID, place, **words)
            elif given:
                self._heading_ids[given] = lines[0]

    def _check_tables(self, tokens: Sequence[Token], passage: Passage) -> None:
        for at, token in enumerate(tokens):
            if token.type != "table_open":
                continue
            head = tokens[at : [t.type for t in tokens].index("thead_close", at)]
            if not any(t.content.strip() for t in head if t.type == "inline"):
                place = Place(_lines(token, passage)[0], 1)
                self.notes.add(rules.HEADLESS_TABLE, place)

    def _check_inline(self, token: Token, lines: tuple[int, int]) -> None:
        match token.type:
            case "quote":
                self._check_quote(token, self._find(token.markup, lines))
            case "cite":
                for fact_id in token.meta["facts"]:
                    self._check_cite(fact_id, self._find(fact_id, lines))
            case "link_open":
                href = str(token.attrs["href"])
                self._check_link(href, self._find(href, lines))
            case "image":
                href = str(token.attrs["src"])
                place = self._find(href, lines)
                self.notes.add(rules.BAD_IMAGE, place, target=href)
            case "code_inline":
                self._check_names(self.names.in_span(token.content), lines)
            case "text":
                for found in _HTML.finditer(token.content):
                    place = self._find(found[0], lines)
                    self.notes.add(rules.RAW_HTML, place, tag=found[0])
                self._check_words(token.content, lines)

    def _check_words(self, text: str, lines: tuple[int, int]) -> None:
        """An abbreviation without an entry is noted once a file."""
        for found in self.shelf.glossary.unexplained(text):
            if found[0] not in self._unexplained:
                self._unexplained.add(found[0])
                place = self._find(found[0], lines)
                self.notes.add(termrules.UNEXPLAINED, place, word=found[0])

    def _check_names(self, unknown: Iterable[Unknown], lines: tuple[int, int]) -> None:
        for name in unknown:
            words = {"kind": name.kind, "name": name.name, "nearest": name.nearest}
            place = self._find(name.name, lines)
            engine = self.names.engine
            self.notes.add(houserules.UNKNOWN_NAME, place, engine=engine, **words)

    def _check_quote(self, token: Token, place: Place) -> None:
        text = token.markup
        try:
            quote = read_quote(token.content)
            if self.shelf.is_broken(quote.set_id):
                return
            shown(quote, self.shelf.results)
            if quote.words:
                ratio = ratio_of(quote, self.shelf.results)
                if not read_claim(quote.words).fits(ratio):
                    words = {"words": quote.words, "ratio": f"{ratio:.3g}"}
                    self.notes.add(rules.WRONG_RATIO, place, **words)
        except BadQuote as error:
            self.notes.add(rules.BAD_QUOTE, place, text=text, problem=error)
        except NoSuchResult as error:
            self.notes.add(rules.UNKNOWN_RESULT, place, text=text, problem=error)

    def _check_cite(self, fact_id: str, place: Place) -> None:
        self.cited.add(fact_id)
        if self.listed is not None and fact_id not in self.listed:
            self.notes.add(rules.NOT_IN_SOURCES, place, id=fact_id)
        elif self.listed is None:
            self._check_fact(fact_id, place)

    def _check_fact(self, fact_id: str, place: Place) -> None:
        if fact_id not in self.shelf.facts:
            self.notes.add(rules.UNKNOWN_FACT, place, id=fact_id)

    def _check_link(self, href: str, place: Place) -> None:
        found = target(href, self.shelf)
        match found.kind:
            case "card" if found.state is State.MISSING:
                if self.shelf.is_broken(found.id):
                    return
                near = nearest(found.id, self.shelf.cards)
                self.notes.add(rules.UNKNOWN_CARD, place, id=found.id, nearest=near)
            case "manual":
                check_section(found.id, lambda: place, self.shelf, self.notes)
            case "term" if found.state is State.MISSING:
                near = nearest(found.id, self.shelf.glossary.terms)
                self.notes.add(termrules.UNKNOWN_TERM, place, id=found.id, nearest=near)
            case "experiment":
                check_experiment(found.id, lambda: place, self.shelf, self.notes)
            case "web" if found.state is State.MISSING:
                self.notes.add(rules.PLAIN_HTTP, place, target=href)
            case "bad":
                self.notes.add(rules.BAD_LINK, place, target=href)

    def _check_figure(self, token: Token, lines: tuple[int, int]) -> None:
        name = token.meta["name"]
        for child in token.children or ():
            self._check_inline(child, lines)
        if self.figures is not None and name not in self.figures:
            place = self._find(f"figure:{name}", lines)
            near = nearest(name, self.figures)
            self.notes.add(rules.UNKNOWN_FIGURE, place, id=name, nearest=near)

    def _find(self, text: str, lines: tuple[int, int]) -> Place:
        """The next place of a text in these lines of the file; else their start.

        Repeated questions for the same text in the same lines go on from the last.
        """
        source = self.source.split("\n")[lines[0] - 1 : lines[1] - 1]
        block = "\n".join(source)
        at = block.find(text, self._seen.get((lines[0], text), -1) + 1)
        if at < 0:
            return Place(lines[0], 1)
        self._seen[lines[0], text] = at
        start = block.rfind("\n", 0, at) + 1
        return Place(lines[0] + block.count("\n", 0, at), at - start + 1)


def _lines(token: Token, passage: Passage) -> tuple[int, int]:
    """The lines of the file that a block covers, the second one excluded."""
    first, last = token.map or (0, passage.markdown.count("\n") + 1)
    return passage.line + first, passage.line + last
