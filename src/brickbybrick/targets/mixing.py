"""Colours mixed of others, as print does it: cells of a few colours side by side that look like one from afar."""

import numpy as np
import numpy.typing as npt

from brickbybrick.colours import COLOURS, lab, light_of, seen, unlike

OFF = (-1.0, 2.0)  # light that may be wanted of a cell: what no colours can make up for must not add up for ever
# What a cell is off is handed on to those that come after it: right, below left, below, below right (Floyd and
# Steinberg 1976).
SHARES = ((0, 1, 7 / 16), (1, -1, 3 / 16), (1, 0, 5 / 16), (1, 1, 1 / 16))


def mixed_colours(colours: npt.NDArray[np.uint8], codes: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """A picture (row, column, 3) in colours of these codes alone, whose mean over a few cells is as it was.

    Light adds up, not the numbers that stand for it, so that errors are handed on in linear light.
    """
    palette = np.array([COLOURS[code].rgb for code in codes])
    tones, bright = lab(palette), light_of(palette)
    left = light_of(colours)  # (row, column, 3) what is still wanted
    mixed = np.empty_like(colours)
    rows, columns, _ = colours.shape
    for row in range(rows):
        for column in range(columns):
            wanted = left[row, column].clip(*OFF)
            best = int(unlike(lab(seen(wanted)), tones).argmin())
            mixed[row, column] = palette[best]
            off = wanted - bright[best]
            for down, right, share in SHARES:
                if row + down < rows and 0 <= column + right < columns:
                    left[row + down, column + right] += share * off
    return mixed
