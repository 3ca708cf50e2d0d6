"""What parts cost, by part and colour, in one currency; and what many of them cost together."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from brickbybrick.errors import InputError, shown
from brickbybrick.geometry.inventory import MOST_TEXT, Entry, Kind, kind_of
from brickbybrick.geometry.part import Part

CURRENCY = re.compile("[A-Za-z]{1,8}|[$€£¥]")
PRICE = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")


class Bill(NamedTuple):
    """What parts cost together."""

    total: Decimal  # of those whose price is known
    without: int  # parts whose price is not known


@dataclass(frozen=True)
class Prices:
    """What one part costs."""

    currency: str
    each: tuple[tuple[Kind, Decimal], ...]  # where the colour is left open, in those whose price is not told

    def __post_init__(self) -> None:
        if not CURRENCY.fullmatch(self.currency):
            raise InputError(f"a currency {shown(self.currency)}: give one, such as EUR")
        if not self.each:
            raise InputError("prices of nothing: give parts with their prices, as in red 2x4=0.12")
        if len({kind for kind, _ in self.each}) < len(self.each):
            raise InputError("prices that name a part in a colour twice: give each once")

    @classmethod
    def parse(cls, text: str) -> "Prices":
        """Prices written as in `EUR,red 2x4=0.12,plate 1x2=0.04`."""
        if len(text) > MOST_TEXT:
            raise InputError(f"prices of {len(text)} characters: write up to {MOST_TEXT}")
        currency, *entries = text.split(",")
        each = []
        for entry in entries:
            name, _, price = entry.partition("=")
            each.append((kind_of(name), price_of(price)))
        return cls(currency.strip(), tuple(each))

    def __str__(self) -> str:
        named = (f"{Entry(*kind).name}={price}" for kind, price in self.each)
        return ",".join([self.currency, *named])

    @cached_property
    def _of(self) -> dict[Kind, Decimal]:
        return dict(self.each)

    def of(self, part: Part, colour: int) -> Decimal | None:
        """What a part costs in a colour; None if that is not known."""
        return self._of.get((part, colour), self._of.get((part, None)))

    def bill(self, used: Mapping[tuple[Part, int], int]) -> Bill:
        """What so many parts in colours cost together."""
        told: Iterable[tuple[Decimal | None, int]] = [(self.of(*kind), count) for kind, count in used.items()]
        total = sum((price * count for price, count in told if price is not None), Decimal(0))
        return Bill(total, sum(count for price, count in told if price is None))

    def said(self, bill: Bill) -> str:
        """A sum in words, with how many parts it leaves out."""
        total = f"{bill.total:,.2f} {self.currency}"
        if not bill.without:
            return total
        if not bill.total:
            return f"something in {self.currency}, but no price of them is known"
        return f"{total} without {bill.without:,} part{'s' * (bill.without > 1)} of which no price is known"


def price_of(text: str) -> Decimal:
    """A price as somebody writes it."""
    if not PRICE.fullmatch(text.strip()):
        raise InputError(f"a price of {shown(text.strip())}: give a number, as in 0.12")
    return Decimal(text.strip())
