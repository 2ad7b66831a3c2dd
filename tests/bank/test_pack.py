"""Packs of cards: looked at first, then imported whole or not at all."""

import contextlib
import os
import random
import stat
import zipfile
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from interview.bank.editor import folder as folders
from interview.bank.editor.comparison import bring_in
from interview.bank.editor.packfile import NotAPack, read_pack
from interview.bank.errors import Changed
from interview.bank.models import Pack
from interview.cards.__main__ import problems_under
from interview.cards.problem import has_errors
from interview.web.content import library
from tests.bank.own_card import CARD, put
from tests.bank.stage import FIRST, browser, interviewer

pytestmark = pytest.mark.django_db

OTHER = CARD.replace("my-card", "other-card").replace(
    "Tempting, because caches elsewhere are small.", "It is believed for its name."
)
OTHER = OTHER.replace("It takes memory that another", "Memory goes that another")
OTHER = OTHER.replace("- The keys and values of all tokens", "- Keys, values of all")
OTHER = OTHER.replace("A smaller type, fewer heads", "Fewer heads, a smaller type")
OTHER = OTHER.replace("How many tokens it holds", "The tokens that it holds")
OTHER = OTHER.replace("Weights are kept twice", "All weights are kept twice")
OTHER = OTHER.replace("Needle in the answer: bytes", "Bytes")


def zipped(*entries, how=ZIP_DEFLATED):
    """A name, or a ZipInfo, and what is in it."""
    file = BytesIO()
    with ZipFile(file, "w", how) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return file.getvalue()


def send(client, *files):
    """Each a name and its bytes or text."""
    sent = [
        SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)
        for name, text in files
    ]
    return client.post(reverse("bank:packs"), {"files": sent})


def send_zip(client, *entries, **options):
    return send(client, ("pack.zip", zipped(*entries, **options)))


def brought(client, *entries):
    """The page that shows what the pack would change."""
    response = send_zip(client, *entries)
    assert response.status_code == 303, response.text
    return client.get(response["Location"])


def apply(client, page, **more):
    sent = {"digest": page.context["found"].digest, **more}
    return client.post(page.request["PATH_INFO"], sent)


def kinds(page):
    return {file.name: str(file.kind) for file in page.context["found"].files}


def texts(folder):
    return {file.card_id: file.text for file in folder.files()}


def test_a_pack_is_looked_at_before_anything_is_written(author, folder):
    put(folder, CARD.replace("only a cache", "just a cache"))
    before = texts(folder)
    page = brought(author, ("any/my-card.md", CARD), ("other-card.md", OTHER))
    assert kinds(page) == {"any/my-card.md": "changed", "other-card.md": "new"}
    assert "just a cache" in page.text
    assert "only a cache" in page.text
    assert texts(folder) == before


def test_an_import_writes_all_and_again_nothing(author, folder):
    entries = (("my-card.md", CARD), ("other-card.md", OTHER))
    page = brought(author, *entries)
    assert apply(author, page)["Location"] == reverse("bank:packs")
    assert texts(folder) == {"my-card": CARD, "other-card": OTHER}
    assert not has_errors(problems_under([folder.root]))
    assert {"my-card", "other-card"} <= set(library().cards)
    again = brought(author, *entries)
    assert set(kinds(again).values()) == {"same"}
    stamps = [file.path.stat().st_mtime_ns for file in folder.files()]
    apply(author, again)
    assert [file.path.stat().st_mtime_ns for file in folder.files()] == stamps


def test_an_import_sent_twice_answers_twice_the_same(author, folder):
    page = brought(author, ("my-card.md", CARD))
    first, second = apply(author, page), apply(author, page)
    assert (first.status_code, first["Location"]) == (303, second["Location"])
    assert texts(folder) == {"my-card": CARD}


def test_own_cards_leave_as_a_pack_that_changes_nothing(author, folder):
    apply(author, brought(author, ("my-card.md", CARD), ("other-card.md", OTHER)))
    file = author.get(reverse("bank:pack_file"))
    assert file["Content-Type"] == "application/zip"
    again = author.get(send(author, ("own.zip", file.content))["Location"])
    assert sorted(kinds(again).values()) == ["same", "same"]
    assert author.get(reverse("bank:pack_file")).content == file.content


def test_the_files_of_a_folder_are_a_pack(author):
    response = send(author, ("my-card.md", CARD), ("other-card.md", OTHER.encode()))
    page = author.get(response["Location"])
    assert set(kinds(page).values()) == {"new"}


def test_what_a_folder_of_cards_leaves_out_is_no_card(author):
    page = brought(
        author,
        ("cards/", b""),
        ("cards/my-card.md", CARD),
        ("README.md", "about us"),
        ("__MACOSX/cards/._my-card.md", b"\x00"),
        (".DS_Store", b"\x00"),
    )
    assert kinds(page) == {"cards/my-card.md": "new"}


def test_cards_of_a_pack_may_need_each_other(author):
    needs = OTHER.replace("needs: []", "needs: [my-card]")
    assert set(kinds(brought(author, ("a.md", needs), ("b.md", CARD))).values()) == {
        "new"
    }
    assert kinds(brought(author, ("a.md", needs))) == {"a.md": "refused"}


def test_one_refused_card_keeps_all_of_a_pack_out(author, folder):
    broken = OTHER.replace("minutes: 6", "minutes: six")
    page = brought(author, ("my-card.md", CARD), ("x/other-card.md", broken))
    assert kinds(page) == {"my-card.md": "new", "x/other-card.md": "refused"}
    assert "x/other-card.md:6:10" in page.text
    assert "Import 1 card" not in page.text
    assert apply(author, page).status_code == 422
    assert texts(folder) == {}


def test_a_card_with_errors_is_refused_unless_it_is_a_draft(author):
    bad = CARD.replace("needs: []", "needs: [no-such]")
    assert kinds(brought(author, ("a.md", bad))) == {"a.md": "refused"}
    draft = bad.replace("kit-only", "draft")
    assert kinds(brought(author, ("a.md", draft))) == {"a.md": "new"}


def test_an_id_that_stands_twice_is_refused_both_times(author):
    page = brought(author, ("a.md", CARD), ("b/a.md", CARD))
    assert set(kinds(page).values()) == {"refused"}
    assert "Two files of the pack have this id." in page.text


def test_an_id_of_the_repository_is_refused(author, folder):
    page = brought(author, ("a.md", CARD.replace("my-card", FIRST)))
    assert kinds(page) == {"a.md": "refused"}
    assert f"The id “{FIRST}” is that of" in page.text
    assert apply(author, page).status_code == 422
    assert texts(folder) == {}


def test_a_card_that_changed_since_it_was_shown_is_shown_again(author, folder):
    page = brought(author, ("my-card.md", CARD), ("other-card.md", OTHER))
    put(folder, CARD.replace("only a cache", "just a cache"))
    response = apply(author, page)
    assert response.status_code == 409
    assert "just a cache" in response.text
    assert "just a cache" in texts(folder)["my-card"]
    assert "other-card" not in texts(folder)
    assert apply(author, response).status_code == 303
    assert texts(folder) == {"my-card": CARD, "other-card": OTHER}


@pytest.mark.parametrize("at", [0, 1, 2])
def test_an_import_that_fails_leaves_everything_as_it_was(
    author, folder, monkeypatch, at
):
    put(folder, CARD.replace("only a cache", "just a cache"))
    third = OTHER.replace("other-card", "third-card").replace("kit-only", "draft")
    page = brought(author, ("c.md", CARD), ("o.md", OTHER), ("t.md", third))
    before, calls, replace = texts(folder), [], os.replace

    def fails(source, target):
        calls.append(target)
        if len(calls) == at + 1:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(folders.os, "replace", fails)
    response = apply(author, page)
    assert response.status_code == 503
    assert "No space left" in response.text
    assert texts(folder) == before
    monkeypatch.setattr(folders.os, "replace", replace)
    assert [each.name for each in folder.root.iterdir()] == ["cards"]
    assert apply(author, page).status_code == 303
    assert len(texts(folder)) == 3


def test_only_what_was_shown_is_imported(author, folder):
    kept = Pack.objects.get(pk=brought(author, ("a.md", CARD)).context["pack"].pk)
    with pytest.raises(Changed):
        bring_in(kept, "another digest")
    assert texts(folder) == {}


def test_a_discarded_pack_leaves_nothing(author, folder):
    page = brought(author, ("my-card.md", CARD))
    assert apply(author, page, discard="").status_code == 303
    kept = Pack.objects.get()
    assert (kept.texts, kept.errors) == ({}, {})
    assert apply(author, page).status_code == 303
    assert texts(folder) == {}


def test_a_pack_is_for_whoever_brought_it_in_and_for_a_day(author, folder):
    page = brought(author, ("my-card.md", CARD))
    bo = browser(interviewer("Bo"))
    where = page.request["PATH_INFO"]
    assert bo.get(where).status_code == apply(bo, page).status_code == 404
    assert texts(folder) == {}
    Pack.objects.update(at=timezone.now() - timezone.timedelta(days=1, seconds=1))
    assert author.get(where).status_code == 404
    brought(bo, ("my-card.md", CARD))
    assert Pack.objects.count() == 1


def linked():
    entry = ZipInfo("cards/link.md")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def many(count):
    return [(f"c/{number}.md", "x") for number in range(count)]


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([("../up.md", CARD)], "no place within the pack"),
        ([("a/../../up.md", CARD)], "no place within the pack"),
        ([("/etc/up.md", CARD)], "no place within the pack"),
        ([("C:/up.md", CARD)], "no place within the pack"),
        ([("..\\up.md", CARD)], "no place within the pack"),
        ([(linked(), "/etc/passwd")], "is a link"),
        ([("a.md", CARD), ("photo.png", b"\x89PNG")], "no Markdown file"),
        ([("a.md", b"\xff\xfe")], "not UTF-8"),
        ([("a.md", "x" * 200_001)], "too long"),
        ([("bomb.md", b"0" * 21_000_000)], "more than 20 MB"),
        ([*many(499), ("b.md", b"0" * 21_000_000)], "more than 20 MB"),
        (many(501), "500 files at most"),
        ([("README.md", "nothing else")], "no Markdown file in it"),
        ([], "no Markdown file in it"),
    ],
)
def test_a_hostile_pack_is_refused_whole(author, folder, entries, told):
    response = send_zip(author, *entries)
    assert response.status_code == 422
    assert told in response.text
    assert not Pack.objects.exists()
    assert not folder.root.exists()
    assert not list(folder.root.parent.rglob("up.md"))


def test_a_pack_has_5_mb_at_most(author):
    content = os.urandom(5_000_001 - len(zipped(("a.md", b""), how=ZIP_STORED)))
    response = send_zip(author, ("a.md", content), how=ZIP_STORED)
    assert "5 MB at most" in response.text
    fits = send_zip(author, ("a.md", content[:-1]), how=ZIP_STORED)
    assert "5 MB at most" not in fits.text


def test_a_folder_has_500_files_at_most(author):
    response = send(author, *[(f"{number}.md", "x") for number in range(501)])
    assert response.status_code == 422
    assert "500 files at most" in response.text


def test_a_zip_with_any_bytes_changed_is_a_pack_or_told(author):
    content = zipped(("a/ä.md", CARD), ("b.md", "short"))
    chance = random.Random(1)
    for _ in range(1500):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        with contextlib.suppress(NotAPack):
            read_pack([SimpleUploadedFile("pack.zip", bytes(damaged))])


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut", b"no zip at all"])
def test_what_is_no_zip_is_told(author, content):
    response = send(author, ("pack.zip", content))
    assert response.status_code == 422
    assert "no zip that can be read" in response.text


def test_a_zip_whose_content_is_damaged_is_told(author):
    content = zipped(("a.md", CARD), how=ZIP_STORED)
    damaged = content.replace(b"What does our", b"Who does our ")
    response = send(author, ("pack.zip", damaged))
    assert response.status_code == 422
    assert "no zip that can be read" in response.text


def test_an_encrypted_file_is_told(author):
    content = bytearray(zipped(("a.md", CARD)))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    response = send(author, ("pack.zip", bytes(content)))
    assert response.status_code == 422
    assert "encrypted" in response.text


def test_two_entries_of_one_name_are_told(author):
    with pytest.warns(UserWarning, match="Duplicate name"):
        response = send_zip(author, ("a.md", CARD), ("a.md", OTHER))
    assert response.status_code == 422
    assert "Two of its files" in response.text


def test_a_zip_comes_alone(author):
    response = send(author, ("pack.zip", zipped(("a.md", CARD))), ("b.md", OTHER))
    assert response.status_code == 422
    assert send(author).status_code == 422


def test_a_huge_number_of_names_is_counted_not_read(author, monkeypatch):
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("unpacked"))
    assert send_zip(author, *many(5_000)).status_code == 422
