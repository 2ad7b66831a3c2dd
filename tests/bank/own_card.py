"""A card of one's own, as text."""

TITLE, NEEDLE = "# What a cache costs", "Needle in the answer"
CARD = f"""---
id: my-card
roles: [inference-engineering]
topics: [kv-cache]
levels: [L1, L2, L3, L4]
minutes: 6
competences: [memory-math]
status: kit-only
engine: vLLM 0.31.0
checked: 2026-11-30
edition: 2026.10
needs: []
taught_in: []
experiments: []
---
{TITLE}

## Question

What does our cache cost?

## Short answer

{NEEDLE}: bytes of memory, and the room for another batch.

## Full answer

### Memory

It takes memory that another request could have.

## Follow-ups

### L1 What is kept in it? {{#kept}}

- The keys and values of all tokens before, in every layer.

### L2 How would you shrink it? {{#shrink}}

- A smaller type, fewer heads, or shorter prompts; each has its own price.

### L3 The cache is full and requests wait. What do you look at first? {{#full}}

- How many tokens it holds, and how many the requests that run have asked for.

### L4 Would you buy memory or a second machine? {{#buy}}

- Weights are kept twice with two machines; say what is gained for that price.

## Wrong answers

### “Nothing, it is only a cache.” {{#nothing}}

Tempting, because caches elsewhere are small.

### “It doubles the weights.” {{#doubles}}

Tempting, because both are memory.

## Sources

- our own notes on memory
"""


def put(folder, text=CARD):
    file = folder.root / "cards" / "kv-cache" / "my-card.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file
