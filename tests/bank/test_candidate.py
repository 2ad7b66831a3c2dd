"""The candidate's pages: the brief behind a link, and the question behind a seat."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from interview.accounts.attempts import LINK
from interview.accounts.seat import COOKIE
from interview.bank.candidate.text import question_text, without_links
from interview.bank.models import AuditEntry, CandidateSeat, Evidence, Verb
from interview.bank.models.candidate_seat import MOST_SEATS
from interview.lab.models import Prediction, Run, Status
from interview.lab.runs.spec import Spec
from interview.web.content import library
from tests.bank import stage
from tests.study.bank import make_card

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def shared(settings):
    settings.PREFILL_MODE = "shared"
    settings.LAB_URL, settings.LAB_MODEL = "http://127.0.0.1:9", "a-model"


@pytest.fixture
def ann():
    return stage.interviewer("Ann")


@pytest.fixture
def planned(ann):
    kit = stage.kit(ann, stage.FIRST, stage.THIRD)
    return stage.interview(kit, [ann, stage.interviewer("Bo")])


@pytest.fixture
def link(ann, planned):
    """A link by the real clock, and where it leads."""
    made, token = planned.make_link(ann, timezone.now())
    made.address = f"/candidate/{token}/"
    return made


@pytest.fixture
def seat(planned, link):
    """The candidate's browser, by the button on the brief."""
    client = Client()
    response = client.post(link.address)
    assert (response.status_code, response["Location"]) == (303, here(planned))
    return client


def here(interview):
    return f"/candidate/at/{interview.pk}/"


def asked(interview, position):
    return interview.asked.select_related("question").get(question__position=position)


def put(interview, position, rung_id=""):
    interview.put(asked(interview, position), rung_id, timezone.now())


def news(client, interview, revision):
    return client.get(
        f"{here(interview)}?revision={revision}",
        headers={"HX-Request": "true", "HX-Request-Type": "partial"},
    )


def rungs(interview, position):
    card = library().cards[asked(interview, position).card_id]
    return card.follow_ups


def test_the_brief_says_how_it_goes_and_names_no_question(settings, planned, link):
    settings.BANK_KEEP_DAYS = 10
    page = Client().get(link.address)
    for words in ("2 questions", "12 minutes", "Ann, Bo", "Ada L.", "12 December 2026"):
        assert words in page.text, words
    for each in planned.asked.all():
        card = library().cards[each.card_id]
        assert each.card_id not in page.text
        assert card.title_text not in page.text
        assert all(topic not in page.text for topic in card.topics)


def test_a_look_at_the_brief_takes_no_seat(link):
    response = Client().get(link.address)
    assert COOKIE not in response.cookies
    assert not CandidateSeat.objects.exists()


def test_a_brief_is_kept_and_found_by_nobody_else(link):
    response = Client().get(link.address)
    assert "no-store" in response["Cache-Control"]
    assert "noindex" in response["X-Robots-Tag"]
    assert response["Referrer-Policy"] == "strict-origin"


def test_the_seats_cookie_goes_to_the_interview_alone(planned, link):
    cookie = Client().post(link.address).cookies[COOKIE]
    assert cookie["path"] == here(planned)
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_who_joins_is_in_the_audit_log_as_nobody(planned, seat):
    entry = AuditEntry.objects.about(planned.pk).get(verb=Verb.JOINED)
    assert entry.actor_id is None


@pytest.mark.parametrize("ended", ["revoked", "replaced", "expired", "cut"])
def test_a_link_that_is_over_opens_nothing_and_ends_its_seat(
    ann, planned, link, seat, ended
):
    place = link.address
    assert seat.get(here(planned)).status_code == 200
    if ended == "revoked":
        planned.revoke_link(ann, timezone.now())
    elif ended == "replaced":
        planned.make_link(ann, timezone.now())
    elif ended == "expired":
        planned.links.update(expires_at=timezone.now())
    else:
        place = place[:-2] + "/"
    for response in (Client().get(place), Client().post(place)):
        assert response.status_code == 404
        assert "This link opens nothing" in response.text
        assert COOKIE not in response.cookies
    assert seat.get(here(planned)).status_code == (200 if ended == "cut" else 404)


def test_links_can_be_guessed_only_so_often(link):
    client = Client()
    for _ in range(LINK.most):
        assert client.get("/candidate/guess/").status_code == 404
    assert client.get(link.address).status_code == 429


def test_a_right_link_counts_as_no_guess(link):
    client = Client()
    for _ in range(LINK.most + 1):
        assert client.get(link.address).status_code == 200


def test_an_interview_that_is_over_gives_no_seat(ann, planned, link):
    planned.end(ann, timezone.now())
    page = Client().post(link.address)
    assert (page.status_code, COOKIE in page.cookies) == (200, False)
    assert "This interview is over." in page.text


def test_a_link_gives_so_many_seats_and_a_new_one_gives_more(ann, planned, link):
    for _ in range(MOST_SEATS):
        assert Client().post(link.address).status_code == 303
    refused = Client().post(link.address)
    assert (refused.status_code, COOKIE in refused.cookies) == (409, False)
    assert "Ask whoever sent it to you" in refused.text
    assert CandidateSeat.objects.count() == MOST_SEATS
    _, token = planned.make_link(ann, timezone.now())
    assert Client().post(f"/candidate/{token}/").status_code == 303


def test_no_role_opens_the_candidates_page(ann, planned):
    response = stage.browser(ann).get(here(planned))
    assert response.status_code == 404
    assert "You have no seat here" in response.text


def test_the_seat_of_one_interview_opens_no_other(ann, planned, seat):
    other = stage.interview(planned.version.kit, [ann])
    assert seat.get(here(other)).status_code == 404


@pytest.mark.parametrize("mode", ["shared", "local"])
def test_the_candidates_pages_lead_nowhere_else(settings, planned, link, seat, mode):
    settings.PREFILL_MODE = mode
    put(planned, 1)
    for response in (Client().get(link.address), seat.get(here(planned))):
        assert response.status_code == 200
        assert 'aria-label="Main"' not in response.text
        assert 'href="/bank/' not in response.text
        body = response.text.partition("<main")[2].partition("</main>")[0]
        assert "<a " not in body.replace(f'<a href="{here(planned)}">', "")


def test_each_state_shows_what_is_put_and_nothing_else(ann, planned, seat):
    first, third = (library().cards[name] for name in (stage.FIRST, stage.THIRD))
    put_now = {
        "Say what the GPU does between the arrival": lambda: put(planned, 1),
        rungs(planned, 1)[0].title: lambda: put(planned, 1, rungs(planned, 1)[0].id),
        rungs(planned, 1)[1].title: lambda: put(planned, 1, rungs(planned, 1)[1].id),
        "No question is open at the moment": planned.clear,
        rungs(planned, 2)[-1].title: lambda: put(planned, 2, rungs(planned, 2)[-1].id),
        "The interview is over": lambda: planned.end(ann, timezone.now()),
    }
    assert "The first question appears here" in seat.get(here(planned)).text
    titles = {rung.title for card in (first, third) for rung in card.follow_ups}
    assert put_now.keys() - titles, "a state is told from a title"
    for words, act in put_now.items():
        act()
        page = seat.get(here(planned))
        assert words in page.text, words
        others = [each for each in put_now if each != words]
        assert not [each for each in others if each in page.text]
        for hidden in (stage.FIRST, stage.THIRD, first.title_text, third.title_text):
            assert hidden not in page.text
        assert stage.FIRST not in str(page.headers) + str(page.cookies)


def test_the_question_is_counted(planned, seat):
    put(planned, 2)
    assert "Question 2 of 2<" in seat.get(here(planned)).text
    put(planned, 2, rungs(planned, 2)[0].id)
    assert "Question 2 of 2, follow-up" in seat.get(here(planned)).text


def test_an_open_page_is_told_news_and_else_nothing(planned, seat):
    nothing = news(seat, planned, planned.revision)
    assert (nothing.status_code, nothing.content) == (204, b"")
    before = planned.revision
    put(planned, 1)
    told = news(seat, planned, before)
    assert told.status_code == 200
    assert "<html" not in told.text
    assert f"?revision={planned.revision}" in told.text
    assert news(seat, planned, planned.revision).status_code == 204


def test_the_page_of_an_interview_that_is_over_asks_no_more(ann, planned, seat):
    assert 'hx-trigger="every 2s"' in seat.get(here(planned)).text
    planned.end(ann, timezone.now())
    assert "hx-trigger" not in seat.get(here(planned)).text


def test_an_open_page_that_lost_its_seat_is_drawn_anew(ann, planned, seat):
    planned.revoke_link(ann, timezone.now())
    lost = news(seat, planned, planned.revision)
    assert (lost.status_code, lost["HX-Refresh"]) == (404, "true")


def test_asking_for_news_writes_down_the_candidate_every_ten_seconds(planned, seat):
    seat.get(here(planned))

    def writes():
        with CaptureQueriesContext(connection) as made:
            news(seat, planned, planned.revision)
        assert len(made) <= 3
        return [each for each in made if each["sql"].startswith("UPDATE")]

    assert not writes()
    CandidateSeat.objects.update(seen_at=timezone.now() - timedelta(seconds=11))
    assert len(writes()) == 1
    assert not writes()


LINKED = """\
Read [one card](card:kv-cache), [1.3](manual:1.3), [the word](https://example.org/a)
and [V:SCH-2], then `<a href="/x">` of **TTFT**.
"""


def test_a_question_has_its_words_and_no_way_out():
    card = make_card("linked", question=LINKED, title="T", role="engine", short="S")
    shown = question_text(card, "")
    assert "<a" not in shown
    assert "href=" not in shown.replace("&lt;a href=", "")
    for words in ("one card", "the word", "<strong>TTFT</strong>", "&lt;a href"):
        assert words in shown, words


def test_a_link_goes_whatever_its_attributes_hold():
    html = '<p><a title="a > b" href="/cards/x/">x</a> <abbr>y</abbr></p>'
    assert without_links(html) == "<p>x <abbr>y</abbr></p>"


def show_run(interview, person, metric="ttft_ms", **spec):
    """A finished run with a prediction, before the candidate."""
    run = Run.objects.queue(person, Spec(**{"prompt": "Why?"} | spec), timezone.now())
    Prediction.objects.create(
        run=run, person=person, metric=metric, value=400, locked_at=timezone.now()
    )
    load = run.asked.load_names[-1]
    run.status, run.simulated = Status.COMPLETED, True
    run.figures = {load: {"values": {"ttft_ms": [257.0, None, None]}, "spoiled": []}}
    run.report = {"requests": [{"status": "completed", "text": "THE ANSWER"}]}
    run.save()
    evidence = Evidence.objects.create(
        interview=interview,
        asked=interview.asked_now,
        run=run,
        claim="A CLAIM",
        attached_at=timezone.now(),
    )
    interview.show(evidence)
    return run


def test_a_run_shows_its_prompt_prediction_and_numbers_alone(ann, planned, seat):
    put(planned, 1)
    run = show_run(planned, ann, prompt="Count to 10.")
    page = seat.get(here(planned)).text
    for words in ("Count to 10.", "simulated", "400\u00a0ms", "257\u00a0ms", "1 user,"):
        assert words in page, words
    for hidden in ("THE ANSWER", "A CLAIM", run.slug, str(run.pk), "/lab/"):
        assert hidden not in page, hidden


def test_a_run_of_an_experiment_says_none_of_its_words(ann, planned, seat):
    experiment = library().experiments["long-prompt"]
    sizes = {"users": 1, "prompt_tokens": 2048, "max_tokens": 64}
    spec = Spec.of_loads([{"name": "XLOAD"} | sizes], experiment=experiment.id)
    put(planned, 1)
    show_run(planned, ann, metric="ttft_ms@XLOAD", **spec.to_json())
    page = seat.get(here(planned)).text
    for words in ("2,048 tokens, made up", "answers of 64 tokens", "400\u00a0ms"):
        assert words in page, words
    for hidden in ("XLOAD", experiment.id, experiment.title):
        assert hidden not in page, hidden


def test_a_run_of_a_card_that_candidates_may_not_read_shows_no_prompt(
    ann, planned, seat
):
    put(planned, 1)
    show_run(planned, ann, prompt="SECRET", card="kit-only-card", source="card")
    page = seat.get(here(planned)).text
    assert "SECRET" not in page
    assert "257\u00a0ms" in page


def test_another_question_takes_the_run_away(ann, planned, seat):
    put(planned, 1)
    show_run(planned, ann)
    put(planned, 2)
    assert "257" not in seat.get(here(planned)).text
