"""What pages are told of targets, parts and colours before anything is built."""

import base64
from typing import get_args

import numpy as np
import numpy.typing as npt

from brickbybrick.colours import COLOURS, COMMON, palette_of
from brickbybrick.construction import HEIGHT, PITCH
from brickbybrick.export.belief import belief_in_space
from brickbybrick.export.replay import shape_of
from brickbybrick.geometry.part import PARTS
from brickbybrick.geometry.voxels import bounds
from brickbybrick.made import MADE
from brickbybrick.order import Order, Parts
from brickbybrick.picture import to_png
from brickbybrick.studio.previews import preview
from brickbybrick.studio.requests import Record
from brickbybrick.studio.settings import as_done
from brickbybrick.studio.shelf import Kept

View = dict[str, list[str]]  # rows of 0 and 1, the top row first


def described(kept: Kept) -> Record:
    """What was made of something that was sent."""
    wanted, sent = kept.wanted, kept.sent
    target = wanted.target
    first, end = bounds(target.volume).T
    wide, deep, high = (end - first).tolist()
    centimetres = wide * PITCH, deep * PITCH, high * target.layer * HEIGHT
    about: Record = {
        "name": target.name,
        "kind": sent.kind,
        "views": views_of(target.images),
        "budget": target.budget if kept.for_agents else None,
        "notes": list(wanted.notes),
        "size": [wide, deep, high],
        "layer": target.layer,
        "millimetres": [round(10 * length, 1) for length in centimetres],
        "cells": int(target.volume.sum()),
        "coloured": target.paint is not None,
        "settings": as_done(kept.order, wanted.reading, is_picture=sent.kind in ("picture", "drawing")),
        "preview": data_url(to_png(preview(target, wanted.reading, palette_of(kept.order.palette)))),
        "belief": None if target.belief is None else data_url(to_png(belief_in_space(target))),
        "source": None if sent.source is None else data_url(sent.source),
    }
    if kept.for_agents and len(target.images) == 3:
        about["hull"] = [list(map(int, cell)) for cell in zip(*target.hull.nonzero(), strict=True)]
    return about


def views_of(images: npt.NDArray[np.bool_]) -> list[View]:
    """Images (view, row, column) as the page reads them."""
    return [{"rows": ["".join("1" if pixel else "0" for pixel in row) for row in image.tolist()]} for image in images]


def data_url(png: bytes) -> str:
    """A picture as a page shows it without asking for it."""
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


def palette() -> list[Record]:
    """All colours of bricks."""
    return [
        {
            "code": colour.code,
            "name": colour.name,
            "hex": f"#{colour.hex}",
            "common": colour.code in COMMON,
        }
        for colour in COLOURS.values()
    ]


def parts() -> Record:
    """All parts, each with its shape and the colours that it was made in; and the kinds to choose from for a build."""
    made = [{**shape_of(part), "colours": list(MADE[str(part)])} for part in PARTS]
    return {"parts": made, "choices": list(get_args(Parts)), "usual": Order().kinds}
