"""A small content of its own and one person of each kind."""

import pytest

from interview.accounts.models import Role, User

CARD = """\
---
id: {id}
roles: [{role}]
topics: [{topic}]
levels: [L1, L3]
minutes: 6
competences: [metrics]
status: {status}
engine: vLLM 0.31.0 · db9527a
checked: 2026-10-05
edition: 2026.10
needs: [{needs}]
taught_in: [manual/1.1, manual/1.2]
experiments: [one-request]
---
# {title}

## Question

{question}

## Short answer

{short}

## Full answer

The *full* answer, with a <b>tag</b> [V:A-1].

### A heading of its own

| Number | ms |
|---|--:|
| TTFT | 257 |

![A sentence.](figure:no-such-figure)

## Follow-ups

### L1 First rung of {id}? {{#first}}

Expected one.

### L2 Second rung? {{#second}}

Expected two.

### L3 Third rung? {{#third}}

Expected three.

### L4 Fourth rung? {{#fourth}}

Expected four.

## Wrong answers

### “They are the same number.” {{#same experiment=one-request}}

One is a mean.

### “More is better.” {{#more}}

Not for everybody.

## Sources

- [V:A-1] the first fact
- a talk
"""
VOCABULARY = """\
[roles.engine]
title = "Engine"
[roles.product]
title = "Product"
[levels.L1]
title = "Screen"
[levels.L2]
title = "Working"
[levels.L3]
title = "Senior"
[levels.L4]
title = "Staff"
[topics.phases]
title = "Phases"
[topics.memory]
title = "Memory"
[competences.metrics]
title = "Metrics"
"""
CONTENTS = """\
title = "A manual"
edition = "2026.10"
[[part]]
number = "1"
title = "Start"
[[part.section]]
number = "1.1"
title = "What happens"
summary = "Two phases."
status = "written"
[[part.section]]
number = "1.2"
title = "What comes later"
summary = "Nothing yet."
status = "planned"
"""
SECTION = """\
---
number: 1.1
engine: vLLM 0.31.0 · db9527a
checked: 2026-10-05
edition: 2026.10
---
# What happens

The scheduler hands out a budget [V:A-1].

## Two phases

See [the phases](card:two-phases) and [what comes later](manual:1.2).

## Sources

- [V:A-1] the first fact
"""
EXPERIMENT = """\
---
id: one-request
title: One request
status: written
users: [1]
prompt_tokens: 512
output_tokens: 128
repetitions: 3
neighbours: 0
cards: [two-phases]
---
Watch it.

## Question to predict

How long?

## What to look for

The first token.

## Claims

### The wait is long. {#long of=ttft_ms@1 to=tpot_ms@1 agrees=3.. doubt=2..}

It holds the prefill.
"""
FACTS = """\
["V:A-1"]
says = "The budget is one number."
origin = "v1/core/scheduler.py, schedule."
"""


def card_text(card_id, **given):
    words = {
        "title": f"Title of {card_id}",
        "question": f"Which question asks {card_id}?",
        "role": "engine",
        "topic": "phases",
        "status": "published",
        "needs": "",
        "short": f"The short answer of {card_id}.",
    }
    return CARD.format(id=card_id, **words | given)


class Content:
    """The public and the private folder of a content in the making."""

    def __init__(self, public, private):
        self.public, self.private = public, private

    def card(self, card_id, *, private=False, **given):
        root = self.private if private else self.public
        self.write(f"cards/any/{card_id}.md", card_text(card_id, **given), root)

    def write(self, path, text, root=None):
        file = (root or self.public) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


@pytest.fixture
def content(tmp_path, settings):
    public, private = tmp_path / "public", tmp_path / "private"
    settings.CONTENT_ROOT, settings.CONTENT_PATHS = public, [private]
    content = Content(public, private)
    content.write("vocabulary.toml", VOCABULARY)
    content.write("sources.toml", FACTS)
    content.write("manual/contents.toml", CONTENTS)
    content.write("manual/1-start/1.1.md", SECTION)
    content.write("experiments/one-request.md", EXPERIMENT)
    content.card("two-phases", title="The two phases", question="What is prefill?")
    content.card("kv-cache", topic="memory", role="product", needs="two-phases")
    content.card("half-done", status="draft")
    content.card("secret", private=True, status="kit-only")
    return content


@pytest.fixture
def candidate(client, settings, db):
    settings.PREFILL_MODE = "shared"
    client.force_login(User.objects.create(name="c", role=Role.CANDIDATE))
    return client


@pytest.fixture
def interviewer(client, settings, db):
    settings.PREFILL_MODE = "shared"
    client.force_login(User.objects.create(name="i", role=Role.INTERVIEWER))
    return client
