import pytest

from interview.measure.statistics import Summary, mean, percentile, summary


@pytest.mark.parametrize(
    ("values", "percent", "right"),
    [
        ([7], 99, 7),
        ([1, 2], 50, 1.5),
        ([4, 1, 3, 2], 50, 2.5),
        ([1, 2, 3, 4, 5], 90, 4.6),
        (list(range(101)), 99, 99),
        ([1, 2], 0, 1),
        ([1, 2], 100, 2),
    ],
)
def test_percentiles_interpolate_between_closest_ranks(values, percent, right):
    assert percentile(values, percent) == pytest.approx(right)


def test_nothing_has_no_percentile_and_no_mean():
    assert percentile([], 50) is None
    assert mean([]) is None
    assert summary([]) == Summary(None, None, None, None, None, 0)


def test_row_175_two_values_have_a_summary():
    assert summary([10, 20]) == Summary(15, 19, 19.9, 15, 20, 2)


def test_the_order_of_values_does_not_matter():
    assert summary([3, 1, 2]) == summary([1, 2, 3])
