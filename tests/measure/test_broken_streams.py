"""No stream raises, however it is cut or spoilt."""

import random

import pytest

from interview.measure.notes import REQUEST_NOTES
from tests.measure.cases import CASES
from tests.measure.streams import BASE, D, Fin, R, T, decode

WHOLE = b"".join(data for _, data in BASE)


def test_a_stream_cut_at_any_byte_has_the_tokens_before_the_cut():
    for cut in range(len(WHOLE)):
        result = decode([(1, WHOLE[:cut])])
        whole_events = WHOLE[:cut].count(b'"content": "w"')
        assert result.status in ("incomplete", "completed")
        assert whole_events - 1 <= result.tokens <= 8


@pytest.mark.parametrize("reason", ["abort", "error"])
def test_an_answer_that_the_engine_gave_up_is_incomplete(reason):
    sends = [(250, R + T()), (290, T()), (330, Fin(reason)), (330, D)]
    result = decode(sends)
    assert result.status == "incomplete"
    assert f"2 tokens (finish reason: {reason})" in result.error
    assert result.tokens == 2


def test_an_answer_stopped_for_repeating_itself_is_complete():
    assert decode([(250, R + T() + Fin("repetition") + D)]).status == "completed"


def test_spoilt_bytes_never_raise():
    chance = random.Random(7)
    for _ in range(500):
        spoilt = bytearray(WHOLE)
        for _ in range(chance.randint(1, 5)):
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        result = decode([(1, bytes(spoilt))])
        assert result.status in ("completed", "incomplete", "failed")
        assert (result.error is None) == (result.status == "completed")


def test_noise_never_raises():
    chance = random.Random(7)
    for _ in range(200):
        assert decode([(1, chance.randbytes(300))]).status == "incomplete"


def test_every_note_of_the_cases_has_a_sentence():
    for case in CASES:
        assert case.right["notes"] <= set(REQUEST_NOTES)


def test_bottomless_json_fails_with_a_sentence():
    result = decode([(250, R + T()), (290, b"data: " + b"[" * 200_000 + b"\n\n")])
    assert result.status == "failed"
    assert "no JSON" in result.error
    assert result.tokens == 1
