"""The printed card: nothing folded, and no answer where none is asked for."""

import pytest

pytestmark = pytest.mark.usefixtures("content")
ANSWERS = ["The short answer of two-phases.", "Expected one.", "One is a mean."]


def test_the_question_sheet_has_every_question_and_no_answer(candidate):
    html = candidate.get("/cards/two-phases/print/").text
    for question in ("What is prefill?", "First rung of two-phases?", "Fourth rung?"):
        assert question in html
    for answer in (*ANSWERS, "They are the same number.", "The budget is one number."):
        assert answer not in html


def test_the_answer_sheet_has_everything_unfolded(candidate):
    html = candidate.get("/cards/two-phases/print/?answers=1").text
    article = html[html.index("<article") : html.index("</article>")]
    for text in (*ANSWERS, "What is prefill?", "The budget is one number."):
        assert text in article
    assert "<details" not in article
