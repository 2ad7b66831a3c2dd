"""The paper drill: questions without an answer, then every answer, numbered alike."""

import pytest

from interview.accounts.models import Role, User

pytestmark = pytest.mark.usefixtures("content")


def parts(client, query=""):
    html = client.get(f"/cards/print/{query}").text
    article = html[html.index("<article") : html.index("</article>")]
    questions, _, answers = article.partition('id="answers"')
    return questions, answers


def test_questions_stand_before_all_answers(candidate):
    questions, answers = parts(candidate)
    for asked in ("What is prefill?", "First rung of two-phases?", "Fourth rung?"):
        assert asked in questions
    for answer in ("The short answer of two-phases.", "Expected one."):
        assert answer not in questions
        assert answer in answers
    assert "The <em>full</em> answer" not in questions + answers


def test_a_question_and_its_answer_have_the_same_number(candidate):
    for part in parts(candidate, "?topic=memory"):
        assert part.count('<span class="paper__number">1.4</span>') == 1
        assert '<span class="paper__number">2</span>' not in part


def test_no_footnote_leads_to_a_source_that_is_not_there(candidate):
    assert "#source-" not in "".join(parts(candidate))


def test_the_filters_of_the_list_choose_the_cards(candidate):
    questions, _ = parts(candidate, "?role=product")
    assert "Title of kv-cache" in questions
    assert "The two phases" not in questions


def test_what_candidates_must_not_see_is_not_printed(candidate):
    must_not_stand(candidate)


def test_nobody_prints_what_candidates_must_not_see(content, interviewer, client):
    content.card("old-one", status="retired")
    must_not_stand(interviewer)
    client.force_login(User.objects.create(name="o", role=Role.OWNER))
    must_not_stand(client, "?status=draft")
    must_not_stand(client)


def must_not_stand(client, query=""):
    text = "".join(parts(client, query))
    for card_id in ("secret", "half-done", "old-one"):
        assert f"Title of {card_id}" not in text
