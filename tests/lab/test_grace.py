"""How long a stopped load may take to report."""

import pytest

from interview.lab.measuring.attempt import GRACE_PER_TOKEN_S, grace_s
from interview.lab.runs.spec import Spec


def test_one_request_has_a_few_seconds():
    assert 5 < grace_s(Spec("Why?", max_tokens=256)) < 5.1


def test_every_token_that_can_be_in_the_report_adds_to_it():
    load = {"prompt_tokens": 8, "max_tokens": 100, "repeat": 3}
    spec = Spec("", levels=[1, 256], requests=[4, 768], **load)
    assert grace_s(spec) == pytest.approx(5 + 772 * 3 * 100 * GRACE_PER_TOKEN_S)


def test_named_loads_count_with_their_own_lengths():
    loads = [
        {"name": "short", "users": 1, "requests": 2, "prompt_tokens": 8},
        {"name": "long", "users": 4, "requests": 8, "prompt_tokens": 8},
    ]
    spec = Spec.of_loads(
        [loads[0] | {"max_tokens": 10}, loads[1] | {"max_tokens": 1000}]
    )
    assert grace_s(spec) == pytest.approx(5 + 8020 * GRACE_PER_TOKEN_S)
