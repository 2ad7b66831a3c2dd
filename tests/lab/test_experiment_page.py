"""The page of an experiment, its runs' verdicts, and the card's way to the claim."""

import pytest
from django.urls import reverse

from interview.accounts.models import Role
from interview.lab import content
from interview.lab.experiments.departures import departures
from interview.lab.experiments.experiment_page import first_sentence
from interview.lab.experiments.judged import in_short, judged
from interview.lab.experiments.measured_before import manual_cells, manual_rows
from interview.lab.form.forms import RunForm
from interview.lab.models import Prediction, Run, Status
from interview.lab.runs.spec import Spec
from tests.lab.cast import at, later
from tests.lab.loads import level, repetition, report, request


def values(**metrics):
    found = {name: [value, None, None] for name, value in metrics.items()}
    return {"values": found, "spoiled": []}


def gaps(longest_ms, **others):
    metrics = {"itl_max_ms": longest_ms, "itl_p99_ms": longest_ms, "itl_p50_ms": 32.0}
    return values(**metrics, **others)


AGREES = {"alone": gaps(40.0), "beside": gaps(350.0, neighbour_ttft_ms=700.0)}
REFUTES = AGREES | {"beside": gaps(40.0, neighbour_ttft_ms=41.0)}
REPORT = report(
    *(
        level(1, repetition(1, [request(n) for n in range(3)])) | {"name": name}
        for name in AGREES
    )
)


@pytest.fixture
def alice(alice):
    """She may see every card."""
    alice.role = Role.INTERVIEWER
    alice.save()
    return alice


@pytest.fixture
def experiment():
    return content.experiment("neighbour-prefill")


@pytest.fixture
def make_measured(make_run, worker, experiment):
    """A run of the experiment that is over, with these figures."""

    def make(figures, predictions=None, hours=0, **changes):
        loads = [load | changes for load in content.loads_of(experiment)]
        spec = Spec.of_loads(loads, experiment=experiment.id)
        run = make_run(predictions=predictions, now=later(hours), **spec.to_json())
        run.finish(
            run.claim(worker, later(1)), Status.COMPLETED, later(2), report=REPORT
        )
        Run.objects.filter(pk=run.pk).update(figures=figures)
        run.refresh_from_db()
        return run

    return make


def where(experiment):
    return reverse("lab:experiment", args=[experiment.id])


@pytest.mark.parametrize("name", [x.id for x in content.experiments() if not x.gathers])
def test_every_experiment_has_a_page_and_a_form_that_asks_its_quantities(
    at_alice, name
):
    shown = content.experiment(name)
    page = at_alice.get(reverse("lab:experiment", args=[name]))
    assert page.status_code == 200
    for claim in shown.claims:
        assert f'id="claim-{claim.id}"' in page.content.decode()
    form = at_alice.get(reverse("lab:lab"), {"experiment": name}).content.decode()
    for quantity in shown.predict:
        assert f'name="{quantity}"' in form
        assert f'name="{quantity}_low"' in form
    posted = content.load_of(shown) | {"freshness": "fresh", str(shown.predict[0]): "9"}
    answer = at_alice.post(reverse("lab:runs"), posted)
    assert answer.status_code == 303, answer.content.decode()[:3000]
    run = Run.objects.get()
    assert run.asked.experiment == name
    assert run.predictions.get().metric == str(shown.predict[0])


def test_the_claims_and_what_to_look_for_are_folded(at_alice, experiment):
    page = at_alice.get(where(experiment)).content.decode()
    head, _, claims = page.partition('id="claims"')
    assert experiment.claims[0].title_text not in head
    assert claims.index("<details") < claims.index(experiment.claims[0].title_text)


def test_each_run_has_its_verdict_on_every_claim(at_alice, experiment, make_measured):
    make_measured(REFUTES)
    page = at_alice.get(where(experiment)).content.decode()
    assert page.count('data-outcome="') == len(experiment.claims)
    assert "refutes" in page


def test_a_run_that_agrees_refutes_the_wrong_answer(
    at_alice, experiment, make_measured
):
    against = [claim for claim in experiment.claims if claim.against]
    page = at_alice.get(at("run", make_measured(AGREES))).content.decode()
    assert against
    for claim in against:
        card_id, wrong_id = claim.against
        address = reverse("study:card", args=[card_id])
        assert f'This refutes the wrong answer <a href="{address}#{wrong_id}"' in page


def test_a_run_that_refutes_says_that_it_does_not_support_the_card(
    at_alice, make_measured
):
    page = at_alice.get(at("run", make_measured(REFUTES))).content.decode()
    assert "this does not support the card" in page
    assert 'data-outcome="refutes"' in page


def test_a_card_that_one_may_not_see_is_not_named(
    client, bob, experiment, make_measured
):
    run = make_measured(AGREES)
    Run.objects.filter(pk=run.pk).update(owner=bob)
    client.force_login(bob)
    page = client.get(at("run", run))
    seen = {one.card.id for one in page.context["judged"] if one.card}
    assert seen == {c.id for c in content.cards(bob)} & {
        claim.against[0] for claim in experiment.claims if claim.against
    }


def test_a_run_without_figures_cannot_tell(at_alice, experiment, make_measured):
    page = at_alice.get(at("run", make_measured(None)))
    outcomes = {one.outcome for one in page.context["judged"]}
    assert outcomes == {"cannot-tell"}


def test_verdicts_are_counted_in_short(alice, experiment):
    assert in_short(judged(alice, experiment, REFUTES)) == "1 agrees, 2 refute"
    all_of_them = in_short(judged(alice, experiment, None))
    assert all_of_them == f"{len(experiment.claims)} can’t tell"
    assert in_short([]) == ""


def test_the_list_tells_the_last_verdict_and_the_time(
    at_alice, experiment, make_measured
):
    last = make_measured(AGREES)
    page = at_alice.get(reverse("lab:lab"))
    listed = {one.experiment.id: one for one in page.context["experiments"]}
    assert len(listed) == 9
    mine = listed[experiment.id]
    assert (mine.last, "agree" in mine.verdict) == (last, True)
    assert mine.takes.endswith("s")
    assert listed["two-loads"].last is None


def test_own_predictions_are_kept_with_their_bias(
    at_alice, bob, experiment, make_measured
):
    said = {"itl_max_ms@beside": 175.0, "itl_max_ms@alone": 20.0}
    run = make_measured(AGREES, predictions=said)
    others = {"run": run, "person": bob, "value": 1, "locked_at": later(0)}
    Prediction.objects.bulk_create([Prediction(metric="itl_max_ms@alone", **others)])
    page = at_alice.get(where(experiment))
    found = [row.said for row in page.context["history"].rows]
    assert [(one.value, one.measured) for one in found] == [(175, 350), (20, 40)]
    said = "were 0.50 times the measurement, in the middle of 2"
    assert said in page.content.decode()


def test_a_run_that_asked_for_something_else_decides_nothing(
    at_alice, experiment, make_measured
):
    other = {"max_tokens": 7, "predictions": {"itl_max_ms@alone": 20.0}}
    run = make_measured(REFUTES, **other)
    page = at_alice.get(at("run", run))
    text = page.content.decode()
    assert page.context["judged"] == []
    assert "Nothing of the experiment, because it asked for something else." in text
    assert "7 answer tokens instead of" in text
    assert "data-outcome=" not in text
    assert "this does not support the card" not in text
    page = at_alice.get(where(experiment))
    assert page.context["history"].rows == ()
    assert run.slug in page.content.decode()
    assert "data-outcome=" not in page.content.decode()
    make_measured(AGREES, hours=1)
    make_measured(REFUTES, hours=2, **other)
    page = at_alice.get(where(experiment)).content.decode()
    assert page.count('data-outcome="') == len(experiment.claims)
    assert page.count("asked for something else") == 2
    listed = at_alice.get(reverse("lab:lab")).context["experiments"]
    (mine,) = (one for one in listed if one.experiment == experiment)
    assert "refute" not in mine.verdict
    assert "agree" in mine.verdict


def test_a_run_of_some_of_the_loads_is_one_of_the_experiment():
    shown = content.experiment("two-loads")
    form = RunForm({"load": "two-loads-live"}, shown)
    assert form.is_valid()
    assert departures(shown, form.spec(None)) == []


def test_another_load_than_the_experiments_is_told(experiment):
    loads = content.loads_of(experiment)
    assert departures(experiment, Spec.of_loads(loads)) == []
    loads[0] |= {"prompt_tokens": 100, "name": loads[0]["name"]}
    loads[1] |= {"fresh_prompt": not loads[1]["fresh_prompt"]}
    loads[1] |= {"neighbours": None, "users": 2}
    found = departures(experiment, Spec.of_loads(loads))
    assert len(found) == 4
    assert "100 prompt tokens instead of" in found[0]


def test_the_manual_is_beside_what_it_measured_and_nothing_else(experiment):
    assert manual_rows(experiment) == []
    assert [row["users"] for row in manual_rows(content.experiment("two-loads"))] == [
        "1",
        "64",
    ]
    rows = manual_rows(content.experiment("one-request"))
    cells = manual_cells(rows, {"1": values(ttft_ms=514.0)})
    assert (cells[0].title, cells[0].ratio) == ("TTFT", "2.00")
    assert {cell.here for cell in cells[1:]} == {"–"}


def test_a_claim_leads_to_the_wrong_answer_it_stands_against(at_alice):
    led = 0
    for shown in content.experiments():
        page = at_alice.get(where(shown)).content.decode()
        claims = page.partition('id="claims"')[2].partition("</section>")[0]
        assert claims.index("<details") < claims.index('id="claim-')
        for claim in filter(lambda claim: claim.against, shown.claims):
            card_id, wrong_id = claim.against
            address = f"{reverse('study:card', args=[card_id])}#{wrong_id}"
            own = claims.partition(f'id="claim-{claim.id}"')[2].partition("</li>")[0]
            led += f'href="{address}"' in own
    assert led == sum(
        bool(c.against) for shown in content.experiments() for c in shown.claims
    )


def test_the_list_of_experiments_is_on_the_labs_page(at_alice):
    answer = at_alice.get(reverse("lab:experiments"))
    path, _, anchor = answer["Location"].partition("#")
    assert answer.status_code == 302
    assert f'id="{anchor}"' in at_alice.get(path).content.decode()


def test_a_wrong_answer_leads_to_the_claim_that_refutes_it(at_alice):
    led = 0
    for shown in content.experiments():
        for claim in filter(lambda claim: claim.against, shown.claims):
            card_id, wrong_id = claim.against
            page = at_alice.get(reverse("study:card", args=[card_id])).content.decode()
            answer = page.partition(f'id="{wrong_id}"')[2].partition('class="wrong"')[0]
            led += f"{where(shown)}#claim-" in answer
    assert led


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two.", "One."),
        ("Is it **so**? Yes.", "Is it so?"),
        ("No end\n\nNext.", "No end"),
        ("At 1.3 it goes on. End", "At 1.3 it goes on."),
    ],
)
def test_the_first_sentence_says_what_an_experiment_is_about(text, sentence):
    assert first_sentence(text) == sentence


def test_the_experiments_stand_in_the_order_in_which_to_try_them():
    ids = [shown.id for shown in content.experiments()]
    assert ids[0] == "one-request"
    assert [content.experiment(i).order for i in ids] == sorted(
        content.experiment(i).order for i in ids
    )
