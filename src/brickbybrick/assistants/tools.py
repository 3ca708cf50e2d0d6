"""What an assistant reads of the tools: what each is for, and what it takes.

Only what helps to ask well is said here. What is asked is checked where it is carried out, since nobody has to keep to
a schema.
"""

from dataclasses import dataclass
from typing import Any, get_args

from brickbybrick.export.kit import EXPORTS
from brickbybrick.order import MASON, MOST_BRICKS, Hidden, Parts
from brickbybrick.studio.laying import PORTION
from brickbybrick.studio.requests import MOST_NAME
from brickbybrick.studio.sent import MOST_SIDE
from brickbybrick.targets.reading import MOST_CELLS, Keeping, Proportions

Schema = dict[str, Any]

INSTRUCTIONS = (
    "Builds models of bricks and judges them. Bricks lie on a grid: x and y count studs, z counts plates, of which a "
    "brick is 3 high, and the ground is z = 0. build turns a picture, a drawing, three silhouettes or a mesh into a "
    "model that can be built by hand. check says whether any model can be built and stands, and what is wrong with it. "
    "export writes instructions, parts lists and files for other programs. describe tells what there is to build with, "
    "or what a model consists of. Models have names such as model-1, which all tools but build take. Files are named "
    "from the folder that the server was started for."
)


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _whole(description: str, least: int, most: int) -> Schema:
    return {"type": "integer", "description": description, "minimum": least, "maximum": most}


def _flag(description: str) -> Schema:
    return {"type": "boolean", "description": description}


def _number(description: str) -> Schema:
    return {"type": "number", "description": description}


def _one_of(choices: object, description: str) -> Schema:
    return {"type": "string", "description": description, "enum": list(get_args(choices))}


def _list(items: Schema, description: str, most: int) -> Schema:
    return {"type": "array", "description": description, "items": items, "maxItems": most}


def _object(properties: Schema, required: tuple[str, ...] = (), description: str | None = None) -> Schema:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = list(required)
    return schema if description is None else {**schema, "description": description}


BRICK = _object(
    {
        "part": _text("as in 2x4 (a brick), plate 2x4, tile 1x2, slope 45 2x1; 2x4 if left out"),
        "x": {"type": "integer", "description": "studs, of its corner with the lowest coordinates"},
        "y": {"type": "integer", "description": "studs"},
        "z": {"type": "integer", "description": "plates above the ground; a brick is 3 high"},
        "d": _whole("0: long side along y, 1: along x; slopes fall towards +x, +y, -x, -y for 0 to 3", 0, 3),
        "colour": {"type": "integer", "description": "an LDraw code; 4, red, if left out"},
    },
    ("x", "y", "z", "d"),
)
DRAWING = _object(
    {
        "rows": _list(
            _text("one row: a sign for each pixel; . and space are paper, all else is ink"), "the top first", MOST_SIDE
        ),
        "inks": {
            "type": "object",
            "description": "for a drawing in colours, the colour of each sign, as in {'r': 'red', 'y': 'yellow'}",
            "additionalProperties": {"type": "string"},
        },
    },
    ("rows",),
)
SETTINGS: Schema = {
    "size": _whole(
        f"studs of the longest side, up to {MOST_CELLS}; by what the input holds if left out", 1, MOST_CELLS
    ),
    "parts": _one_of(Parts, "to build with; plates if left out"),
    "proportions": _one_of(Proportions, "real: a ball is a ball. cubic: cells as high as wide, as in the paper"),
    "background": _one_of(Keeping, "of a picture"),
    "contrast": _number("of a picture's colours; above 1 for more"),
    "depth": _whole("studs from a picture's front to its back", 1, MOST_CELLS),
    "mosaic": _flag("lay a picture flat, studs up"),
    "dither": _flag("mix a mosaic's colours of those of the palette"),
    "hidden": _one_of(Hidden, "what three silhouettes leave open"),
    "palette": _text("all, common, or names of colours with commas between them"),
    "inventory": _text("what there is to build with, and nothing else, as in 2x4=100,red 2x4=20,plate 1x2"),
    "smooth": _flag("cover tops by tiles"),
    "hollow": _whole("cells of the walls; solid if left out", 1, MOST_CELLS),
    "tolerance": _number("fewer bricks or truer colours: 5 if left out, more for fewer bricks"),
    "repair": _flag("add bricks to a model that would fall"),
}
# One of these says which model is meant.
MODEL: Schema = {
    "model": _text("its name, as in model-1"),
    "file": _text("a model's file in the folder: .json, .ldr, .mpd or .io"),
    "bricks": _list(BRICK, "bricks of your own, in the order in which they are placed", MOST_BRICKS),
}
NAME = _text(f"of the folder to write, up to {MOST_NAME} characters; the model's own if left out")


@dataclass(frozen=True)
class Tool:
    """A tool as an assistant reads of it."""

    name: str
    description: str
    takes: Schema
    writes: bool = False  # whether it changes anything outside the server


TOOLS = (
    Tool(
        "build",
        "Builds what is shown, and judges it. Give files (one picture or mesh of the folder, or three silhouettes: "
        "front, side, top), or drawings (one, or front, side and top), or an example by its name. Answers with the "
        "model's name, figures, a verdict in sentences, and a picture.",
        _object(
            {
                "files": _list(_text("a name in the folder"), "one picture or mesh, or three silhouettes", 3),
                "drawings": _list(DRAWING, "one drawing, or three silhouettes: front, side, top", 3),
                "example": _text("a name that describe lists"),
                "agent": _text(
                    f"who builds: {MASON} if left out, at any size and in colour; describe lists the others, which "
                    "build with 2x4 bricks at 14 cells as in the paper"
                ),
                "settings": _object(SETTINGS, description=f"for the {MASON}; each may be left out"),
                "budget": _whole("bricks at most", 1, MOST_BRICKS),
                "colours": _list({"type": "integer"}, "LDraw codes, in turn, for what has no colours", MOST_BRICKS),
                "seed": _whole("random seed", 0, 2**31 - 1),
                "bricks": _list(BRICK, f"that are there already; any agent but the {MASON} goes on from them", 2000),
            }
        ),
    ),
    Tool(
        "check",
        "Judges a model: is it joined, can a hand put on every brick, does it stand, how loaded is it, which bricks "
        "are at fault. Give model, file or bricks; bricks become a model with a name.",
        _object({**MODEL, "budget": _whole("bricks at most", 1, MOST_BRICKS)}),
    ),
    Tool(
        "export",
        "Writes a model's files into a folder: building instructions (pdf), LDraw (ldr, mpd), Studio (io), a replay "
        "(html), parts lists (xml for BrickLink, csv for Rebrickable), pictures (png, svg, gif, webp), glb, json. Give "
        "model, file or bricks.",
        _object(
            {
                **MODEL,
                "kinds": _list({"type": "string", "enum": list(EXPORTS)}, "all of a kit if left out", len(EXPORTS)),
                "name": NAME,
            }
        ),
        writes=True,
    ),
    Tool(
        "describe",
        f"Tells what a model consists of: size, parts in colours, {PORTION} of its bricks from `first` on, and a "
        "picture. Give model, file or bricks; or nothing, to be told which parts, colours, agents and examples there "
        "are and which files are in the folder.",
        _object({**MODEL, "first": _whole("the first brick to list, from 0", 0, MOST_BRICKS)}),
    ),
)
