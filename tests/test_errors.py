"""Errors are one line that says what was wrong and what to do."""

import numpy as np
import pytest

from brickbybrick.errors import InputError, how_to_install, whole_number


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
def test_whole_numbers_of_every_kind(value: object) -> None:
    number = whole_number(value, "a count", 0, 5)
    assert number == 3
    assert type(number) is int


@pytest.mark.parametrize("value", [-1, 6, 2.0, "3", None, True, np.nan, np.True_, 10**30, [3]])
def test_all_else_is_refused_in_one_line(value: object) -> None:
    with pytest.raises(InputError, match=r"a count is .*: give a whole number, from 0 to 5") as error:
        whole_number(value, "a count", 0, 5)
    assert "\n" not in str(error.value)


def test_without_a_limit_none_is_named() -> None:
    with pytest.raises(InputError, match=r"give a whole number, at least 1$"):
        whole_number(0, "a count", 1)


def test_what_is_missing_is_installed_by_its_extra() -> None:
    assert how_to_install("torch") == "pip install 'brickbybrick[learn]'"
