"""SVG files are valid XML and hold what the painter drew, shape by shape."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from brickbybrick.construction import Construction
from brickbybrick.export.svg import PITCH_MM, svg
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.picture import draw, visible

NAMESPACE = {"svg": "http://www.w3.org/2000/svg"}
STAIR = Construction.of_poses(BRICK_2X4, [(step, 0, step, step % 2) for step in range(12)])


def polygons(text: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(text).findall(".//svg:polygon", NAMESPACE)


def test_every_shape_is_a_polygon_in_its_place_and_colour() -> None:
    drawing = draw(STAIR)
    root = ElementTree.fromstring(svg(drawing))
    found = [(group.attrib["fill"], polygon) for group in root.findall("svg:g/svg:g", NAMESPACE) for polygon in group]
    assert len(found) == len(drawing.shapes)
    for (fill, polygon), shape in zip(found, drawing.shapes, strict=True):
        assert fill == "#" + bytes(shape.fill).hex()
        corners = [[float(number) for number in pair.split(",")] for pair in polygon.attrib["points"].split()]
        np.testing.assert_allclose(corners, np.array(shape.points) * PITCH_MM, atol=0.006)


def test_a_file_opens_at_the_size_of_the_real_bricks() -> None:
    root = ElementTree.fromstring(svg(draw(STAIR)))
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    assert root.attrib["width"] == f"{width:g}mm"
    assert root.attrib["height"] == f"{height:g}mm"
    assert (width, height) == pytest.approx((draw(STAIR).width * 8, draw(STAIR).height * 8), abs=0.01)


def test_files_are_small_and_numbers_short() -> None:
    text = svg(visible(draw(STAIR)))
    assert len(text) < 40_000
    assert not re.search(r"\d\.\d{3}|\d\.\d*0[ ,\"]|-0[ ,\"]", text)


def test_an_empty_model_is_an_empty_file_that_still_opens() -> None:
    assert polygons(svg(draw(Construction(())))) == []


def test_what_is_behind_the_model_is_transparent() -> None:
    assert "<rect" not in svg(draw(STAIR))
