"""The three grades."""

from fsrs import Rating

from interview.recall.grade import Grade


def test_each_grade_says_its_test_and_no_two_the_same():
    assert [grade.word for grade in Grade] == ["Missed", "Partly", "Solid"]
    assert len({grade.test for grade in Grade}) == 3
    assert all(grade.test.startswith("I ") for grade in Grade)


def test_partly_is_remembered_and_missed_is_not():
    ratings = {grade.value: grade.rating for grade in Grade}
    assert ratings == {
        "missed": Rating.Again,
        "partly": Rating.Hard,
        "solid": Rating.Good,
    }
