"""A card for interviewers: everything open, its use, and the flag that it leaked."""

import re

import pytest
from django.utils import timezone

from interview.accounts.models import Role
from interview.bank.models import CardState
from tests.bank import stage

pytestmark = pytest.mark.usefixtures("shared")
CARD = f"/bank/cards/{stage.FIRST}/"
LEAK = f"{CARD}leak/"


@pytest.fixture
def ida():
    return stage.interviewer("Ida")


@pytest.fixture
def kim():
    return stage.interviewer("Kim")


def asked(kit, *panel, candidate="Ada L."):
    held = stage.interview(kit, panel, candidate=candidate)
    for each in held.in_order():
        held.put(each, "", timezone.now())
    return held


def section(html, name):
    return re.search(rf'aria-labelledby="{name}-title">(.*?)</section>', html, re.S)[1]


def text(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_everything_is_open_with_nothing_to_unfold(ida, content):
    html = stage.browser(ida).get("/bank/cards/secret/").text
    for part in (
        "Which question asks secret?",
        "The short answer of secret.",
        "The <em>full</em> answer",
        "Expected four.",
        "Not for everybody.",
    ):
        assert part in html
    assert "<details" not in html


def test_a_card_that_is_not_there_is_not_found(ida):
    assert stage.browser(ida).get("/bank/cards/no-such-card/").status_code == 404


def test_an_interview_is_named_to_who_may_see_it_and_counted_for_others(ida, kim):
    asked(stage.kit(ida), ida)
    assert "Ada L." in section(stage.browser(ida).get(CARD).text, "asked")
    hers = section(stage.browser(kim).get(CARD).text, "asked")
    assert "Ada L." not in hers
    assert "1 time in colleagues’ interviews." in text(hers)
    asked(stage.kit(kim), kim, candidate="Bo")
    hers = text(section(stage.browser(kim).get(CARD).text, "asked"))
    assert "2 times, last" in hers
    assert "Bo" in hers
    assert "And 1 time in other interviews." in hers


def test_a_voided_question_says_why(ida):
    held = asked(stage.kit(ida), ida)
    held.in_order()[0].question.void("The network was down.", stage.NOW)
    html = section(stage.browser(ida).get(CARD).text, "asked")
    assert "void The network was down." in text(html)


def test_kits_are_named_to_who_may_see_them(ida, kim):
    stage.kit(ida, title="Backend screen")
    assert "Backend screen" in stage.browser(ida).get(CARD).text
    assert "Backend screen" not in stage.browser(kim).get(CARD).text


def test_a_kit_that_leaves_the_card_out_by_now_says_so(ida):
    kit = stage.kit(ida, title="Backend screen")
    asked(kit, ida)
    draft = kit.draft(stage.NOW)
    draft.save_lines(
        [stage.line(stage.THIRD)],
        role="",
        level="L4",
        notes="",
        revision=draft.revision,
    )
    html = section(stage.browser(ida).get(CARD).text, "kits")
    assert "version 1; the newest leaves it out" in text(html)


def test_ratings_are_kept_apart_by_the_text_that_was_asked(
    ida, content, clock, monkeypatch
):
    from interview.web.content import keeper

    stage.submit(asked(stage.kit(ida, "kv-cache"), ida), ida, [1])
    content.card("kv-cache", topic="memory", short="Another short answer.")
    clock(60)
    roots = (content.public, content.private)
    monkeypatch.setattr(keeper(roots), "_looked", float("-inf"))
    stage.submit(asked(stage.kit(ida, "kv-cache"), ida), ida, [4])
    html = section(stage.browser(ida).get("/bank/cards/kv-cache/").text, "ratings")
    assert "1 at L1, 1 at L4" in html
    newest, before = re.findall(r"<li>(.*?)</li>", html, re.S)
    assert "As it is now" in newest
    assert "1 at L4" in newest
    assert "1 at L1" in before


def test_a_card_asks_the_database_as_often_for_many_as_for_one(
    ida, django_assert_max_num_queries
):
    client = stage.browser(ida)
    stage.submit(asked(stage.kit(ida), ida), ida, [1, 2])
    with django_assert_max_num_queries(20) as queries:
        client.get(CARD)
        once = len(queries)
    for _ in range(4):
        stage.submit(asked(stage.kit(ida), ida), ida, [1, 2])
    with django_assert_max_num_queries(once):
        client.get(CARD)


def test_a_flag_is_set_with_a_reason_and_taken_back(ida):
    client = stage.browser(ida)
    response = client.post(LEAK, {"reason": "Seen on a forum."})
    assert (response.status_code, response["Location"]) == (303, f"{CARD}#its-leak")
    html = client.get(CARD).text
    assert "Flagged by Ida" in html
    assert "Seen on a forum." in html
    flagged_at = re.search(r'name="flagged_at" value="([^"]+)"', html)[1]
    assert client.post(LEAK, {"flagged_at": flagged_at}).status_code == 303
    assert not CardState.objects.leaked()
    assert client.post(LEAK, {"flagged_at": flagged_at}).status_code == 303


def test_a_flag_without_a_reason_is_asked_for_one(ida):
    response = stage.browser(ida).post(LEAK, {"reason": " "})
    assert response.status_code == 422
    assert "Say how you know" in response.text
    assert not CardState.objects.leaked()


def test_the_same_flag_twice_is_one(ida):
    client = stage.browser(ida)
    client.post(LEAK, {"reason": "Seen on a forum."})
    first = CardState.objects.leak_of(stage.FIRST).leaked_at
    assert client.post(LEAK, {"reason": "Seen on a forum."}).status_code == 303
    assert CardState.objects.leak_of(stage.FIRST).leaked_at == first


def test_another_reason_replaces_nothing_and_is_shown_again(ida, kim):
    stage.browser(ida).post(LEAK, {"reason": "Seen on a forum."})
    response = stage.browser(kim).post(LEAK, {"reason": "A candidate told me."})
    assert response.status_code == 409
    assert "Seen on a forum." in response.text
    assert "Not saved: A candidate told me." in response.text
    assert CardState.objects.leak_of(stage.FIRST).flagged_by == ida


def test_a_newer_flag_is_not_taken_back_by_an_older_page(ida, kim):
    states = CardState.objects
    states.flag_leak(stage.FIRST, ida, "Seen on a forum.", stage.NOW)
    states.take_back(stage.FIRST, stage.NOW)
    states.flag_leak(stage.FIRST, kim, "Seen again.", stage.later(60))
    old = {"flagged_at": stage.NOW.isoformat()}
    assert stage.browser(ida).post(LEAK, old).status_code == 409
    assert states.leak_of(stage.FIRST).leak_reason == "Seen again."


def test_a_reason_is_text_and_never_markup(ida):
    states = CardState.objects
    states.flag_leak(stage.FIRST, ida, "<b>seen</b>", stage.NOW)
    html = stage.browser(ida).get(CARD).text
    assert "&lt;b&gt;seen&lt;/b&gt;" in html
    assert "<b>seen</b>" not in html


def test_an_owner_of_the_installation_reads_every_interview_by_name(ida):
    asked(stage.kit(ida), ida)
    owner = stage.interviewer("Oda", Role.OWNER)
    assert "Ada L." in stage.browser(owner).get(CARD).text
