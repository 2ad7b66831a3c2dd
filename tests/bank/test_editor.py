"""Own cards: written as text, checked, previewed, saved as files."""

from pathlib import Path

import pytest
from django.urls import reverse

from interview.bank.models import Kit
from interview.cards.__main__ import problems_under
from interview.cards.card import Status
from interview.cards.problem import has_errors
from interview.web.content import library
from interview.web.models import CardVersion
from tests.bank.own_card import CARD, NEEDLE, TITLE, put
from tests.bank.stage import FIRST, browser, interview, interviewer, kit

pytestmark = pytest.mark.django_db


def write(client, text=CARD, **more):
    return client.post(reverse("bank:write"), {"text": text, **more})


def edit(client, text, version, card_id="my-card", **more):
    sent = {"text": text, "version": version, **more}
    return client.post(reverse("bank:edit", args=[card_id]), sent)


def preview(client, text=CARD, reader="candidate", **headers):
    sent = {"text": text, "as": reader}
    return client.post(reverse("bank:preview"), sent, headers=headers)


def version_on(page):
    return page.context["at"].version


def test_the_page_begins_with_a_draft_without_errors(author):
    page = author.get(reverse("bank:write"))
    draft = page.context["at"].draft
    assert draft.card.status is Status.DRAFT
    assert not draft.errors
    assert draft.text in page.text.replace("&quot;", '"')


def test_a_saved_card_is_a_private_file_that_the_linter_passes(author, folder):
    response = write(author, CARD.replace("\n", "\r\n"))
    assert response.status_code == 303
    path = folder.root / "cards" / "kv-cache" / "my-card.md"
    assert path.read_bytes().decode() == CARD
    assert path.stat().st_mode & 0o777 == 0o600
    folders = [path.parent, path.parent.parent, folder.root]
    assert {each.stat().st_mode & 0o777 for each in folders} == {0o700}
    assert not has_errors(problems_under([folder.root]))
    assert [each.name for each in folder.root.iterdir()] == ["cards"]


def test_a_saved_card_can_be_used_in_a_kit_at_once(author):
    write(author)
    kit(interviewer("Bo"), "my-card")
    assert Kit.objects.get().latest.questions.get().card_id == "my-card"
    assert author.get(reverse("bank:edit", args=["my-card"])).status_code == 200


@pytest.mark.parametrize("status", ["draft", "kit-only", "published"])
def test_a_card_is_saved_with_the_status_it_says(author, status):
    write(author, CARD.replace("status: kit-only", f"status: {status}"))
    assert library().cards["my-card"].status == status


def test_a_form_sent_twice_saves_one_card(author, folder):
    assert [write(author).status_code for _ in range(2)] == [303, 303]
    assert len(list(folder.files())) == 1


def test_a_text_that_is_no_card_is_not_saved_and_shown_again(author, folder):
    response = write(author, "typed for an hour <script>")
    assert response.status_code == 422
    assert "typed for an hour &lt;script&gt;" in response.text
    assert "C001" in response.text
    assert not list(folder.files())


def test_a_text_with_errors_is_not_written_over_a_good_one(author, folder):
    file = put(folder)
    page = author.get(reverse("bank:edit", args=["my-card"]))
    response = edit(
        author, CARD.replace("minutes: 6", "minutes: six"), version_on(page)
    )
    assert response.status_code == 422
    assert file.read_text() == CARD


@pytest.mark.parametrize("status", ["kit-only", "published"])
def test_errors_keep_a_card_from_being_asked(author, folder, status):
    text = CARD.replace("kit-only", status).replace("needs: []", "needs: [no-such]")
    response = write(author, text)
    assert response.status_code == 422
    assert "Save as a draft" in response.text
    assert not list(folder.files())


def test_a_card_with_errors_can_wait_as_a_draft(author, folder):
    text = CARD.replace("needs: []", "needs: [no-such]")
    assert write(author, text, draft="").status_code == 303
    saved = folder.find("my-card").text
    assert saved == text.replace("status: kit-only", "status: draft")
    assert library().cards["my-card"].status is Status.DRAFT


def test_a_draft_needs_no_line_for_its_status_before(author, folder):
    text = CARD.replace("status: kit-only\n", "").replace("needs: []", "needs: [none]")
    write(author, text, draft="")
    assert library().cards["my-card"].status is Status.DRAFT


def test_problems_have_line_column_rule_sentence_and_hint(author):
    page = preview(author, CARD.replace("needs: []", "needs: [no-such]"))
    (problem,) = page.context["at"].draft.errors
    assert (problem.place, problem.rule.code) == ((12, 9), "C201")
    for told in ("12:9", "C201", problem.message, problem.rule.hint):
        assert told in page.text.replace("&#x27;", "'")


def test_the_problems_are_those_of_the_linter(author, folder):
    text = CARD.replace("status: kit-only", "status: draft")
    text = text.replace("needs: []", "needs: [no-such]").replace("[H:", "[V:")
    text = text.replace("of all tokens", "of `--no-such-flag` tokens")
    shown = preview(author, text).context["at"].draft.problems
    write(author, text)
    found = problems_under([folder.root])
    assert len(found) > 2
    assert [(p.place, p.message) for p in shown] == [
        (p.place, p.message) for p in found
    ]


def test_typing_gets_the_part_and_a_button_the_page(author):
    typed = preview(author, **{"HX-Request": "true", "HX-Request-Type": "partial"})
    pressed = preview(author)
    assert typed.text.startswith('<div id="preview">')
    assert "<textarea" not in typed.text
    assert "What does our cache cost?" in pressed.text.split("<textarea")[1]


def test_a_preview_of_what_no_page_sends_is_the_one_of_a_new_card(author):
    sent = {"text": CARD, "card_id": "../x", "version": "x", "as": "nobody"}
    page = author.post(reverse("bank:preview"), sent)
    assert page.status_code == 200
    assert (page.context["at"].card_id, version_on(page)) == ("", "")


def test_a_preview_writes_nothing(author, folder):
    preview(author)
    assert not folder.root.exists()


def test_a_candidate_opens_answers_that_an_interviewer_has_open(author):
    def part(reader):
        return preview(author, reader=reader).text.split('id="preview"')[1]

    assert NEEDLE in part("candidate")
    assert '<details class="fold" open>' not in part("candidate")
    assert part("interviewer").count('<details class="fold" open>') == 8
    assert NEEDLE not in part("print")
    assert "What does our cache cost?" in part("print")


def test_a_preview_says_what_candidates_never_see(author):
    assert "no candidate sees it" in preview(author).text
    published = CARD.replace("status: kit-only", "status: published")
    assert "no candidate sees it" not in preview(author, published).text


def test_what_somebody_writes_is_no_markup_of_the_page(author):
    text = CARD.replace(TITLE, f"{TITLE} <script>alert(1)</script>")
    text = text.replace("What does our", "<img src=x onerror=alert(1)> What does our")
    for reader in ("candidate", "interviewer", "print"):
        page = preview(author, text, reader).text
        assert "<script>alert" not in page
        assert "<img" not in page


def test_the_id_of_a_card_stays(author, folder):
    file = put(folder)
    page = author.get(reverse("bank:edit", args=["my-card"]))
    text = CARD.replace("id: my-card", "id: other").replace("kit-only", "draft")
    assert edit(author, text, version_on(page)).status_code == 422
    assert file.read_text() == CARD
    assert len(list(folder.files())) == 1


def test_an_id_of_the_repository_is_refused(author, folder):
    text = CARD.replace("id: my-card", f"id: {FIRST}").replace("kit-only", "draft")
    response = write(author, text)
    assert response.status_code == 422
    assert f"The id “{FIRST}” is that of" in response.text
    assert not list(folder.files())


@pytest.mark.parametrize("card_id", ["../up", "/etc/x", "a/b", "..", "A b", "x" * 101])
def test_an_id_leads_out_of_no_folder(author, folder, card_id):
    for status in ("draft", "kit-only"):
        text = CARD.replace("id: my-card", f"id: {card_id}")
        response = write(author, text.replace("kit-only", status))
        assert response.status_code == 422
    assert not folder.root.exists()


@pytest.mark.parametrize("topic", ["../../up", "/etc", "..", "x" * 300])
def test_a_topic_leads_out_of_no_folder(author, folder, topic):
    text = CARD.replace("topics: [kv-cache]", f'topics: ["{topic}"]')
    assert write(author, text.replace("kit-only", "draft")).status_code == 303
    (file,) = folder.files()
    assert file.path == folder.root / "cards" / "unsorted" / "my-card.md"
    assert sorted(folder.root.parent.iterdir()) == [folder.root]


def test_a_card_of_the_repository_says_which_file_to_edit(author):
    page = author.get(reverse("bank:edit", args=[FIRST]))
    path = library().cards[FIRST].path
    assert f"<code>content/{path.partition('/content/')[2]}</code>" in page.text
    assert "<textarea" not in page.text
    before = Path(path).read_text()
    assert edit(author, CARD, "", FIRST).status_code == 403
    assert Path(path).read_text() == before


def test_a_card_of_another_private_folder_is_edited_as_a_file(
    settings, author, tmp_path
):
    settings.CONTENT_PATHS = [tmp_path / "own", tmp_path / "other"]
    file = tmp_path / "other" / "cards" / "any" / "my-card.md"
    file.parent.mkdir(parents=True)
    file.write_text(CARD)
    assert str(file) in author.get(reverse("bank:edit", args=["my-card"])).text
    assert edit(author, CARD + "more", "").status_code == 403
    assert write(author).status_code == 422
    assert file.read_text() == CARD


def test_two_editors_do_not_overwrite_each_other(author, folder):
    file = put(folder)
    bo = browser(interviewer("Bo"))
    first, second = (
        c.get(reverse("bank:edit", args=["my-card"])) for c in (author, bo)
    )
    theirs = CARD.replace("only a cache", "just a cache")
    mine = CARD.replace("both are memory", "both take memory")
    assert edit(bo, theirs, version_on(second)).status_code == 303
    response = edit(author, mine, version_on(first))
    assert response.status_code == 409
    assert file.read_text() == theirs
    assert "both take memory" in response.text.split("<textarea")[1]
    assert "just a cache" in response.text.split("<textarea")[0]
    # Having seen both, it is theirs to decide.
    assert edit(author, mine, version_on(response)).status_code == 303
    assert file.read_text() == mine


def test_an_edit_sent_twice_is_saved_once(author, folder):
    put(folder)
    version = version_on(author.get(reverse("bank:edit", args=["my-card"])))
    text = CARD.replace("only a cache", "just a cache")
    assert [edit(author, text, version).status_code for _ in range(2)] == [303, 303]


def test_a_new_card_is_not_written_over_another(author, folder):
    file = put(folder)
    other = CARD.replace("only a cache", "just a cache")
    response = write(author, other)
    assert response.status_code == 409
    assert (
        write(author, other, version=folder.find("my-card").version).status_code == 409
    )
    assert file.read_text() == CARD


def test_a_card_that_was_removed_meanwhile_is_not_lost(author, folder):
    file = put(folder)
    version = version_on(author.get(reverse("bank:edit", args=["my-card"])))
    file.unlink()
    assert author.get(reverse("bank:edit", args=["my-card"])).status_code == 404
    response = edit(author, CARD, version)
    assert response.status_code == 409
    assert "was removed" in response.text
    assert edit(author, CARD, version_on(response)).status_code == 303
    assert file.read_text() == CARD


def test_a_broken_file_can_be_mended(author, folder):
    file = put(folder, "no card at all")
    assert "its file cannot be read" in author.get(reverse("bank:packs")).text.lower()
    page = author.get(reverse("bank:edit", args=["my-card"]))
    assert "no card at all" in page.text
    assert edit(author, CARD, version_on(page)).status_code == 303
    assert file.read_text() == CARD


def test_an_edit_changes_no_kit_that_was_used(author, folder):
    write(author)
    bo = interviewer("Bo")
    interview(kit(bo, "my-card", title="Own"), [bo])
    version = version_on(author.get(reverse("bank:edit", args=["my-card"])))
    edit(author, CARD.replace("What does our", "How much is our"), version)
    assert "What does our" in CardVersion.objects.get(card_id="my-card").source
    assert "How much is our" in library().cards["my-card"].source


def test_a_place_that_is_no_folder_is_told(author, folder):
    folder.root.write_text("a file")
    response = write(author)
    assert response.status_code == 503
    assert "cannot be written to" in response.text
    assert "What does our cache cost?" in response.text


def test_a_card_that_is_too_long_is_not_checked_and_not_saved(author, folder):
    response = write(author, CARD + "x" * 200_000)
    assert response.status_code == 422
    assert "200,000 characters" in response.text
    assert not list(folder.files())


def test_a_card_is_taken_away_as_its_file(author):
    write(author)
    response = author.get(reverse("bank:card_file", args=["my-card"]))
    assert response.content.decode() == CARD
    assert response["Content-Disposition"] == 'attachment; filename="my-card.md"'
    assert author.get(reverse("bank:card_file", args=["no-such"])).status_code == 404
