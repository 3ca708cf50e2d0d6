"""LDraw files hold the model that was written, and others' files are read as what they show."""

import random
import re
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.colours import COLOURS, colour_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.ldraw import MOST_BYTES, from_ldraw, to_ldraw
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.part import PARTS
from brickbybrick.targets.catalog import load_task

RED, BLACK = 4, 0
NUMBERED = {known.number: part for part, known in PARTS.items()}
IDENTITY = "1 0 0 0 1 0 0 0 1"
QUARTER = "0 0 1 0 1 0 -1 0 0"
BRICK = f"1 4 40 -24 20 {IDENTITY} 3001.dat"
OVER = f"1 4 40 -48 20 {IDENTITY} 3001.dat"


@st.composite
def placed_bricks(draw: Callable) -> PlacedBrick:
    part = draw(st.sampled_from(list(PARTS)))
    x, y = (draw(st.integers(-100, 100)) for _ in "xy")
    d, colour = draw(st.sampled_from(part.directions)), draw(st.sampled_from(list(COLOURS)))
    return PlacedBrick(str(part), x, y, draw(st.integers(0, 50)), d, colour, draw(st.integers(0, 3)))


figures = st.none() | st.floats(allow_nan=False, allow_infinity=False)
models = st.builds(
    Construction,
    st.lists(placed_bricks(), min_size=1, max_size=12).map(tuple),
    target=st.text(max_size=20),
    builder=st.text(max_size=20),
    budget=st.none() | st.integers(0, 99),
    iou=figures,
    episode_return=figures,
    notes=st.lists(st.text(), max_size=3).map(tuple),
    verdict=st.dictionaries(st.text(), figures | st.booleans(), max_size=3),
    walls=st.none() | st.integers(1, 9),
)


def places(construction: Construction) -> list[tuple[str, int, int, int, int, int]]:
    """Parts, places and colours in order, the lowest corner being the origin."""
    low = [min(getattr(brick, axis) for brick in construction.bricks) for axis in "xyz"]
    return [(b.part, b.x - low[0], b.y - low[1], b.z - low[2], b.d, b.colour) for b in construction.bricks]


def test_the_file_is_as_the_standard_has_it() -> None:
    """A 2x4 brick across and one along the depth on top of it, in LDraw's own measures."""
    pair = Construction(
        (PlacedBrick("2x4", 0, 0, 0, 1, RED, step=0), PlacedBrick("2x4", 0, 1, 3, 0, BLACK, step=1)), "a pair", "me"
    )
    assert to_ldraw(pair).decode().split("\r\n") == [
        "0 Model of a pair",
        "0 Name: model.ldr",
        "0 Author: me",
        "0 !LDRAW_ORG Unofficial_Model",
        f"1 4 40 -24 20 {IDENTITY} 3001.dat",
        "0 STEP",
        f"1 0 20 -48 60 {QUARTER} 3001.dat",
        "0 STEP",
        "",
    ]


@settings(deadline=None)
@given(models)
def test_our_files_come_back_byte_for_byte(model: Construction) -> None:
    content = to_ldraw(model)
    assert to_ldraw(from_ldraw(content)) == content
    assert to_ldraw(from_ldraw(content.decode())) == content


@settings(deadline=None)
@given(models)
def test_a_model_comes_back(model: Construction) -> None:
    back = from_ldraw(to_ldraw(model))
    assert [replace(brick, step=0) for brick in back.bricks] == [replace(brick, step=0) for brick in model.bricks]
    for name in ("budget", "iou", "episode_return", "notes", "verdict", "walls"):
        assert getattr(back, name) == getattr(model, name)


def test_a_built_digit_comes_back_whole() -> None:
    task = load_task("mnist-3")
    digit = GreedyBuilder(task.offsets).build(task.test[0])
    assert from_ldraw(to_ldraw(digit)) == digit


@settings(deadline=None)
@given(models, st.randoms(use_true_random=False))
def test_steps_group_bricks_and_give_their_order(model: Construction, chance: random.Random) -> None:
    order = chance.sample(range(len(model.bricks)), len(model.bricks))
    cuts = sorted(chance.sample(range(1, len(order)), chance.randrange(len(order))))
    steps = [order[a:b] for a, b in zip([0, *cuts], [*cuts, len(order)], strict=True)]
    content = to_ldraw(model, steps)
    back = from_ldraw(content)
    assert [brick.step for brick in back.bricks] == [number for number, step in enumerate(steps) for _ in step]
    assert [brick.pose for brick in back.bricks] == [model.bricks[index].pose for index in order]
    assert content.count(b"0 STEP\r\n") == len(steps)
    assert to_ldraw(back) == content


@pytest.mark.parametrize("steps", [[], [[0]], [[0, 1], [1]], [[0], [1], [2]], [[0, 1], []]])
def test_steps_name_each_brick_once(steps: list[list[int]]) -> None:
    with pytest.raises(InputError, match=r"name every brick once|without bricks"):
        to_ldraw(Construction.of_poses(BRICK_2X4, [(0, 0, 0, 0), (0, 0, 1, 0)]), steps)


HALF_TURNED = {IDENTITY: "-1 0 0 0 1 0 0 0 -1", QUARTER: "0 0 -1 0 1 0 1 0 0"}  # equal for all but slopes
SPELLED = {"0": ["0", "-0.0", "1e-7", "4.4e-08"], "1": ["1", "1.000", "0.99999"], "-1": ["-1", "-1.0"]}
NAMES = ["{}.dat", "{}.DAT", "parts/{}.dat", "PARTS\\{}.Dat", "C:\\LDraw library\\parts\\{}.dat"]
REMARKS = ["0", "", "0 // a remark", "0 BFC CERTIFY CCW", "0 !LEOCAD PIECE STEP_HIDE 3", "0 WRITE hello", "0 PAUSE"]


@settings(deadline=None)
@given(
    models,
    st.randoms(use_true_random=False),
    st.sampled_from(["\n", "\r", "\r\n"]),
    st.tuples(*[st.floats(-5000, 5000) | st.integers(-30, 30).map(float)] * 3),
)
def test_files_of_other_programs(
    model: Construction, chance: random.Random, end: str, shift: tuple[float, float, float]
) -> None:
    """Other line ends, equal turns, other spellings of numbers and parts, remarks, the whole model elsewhere."""
    lines = ["0 Castle", "0 FILE castle.ldr"][:: chance.choice((1, -1))][: chance.randrange(3)]
    for line in to_ldraw(model).decode().splitlines()[3:]:
        words = line.split()
        if words[0] == "1":
            words[2:5] = [f"{float(word) + move:.6f}" for word, move in zip(words[2:5], shift, strict=True)]
            turn = " ".join(words[5:14])
            if "slope" not in str(NUMBERED[words[-1].removesuffix(".dat")]):
                turn = chance.choice([turn, HALF_TURNED[turn]])
            words[5:14] = [chance.choice(SPELLED[word]) for word in turn.split()]
            words[-1] = chance.choice(NAMES).format(words[-1].removesuffix(".dat"))
            line = chance.choice((" ", "  ", "\t")).join(words)
        lines += [line, *chance.sample(REMARKS, chance.randrange(2))]
    bom = chance.choice(("", "\ufeff"))
    read = from_ldraw((bom + end.join(lines)).encode())
    assert places(read) == places(model)
    assert len({brick.step for brick in read.bricks}) == to_ldraw(model).count(b"0 STEP")
    assert min(brick.z for brick in read.bricks) >= 0


def brick_at(x: float, y: float, z: float, part: str = "3001") -> PlacedBrick:
    return from_ldraw(f"1 4 {x} {y} {z} {IDENTITY} {part}.dat").bricks[0]


def test_where_a_model_is_put() -> None:
    assert brick_at(40, -24, 20).pose == (0, 0, 0, 1)
    assert brick_at(-60, -72, 220).pose == (-5, 10, 6, 1)  # on the grid: it stays
    assert brick_at(47.3, -20, 12.7).pose == (0, 0, 0, 1)  # off the grid: it moves to the nearest place on it
    assert brick_at(40.05, -24.02, 19.96).pose == (0, 0, 0, 1)  # rounded by a program
    assert brick_at(40, 0, 20).pose == (0, 0, 0, 1)  # below the ground: it is lifted
    assert brick_at(0, -24, 0, "3002").pose == (-1, -1, 0, 1)  # an odd side around the origin: half a stud up


def test_a_model_below_the_ground_is_written_on_it() -> None:
    hole = Construction.of_poses(BRICK_2X4, [(0, 0, -3, 0), (0, 0, -2, 0)])
    assert [brick.z for brick in from_ldraw(to_ldraw(hole)).bricks] == [0, 3]


def test_titles_and_authors_of_others() -> None:
    castle = from_ldraw(f"0 FILE castle.ldr\n0 Castle by the sea\n0 Author: Ann\n{BRICK}\n0 NOFILE\n")
    assert (castle.target, castle.builder) == ("Castle by the sea", "Ann")
    for start in ("0 // remark", "0 !LEOCAD MODEL NAME x", "0 STEP", "0 Name: x"):
        assert from_ldraw(f"{start}\n0 not a title\n{BRICK}").target == ""
    assert from_ldraw(f"{BRICK}\n0 not a title\n").target == ""


def test_steps_of_others() -> None:
    """No end to the last step, steps that add nothing, and a turned view that ends a step as well."""
    lines = ["0 STEP", BRICK, BRICK, "0 STEP", "0 STEP", BRICK, "0 ROTSTEP 0 90 0 ABS", BRICK]
    assert [brick.step for brick in from_ldraw("\n".join(lines)).bricks] == [0, 0, 1, 2]
    assert [brick.step for brick in from_ldraw(f"{BRICK}\n{BRICK}").bricks] == [0, 0]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (f"1 4 0 0 0 {IDENTITY} castle.ldr", "the sub-model 'castle.ldr' is not in this file"),
        (f"1 4 nan -24 20 {IDENTITY} 3001.dat", "'nan' is not a number"),
        (f"1 4 40 1e999 20 {IDENTITY} 3001.dat", "'1e999' is not a number"),
        (f"1 4 40 -24 1_0 {IDENTITY} 3001.dat", "'1_0' is not a number"),
        (f"1 4 1e300 -24 20 {IDENTITY} 3001.dat", "too far"),
        (f"1 4 4000000 -24 20 {IDENTITY} 3001.dat", "studs away"),
        (f"1 -1 40 -24 20 {IDENTITY} 3001.dat", "'-1' is not the code"),
        ("1 4 40 -24 20 1 0 0 3001.dat", "15 fields"),
        ("hello there", "'hello there' is not a line of LDraw"),
        (f"1 0xRED 40 -24 20 {IDENTITY} 3001.dat", "'0xRED' is not the code"),
        ("3 4 0 0 0 1 1 1 2 2", "type 3 needs 11 fields"),
        ("3 4 0 0 0 1 1 1 2 2 x", "'x' is not a number"),
        ("0 !BRICKBYBRICK", "!BRICKBYBRICK"),
        ("0 !BRICKBYBRICK {", "!BRICKBYBRICK"),
        ('0 !BRICKBYBRICK {"budget": "many"}', "!BRICKBYBRICK"),
        ('0 !BRICKBYBRICK {"bricks": []}', "!BRICKBYBRICK"),
        ("0 !BRICKBYBRICK " + "[" * 100_000, "!BRICKBYBRICK"),
        ("0 !BRICKBYBRICK " + "1" * 10_000, "!BRICKBYBRICK"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(line: str, problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(problem)) as caught:
        from_ldraw(f"0 Castle\n{BRICK}\n\n{line}\n")
    assert str(caught.value).startswith(f"line {4 + line.count(chr(10))}: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_what_is_hidden_is_left_out_and_told() -> None:
    hiding = [f"0 GHOST {OVER}", f"0 MLCAD HIDE {OVER}", f"0 !: {OVER}"]
    read = from_ldraw("\n".join([*hiding, BRICK, "0 NOFILE", OVER]))
    assert len(read.bricks) == 1
    assert read.target == ""
    assert read.notes == ("Left out: hidden lines (3).", "Left out: lines after the end of a model (0 NOFILE) (1).")


def test_parts_that_are_there_for_some_steps_only() -> None:
    """MLCad's buffers: what was put there since they were stored is gone when they are retrieved."""
    lines = [BRICK, "0 STEP", "0 BUFEXCHG A STORE", OVER, OVER, "0 STEP", "0 BUFEXCHG A RETRIEVE", OVER, "0 STEP"]
    read = from_ldraw("\n".join(lines))
    assert [brick.z for brick in read.bricks] == [0, 3]
    assert read.notes == ("Left out: parts that are there for some steps only (2).",)
    assert len(from_ldraw(f"{BRICK}\n0 BUFEXCHG A RETRIEVE\n0 BUFEXCHG").bricks) == 1


def test_what_is_drawn_beside_the_parts_is_left_out() -> None:
    read = from_ldraw(f"{BRICK}\n2 24 0 0 0 9 9 9\n5 24 0 0 0 9 9 9 1 1 1 2 2 2\n3 4 0 0 0 1 1 1 2 2 2")
    assert (len(read.bricks), read.notes) == (1, ("Left out: lines that draw something beside the parts (3).",))


@pytest.mark.parametrize("content", ["", "0 Castle", b"", b"\xef\xbb\xbf0 Castle\r\n0 STEP\r\n"])
def test_a_file_without_bricks(content: str | bytes) -> None:
    with pytest.raises(InputError, match="no bricks"):
        from_ldraw(content)
    with pytest.raises(InputError, match="without bricks"):
        to_ldraw(Construction(()))


CODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"]


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(coding: str, end: str) -> None:
    text = end.join(["0 Château fort", "0 Author: Zoë", BRICK, "0 STEP", OVER, ""])
    read = from_ldraw(text.encode(coding))
    assert (read.target, read.builder, len(read.bricks)) == ("Château fort", "Zoë", 2)


def test_colours_of_others() -> None:
    """Transparent ones by their code, those that hold their look, and those that the file defines."""
    own = "0 !COLOUR Mauve CODE 90001 VALUE #8844AA EDGE #000000"
    codes = ["47", "0x2FF8800", "0x3FF8800", "90001", "16", "4"]
    bricks = [f"1 {code} 40 {-24 * (up + 1)} 20 {IDENTITY} 3001.dat" for up, code in enumerate(codes)]
    read = from_ldraw("\n".join([own, *bricks]))
    assert [brick.colour for brick in read.bricks] == [47, 0x2FF8800, 0x3FF8800, 0x28844AA, 16, 4]
    assert [brick.colour for brick in from_ldraw(to_ldraw(read)).bricks] == [brick.colour for brick in read.bricks]
    assert read.notes == ()


def test_colours_that_nobody_knows_are_kept_as_they_were_written() -> None:
    """Of bricks, of other parts, and through sub-models; drawn in grey, with a note."""
    codes = ["90002", "998", "0x4123456", "0x7FFFFFF", "999999999", "0x2FF8800", "0x3FF8800"]
    bricks = [f"1 {code} 40 {-24 * (up + 1)} 20 {IDENTITY} 3001.dat" for up, code in enumerate(codes)]
    lines = [*bricks, f"1 90003 200 -24 20 {IDENTITY} 3941.dat"]
    read = from_ldraw("\n".join(["0 FILE a.ldr", f"1 16 0 0 0 {IDENTITY} b.ldr", "0 FILE b.ldr", *lines]))
    for model in (read, Construction.from_json(read.to_json()), from_ldraw(to_ldraw(read))):
        written = [line.split()[1] for line in to_ldraw(model).decode().splitlines() if line.startswith("1 ")]
        assert written == [*codes, "90003"]
    assert colour_of(read.bricks[0].colour).rgb == (0x96, 0x96, 0x96)
    named = "90002, 998, 68301910, 134217727, 999999999, 90003"
    assert read.notes == (f"Codes of colours that nobody knows are kept, and drawn in grey: {named}.",)


@pytest.mark.parametrize(
    ("turn", "d"),
    [
        ("-1 0 0 0 1 0 0 0 1", 3),  # left and right exchanged
        ("1 0 0 0 1 0 0 0 -1", 1),  # front and back exchanged: it falls the other way
        ("0 0 1 0 1 0 1 0 0", 2),
        ("0 0 -1 0 1 0 -1 0 0", 0),
    ],
)
def test_what_is_mirrored_looks_the_same_turned(turn: str, d: int) -> None:
    assert from_ldraw(f"1 4 0 -24 0 {turn} 3039.dat").bricks[0].d == d
    assert from_ldraw(f"1 4 0 -24 0 {turn} 3001.dat").bricks[0].d == d % 2


@pytest.mark.parametrize(
    ("line", "corner", "size", "note"),
    [
        (f"1 4 40 -48 20 {IDENTITY} 3941.dat", (1, 0, 3), (2, 2, 3), None),
        (f"1 4 40 -48 20 {IDENTITY} 3003x.dat", (2, 1, 3), (1, 1, 3), "How large they are is not known"),
        (f"1 4 40 -48 20 {QUARTER} 3036.dat", (-1, -3, 5), (6, 8, 1), None),
        ("1 4 40 -60 20 0 1 0 -1 0 0 0 0 1 3001.dat", (2, 0, 3), (1, 2, 10), "Not upright or off the grid"),
        ("1 4 40 -24 20 1 0 0 0 -1 0 0 0 -1 3001.dat", (0, 0, 3), (4, 2, 3), "Not upright"),
        ("1 4 40 -48 20 .7 0 .7 0 1 0 -.7 0 .7 3001.dat", (0, -1, 3), (4, 4, 3), "Not upright"),
        (f"1 4 45 -48 20 {IDENTITY} 3001.dat", (0, 0, 3), (4, 2, 3), "off the grid"),
        (f"1 4 40 -52 20 {IDENTITY} 3001.dat", (0, 0, 4), (4, 2, 3), "off the grid"),
        (f"1 4 40 -48 30 {IDENTITY} 3001.dat", (0, 1, 3), (4, 2, 3), "off the grid"),
        ("1 4 40 -48 20 2 0 0 0 1 0 0 0 1 3001.dat", (-2, 0, 3), (8, 2, 3), "Not upright"),
        ("1 4 40 -48 20 0 0 0 0 0 0 0 0 0 3001.dat", (2, 1, 6), (1, 1, 1), "Not upright"),
    ],
)
def test_what_is_no_brick_on_the_grid_is_kept_and_boxed(
    line: str, corner: tuple[int, ...], size: tuple[int, ...], note: str | None
) -> None:
    read = from_ldraw(f"{BRICK}\n{line}")
    [other] = read.others
    assert (other.corner, other.size) == (corner, size)
    assert len(read.notes) == (note is not None)
    assert all(note in said for said in read.notes if note)
    assert len(read.bricks) == 1
    written = to_ldraw(read)
    assert [float(word) for word in written.decode().splitlines()[-2].split()[1:14]] == [
        float(word) for word in line.split()[1:14]
    ]
    assert from_ldraw(written) == read
    assert Construction.from_json(read.to_json()) == read


def test_moulds_and_prints_are_the_part_that_they_are() -> None:
    names = {"3001old": "2x4", "3001a": "2x4", "3040": "slope 45 2x1", "3040a": "slope 45 2x1", "3068": "tile 2x2"}
    names |= {"3070a": "tile 1x1", "54200b": "slope 30 1x1", "3665a": "inverted slope 45 2x1", "44237": "2x6"}
    for name, part in names.items():
        read = from_ldraw(f"1 4 0 0 0 {IDENTITY} {name}.dat")
        assert ([brick.part for brick in read.bricks], read.notes) == ([part], ())
    printed = from_ldraw(f"1 4 0 0 0 {IDENTITY} 3068bp80.dat\n1 4 0 -8 0 {IDENTITY} 3068bpr0001.dat")
    assert [brick.part for brick in printed.bricks] == ["tile 2x2"] * 2
    assert printed.notes == ("Prints and stickers are left out of 3068bp80, 3068bpr0001.",)


def test_the_grid_is_that_of_most_bricks() -> None:
    """A brick on a jumper comes first, half a stud off; the others stay where they are."""
    bricks = [f"1 4 {x} -24 20 {IDENTITY} 3001.dat" for x in (50, 140, 220)]
    read = from_ldraw("\n".join(bricks))
    assert [brick.x for brick in read.bricks] == [5, 9]
    assert [other.place for other in read.others] == [(50, -24, 20)]


def test_files_of_other_parts_alone() -> None:
    with pytest.raises(InputError, match=r"none of its parts is a brick.*: 2 x 3941, 4589"):
        from_ldraw("\n".join(f"1 4 0 0 0 {IDENTITY} {name}.dat" for name in ("3941", "4589", "3941")))


@st.composite
def other_parts(draw: Callable) -> str:
    numbers = st.floats(-2000, 2000) | st.integers(-100, 100)
    place = [f"{draw(numbers):.3f}" for _ in "xyz"]
    turn = draw(st.sampled_from([IDENTITY, QUARTER, "0 1 0 -1 0 0 0 0 1", "0.6 0 0.8 0 1 0 -0.8 0 0.6"]))
    name = draw(st.sampled_from(["3941.dat", "3001.dat", "32316.dat", "my part.dat", "s/3001s01.dat"]))
    return f"1 {draw(st.sampled_from([4, 47, 0x2123456]))} {' '.join(place)} {turn} {name}"


@settings(deadline=None)
@given(models, st.lists(other_parts(), max_size=5), st.randoms(use_true_random=False))
def test_other_parts_come_back(model: Construction, others: list[str], chance: random.Random) -> None:
    """In any place among the bricks, with their steps; a second time nothing changes any more."""
    lines = to_ldraw(model).decode().splitlines()
    for line in others:
        lines.insert(chance.randrange(5, len(lines) + 1), line)
    read = from_ldraw("\n".join(lines))
    assert len(read.bricks) + len(read.others) == len(model.bricks) + len(others)
    content = to_ldraw(read)
    again = from_ldraw(content)
    assert replace(again, bricks=(), others=()) == replace(read, bricks=(), others=())
    assert [replace(part, step=0) for part in again.others] == [replace(part, step=0) for part in read.others]
    assert to_ldraw(again) == content
    assert Construction.from_json(read.to_json()) == read


def test_files_too_large_to_be_models() -> None:
    with pytest.raises(InputError, match="more than 10 MB"):
        from_ldraw(b" " * (MOST_BYTES + 1))


def test_what_cannot_be_written() -> None:
    for part, colour, problem in (("3x5", RED, "3x5"), ("2x4", 1_000_000_000, "no colour 1000000000")):
        with pytest.raises(InputError, match=problem):
            to_ldraw(Construction((PlacedBrick(part, 0, 0, 0, 0, colour),)))


@settings(deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200))
def test_random_bytes_are_no_model(content: bytes | str) -> None:
    with pytest.raises(InputError) as caught:
        from_ldraw(content)
    assert len(str(caught.value).splitlines()) == 1


def test_damaged_files_are_read_or_refused() -> None:
    """Bytes changed, lost, doubled or exchanged: a model that can be written again, or one line of what is wrong."""
    chance = random.Random(0)
    tower = Construction.of_poses(BRICK_2X4, [(0, 0, z, z % 2) for z in range(4)], target="t", iou=0.5, notes=("n",))
    content = to_ldraw(tower)
    pieces = [b"nan", b"1e999", b"-", b"0 ", b"\r\n", b"\x00", b"\xff", b"9" * 400, b"{", b"null", b"1 ", b".", b"e"]
    models, problems = [], []
    for _ in range(3000):
        damaged = bytearray(content)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(damaged))
            damaged[at : at + chance.randrange(4)] = chance.choice([*pieces, damaged[at : at + 20], b""])
        try:
            models.append(from_ldraw(bytes(damaged)))
        except InputError as error:
            problems.append(str(error))
    assert models
    assert all(places(from_ldraw(to_ldraw(model))) == places(model) for model in models)
    assert {len(problem.splitlines()) for problem in problems} == {1}


def test_a_large_file_is_read_in_a_moment() -> None:
    content = to_ldraw(Construction.of_poses(BRICK_2X4, [(2 * x, 0, z, 0) for x in range(100) for z in range(100)]))
    start = time.perf_counter()
    assert len(from_ldraw(content).bricks) == 10_000
    assert time.perf_counter() - start < 3
