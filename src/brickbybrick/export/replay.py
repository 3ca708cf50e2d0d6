"""A page that plays models brick by brick: one file that needs no server, no network and no other file.

The page itself is written in TypeScript, see `web/`, and built by `make page` with room for the models. This module
puts them in.
"""

import json
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

from brickbybrick.colours import colour_of
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.asides import asides_of
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.part import Part
from brickbybrick.handwork.work import Handwork

TEMPLATE = ("studio", "page", "replay.html")  # in the package, once it is built
PLACE = "__REPLAY_DATA__"  # where the template has room for JSON


def is_built() -> bool:
    """Whether this package has the page to put models in."""
    return files("brickbybrick").joinpath(*TEMPLATE).is_file()


def replay_html(
    constructions: Sequence[Construction], title: str = "", handworks: Sequence[Handwork | None] = ()
) -> str:
    """The page that plays these models side by side, at least one; its heading is by default the first one's target.

    Told how a model is put together by hand, the page shows chunks beside it until they are put on, if its bricks are
    in that order.
    """
    if not constructions:
        raise InputError("no models to replay: give at least one")
    page = _template()
    if page.count(PLACE) != 1:
        raise InputError("the replay page in this package has no room for a model; build it again with: make page")
    constructions = [construction.drawn for construction in constructions]
    models = [json.loads(construction.to_json()) for construction in constructions]
    bricks = [brick for construction in constructions for brick in construction.bricks]
    told = {
        "title": title,
        "constructions": models,
        "colours": _looks(brick.colour for brick in bricks),
        "parts": [shape_of(part) for part in sorted({brick.shape for brick in bricks})],
    }
    if handworks:
        pairs = zip(constructions, handworks, strict=True)
        asides = [asides_of(built, handwork) if handwork else [] for built, handwork in pairs]
        told["asides"] = [[aside._asdict() for aside in some] for some in asides]
    return page.replace(PLACE, _within_script(told))


def shape_of(part: Part) -> dict[str, Any]:
    """What pages are told of a part, once for each, so that they need no rules about kinds of parts.

    All is told of direction 0, in studs and plates from the corner of its box; in the others the same is turned.
    """
    return {
        "name": str(part),
        "kind": part.kind,
        "width": part.width,
        "length": part.length,
        "height": part.height,
        "directions": len(part.directions),
        "profile": part.profile,
        "studs": list(part.studs(Pose(0, 0, 0))),
        "sockets": list(part.sockets(Pose(0, 0, 0))),
    }


def _looks(codes: Iterable[int]) -> dict[int, str]:
    """What the colours of bricks look like, by their codes."""
    return {code: f"#{colour_of(code).hex.lower()}" for code in sorted(set(codes))}


def _within_script(value: object) -> str:
    """JSON that no HTML parser takes for markup: without `<`, which begins tags and comments, and all in ASCII."""
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    except ValueError as error:
        raise InputError(f"a model holds a number that a page cannot read: {error}") from error


def _template() -> str:
    try:
        return files("brickbybrick").joinpath(*TEMPLATE).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError("the replay page is not in this package; build it with Node and: make page") from error
