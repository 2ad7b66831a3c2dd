"""Names: the same to people is the same to the table."""

import pytest
from django.core.exceptions import ValidationError

from interview.accounts.names import check_name, key_of, tidy


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ada"),
        ("Åse", "åSE"),
        ("Åse", "A\u030ase"),
        ("Weiß", "WEISS"),
        ("  Ada \t Lovelace", "ada lovelace"),
        ("Ada\u00a0L", "ada l"),
        ("ﬁn", "FIN"),
        ("Ａｄａ", "ada"),
    ],
)
def test_names_that_people_take_for_the_same_have_one_key(one, other):
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ada", "Ade"), ("Ada", "A da"), ("e", "é")]
)
def test_other_names_have_other_keys(one, other):
    assert key_of(one) != key_of(other)


@pytest.mark.parametrize("name", ["علی\u200cرضا", "श्री\u200dमान"])
def test_a_joiner_within_a_word_is_part_of_the_name(name):
    check_name(name)
    assert tidy(name) == name


def test_a_joiner_tells_no_two_people_apart():
    assert key_of("A\u200dda") == key_of("ada")


@pytest.mark.parametrize(
    "name", ["\u200cAda", "Ada\u200d", "Ada \u200cL", "A\u200c\u200dda", "1\u200d2"]
)
def test_a_joiner_elsewhere_is_refused(name):
    with pytest.raises(ValidationError, match=r"U\+200[CD] ZERO WIDTH"):
        check_name(name)


def test_what_is_refused_is_named_with_its_place():
    said = "Character 2 of the name, U\\+202E RIGHT-TO-LEFT OVERRIDE, cannot be seen"
    with pytest.raises(ValidationError, match=said):
        check_name("A\u202eda")
    with pytest.raises(ValidationError, match="Character 4 of the name, U\\+E000,"):
        check_name("Ada\ue000")


def test_a_name_keeps_its_case_and_loses_stray_spaces():
    assert tidy("  Ada \n Lovelace ") == "Ada Lovelace"


@pytest.mark.parametrize("bad", ["A\u202eda", "A\u200bda", "A\x07da", "\ue000"])
def test_a_character_that_nobody_sees_is_refused(bad):
    with pytest.raises(ValidationError, match="cannot be seen"):
        check_name(bad)


@pytest.mark.parametrize("long", ["a" * 41, "ß" * 21])
def test_a_name_is_as_long_as_its_key_allows(long):
    with pytest.raises(ValidationError, match="40 characters at most"):
        check_name(long)


def test_forty_characters_are_a_name():
    check_name("a" * 40)
