"""Tokens to deltas: what is held back, cut, and told apart."""

from interview.spark import tokens
from interview.spark.request import FinishReason
from interview.spark.transcript import Transcript


def deltas(text, *, stop=(), include_stop=False, min_tokens=0):
    transcript = Transcript(stop, include_stop=include_stop, min_tokens=min_tokens)
    found = []
    for token in tokens.encode(text):
        found.append(transcript.add(token, None))
        if transcript.finished:
            break
    return transcript, found


def texts(found):
    return [delta.text for delta in found]


def test_without_a_stop_string_nothing_is_held_back():
    _, found = deltas("one two three")
    assert texts(found) == ["one", " two", " three"]


def test_text_that_may_begin_a_stop_string_is_held_back():
    _, found = deltas("one two three", stop=("####",))
    assert texts(found) == ["", "one ", "two th"]


def test_a_stop_string_across_tokens_is_cut_out():
    transcript, found = deltas("one two three four", stop=("two t", "zzz"))
    assert "".join(texts(found)) == "one "
    assert transcript.finished
    assert (found[-1].finish_reason, found[-1].stop_reason) == ("stop", "two t")


def test_a_stop_string_is_kept_when_asked_for():
    _, found = deltas("one two three four", stop=("two t",), include_stop=True)
    assert "".join(texts(found)) == "one two t"


def test_a_match_within_min_tokens_is_passed_over():
    _, found = deltas("one two one two", stop=("two",), min_tokens=2)
    assert "".join(texts(found)) == "one two one "


def test_the_end_gives_out_what_was_held():
    transcript, found = deltas("one two", stop=("####",))
    last = transcript.cut()
    assert "".join(texts([*found, last])) == "one two"
    assert last.finish_reason is FinishReason.ABORT
    assert last.token is None


def test_reasoning_is_told_apart_and_holds_no_stop_string():
    text = "<think>one two</think>two three"
    transcript, found = deltas(text, stop=("three",))
    thought = [delta for delta in found if delta.reasoning]
    assert "".join(texts(thought)) == "one two"
    assert "".join(delta.text for delta in found if not delta.reasoning) == "two "
    assert transcript.reasoning_count == 2
    assert [delta.mark for delta in found] == [True, False, False, True, False, False]
