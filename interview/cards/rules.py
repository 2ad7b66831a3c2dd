"""The numbered rules of the linter; a number is never given to another rule.

C0 front matter and identity, C1 shape of a card, C2 references, C3 measured
numbers, C4 text, C5 the tables around the cards; C6 stands in
claimrules, C7 in houserules, C211 to C213 in termrules.
"""

from interview.cards.problem import Rule, Severity

ALL: dict[str, Rule] = {}


def numbered(
    title: str, sentence: str, hint: str, severity: Severity = Severity.ERROR
) -> Rule:
    """A rule of the title "C601 duplicate-load", in ALL from now on."""
    code, name = title.split()
    rule = Rule(code, name, sentence, hint, severity)
    if code in ALL:
        raise ValueError(f"Two rules have the number {code}.")
    ALL[code] = rule
    return rule


NO_FRONT_MATTER = numbered(
    "C001 no-front-matter",
    "The file has no front matter.",
    "Start it with a line ---, keys and values, and a second line ---.",
)
BAD_YAML = numbered(
    "C002 bad-yaml",
    "The front matter is not a plain list of keys: {problem}.",
    "Write one `key: value` or `key: [a, b]` a line.",
)
UNKNOWN_KEY = numbered(
    "C003 unknown-key",
    "The key “{key}” is unknown{nearest}.",
    "Correct it or remove it.",
)
DUPLICATE_KEY = numbered(
    "C004 duplicate-key",
    "The key “{key}” is given twice; the first is in line {first}.",
    "Keep one of them.",
)
YAML_TRICK = numbered(
    "C005 yaml-trick",
    "The front matter uses the YAML feature “{trick}”.",
    "Write the value out: anchors, aliases and tags are not read.",
)
MISSING_KEY = numbered(
    "C006 missing-key",
    "The key “{key}” is missing or empty.",
    "Add it to the front matter.",
)
BAD_VALUE = numbered(
    "C007 bad-value",
    "“{key}” is {found}, but must be {wanted}.",
    "Correct the value.",
)
BAD_DATE = numbered(
    "C008 bad-date",
    "“{value}” in “{key}” is no date.",
    "Write it as 2026-10-05.",
)
BAD_ID = numbered(
    "C009 bad-id",
    "“{id}” is no id.",
    "Use small letters, digits and single hyphens.",
)
ID_DIFFERS = numbered(
    "C010 id-differs",
    "The id is “{id}”, but the file is called “{name}”.",
    "Name the file after its id, which stays for ever.",
)
DUPLICATE_ID = numbered(
    "C011 duplicate-id",
    "The id “{id}” is already used in {first}.",
    "Give one of the two a new id.",
)
UNKNOWN_WORD = numbered(
    "C012 unknown-word",
    "“{word}” is not in the list of {key}{nearest}.",
    "Correct it, or add it to vocabulary.toml.",
)
KIT_ONLY_IN_PUBLIC = numbered(
    "C013 kit-only-in-public",
    "A kit-only card lies in the public content.",
    "Move it to a private content folder: everybody can read this one.",
)
GONE_IN_USE = numbered(
    "C014 gone-in-use",
    "The id “{id}” is in use, but gone.toml says that it left the content.",
    "Give the new item a new id: an id is never used again.",
)

NO_TITLE = numbered(
    "C101 no-title",
    "{what}",
    "Write one `# Title` right after the front matter.",
)
MISSING_SECTION = numbered(
    "C102 missing-section",
    "The section “{section}” is missing.",
    "Add its `##` heading in the order of the format.",
)
SECTION_ORDER = numbered(
    "C103 section-order",
    "The section “{section}” stands after “{before}”.",
    "Question, Short answer, Full answer, Follow-ups, Wrong answers, Sources.",
)
UNKNOWN_SECTION = numbered(
    "C104 unknown-section",
    "The section “{section}” is unknown or given twice{nearest}.",
    "Use ### for headings inside an answer.",
)
MISSING_LEVEL = numbered(
    "C105 missing-level",
    "There is no follow-up of level {level}.",
    "Add a heading like `### L3 Why does …? {#why}`.",
)
NO_LEVEL = numbered(
    "C106 follow-up-without-level",
    "The follow-up “{title}” does not say its level and its question.",
    "Start the heading with L1, L2, L3 or L4, then ask.",
)
MISSING_ITEM_ID = numbered(
    "C107 missing-item-id",
    "“{title}” has no id.",
    "End the heading with {#a-short-name}, which stays for ever.",
)
DUPLICATE_ITEM_ID = numbered(
    "C108 duplicate-item-id",
    "The id “{id}” is used twice in this file; first in line {first}.",
    "Give one of the two a new id.",
)
FEW_WRONG_ANSWERS = numbered(
    "C109 few-wrong-answers",
    "The card has {count}.",
    "Give at least two, each as a candidate would say it.",
)
NO_REASON = numbered(
    "C110 wrong-answer-without-reason",
    "The wrong answer “{title}” does not say why it is wrong.",
    "Write the reason under its heading.",
)
EMPTY_ANSWER = numbered(
    "C111 empty-answer",
    "“{title}” is empty.",
    "Write its text under the heading.",
)
BAD_ATTRIBUTE = numbered(
    "C112 bad-attribute",
    "The heading's “{text}” is not understood.",
    "Write {#id} or {#id experiment=name}; a claim has of, to, agrees, doubt, against.",
)
NO_SOURCES = numbered(
    "C113 no-sources",
    "The list of sources is empty.",
    "Add at least one `- [V:SCH-3] what it says`.",
)
STRAY_TEXT = numbered(
    "C114 stray-text",
    "The text “{text}” belongs to no {what} and would not be shown.",
    "Move it under a heading, or into the list.",
)

UNKNOWN_CARD = numbered(
    "C201 unknown-card",
    "There is no card “{id}”{nearest}.",
    "Correct the id.",
)
UNKNOWN_MANUAL_SECTION = numbered(
    "C202 unknown-manual-section",
    "The manual has no section “{id}”.",
    "Correct the number, or add it to manual/contents.toml.",
)
UNKNOWN_EXPERIMENT = numbered(
    "C203 unknown-experiment",
    "There is no experiment “{id}”{nearest}.",
    "Correct the id, or add experiments/<id>.md with status: planned.",
)
UNKNOWN_FACT = numbered(
    "C204 unknown-fact",
    "There is no fact “{id}”.",
    "Correct the id, or add it to sources.toml.",
)
PLANNED = numbered(
    "C205 planned-reference",
    "{what} is planned, not written.",
    "It shows as text, not as a link.",
    Severity.NOTICE,
)
NOT_IN_SOURCES = numbered(
    "C206 cited-but-not-listed",
    "“{id}” is cited, but not in the list of sources.",
    "Add it under ## Sources.",
)
NOT_CITED = numbered(
    "C207 listed-but-not-cited",
    "“{id}” is in the list of sources, but no sentence cites it.",
    "Cite it where it supports the text, or leave it as reading.",
    Severity.NOTICE,
)
UNKNOWN_FIGURE = numbered(
    "C208 unknown-figure",
    "There is no figure “{id}”{nearest}.",
    "Correct the name, or draw the figure.",
)
NEEDS_CYCLE = numbered(
    "C209 needs-cycle",
    "The card needs itself: {cycle}.",
    "Remove one of these needs.",
)
BAD_LINK = numbered(
    "C210 bad-link",
    "“{target}” is no target for a link.",
    "Use card:ID, manual:1.3, experiment:ID, #id or https://….",
)

BAD_QUOTE = numbered(
    "C301 bad-quote",
    "“{text}” is not understood: {problem}.",
    "Write {{ result:SET column=value COLUMN }}"
    " or {{ ratio:SET column=value / column=value COLUMN: words }}.",
)
UNKNOWN_RESULT = numbered(
    "C302 unknown-result",
    "“{text}” finds no number: {problem}.",
    "Compare it with the file in results/.",
)
WRONG_RATIO = numbered(
    "C303 wrong-ratio",
    "“{words}” does not fit: the ratio is {ratio}.",
    "Correct the words.",
)

RAW_HTML = numbered(
    "C401 raw-html",
    "The text holds HTML: “{tag}”.",
    "Use Markdown, or put it between backticks.",
)
PLAIN_HTTP = numbered(
    "C402 plain-http",
    "The link “{target}” is not encrypted.",
    "Use https.",
)
HEADING_SKIPS = numbered(
    "C403 heading-skips",
    "The heading “{title}” is {found}, but at most {wanted} may stand here.",
    "Go down one level at a time.",
)
HEADLESS_TABLE = numbered(
    "C404 table-without-header",
    "A table has an empty first row.",
    "Name its columns.",
)
UNDERLINED_HEADING = numbered(
    "C405 underlined-heading",
    "“{title}” is made a heading by the line under it.",
    "Write headings with #; leave an empty line before ---.",
)
BAD_IMAGE = numbered(
    "C406 not-a-figure",
    "The image “{target}” is not a figure in a paragraph of its own.",
    "Write ![caption](figure:name) between two empty lines.",
)

BAD_TABLE = numbered(
    "C501 bad-table",
    "The table cannot be read: {problem}.",
    "Correct the file.",
)
BAD_RESULTS = numbered(
    "C502 bad-results",
    "The results cannot be read: {problem}.",
    "Write `# key: value` lines, one line of columns, then rows of numbers.",
)
UNLISTED_SECTION = numbered(
    "C503 contents-differ",
    "{what}",
    "Make manual/contents.toml and the files agree.",
)
UNREADABLE = numbered(
    "C504 unreadable",
    "The file cannot be read: {problem}.",
    "Save it as UTF-8 text that this program may read.",
)
