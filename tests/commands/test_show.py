"""b3 demo and b3 data, as a user runs them."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import b3, refusal
from PIL import Image

from brickbybrick.construction import Construction


def test_the_demo_builds_digits(tmp_path: Path) -> None:
    result = b3("demo", "--out", str(tmp_path / "demo"), apart=True)
    means = dict(re.findall(r"(\w+): mean IoU (0\.\d+)", result.stdout))
    assert float(means["random"]) < float(means["b3"]) < float(means["b3plus"]) <= float(means["search"])
    assert Image.open(tmp_path / "demo/digits.png").width > 1000
    models = sorted((tmp_path / "demo/b3").glob("*.json"))
    assert len(models) == 10
    assert Construction.load(models[3]).target.startswith("mnist-3/")


def test_data_describes_tasks() -> None:
    records = json.loads(b3("data", "mnist-1", "random", "--json").stdout)
    assert [(record["task"], record["train"], record["test"]) for record in records] == [
        ("mnist-1", 399, 100),
        ("random", 800, 200),
    ]


def test_packing_modelnet_makes_the_same_task(modelnet_folder: Path, tmp_path: Path) -> None:
    task = "modelnet-airplane"
    read = json.loads(b3("data", task, "--data", str(modelnet_folder), "--pack", str(tmp_path), "--json").stdout)
    packed = json.loads(b3("data", task, "--data", str(tmp_path), "--json").stdout)
    assert read == packed


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["data", "modelnet-airplane", "--data", "/nowhere"], "ModelNet40.zip"),
        (["data", "chess"], "no task named 'chess'"),
        (["data", "mnist-77"], "no task named 'mnist-77'"),
        (["data", "mnist-1", "--pack", "x"], "--pack is for ModelNet"),
        (["demo", "--out", "/dev/null/x"], "cannot be written"),
        (["demo", "--seed", "-1"], "seed is -1"),
    ],
)
def test_mistakes_end_in_one_line(arguments: list[str], complaint: str) -> None:
    assert complaint in refusal(*arguments)


def truncated_off(folder: Path) -> list[str]:
    (folder / "broken.off").write_text("OFF\n8 12 0\n0 0 0\n")
    return [str(folder)]


def flat_mesh(folder: Path) -> list[str]:
    (folder / "flat.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    return [str(folder)]


def mesh_with_nan(folder: Path) -> list[str]:
    (folder / "nan.off").write_text("OFF\n3 1 0\n0 0 nan\n1 0 0\n0 1 1\n3 0 1 2\n")
    return [str(folder)]


def empty_picture(folder: Path) -> list[str]:
    Image.new("L", (40, 40), 255).save(folder / "white.png")
    return [str(folder)]


def not_a_picture(folder: Path) -> list[str]:
    (folder / "text.png").write_text("not a picture")
    return [str(folder)]


def not_a_zip(folder: Path) -> list[str]:
    (folder / "ModelNet40.zip").write_text("not a zip")
    return ["modelnet-airplane", "--data", str(folder)]


def no_pictures(folder: Path) -> list[str]:
    return [str(folder)]


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (truncated_off, "broken.off"),
        (flat_mesh, "no volume"),
        (mesh_with_nan, "nan.off"),
        (empty_picture, "white.png"),
        (not_a_picture, "text.png"),
        (not_a_zip, "not a zip"),
        (no_pictures, "no pictures"),
    ],
)
def test_bad_files_end_in_one_line(make: Callable[[Path], list[str]], complaint: str, tmp_path: Path) -> None:
    assert complaint in refusal("data", *make(tmp_path))


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    """Brackets are no markup, and long names are not cut."""
    folder = tmp_path / "pictures [old] [red] of a very long name that does not fit into a line"
    folder.mkdir()
    picture = Image.new("L", (30, 30), 255)
    picture.paste(0, (10, 5, 20, 25))
    picture.save(folder / "a.png")
    shown = "".join(b3("data", str(folder)).stdout.split())
    assert "pictures[old][red]of" in shown
