"""Numbers are written beside dots only where there is room for them."""

import pytest

from interview.web.charts import LoadPoint, load_panel


@pytest.mark.parametrize(
    ("users", "named"),
    [
        ((1,), [1]),
        ((1, 64), [1, 64]),
        ((1, 4, 16, 64), [1, 4, 16, 64]),
        ((1, 2, 4, 8, 16, 32, 64), [1, 4, 16, 64]),
        ((1, 2), [1, 2]),
        ((32, 64), [32, 64]),
    ],
)
def test_the_first_and_the_last_are_named_and_those_between_with_room(users, named):
    shape = load_panel([LoadPoint(count, 10.0 * count) for count in users])
    assert [dot.users for dot in shape.named] == named
