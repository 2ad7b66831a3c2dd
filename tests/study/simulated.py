"""Somebody who practises: with a memory of their own, which FSRS does not know, and a
chance that is seeded."""

import random
from datetime import timedelta

from interview.recall.grade import Grade
from interview.study.item_name import item_name
from interview.study.models import Act, Answer, Item, Session, SessionStep
from interview.study.practice.due import due

A_STEP = timedelta(minutes=2)
SITTING = timedelta(hours=3)


class Learner:
    def __init__(
        self, plan, library, seed=1, knows_already=0.35, grows=2.4, half_way=2.0
    ):
        """`half_way` days after a first look half is forgotten; each solid answer
        makes it `grows` times as many."""
        self.plan, self.library = plan, library
        self.chance = random.Random(seed)
        self.knows_already, self.grows, self.half_way = knows_already, grows, half_way
        self.half_lives, self.seen_at = {}, {}

    def sit(self, morning):
        """Practise from `morning` until nothing is left, or for three hours; what was
        due at first."""
        first = due(self.plan.user, self.plan, self.library, morning)
        session = Session.objects.create(
            user=self.plan.user, kind="practice", started_at=morning
        )
        now, steps = morning, first
        while now < morning + SITTING and (steps.steps or steps.again_at):
            for card_id, rung_id in steps.steps:
                self.climb(session, self.library.cards[card_id], rung_id, now)
                now += A_STEP
            if not steps.steps:
                now = steps.again_at
            steps = due(self.plan.user, self.plan, self.library, now)
        return first

    def climb(self, session, card, rung_id, now):
        """From where the step begins up to the goal, as long as answers are solid."""
        position = session.steps.count() + 1
        step = SessionStep.objects.create(
            session=session, position=position, card_id=card.id, rung_id=rung_id
        )
        rungs = [r.id for r in card.follow_ups if r.level <= self.plan.level]
        ladder = ["", *rungs]
        known = {i.rung_id: i for i in Item.objects.filter(card_id=card.id)}
        for asked in ladder[ladder.index(rung_id) :]:
            item = known.get(asked)
            if item and item.reviews and (item.due_at is None or item.due_at > now):
                continue
            grade = self.answer(item_name(card.id, asked), now)
            answer = Answer(card, asked, grade)
            _, is_new = Act.objects.grade(self.plan, step, answer, now)
            assert is_new
            if grade is not Grade.SOLID:
                break

    def answer(self, name, now):
        """How well it is said; having read the answer, one knows it better."""
        grade = Grade.SOLID
        if self.chance.random() > self.true_recall(name, now):
            grade = self.chance.choice([Grade.PARTLY, Grade.MISSED])
        factor = self.grows if grade is Grade.SOLID else 0.7
        before = self.half_lives.get(name, self.half_way / factor)
        self.half_lives[name] = max(before * factor, 0.5)
        self.seen_at[name] = now
        return grade

    def true_recall(self, name, now):
        if name not in self.seen_at:
            return self.knows_already
        days = (now - self.seen_at[name]) / timedelta(days=1)
        return 0.97 * 0.5 ** (days / self.half_lives[name])
