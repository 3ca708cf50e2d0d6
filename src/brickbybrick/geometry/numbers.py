"""The numbers that catalogues and other programs know parts by, beside the one that we write.

A mould that was changed keeps its number and gets a letter (3040a, 3040b) or the word "old" behind it; a print or a
sticker adds more (3068bp01, 3068bpr0001, 3001d01). All of these are the same part to a builder.
"""

import re
from functools import cache
from typing import NamedTuple

from brickbybrick.geometry.part import PARTS, Part

# Digits, the letter of a mould, and a print (p, pr, pb, px, pt ...) or a sticker (d).
WRITTEN = re.compile(r"([0-9]{1,7})([a-e]|old)?(p[a-z0-9]+|d[0-9][a-z0-9]*)?")
# Moulds that got another number.
ALSO = {
    "30008": "3024",
    "30039": "3070",
    "30071": "3005",
    "44237": "2456",
    "50746": "54200",
    "93888": "3007",
    "94148": "3022",
}


class Numbered(NamedTuple):
    """The part that a number stands for."""

    part: Part
    printed: bool  # or with a sticker, which a plain part lacks


@cache
def _by_digits() -> dict[str, Part]:
    return {known.number.rstrip("abcde"): part for part, known in PARTS.items()}


def numbered(number: str) -> Numbered | None:
    """The part that we build with under any of its numbers; None for all others."""
    found = WRITTEN.fullmatch(number.strip().lower())
    if found is None:
        return None
    part = _by_digits().get(ALSO.get(found[1], found[1]))
    return None if part is None else Numbered(part, found[3] is not None)
