"""What parts cost."""

from decimal import Decimal

import pytest

from brickbybrick.errors import InputError
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.prices import Prices

BRICK, PLATE = Part.parse("2x4"), Part.parse("plate 1x2")
RED, BLUE = 4, 1


def test_prices_are_written_as_they_are_read() -> None:
    text = "EUR,red 2x4=0.12,2x4=0.2,light bluish grey plate 1x2=0.045"
    assert str(Prices.parse(text)) == text


def test_a_colour_without_a_price_of_its_own_costs_what_the_part_does() -> None:
    prices = Prices.parse("EUR,red 2x4=0.12,2x4=0.2,red plate 1x2=0.1")
    assert prices.of(BRICK, RED) == Decimal("0.12")
    assert prices.of(BRICK, BLUE) == Decimal("0.2")
    assert prices.of(PLATE, BLUE) is None


def test_a_bill_is_exact_and_says_what_it_leaves_out() -> None:
    """Ten times 0.1 is 1, which binary fractions do not have."""
    prices = Prices.parse("EUR,red 2x4=0.1,2x4=1000")
    assert prices.bill({(BRICK, RED): 10}).total == 1
    bill = prices.bill({(BRICK, RED): 3, (BRICK, BLUE): 2, (PLATE, RED): 4})
    assert bill == (Decimal("2000.3"), 4)
    assert prices.said(bill) == "2,000.30 EUR without 4 parts of which no price is known"
    assert prices.said(prices.bill({(BRICK, RED): 3})) == "0.30 EUR"
    assert "no price of them is known" in prices.said(prices.bill({(PLATE, RED): 1}))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("EUR", "prices of nothing"),
        ("2x4=1,2x2=2", "a currency '2x4=1'"),
        ("EUR,2x4=cheap", "a price of 'cheap': give a number"),
        ("EUR,2x4=-1", "a price of '-1'"),
        ("EUR,2x4=1e9", "a price of"),
        ("EUR,2x4", "a price of ''"),
        ("EUR,2x4=1,2x4=2", "twice"),
        ("EUR,9y9=1", "is no part"),
        ("EUR," + "x" * 400_001, "characters"),
    ],
)
def test_mistakes_in_prices(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Prices.parse(text)
