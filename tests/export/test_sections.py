"""A mosaic is built section by section, its base first; each brick belongs to one, and a hand can follow."""

import re

import numpy as np
import pytest
from export.pdf import read, runs

from brickbybrick.building import build_wanted
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.instructions import instructions
from brickbybrick.export.kit import plan
from brickbybrick.export.panel import NUMBER
from brickbybrick.export.sections import SIDE, chapters_of, steps_of
from brickbybrick.export.stud_map import Extent
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.judging.check import as_placed
from brickbybrick.order import Order
from brickbybrick.targets.inputs import Wanted
from brickbybrick.targets.target import target_of_mosaic


def mosaic(wide: int, deep: int) -> Construction:
    """A mosaic of noise in four colours."""
    generator = np.random.default_rng(3)
    colours = np.array([[180, 0, 0], [30, 90, 170], [250, 200, 10], [244, 244, 244]], np.uint8)
    picture = colours[generator.integers(0, 4, (deep // 2, wide // 2))].repeat(2, axis=0).repeat(2, axis=1)
    target = target_of_mosaic("noise", np.ones((deep, wide), bool), picture)
    return build_wanted([Wanted(target)], Order())[0].construction


LARGE = mosaic(40, 24)


def test_every_brick_is_in_the_chapter_of_the_section_that_its_middle_lies_in() -> None:
    chapters = chapters_of(LARGE)
    assert sorted(index for chapter in chapters for index in chapter.bricks) == list(range(len(LARGE.bricks)))
    for chapter in chapters:
        left, front, width, depth = vars(chapter.section).values()
        for index in chapter.bricks:
            brick = LARGE.bricks[index]
            cells = np.array(list(brick.cells()))[:, :2]
            inside = ((cells >= (left, front)) & (cells < (left + width, front + depth))).all(axis=1)
            assert 2 * inside.sum() >= len(inside)


def test_sections_are_16_by_16_and_read_like_a_page() -> None:
    chapters = chapters_of(LARGE)
    titles = [chapter.title for chapter in chapters]
    assert titles == [f"{name} {number} of 6" for name in ("Base", "Section") for number in range(1, 7)]
    behind, front = LARGE.extent[1] - SIDE, 0
    wanted = [Extent(left, behind, min(SIDE, 40 - left), SIDE) for left in (0, 16, 32)]
    wanted += [Extent(left, front, min(SIDE, 40 - left), 8) for left in (0, 16, 32)]
    assert [chapter.section for chapter in chapters] == 2 * wanted


def test_the_base_comes_first_and_a_hand_can_follow() -> None:
    chapters = chapters_of(LARGE)
    order = [LARGE.bricks[index] for chapter in chapters for index in chapter.bricks]
    layers = [brick.z for brick in order]
    assert layers == sorted(layers)
    assert as_placed(order)
    assert list(LARGE.bricks) == order  # what is built is in this order already
    assert plan(LARGE).verdict.insertable_as_placed


def test_no_step_has_bricks_of_two_sections() -> None:
    chapters = chapters_of(LARGE)
    steps = steps_of(chapters, LARGE)
    assert [index for step in steps for index in step] == [index for each in chapters for index in each.bricks]
    assert all(any(set(step) <= set(chapter.bricks) for chapter in chapters) for step in steps)
    assert plan(LARGE).steps == steps


def test_a_chapter_shows_all_that_lies_in_its_section_up_to_its_layer() -> None:
    for chapter in chapters_of(LARGE):
        left, front, width, depth = vars(chapter.section).values()
        layer = LARGE.bricks[chapter.bricks[0]].z
        lying = {
            index
            for index, brick in enumerate(LARGE.bricks)
            for x, y, z in brick.cells()
            if left <= x < left + width and front <= y < front + depth and z <= layer
        }
        assert set(chapter.shown) == lying | set(chapter.bricks)


@pytest.mark.parametrize(
    "bricks",
    [
        [],
        [("2x4", 2 * x, y, z) for x in range(8) for y in (0, 4, 8, 12) for z in (0, 1)],  # of one section
        [("2x4", 2 * x, y, z) for x in range(20) for y in (0, 4) for z in (0, 1, 2)],  # a wall
        [("2x4", 2 * x, 0, z) for x in range(20) for z in (0, 1)],  # a bar
        [("2x4", 2 * x, y, 0) for x in range(20) for y in (0, 4)] + [("2x4", 90, 0, 1)],  # held by nothing
    ],
)
def test_other_models_have_no_sections(bricks: list[tuple[str, int, int, int]]) -> None:
    model = Construction(tuple(PlacedBrick(part, x, y, 3 * z, 0) for part, x, y, z in bricks))
    assert chapters_of(model) == []


def test_instructions_have_a_chapter_for_each_section_with_its_own_bricks() -> None:
    made = plan(mosaic(20, 12))
    reader = read(instructions(made.construction, made.handwork, chapters=made.chapters))
    titles = [entry.title.partition(":")[0] for entry in reader.outline]  # type: ignore[union-attr]
    pages = list(zip(titles, map(runs, reader.pages), strict=True))
    wanted = ["Base 1 of 2", "Base 2 of 2", "Section 1 of 2", "Section 2 of 2"]
    assert list(dict.fromkeys(titles)) == ["Cover", "Contents", *wanted, "Finished", "Parts"]
    for chapter in made.chapters:
        own = [texts for title, texts in pages if title == chapter.title]
        assert all((chapter.title, 17.0) in texts for texts in own)
        counts = [int(found[1]) for texts in own for text, _ in texts if (found := re.fullmatch(r"(\d+)x", text))]
        assert sum(counts) == len(chapter.bricks)
    numbers = [int(text) for _, texts in pages for text, size in texts if size == NUMBER]
    assert numbers == list(range(1, len(made.steps) + 1))


def test_instructions_of_other_models_are_as_before() -> None:
    model = Construction.of_poses(BRICK_2X4, [(0, 0, z, 0) for z in range(4)])
    assert plan(model).chapters == []
