"""2,000 synthetic cards: load time, search time, memory. Run it by hand:

python -m tests.bench.cards_2000
"""

import random
import re
import resource
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from interview.cards.card import Audience
from interview.cards.check import check
from interview.cards.library import Library
from interview.cards.shelf import signature

GOOD = Path(__file__).resolve().parent.parent / "cards" / "content"
REPOSITORY = GOOD.parents[2]
COUNT = 2_000
WORDS_A_CARD = 900
QUERIES = 500


def vocabulary(random):
    """Words of the repository's own cards, and made-up ones for a long tail."""
    text = " ".join(path.read_text() for path in (REPOSITORY / "content").rglob("*.md"))
    common = sorted(set(re.findall(r"[A-Za-z][\w-]{2,}", text)))
    syllables = ["ka", "ro", "ten", "mi", "qu", "sal", "ber", "no", "vi", "dex"]
    rare = ["".join(random.choices(syllables, k=4)) for _ in range(10_000)]
    return common + rare


def write_cards(root, random):
    words = vocabulary(random)
    weights = [1 / rank for rank in range(1, len(words) + 1)]

    def prose(count):
        chosen = random.choices(words, weights, k=count)
        lines = [" ".join(chosen[at : at + 14]) for at in range(0, count, 14)]
        return ".\n".join(lines) + "."

    template = (GOOD / "cards" / "basics" / "first-card.md").read_text()
    for number in range(COUNT):
        text = template.replace("id: first-card", f"id: card-{number}", 1)
        text = text.replace("The two phases of `one` request", prose(6)[:-1])
        text = text.replace("What does the GPU do?", prose(40))
        text = text.replace("Prefill, then decode.", prose(80))
        text = text.replace("It writes one token a step.", prose(WORDS_A_CARD - 220))
        text = text.replace("Steps got longer.", prose(100))
        folder = root / "cards" / f"topic-{number % 24}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"card-{number}.md").write_text(text)
    return words


def typo(word, random):
    at = random.randrange(len(word))
    return word[:at] + random.choice("etaoin") + word[at + 1 :]


def search_ms(library, words, random, change=lambda word, random: word):
    times = []
    for _ in range(QUERIES):
        asked = random.choices(words, k=random.randint(1, 4))
        asked[-1] = change(asked[-1], random)
        text = " ".join(asked)
        start = time.process_time()
        library.search(text, Audience.CANDIDATE)
        times.append((time.process_time() - start) * 1000)
    return statistics.quantiles(times, n=20)[-1]


def resident_mb():
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 if sys.platform == "linux" else peak / 1024**2


def say(what, value, unit, limit=None):
    verdict = "" if limit is None else "met" if value < limit else "NOT MET"
    target = "" if limit is None else f"target < {limit} {unit}"
    print(f"{what:34}{value:10.1f} {unit:4}{target:20}{verdict}")


def main():
    rng = random.Random(1)
    root = Path(tempfile.mkdtemp())
    shutil.copytree(GOOD, root, dirs_exist_ok=True)
    words = write_cards(root, rng)
    size = sum(path.stat().st_size for path in root.rglob("*.md"))
    start = time.process_time()
    library = Library.load([root])
    loaded = time.process_time() - start
    start = time.process_time()
    library.search("prefill", Audience.CANDIDATE)
    indexed = time.process_time() - start
    memory = resident_mb()
    start = time.process_time()
    signature([root])
    looked = (time.process_time() - start) * 1000
    say("cards", len(library.cards), "")
    say("text", size / 1e6, "MB")
    say("load", loaded, "s", 2)
    say("first search, builds the index", indexed, "s")
    say("resident, at most", memory, "MB", 250)
    say("look at the files' signature", looked, "ms")
    say("search p95", search_ms(library, words, rng), "ms", 10)
    say("search p95, one typing error", search_ms(library, words, rng, typo), "ms", 10)
    start = time.process_time()
    check([root])
    say("lint all", time.process_time() - start, "s")
    shutil.rmtree(root)


if __name__ == "__main__":
    main()
