"""Calibration: samples are rated apart, once, and opened by one's own rating."""

import re

import pytest

from interview.accounts.models import Role
from interview.bank.calibration.drift import Drift, said_of
from interview.bank.models import Sample, SampleRating
from interview.web.content import library
from interview.web.keys import uuid7
from interview.web.models import CardVersion
from tests.bank import stage

pytestmark = pytest.mark.usefixtures("shared")


@pytest.fixture
def ida():
    return stage.interviewer("Ida")


@pytest.fixture
def kim():
    return stage.interviewer("Kim")


def at(sample, act=""):
    return f"/bank/calibration/{sample.pk}/{act}"


def rate(person, sample, rating, reason="It names both phases."):
    sent = {"rating": rating, "reason": reason}
    return stage.browser(person).post(at(sample, "rate/"), sent)


def test_what_colleagues_gave_opens_with_ones_own_rating(ida, kim):
    sample = stage.sample(ida)
    rate(kim, sample, 4, "A word that only Kim writes.")
    for place in (at(sample), "/bank/calibration/"):
        html = stage.browser(ida).get(place).text
        assert "only Kim writes" not in html
        assert "1 at L4" not in html
        assert "Kim" not in html
    assert rate(ida, sample, 2).status_code == 303
    html = stage.browser(ida).get(at(sample)).text
    assert "only Kim writes" in html
    assert "1 at L2, 1 at L4" in html
    assert "1 at L2, 1 at L4" in stage.browser(ida).get("/bank/calibration/").text


def test_a_rating_that_is_refused_opens_nothing(ida, kim):
    sample = stage.sample(ida)
    rate(kim, sample, 4, "A word that only Kim writes.")
    response = rate(ida, sample, 2, " ")
    assert response.status_code == 422
    assert "only Kim writes" not in response.text


def test_the_first_rating_counts(ida):
    sample = stage.sample(ida)
    rate(ida, sample, 1, "First thought.")
    assert rate(ida, sample, 1, "First thought.").status_code == 303
    assert "Your first rating" not in stage.browser(ida).get(at(sample)).text
    client = stage.browser(ida)
    client.post(at(sample, "rate/"), {"rating": 3, "reason": "Second thought."})
    assert "Your first rating counts: L1." in client.get(at(sample)).text
    given = SampleRating.objects.get()
    assert (given.rating, given.reason) == (1, "First thought.")


@pytest.mark.parametrize("rating", ["", "5", "-1", "high"])
def test_a_rating_that_the_card_does_not_have_is_asked_again(ida, rating):
    sample = stage.sample(ida)
    response = rate(ida, sample, rating, "My reason.")
    assert response.status_code == 422
    assert "Choose how far this answer climbs." in response.text
    assert "My reason.</textarea>" in response.text
    assert not SampleRating.objects.exists()


def test_the_panel_stands_farthest_from_the_middle_first(ida, kim):
    sample, lou = stage.sample(ida), stage.interviewer("Lou")
    for person, rating in ((ida, 2), (kim, 2), (lou, 4)):
        rate(person, sample, rating)
    html = stage.browser(ida).get(at(sample)).text
    assert re.findall(r"<li><b>(.*?)</b> (\w+)", html) == [
        ("L4", "Lou"),
        ("L2", "you"),
        ("L2", "Kim"),
    ]


def test_the_widest_spread_stands_first(ida, kim):
    near, apart = stage.sample(ida, title="Near"), stage.sample(ida, title="Apart")
    for sample, other in ((near, 2), (apart, 4)):
        rate(ida, sample, 2)
        rate(kim, sample, other)
    html = stage.browser(ida).get("/bank/calibration/").text
    assert html.index("Apart") < html.index("Near")


def test_ones_own_drift_is_told_to_oneself_alone(ida, kim):
    sample, lou = stage.sample(ida), stage.interviewer("Lou")
    for person, rating in ((ida, 4), (kim, 2), (lou, 3)):
        rate(person, sample, rating)
    words = "one and a half steps above the panel’s middle"
    for place in (at(sample), "/bank/calibration/"):
        assert words in stage.browser(ida).get(place).text
        assert words not in stage.browser(kim).get(place).text
    hers = stage.browser(kim).get("/bank/calibration/").text
    assert "one and a half steps below the panel’s middle" in hers


@pytest.mark.parametrize(
    ("own", "others", "words"),
    [
        (2, [], "nobody else has rated it yet"),
        (2, [2], "at the panel’s middle"),
        (0, [4], "four steps below the panel’s middle"),
        (3, [2, 3], "half a step above the panel’s middle"),
        (3, [1, 2, 4], "one step above the panel’s middle"),
    ],
)
def test_drift_is_said_in_words(own, others, words):
    assert Drift.of(own, others).words == words


def test_drift_over_samples_counts_the_sides():
    assert said_of([Drift(None)]) == ""
    assert said_of([Drift(1), Drift(None), Drift(0.5), Drift(-2), Drift(0)]) == (
        "Beside the panel’s middle, on 4 samples that others rated too, "
        "you were 2 times above it, 1 time below it, 1 time at it."
    )


def test_a_sample_keeps_its_card_as_it_was(ida, content, monkeypatch):
    from interview.web.content import keeper

    sample = stage.sample(ida, card_id="kv-cache")
    file = content.public / "cards/any/kv-cache.md"
    file.write_text(file.read_text().replace("Expected four.", "Expected otherwise."))
    roots = (content.public, content.private)
    monkeypatch.setattr(keeper(roots), "_looked", float("-inf"))
    html = stage.browser(ida).get(at(sample)).text
    assert "Expected four." in html
    assert "Expected otherwise." not in html
    assert "The card reads otherwise today." in html


def test_a_sample_outlives_its_card(ida, content, monkeypatch):
    from interview.web.content import keeper

    sample = stage.sample(ida, card_id="kv-cache")
    (content.public / "cards/any/kv-cache.md").unlink()
    roots = (content.public, content.private)
    monkeypatch.setattr(keeper(roots), "_looked", float("-inf"))
    assert "kv-cache" not in library().cards
    assert rate(ida, sample, 4).status_code == 303
    for place in (at(sample), "/bank/calibration/"):
        assert stage.browser(ida).get(place).status_code == 200


def test_a_form_that_is_sent_twice_writes_one_sample(ida):
    client = stage.browser(ida)
    sent = {"key": uuid7(), "card": stage.FIRST, "title": "A", "answer": "B"}
    places = {client.post("/bank/calibration/new/", sent)["Location"] for _ in range(2)}
    sample = Sample.objects.get()
    assert places == {at(sample)}
    assert sample.card_hash == library().cards[stage.FIRST].version
    assert CardVersion.objects.filter(pk=sample.card_hash).exists()


def test_a_key_of_somebody_elses_sample_is_refused_and_nothing_is_lost(ida, kim):
    theirs = stage.sample(kim)
    sent = {"key": theirs.pk, "card": stage.FIRST, "title": "A", "answer": "B <and> C"}
    response = stage.browser(ida).post("/bank/calibration/new/", sent)
    assert response.status_code == 422
    assert "This form is not yours: open the page anew." in response.text
    assert "B &lt;and&gt; C</textarea>" in response.text
    assert Sample.objects.get() == theirs


def test_a_form_with_something_missing_keeps_what_was_written(ida):
    sent = {"key": uuid7(), "card": stage.FIRST, "title": "", "answer": "Both <wait>."}
    response = stage.browser(ida).post("/bank/calibration/new/", sent)
    assert response.status_code == 422
    assert "Give it a name." in response.text
    assert "Both &lt;wait&gt;.</textarea>" in response.text
    assert f'value="{stage.FIRST}" selected' in response.text


def test_the_address_chooses_the_card(ida):
    html = stage.browser(ida).get(f"/bank/calibration/new/?card={stage.FIRST}").text
    assert f'value="{stage.FIRST}" selected' in html


def test_a_retired_sample_is_not_rated_any_more(ida, kim):
    sample = stage.sample(ida)
    rate(kim, sample, 3, "Kim was before.")
    stage.browser(ida).post(at(sample, "retire/"), {"retired": "1"})
    assert "Your rating" not in stage.browser(ida).get(at(sample)).text
    assert rate(ida, sample, 2).status_code == 409
    assert SampleRating.objects.count() == 1
    assert "Kim was before." in stage.browser(kim).get(at(sample)).text
    stage.browser(ida).post(at(sample, "retire/"), {"retired": "0"})
    assert rate(ida, sample, 2).status_code == 303


def test_who_wrote_a_sample_and_owners_retire_it(ida, kim):
    sample, owner = stage.sample(ida), stage.interviewer("Oda", Role.OWNER)
    retire, sent = at(sample, "retire/"), {"retired": "1"}
    assert stage.browser(kim).post(retire, sent).status_code == 404
    assert "Retire this sample" not in stage.browser(kim).get(at(sample)).text
    assert stage.browser(owner).post(retire, sent).status_code == 303
    sample.refresh_from_db()
    assert sample.retired_at


def test_the_list_asks_the_database_as_often_for_many_as_for_one(
    ida, kim, django_assert_max_num_queries
):
    rate(ida, stage.sample(ida), 2)
    client = stage.browser(ida)
    with django_assert_max_num_queries(20) as queries:
        client.get("/bank/calibration/")
        once = len(queries)
    for rating in range(5):
        sample = stage.sample(ida, title=f"Sample {rating}")
        rate(ida, sample, rating)
        rate(kim, sample, 2)
    with django_assert_max_num_queries(once):
        client.get("/bank/calibration/")
