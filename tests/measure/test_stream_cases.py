import pytest

from tests.measure.cases import CASES
from tests.measure.streams import decode, numbers


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_numbers_of_a_stream_are_exact(case):
    assert numbers(decode(case.sends)) == case.right
