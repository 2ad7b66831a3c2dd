import random

import pytest

from interview.measure.prompt import SALT_WORDS, WORDS, Fitter, salted, salts


def counting(tokens_of):
    calls = []

    async def count(text):
        calls.append(text)
        return tokens_of(text)

    count.calls = calls
    return count


def words_and_template(text):
    return len(text.split()) + 13


def test_no_first_word_comes_twice_before_all_have_come():
    source = salts(random.Random(1))
    firsts = [next(source)[0] for _ in WORDS]
    assert sorted(firsts) == sorted(WORDS)


def test_words_are_distinct_and_plain():
    assert len(set(WORDS)) == len(WORDS) > 200
    assert all(word.isalpha() and word.islower() for word in WORDS)


def test_a_salted_prompt_starts_with_its_salt():
    assert salted("Why?", ["sea", "oil"]) == "sea-oil\n\nWhy?"


@pytest.mark.parametrize("tokens", [20, 256, 4096])
async def test_a_prompt_has_the_length_by_the_servers_count(tokens):
    fitter = Fitter(tokens, seed=1, count=counting(words_and_template))
    source = salts(random.Random(1))
    for _ in range(3):
        salt = next(source)
        prompt = await fitter.prompt(salt)
        assert words_and_template(prompt) == tokens
        assert prompt.split()[:SALT_WORDS] == salt
    assert not fitter.estimated


async def test_the_length_is_found_once_and_then_only_checked():
    count = counting(words_and_template)
    fitter = Fitter(100, seed=1, count=count)
    for _ in range(5):
        await fitter.prompt(["sea"] * SALT_WORDS)
    assert len(count.calls) <= 7


@pytest.mark.parametrize("tokens", [20, 100, 1000])
async def test_words_of_several_tokens_are_filled_up(tokens):
    def letters_and_template(text):
        return sum((len(word) + 1) // 2 for word in text.split()) + 13

    fitter = Fitter(tokens, seed=1, count=counting(letters_and_template))
    source = salts(random.Random(1))
    for _ in range(10):
        assert letters_and_template(await fitter.prompt(next(source))) == tokens


async def test_a_tokenizer_that_never_fits_is_left_alone():
    count = counting(lambda text: 3 * len(text.split()))
    fitter = Fitter(100, seed=1, count=count)
    await fitter.prompt(["sea"] * SALT_WORDS)
    assert len(count.calls) <= 12


async def test_without_a_tokenizer_the_length_is_an_estimate():
    count = counting(lambda text: None)
    fitter = Fitter(100, seed=1, count=count)
    first = await fitter.prompt(["sea"] * SALT_WORDS)
    await fitter.prompt(["oil"] * SALT_WORDS)
    assert fitter.estimated
    assert len(count.calls) == 1
    assert 80 <= len(first.split()) <= 100


async def test_the_same_seed_gives_the_same_words():
    async def text(seed):
        return await Fitter(50, seed, counting(words_and_template)).prompt([])

    assert await text(1) == await text(1) != await text(2)


async def test_a_tiny_prompt_has_one_word_at_least():
    fitter = Fitter(1, seed=1, count=counting(words_and_template))
    assert len((await fitter.prompt(["sea", "oil"])).split()) == 1
