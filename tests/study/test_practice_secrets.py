"""No answer is in a page of practice before it is opened: every stage is looked at."""

import re

import pytest

from tests.study.at_browser import Learner

pytestmark = pytest.mark.django_db

SECRETS = {
    "short": "XSHORT",
    "full": "XFULL",
    "answer:first": "XFIRST",
    "answer:second": "XSECOND",
    "answer:third": "XTHIRD",
    "answer:fourth": "XFOURTH",
    "done": "XWHY",
}
"""What each stage opens."""


@pytest.fixture
def learner(candidate, content):
    text = (content.public / "cards/any/kv-cache.md").read_text()
    for said, secret in (
        ("The short answer of kv-cache.", "XSHORT is said in a sentence of its own."),
        ("The *full* answer, with", "XFULL, with"),
        ("Expected one.", "XFIRST."),
        ("Expected two.", "XSECOND."),
        ("Expected three.", "XTHIRD."),
        ("Expected four.", "XFOURTH."),
        ("One is a mean.", "XWHY."),
        ("Not for everybody.", "XWHY."),
    ):
        assert said in text
        text = text.replace(said, secret)
    content.write("cards/any/kv-cache.md", text)
    return Learner(candidate)


def secrets(html):
    return set(re.findall(r"X(?:SHORT|FULL|FIRST|SECOND|THIRD|FOURTH|WHY)", html))


def test_each_stage_shows_what_was_opened_and_nothing_of_what_was_not(learner):
    learner.get("/practice/?topic=memory")
    assert not secrets(learner.html)
    learner.send("start", attempts="on")
    opened, stages = set(), []
    for _ in range(30):
        stage = learner.address.partition("?at=")[2] or "question"
        stages.append(stage)
        opened |= {SECRETS[stage]} if stage in SECRETS else set()
        if stage == "flaws":
            # The drill mixes in right sentences, which were open before.
            assert secrets(learner.html) <= {"XSHORT", "XFULL"}
        else:
            assert secrets(learner.html) <= opened, stage
        if stage in SECRETS:
            assert SECRETS[stage] in learner.html, stage
        crawl(learner, opened)
        if 'name="grade"' in learner.html and stage != "short":
            learner.send("grade", grade="solid")
            assert secrets(learner.html) <= opened, stage
        if stage == "done":
            break
        learner.send("reveal")
    rungs = ["first", "second", "third", "fourth"]
    ladder = [f"{kind}:{rung}" for rung in rungs for kind in ("rung", "answer")]
    assert stages == ["question", "short", "full", *ladder, "flaws", "done"]


def crawl(learner, opened):
    """No stage that somebody types into the address opens more."""
    address = learner.here.get_absolute_url()
    for stage in ["", *SECRETS, "flaws", "rung:fourth"]:
        html = learner.client.get(f"{address}?at={stage}", follow=True).text
        assert secrets(html) <= opened | {"XSHORT", "XFULL"} & opened, stage


def test_a_question_that_was_missed_opens_no_answer_of_a_rung(learner):
    learner.start("?topic=memory").send("reveal").send("grade", grade="missed")
    crawl(learner, {"XSHORT"})


def test_a_grade_at_the_short_answer_does_not_open_the_full_one(learner):
    learner.start("?topic=memory").send("reveal").send("grade", grade="solid")
    learner.send("reveal")
    assert learner.address.endswith("?at=rung:first")
    assert not secrets(learner.html)
