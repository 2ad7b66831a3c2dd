"""The tokenizer, the prepared answers, and the script of an output."""

import pytest

from interview.spark import tokens
from interview.spark.answer import OPENING, answer
from interview.spark.script import END_TOKEN, write_script

TEXTS = [
    "",
    "Hello  there, HTTPServer 2026!",
    "Grüße, 世界 🙂\u2028 and\ttabs\r\n",
    "<|im_start|>user\nHi<|im_end|>\n<think>",
    "a" * 1000,
    " <|im_en",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_survives_encoding_and_decoding(text):
    assert tokens.decode(tokens.encode(text), keep_special=True) == text


def test_marks_are_one_token_and_hidden_from_the_reader():
    ids = tokens.encode("<|im_start|>Hi<|im_end|>")
    assert ids[0] == tokens.TURN_START
    assert ids[-1] == tokens.TURN_END
    assert tokens.decode(ids) == "Hi"


def test_every_id_is_in_the_vocabulary_and_every_number_decodes():
    for text in TEXTS:
        assert all(0 <= token < tokens.VOCABULARY for token in tokens.encode(text))
    assert tokens.decode(range(tokens.VOCABULARY))


def test_a_lone_surrogate_is_no_error():
    assert tokens.decode(tokens.encode("a\ud800b")) == "a?b"


def test_texts_with_one_beginning_share_their_first_tokens():
    beginning = "A long system prompt about a careful engineer. "
    one, other = tokens.encode(beginning + "Why?"), tokens.encode(beginning + "zzz")
    shared = len(tokens.encode(beginning)) - 1
    assert one[:shared] == other[:shared]


def test_the_answer_says_first_that_it_is_simulated():
    text = answer([1, 2, 3])
    assert text.startswith(OPENING)
    assert "simulated" in OPENING
    assert 100 < len(tokens.encode(text)) < 400


def test_the_same_prompt_gets_the_same_answer_and_others_differ():
    assert answer([1, 2, 3]) == answer([1, 2, 3])
    assert len({answer([n]) for n in range(50)}) > 1


def script_text(script, length):
    return tokens.decode([script.token(position) for position in range(length)])


def test_a_script_is_its_answer_and_then_the_end():
    script = write_script((1, 2), thinking=False, earliest_end=0)
    length = len(script.answer)
    assert script_text(script, length) == answer((1, 2))
    assert script.token(length) == END_TOKEN


def test_a_script_that_ignores_the_end_begins_again():
    script = write_script((1, 2), thinking=False, earliest_end=None)
    text = script_text(script, 1000)
    assert text.count(OPENING) > 2
    assert all(script.token(position) != END_TOKEN for position in range(1000))


def test_a_script_ends_with_a_whole_answer_once_min_tokens_are_out():
    script = write_script((1, 2), thinking=False, earliest_end=300)
    end = next(i for i in range(2000) if script.token(i) == END_TOKEN)
    assert end >= 300
    assert script_text(script, end).count(OPENING) == 2


def test_a_thought_comes_between_its_marks_before_the_answer():
    script = write_script((1, 2), thinking=True, earliest_end=0)
    assert script.token(0) == tokens.THINK_START
    assert script.thought[-1] == tokens.THINK_END
    assert script.token(len(script.thought)) == script.answer[0]
