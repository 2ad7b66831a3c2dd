"""Out, gone, and in again: nothing is lost, nothing doubles, nobody sees another's."""

import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from interview.study.models import Act, Item, Plan, Session, SessionStep, Upload
from interview.study.portable.erase import OWNED, erase
from interview.study.portable.kinds import KINDS
from interview.web.models import CardVersion
from tests.study.learner import everything_of, learner, tables_of_people

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def shared(settings):
    settings.PREFILL_MODE = "shared"


@pytest.fixture
def ada(db):
    return learner()


def client_of(person):
    client = Client()
    client.force_login(person)
    return client


def exported(person):
    return client_of(person).get("/data/study.json").getvalue()


def upload(person, content, **options):
    if not isinstance(content, bytes):
        content = json.dumps(content).encode()
    file = SimpleUploadedFile("study.json", content, "application/json")
    return client_of(person).post("/data/import/", {"file": file}, **options)


def confirm(person, address):
    client = client_of(person)
    digest = client.get(address).context["found"].digest
    return client.post(address, {"digest": digest}, follow=True)


def bring_in(person, content):
    """Upload and confirm; the difference that was shown."""
    answer = upload(person, content)
    assert answer.status_code == 303, answer.text
    found = client_of(person).get(answer["Location"]).context["found"]
    confirm(person, answer["Location"])
    return found


def test_out_gone_and_in_again_is_the_same_content(ada):
    before, file = everything_of(ada), exported(ada)
    assert all(before.values())
    erase(ada)
    assert not any(everything_of(ada).values())
    found = bring_in(ada, file)
    assert (found.different, list(found.problems)) == ([], [])
    assert everything_of(ada) == before
    assert without_time(exported(ada)) == without_time(file)


def without_time(file):
    return json.loads(file) | {"made_at": None}


def test_the_cards_of_the_log_come_along(ada):
    file = exported(ada)
    kept = set(CardVersion.objects.values_list("hash", "card_id", "source"))
    erase(ada)
    CardVersion.objects.all().delete()
    bring_in(ada, file)
    assert set(CardVersion.objects.values_list("hash", "card_id", "source")) == kept


def test_a_second_import_adds_nothing(ada):
    file, before = exported(ada), everything_of(ada)
    found = bring_in(ada, file)
    assert (found.new, found.different, list(found.problems)) == (0, [], [])
    assert all(part.same for part in found.parts)
    assert everything_of(ada) == before


def test_what_differs_is_named_and_left_as_it_is(ada):
    told = json.loads(exported(ada))
    told["plan"]["retention"] = 0.95
    told["acts"][0]["took_ms"] = 7
    told["marks"][0]["note"] = "other"
    before = everything_of(ada)
    found = bring_in(ada, told)
    said = {one.place: one.sentence for one in found.different}
    assert said == {
        "plan": "differs from what is here in retention",
        "acts[0]": "differs from what is here in took_ms",
        "marks[0]": "differs from what is here in note",
    }
    assert found.new == 0
    assert everything_of(ada) == before


def test_a_part_that_is_missing_is_added_and_the_items_follow(ada):
    file, before = exported(ada), everything_of(ada)
    session = Session.objects.get(kind="practice")
    Act.objects.filter(session=session)._raw_delete(Act.objects.db)
    SessionStep.objects.filter(session=session, position__gt=2).delete()
    Item.objects.of(ada).delete()
    found = bring_in(ada, file)
    assert found.new
    assert found.different == []
    assert everything_of(ada)["Item"] == before["Item"]
    assert everything_of(ada) == before


def test_another_person_gets_the_rows_under_keys_of_their_own_once(ada):
    file, hers = exported(ada), everything_of(ada)
    bob = learner("bob")
    erase(bob)
    first = bring_in(bob, file)
    assert (first.different, list(first.problems)) == ([], [])
    his = everything_of(bob)
    assert {name: len(rows) for name, rows in his.items()} == {
        name: len(rows) for name, rows in hers.items()
    }
    assert not ids(Act, bob) & ids(Act, ada)
    second = bring_in(bob, file)
    assert (second.new, second.different) == (0, [])
    assert everything_of(bob) == his
    assert everything_of(ada) == hers
    assert without_keys(bob) == without_keys(ada)


def test_keys_stay_when_their_first_owner_is_gone(ada):
    file = exported(ada)
    bob = learner("bob")
    erase(bob)
    bring_in(bob, file)
    erase(ada)
    assert bring_in(bob, file).new == 0


def test_what_somebody_has_under_own_keys_round_trips_too(ada):
    bob = learner("bob")
    erase(bob)
    bring_in(bob, exported(ada))
    before, file = everything_of(bob), exported(bob)
    erase(bob)
    bring_in(bob, file)
    assert everything_of(bob) == before


def ids(model, person):
    return set(model.objects.filter(user=person).values_list("pk", flat=True))


def without_keys(person):
    columns = [f.attname for f in Item._meta.fields if f.name not in ("id", "user")]
    return sorted(Item.objects.of(person).values_list(*columns), key=repr)


def test_the_file_holds_nothing_of_anybody_else(ada):
    bob = learner("bob")
    told = exported(bob).decode()
    for model in (Session, Act):
        assert not any(str(key) in told for key in ids(model, ada))
    assert str(ada.pk) not in told
    assert str(bob.pk) not in told


def test_a_file_kept_for_one_person_is_not_found_by_another(ada):
    file = exported(ada)
    bob = learner("bob")
    address = upload(ada, file)["Location"]
    before = everything_of(bob)
    assert client_of(bob).get(address).status_code == 404
    assert client_of(bob).post(address, {"digest": ""}).status_code == 404
    assert everything_of(bob) == before
    assert client_of(ada).get(address).status_code == 200


def test_a_file_is_kept_for_an_hour_and_the_last_one_alone(ada):
    file = exported(ada)
    first, second = upload(ada, file)["Location"], upload(ada, file)["Location"]
    assert client_of(ada).get(first).status_code == 404
    Upload.objects.update(at=timezone.now() - timedelta(minutes=61))
    assert client_of(ada).get(second).status_code == 404
    upload(learner("bob"), file)
    assert Upload.objects.count() == 1


def test_what_is_added_is_what_was_shown(ada):
    file = exported(ada)
    erase(ada)
    address = upload(ada, file)["Location"]
    digest = client_of(ada).get(address).context["found"].digest
    Plan.objects.create(user=ada)
    answer = client_of(ada).post(address, {"digest": digest}, follow=True)
    assert answer.redirect_chain[0][0] == address
    assert "look at it once more" in answer.text
    assert Act.objects.count() == 0
    assert Upload.objects.count() == 1
    confirm(ada, address)
    assert Act.objects.count()
    assert Upload.objects.count() == 0


def test_an_import_that_fails_adds_nothing(ada, monkeypatch):
    file = exported(ada)
    erase(ada)
    address = upload(ada, file)["Location"]
    digest = client_of(ada).get(address).context["found"].digest

    def fails(*_):
        raise RuntimeError("in the middle")

    module = "interview.study.portable.bringing_in.rebuild_all"
    monkeypatch.setattr(module, fails)
    with pytest.raises(RuntimeError, match="in the middle"):
        client_of(ada).post(address, {"digest": digest})
    assert not any(everything_of(ada).values())


def test_every_table_of_a_person_is_let_go(ada):
    assert set(OWNED) == tables_of_people(apps.get_app_config("study"))


def test_every_table_of_a_person_is_exported_or_made_again():
    told = {kind.model for kind in KINDS} - {CardVersion, SessionStep}
    made_again = {Item, Upload}
    assert told | made_again == tables_of_people(apps.get_app_config("study"))


def test_deleting_wants_the_word(ada):
    before = everything_of(ada)
    answer = client_of(ada).post("/data/delete/", {"word": "yes"})
    assert answer.status_code == 422
    assert "type the word delete" in answer.text
    assert everything_of(ada) == before


def test_deleted_is_deleted_and_others_keep_theirs(ada):
    bob = learner("bob")
    upload(ada, exported(ada))
    his = everything_of(bob)
    answer = client_of(ada).post("/data/delete/", {"word": " Delete "}, follow=True)
    assert "Your study data is deleted." in answer.text
    empty = {"format": "prefill-study/1", "plan": None}
    empty |= {kind.name: [] for kind in KINDS[1:]}
    told = json.loads(exported(ada))
    del told["made_at"]
    assert told == empty
    assert not Upload.objects.exists()
    assert everything_of(bob) == his
    ada.refresh_from_db()
    assert ada.is_active


def test_times_are_in_utc(ada):
    told = json.loads(exported(ada))
    times = [row["at"] for row in told["acts"]]
    assert "2026-11-30T09:00:00.123456Z" in times
    assert all(time.endswith("Z") for time in times)
