"""An interview with a row in each table of the bank and a text in each field for one.

`say` gives the text of a field by its name, so that a test can look for each.
"""

from uuid import uuid4

from interview.accounts.models import Role
from interview.bank.models import CardState, Evidence, Note, Pack, Sample, SampleRating
from interview.lab.form.guess import Guess
from interview.lab.models import Run, Status, Worker
from interview.lab.runs.spec import Spec
from tests.bank import stage
from tests.lab.loads import level, repetition, report, request

SAID = {
    "claim": "They said that decode waits for prefill.",
    "note": "They drew the two phases.",
    "summary": "They know the way of a request.",
    "reason": "I had misheard the third answer.",
    "leak": "It stands on a forum.",
    "sample": "A short answer",
    "answer": "Prefill, then decode.",
    "pack": "A card of somebody else’s.",
    "rated": "No word on the cache.",
}


def hold():
    """A whole one, with the people of it."""
    ada, bob = stage.interviewer("Ada I.", Role.OWNER), stage.interviewer("Bob I.")
    interview = stage.interview(stage.kit(ada), [ada, bob], candidate="Cleo")
    fill(interview, ada, bob)
    begin(interview)
    beside(interview, ada)
    return interview


def fill(interview, first, *others, say=SAID.get, **spec):
    """All have scored and written, the first is in, has revised, and has attached a
    run of that `spec` to the first question."""
    attach(interview.in_order().first(), measured(first, **spec), first, say)
    for person in (first, *others):
        ratings = [2] + [None] * (interview.asked.count() - 1)
        card = stage.score(interview, person, ratings)
        write_note(card.in_order().first(), say("note"))
        card.write_summary(say("summary"), 0)
    card = interview.scorecards.get(interviewer=first)
    card.submit(stage.rungs_of(interview), stage.NOW)
    revise(card.in_order().first(), say("reason"))


def begin(interview):
    """The candidate is there, and is shown the first question with its run."""
    stage.applicant(interview)
    evidence = interview.evidence.get()
    interview.put(evidence.asked, "", stage.NOW)
    interview.show(evidence)


def beside(interview, person, say=SAID.get):
    """What the bank keeps that is not of an interview."""
    question = interview.version.in_order().first()
    CardState.objects.flag_leak(question.card_id, person, say("leak"), stage.NOW)
    sample = Sample.objects.create(
        card_id=question.card_id,
        card_hash=question.card_hash,
        title=say("sample"),
        answer=say("answer"),
        written_by=person,
        written_at=stage.NOW,
    )
    Pack.objects.keep(person, {"a.md": say("pack")}, {}, stage.NOW)
    SampleRating.objects.give(person, sample, 1, say("rated"), stage.NOW)
    return sample


def attach(asked, run, person, say=SAID.get):
    return Evidence.objects.create(
        interview=asked.interview,
        asked=asked,
        run=run,
        claim=say("claim"),
        attached_by=person,
        attached_at=stage.NOW,
    )


def measured(person, **spec):
    """A run of one request that was predicted and is over."""
    worker = Worker.objects.create(name="w", started_at=stage.NOW, alive_at=stage.NOW)
    guess = Guess("ttft_ms", 150.0)
    spec = Spec(**{"prompt": "Why?"} | spec)
    run = Run.objects.queue(person, spec, stage.NOW, [guess])
    done = report(level(1, repetition(1, [request()])))
    claim = run.claim(worker, stage.NOW)
    run.finish(claim, Status.COMPLETED, stage.later(3), report=done)
    return run


def write_note(score, text, key=None, revision=0):
    return Note.objects.write(
        score,
        key or uuid4(),
        text,
        rung_id="",
        at_s=3,
        revision=revision,
        now=stage.NOW,
    )


def revise(score, reason, rating=3):
    rungs = stage.rungs_of(score.scorecard.interview)[score.asked_id]
    marking = stage.marking(score, rungs, rating)
    return score.revise(rungs, (), marking, reason, stage.NOW)
