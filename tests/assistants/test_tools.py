"""What assistants read of the tools is what the tools take."""

import re
from pathlib import Path

import pytest

from brickbybrick.assistants.tools import BRICK, INSTRUCTIONS, MODEL, SETTINGS, TOOLS
from brickbybrick.errors import InputError
from brickbybrick.order import Order
from brickbybrick.studio.requests import brick_of
from brickbybrick.studio.settings import BUILT, READ, settings_of

DOCS = (Path(__file__).parents[2] / "docs/mcp.md").read_text()
USUAL = {"integer": 2, "boolean": True, "number": 1.5, "string": "all"}


def test_the_settings_are_those_of_the_studio() -> None:
    assert SETTINGS.keys() == (READ.keys() | BUILT.keys()) - {"agent"}  # which is asked for beside them
    assert SETTINGS.keys() <= {*Order.__dataclass_fields__}


@pytest.mark.parametrize("name", SETTINGS)
def test_what_a_schema_allows_the_studio_takes(name: str) -> None:
    schema = SETTINGS[name]
    for value in schema.get("enum", [USUAL[schema["type"]]]):
        assert settings_of({name: value}) == {name: value}
    if "enum" in schema:
        with pytest.raises(InputError, match="choose among"):
            settings_of({name: "other"})


def test_a_brick_of_the_schema_is_a_brick() -> None:
    assert brick_of(dict.fromkeys(BRICK["required"], 0)).part == "2x4"
    told = {"part": "plate 1x2", "x": 1, "y": 2, "z": 3, "d": 1, "colour": 14}
    assert BRICK["properties"].keys() == told.keys()
    assert {name: brick_of(told).record()[name] for name in told} == told


def test_every_word_is_explained() -> None:
    """In docs/mcp.md each tool and what it takes; in the schema each field."""
    for tool in TOOLS:
        assert tool.name in INSTRUCTIONS
        for field, schema in tool.takes["properties"].items():
            assert schema.get("description") or schema["type"] == "object", field
            assert re.search(rf"`{field}`", DOCS), field
    assert all(f"`{field}`" in DOCS for field in MODEL)
