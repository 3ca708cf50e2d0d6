"""What the tools do, and how much they may be asked to."""

import asyncio
import base64
import time
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from studio.stuck import StuckBuilder, Trouble

from brickbybrick.assistants import workbench as desk
from brickbybrick.assistants.workbench import Answer, Workbench, drawn
from brickbybrick.building import build_files, offsets_for
from brickbybrick.colours import COLOURS, RED
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.kit import Plan
from brickbybrick.order import MOST_BRICKS, Order
from brickbybrick.studio.agents import offered
from brickbybrick.studio.requests import MOST_BY_STEPS, MOST_STEPPED, MOST_UPLOAD
from brickbybrick.studio.sent import sent_drawings
from brickbybrick.studio.workshop import Limits, Workshop

Record = dict[str, Any]
BRICK = {"x": 0, "y": 0, "z": 0, "d": 0}
BAR = {"rows": ["....", ".##.", ".##.", "...."]}
SMALL = {"size": 4, "parts": "bricks"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "bricks"
    made.mkdir()
    return made


def done(work: Coroutine[Any, Any, Answer]) -> Record:
    return asyncio.run(work).record


async def to_nobody(share: float, doing: str) -> None:
    assert 0 <= share <= 1
    assert doing


def build(bench: Workbench, **asked: Any) -> Record:
    return done(bench.build(asked, to_nobody))


def draw_bar(path: Path) -> None:
    picture = Image.new("RGB", (30, 30), "white")
    picture.paste((200, 0, 0), (10, 5, 20, 25))
    picture.save(path)


def test_a_file_is_built_as_b3_build_builds_it(folder: Path) -> None:
    draw_bar(folder / "bar.png")
    bench = Workbench(folder)
    built = build(bench, files=["bar.png"], settings={"size": 8})
    ((_, made),) = build_files([folder / "bar.png"], Order(size=8))
    assert isinstance(made, Plan)
    bricks = done(bench.describe({"model": built["model"]}))["bricks"]
    assert bricks == [brick.record() for brick in made.construction.bricks]
    assert built["sentences"] == list(made.sentences)


def test_three_silhouettes_are_built(folder: Path) -> None:
    """Of files, and the same of drawings: a board that stands upright."""
    for name, size in {"front": (40, 40), "side": (20, 40), "top": (40, 20)}.items():
        picture = Image.new("RGB", (60, 60), "white")
        picture.paste("black", (5, 5, 5 + size[0], 5 + size[1]))
        picture.save(folder / f"{name}.png")
    bench = Workbench(folder)
    by_files = build(bench, files=["front.png", "side.png", "top.png"], settings={**SMALL, "hidden": "full"})
    drawings = [{"rows": rows} for rows in (["####"] * 4, ["##"] * 4, ["####"] * 2)]
    by_drawings = build(bench, drawings=drawings, settings={**SMALL, "hidden": "full"})
    assert by_files["stands"]
    assert by_files["size"] == by_drawings["size"] == "4 x 2 studs, 3 bricks high, 3.2 x 1.6 x 2.9 cm"


def test_an_agent_builds_and_goes_on_from_what_is_there(folder: Path) -> None:
    bench = Workbench(folder)
    begun = build(bench, example="mnist-3/400", agent="greedy", budget=4)
    bricks = done(bench.describe({"model": begun["model"]}))["bricks"]
    assert len(bricks) == 4
    more = build(bench, example="mnist-3/400", agent="greedy", budget=6, bricks=bricks)
    assert done(bench.describe({"model": more["model"]}))["bricks"][:4] == bricks
    with pytest.raises(InputError, match="the mason does not go on"):
        build(bench, drawings=[BAR], settings=SMALL, bricks=bricks)


def test_colours_of_a_drawing_are_the_inks(folder: Path) -> None:
    rows = {"rows": ["rrrrbbbb"] * 8, "inks": {"r": "red", "b": "blue"}}
    bench = Workbench(folder)
    built = build(bench, drawings=[rows], settings={"size": 8, "parts": "bricks"})
    assert {part["colour"] for part in done(bench.describe({"model": built["model"]}))["parts"]} == {"red", "blue"}


def test_rows_become_pixels() -> None:
    sent = sent_drawings([drawn({"rows": ["#.", "", "oo"]})])
    ((_, content),) = sent.files
    assert content.startswith(b"\x89PNG")
    assert drawn({"rows": ["#.", "", "oo"]})["pixels"] == "/wAAAP//"
    red = base64.b64decode(drawn({"rows": ["a."], "inks": {"a": "red"}})["colours"])
    assert red == bytes((*COLOURS[RED].rgb, 255, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (None, "an object of rows"),
        ({"rows": []}, "give 1 to 1024"),
        ({"rows": ["#"] * 1025}, "give 1 to 1024"),
        ({"rows": [""]}, "1 to 1024 signs"),
        ({"rows": ["#" * 1025]}, "1 to 1024 signs"),
        ({"rows": [1]}, "1 to 1024 signs"),
        ({"rows": ["#"], "inks": ["red"]}, "inks are an object"),
        ({"rows": ["#"], "inks": {"#": "no such colour"}}, "no colour"),
        ({"rows": ["#r"], "inks": {"r": "red"}}, "no ink for '#'"),
    ],
)
def test_what_is_no_drawing_is_refused(value: object, why: str) -> None:
    with pytest.raises(InputError, match=why):
        drawn(value)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({}, "give one of files, drawings and example"),
        ({"drawings": [BAR], "example": "heart"}, "give one of files, drawings and example"),
        ({"drawings": "#"}, "drawings are a list"),
        ({"drawings": [BAR, BAR]}, "drawings are a list of one, or of three"),
        ({"drawings": [{"rows": ["."]}]}, "a drawing is empty"),
        ({"example": "nothing"}, "no example of that name"),
        ({"files": []}, "files are a list"),
        ({"files": ["a", "b"]}, "files are a list"),
        ({"files": ["nothing.png"]}, "cannot be read"),
        ({"files": ["text.txt"]}, "neither a picture nor a mesh"),
        ({"files": ["large.png"]}, "larger than 20 MB"),
        ({"files": [7]}, "no name of a file"),
        ({"files": ["../bar.png"]}, "outside of"),
        ({"files": ["link.png"]}, "outside of"),
        ({"files": ["/etc/hostname"]}, "outside of"),
        ({"files": ["bar\0.png"]}, "no name of a file"),
        ({"drawings": [BAR], "agent": "nobody"}, "no agent of that name"),
        ({"drawings": [BAR], "settings": {"size": 97}}, "97"),
        ({"drawings": [BAR], "settings": {"sizes": 9}}, "no setting 'sizes'"),
        ({"drawings": [BAR], "settings": 9}, "settings are an object"),
        ({"drawings": [BAR], "budget": MOST_BRICKS + 1}, "from 1 to 20000"),
        ({"drawings": [BAR], "agent": "greedy", "budget": MOST_STEPPED + 1}, "from 1 to 2000"),
        ({"drawings": [BAR], "seed": -1}, "seed is -1"),
    ],
)
def test_what_cannot_be_built_is_refused(folder: Path, asked: Record, why: str) -> None:
    draw_bar(folder.parent / "bar.png")
    (folder / "link.png").symlink_to(folder.parent / "bar.png")
    (folder / "text.txt").write_text("text")
    with (folder / "large.png").open("wb") as large:
        large.truncate(MOST_UPLOAD + 1)
    with pytest.raises(InputError, match=why):
        build(Workbench(folder), **asked)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"model": "model-1", "bricks": [BRICK]}, "give one of model, file and bricks"),
        ({"model": "model-1"}, "no model 'model-1', or no longer: there are none"),
        ({"bricks": [BRICK] * (MOST_BRICKS + 1)}, "at most 20000"),
        ({"bricks": [{**BRICK, "x": 1001}]}, "-1000 to 1000"),
        ({"file": "text.txt"}, "no model by its ending"),
        ({"file": "../model.json"}, "outside of"),
    ],
)
def test_a_model_that_is_none_is_refused_by_all(folder: Path, asked: Record, why: str) -> None:
    bench = Workbench(folder)
    for ask in (bench.check, bench.export, bench.describe):
        with pytest.raises(InputError, match=why):
            asyncio.run(ask(asked))


def test_models_come_from_files(folder: Path) -> None:
    tower = Construction(tuple(PlacedBrick("2x4", 0, 0, 3 * z, 0) for z in range(3)), "a tower")
    (folder / "tower.json").write_text(tower.to_json())
    bench = Workbench(folder)
    told = done(bench.check({"file": "tower.json", "budget": 2}))
    assert (told["verdict"]["stands"], told["verdict"]["in_budget"], told["model"]) == (True, False, "model-1")
    about = done(bench.describe({"model": "model-1", "first": 2}))
    assert (about["name"], about["in_all"], about["first"]) == ("a tower", 3, 2)
    assert [brick["z"] for brick in about["bricks"]] == [6]
    assert done(bench.export({"file": "tower.json", "kinds": ["ldr"]}))["folder"] == str(folder / "a-tower")


def test_exports_keep_to_the_studios_limits(folder: Path) -> None:
    bench = Workbench(folder)
    many = [{**BRICK, "z": 3 * z} for z in range(MOST_BY_STEPS + 1)]
    with pytest.raises(InputError, match="pdf of 601 bricks takes minutes"):
        asyncio.run(bench.export({"bricks": many, "kinds": ["pdf"]}))
    with pytest.raises(InputError, match="without bricks"):
        asyncio.run(bench.export({"bricks": [], "kinds": ["ldr"]}))
    with pytest.raises(InputError, match="no export named 'exe'"):
        asyncio.run(bench.export({"bricks": [BRICK], "kinds": ["exe"]}))


def test_what_is_not_a_kit_is_not_written_over(folder: Path) -> None:
    (folder / "model").mkdir()
    (folder / "model/diary.txt").write_text("dear diary")
    with pytest.raises(InputError, match="holds other things than a kit"):
        asyncio.run(Workbench(folder).export({"bricks": [BRICK], "kinds": ["ldr"]}))
    assert (folder / "model/diary.txt").read_text() == "dear diary"


def test_the_model_that_was_not_asked_for_longest_gives_way(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "MOST_MODELS", 2)
    bench = Workbench(folder)
    for x in range(2):
        done(bench.check({"bricks": [{**BRICK, "x": x}]}))
    done(bench.check({"model": "model-1"}))
    assert done(bench.check({"bricks": [BRICK]}))["model"] == "model-3"
    assert done(bench.check({"model": "model-1"}))["model"] == "model-1"
    with pytest.raises(InputError, match="no model 'model-2'"):
        done(bench.check({"model": "model-2"}))


def test_what_there_is_to_build_with(folder: Path) -> None:
    draw_bar(folder / "bar.png")
    told = done(Workbench(folder).describe({}))
    assert told["colours"]["red"] == 4
    assert {"2x4", "plate 1x2", "slope 45 2x1"} <= set(told["parts"])
    assert {"mason", "greedy"} <= set(told["agents"])
    assert {"heart", "mnist-3/400"} <= set(told["examples"])
    assert (told["files"], told["files_in_all"]) == (["bar.png"], 1)


def test_a_builder_that_gets_stuck_is_stopped(folder: Path) -> None:
    """What it has built by then is the model, and a note says so."""
    trouble = Trouble(after=2)
    random = offered()["random"]
    build(Workbench(folder), example="mnist-3/400", agent="random", budget=3)  # what is compiled may take longer
    stuck = replace(random, name="stuck", make=lambda views, _: StuckBuilder(offsets_for(views), trouble))
    bench = Workbench(folder, Workshop(limits=Limits(brick=0.5)), {"stuck": stuck})
    try:
        told = build(bench, example="mnist-3/400", agent="stuck")
    finally:
        trouble.free.set()
    assert told["bricks"] == 3
    assert any("it took more than 0.5 s for a brick" in note for note in told["notes"])


def test_a_build_that_nobody_waits_for_stops(folder: Path) -> None:
    bench = Workbench(folder)
    picture = Image.fromarray(np.random.default_rng(0).integers(0, 255, (96, 96, 3), np.uint8))
    picture.save(folder / "noise.png")

    async def left() -> float:
        asking = asyncio.ensure_future(
            bench.build({"files": ["noise.png"], "settings": {"size": 96, "mosaic": True}}, to_nobody)
        )
        await asyncio.sleep(3)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert bench.workshop.building == 0
        start = time.monotonic()
        bench.workshop.close()
        await asyncio.to_thread(bench.workshop.join)
        return time.monotonic() - start

    assert asyncio.run(left()) < 10
