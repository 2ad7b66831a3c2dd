"""Files that nobody's export wrote: refused with a sentence, or row by row."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from interview.accounts.models import User
from interview.study.models import Act, CardMark, Upload
from interview.study.portable.erase import erase
from interview.study.portable.kinds import KINDS
from tests.study.learner import everything_of, learner
from tests.study.test_portable import bring_in, exported, upload

pytestmark = pytest.mark.django_db
HEAD = b'{"format": "prefill-study/1", '


@pytest.fixture(autouse=True)
def shared(settings):
    settings.PREFILL_MODE = "shared"


@pytest.fixture
def bob(db):
    return User.objects.create(name="bob", password="!")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "This is no JSON"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b'{"a": "\x00"}', "NUL"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" * 1_000_001, "more lists and values"),
        (HEAD + b'"acts": ' + b'{"a":' * 90_000, "nested too deeply"),
        (b"[1,2]", "its JSON is no object"),
        (b'"text"', "its JSON is no object"),
        (b'{"format": "prefill-study/2"}', "is not prefill-study/1"),
        (b'{"format": ["x"]}', "is not prefill-study/1"),
        (b'{"format": null}', "is not prefill-study/1: null."),
        (b'{"acts": []}', "it has no “format”"),
        (HEAD + b'"acts": {}}', "is no list"),
        (HEAD + b'"acts": 7}', "is no list"),
        (
            HEAD + b'"people": []}',
            "It has &quot;people&quot;, which this Prefill does not",
        ),
        (HEAD + b'"plan": {"retention": NaN}}', "NaN, which is no number"),
        (HEAD + b'"plan": {"daily_cap": ' + b"9" * 5000 + b"}}", "no JSON that can"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_file_is_refused_with_a_sentence(bob, content, sentence):
    answer = upload(bob, content)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "Nothing was stored." in answer.text
    assert not Upload.objects.exists()


def test_a_file_over_the_limit_is_refused(bob, settings):
    settings.STUDY_MAX_IMPORT_MB = 0.001
    answer = upload(bob, b" " * 1001)
    assert answer.status_code == 422
    assert "STUDY_MAX_IMPORT_MB" in answer.text


def test_no_file_is_asked_for_again(bob, client):
    client.force_login(bob)
    for sent in ({}, {"file": "text"}):
        answer = client.post("/data/import/", sent)
        assert answer.status_code == 422
        assert "Choose a file" in answer.text


def an_act(**changed):
    key = "01930000-0000-7000-8000-000000000001"
    act = {"id": key, "kind": "flag", "at": "2026-11-30T09:00:00Z", "card_id": "a"}
    return {name: value for name, value in (act | changed).items() if value != "GONE"}


def a_grade(**changed):
    grade = {"kind": "grade", "grade": "solid", "item_hash": "0" * 16}
    grade |= {"card_version": "0" * 64, "retention": 0.9, "zone": "UTC"}
    return an_act(**grade | changed)


@pytest.mark.parametrize(
    ("act", "place", "sentence"),
    [
        (7, "acts[0]", "is no object"),
        (an_act(kind="GONE"), "acts[0]", "has no “kind”"),
        (an_act(kind="cheat"), "acts[0].kind", "is none of grade"),
        (an_act(kind=["grade"]), "acts[0].kind", "is no text"),
        (an_act(more=1), "acts[0]", "does not know"),
        (an_act(id="1"), "acts[0].id", "is no UUID"),
        (an_act(id=None), "acts[0].id", "is no UUID"),
        (an_act(at="yesterday"), "acts[0].at", "is no time"),
        (an_act(at="2026-11-30T09:00:00"), "acts[0].at", "is no time"),
        (an_act(at="9999-12-31T23:59:59Z"), "acts[0].at", "is no time"),
        (an_act(at=1e300), "acts[0].at", "is no time"),
        (an_act(turn=10**400), "acts[0].turn", "is not between"),
        (an_act(turn=-1), "acts[0].turn", "is not between"),
        (an_act(turn=True), "acts[0].turn", "is no whole number"),
        (an_act(turn=1.5), "acts[0].turn", "is no whole number"),
        (an_act(card_id="a\0b"), "acts[0].card_id", "NUL"),
        (an_act(card_id="\ud800"), "acts[0].card_id", "half a character"),
        (an_act(card_id="../a"), "acts[0].card_id", "is no id"),
        (an_act(card_id="a" * 101), "acts[0].card_id", "100 at most"),
        (an_act(card_id=""), "acts[0].card_id", "is empty"),
        (an_act(rung_id="r"), "acts[0]", "names a rung"),
        (a_grade(rung_id="spot-the-flaw:"), "acts[0].rung_id", "is no id"),
        (an_act(kind="undo"), "acts[0]", "what it takes back"),
        (an_act(position=1), "acts[0]", "no session that it is one of"),
        (a_grade(grade="perfect"), "acts[0]", "a grade that there is not"),
        (a_grade(zone="Mars/Base"), "acts[0]", "not known"),
        (a_grade(retention=5.0), "acts[0]", "is not between 0.7 and 0.97"),
        (a_grade(retention=None), "acts[0]", "without “retention”"),
        (a_grade(), "acts[0]", "a version of its card"),
        (
            an_act(session="01930000-0000-7000-8000-0000000000aa"),
            "acts[0]",
            "names a session that is neither",
        ),
        (
            an_act(kind="undo", undoes="01930000-0000-7000-8000-0000000000aa"),
            "acts[0]",
            "names an act that is neither",
        ),
    ],
    ids=repr,
)
def test_a_row_that_cannot_be_is_told_with_its_place(bob, act, place, sentence):
    found = bring_in(bob, {"format": "prefill-study/1", "acts": [act, other()]})
    (problem,) = found.problems
    assert problem.place == place
    assert sentence in problem.sentence
    assert found.new == 1
    assert Act.objects.of(bob).count() == 1


def other():
    return an_act(id="01930000-0000-7000-8000-000000000002", card_id="other")


def test_one_id_twice_is_told(bob):
    found = bring_in(bob, {"format": "prefill-study/1", "acts": [an_act(), an_act()]})
    (problem,) = found.problems
    assert (problem.place, problem.sentence) == (
        "acts[1]",
        "is there already, as acts[0]",
    )


def test_an_undo_undoes_once_and_no_undo(bob):
    keys = [f"01930000-0000-7000-8000-00000000000{n}" for n in range(4)]
    acts = [
        an_act(id=keys[1], kind="undo", undoes=keys[0]),
        an_act(id=keys[2], kind="undo", undoes=keys[0]),
        an_act(id=keys[3], kind="undo", undoes=keys[1]),
        an_act(id=keys[0]),
    ]
    found = bring_in(bob, {"format": "prefill-study/1", "acts": acts})
    assert found.new == 2
    assert {one.place for one in found.different} == {"acts[1]", "acts[2]"}


def test_a_text_that_is_not_the_hashed_one_is_no_card(bob):
    ada = learner()
    told = json.loads(exported(ada))
    erase(ada)
    told["card_versions"][0]["source"] += " "
    found = bring_in(bob, told)
    place = "card_versions[0]"
    said = {one.place: one.sentence for one in found.problems}
    assert said[place] == "has another hash than its text"


def test_a_text_that_no_act_names_is_not_kept(bob):
    ada = learner()
    told = json.loads(exported(ada))
    told = {"format": told["format"], "card_versions": told["card_versions"]}
    found = bring_in(bob, told)
    assert found.new == 0
    assert {one.sentence for one in found.problems} == {
        "is named by no act of this file"
    }


def test_steps_of_another_person_are_out_of_reach(bob):
    """Their ids in a file lead to nothing of theirs."""
    ada = learner()
    before, told = everything_of(ada), json.loads(exported(ada))
    stolen = {"format": told["format"], "acts": told["acts"]}
    stolen["attempts"] = told["attempts"]
    found = bring_in(bob, stolen)
    assert everything_of(ada) == before
    assert not any(row[-2] for row in everything_of(bob)["Act"])
    assert "names a session that is neither" in found.problems[0].sentence


def test_a_version_that_is_kept_for_others_is_out_of_reach(bob):
    """A kit-only card's, perhaps: its text would come with the next export."""
    ada = learner()
    told = json.loads(exported(ada))
    grades = [act for act in told["acts"] if act.get("card_version")]
    for act in grades:
        act |= {"session": None, "position": None}
    found = bring_in(bob, {"format": told["format"], "acts": grades})
    assert found.new == 0
    assert {one.sentence for one in found.problems} >= {
        "names a version of its card that is neither in this file nor yours"
    }
    assert b'"hash"' not in exported(bob)


def test_a_version_of_another_card_is_none_of_this_one(bob):
    ada = learner()
    told = json.loads(exported(ada))
    act = next(act for act in told["acts"] if act["kind"] == "grade")
    act |= {"card_id": "another", "session": None, "position": None}
    versions = told["card_versions"]
    found = bring_in(
        bob, {"format": told["format"], "acts": [act], "card_versions": versions}
    )
    assert not Act.objects.of(bob).exists()
    assert "a version of its card" in found.problems[0].sentence


def test_flags_and_suspended_cards_follow_the_log_of_the_file(bob):
    def act(number, kind, **given):
        key = f"01930000-0000-7000-8000-00000000000{number}"
        return an_act(id=key, kind=kind, at=f"2026-11-30T09:00:0{number}Z", **given)

    first = act(1, "flag")
    acts = [first, act(2, "suspend"), act(3, "flag", card_id="b")]
    acts += [act(4, "unflag", card_id="b"), act(5, "suspend", card_id="c")]
    acts += [act(6, "undo", card_id="c", undoes=acts[-1]["id"])]
    bring_in(bob, {"format": "prefill-study/1", "acts": acts})
    assert marks_of(bob) == {("a", True, True)}
    later = [act(7, "resume"), act(8, "undo", undoes=first["id"])]
    bring_in(bob, {"format": "prefill-study/1", "acts": later})
    assert marks_of(bob) == set()


def marks_of(person):
    marks = CardMark.objects.of(person).values_list(
        "card_id", "is_flagged", "is_suspended"
    )
    return {mark for mark in marks if any(mark[1:])}


def test_what_the_page_shows_is_escaped(bob, client):
    content = json.dumps(
        {"format": "prefill-study/1", "acts": [an_act(kind="<script>")]}
    )
    client.force_login(bob)
    file = SimpleUploadedFile("<b>.json", content.encode())
    answer = client.post("/data/import/", {"file": file}, follow=True)
    assert "&lt;script&gt;" in answer.text
    assert "<script>" not in answer.text.partition("<main")[2]


def test_the_format_is_documented_key_by_key(settings):
    text = (settings.BASE_DIR / "docs/study-data.md").read_text()
    for kind in KINDS:
        (part,) = [p for p in text.split("\n\n") if p.startswith(f"**{kind.name}**")]
        for column in kind.columns:
            assert f"`{column.name}`" in part, (kind.name, column.name)
