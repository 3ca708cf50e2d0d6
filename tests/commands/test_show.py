"""b3 demo, b3 data and b3 studio, as a user runs them."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from command_line import b3, refusal
from PIL import Image

from brickbybrick.builders.register import entries
from brickbybrick.commands.show import KIT_OF, LABELS, run_demo
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.kit import usual_kit
from brickbybrick.targets.catalog import load_task


def test_the_demo_builds_digits(tmp_path: Path) -> None:
    result = b3("demo", "--out", str(tmp_path / "demo"), apart=True)
    means = dict(re.findall(r"(\w+): mean IoU (0\.\d+)", result.stdout))
    assert float(means["random"]) < float(means["b3"]) < float(means["b3plus"]) <= float(means["search"])
    assert Image.open(tmp_path / "demo/digits.png").width > 1000
    models = sorted((tmp_path / "demo/b3").glob("*.json"))
    assert len(models) == 10
    assert Construction.load(models[3]).target.startswith("mnist-3/")


def test_everything_that_is_shown_is_of_digits_that_no_agent_has_seen(tmp_path: Path) -> None:
    figures = run_demo(tmp_path, seed=3)
    unseen = {target.name for target in load_task("mnist").test}
    for name in LABELS:
        assert entries()[name].sees == "images"
        models = [json.loads(path.read_text()) for path in sorted((tmp_path / name).glob("*.json"))]
        assert {model["target"] for model in models} <= unseen
        assert [model["target"].partition("/")[0] for model in models] == [f"mnist-{digit}" for digit in range(10)]
        assert figures[f"{name}_iou_mean"] == pytest.approx(sum(model["iou"] for model in models) / 10)
    assert len(list((tmp_path / "kit").iterdir())) == len(usual_kit()) + 1  # and the target
    assert json.loads((tmp_path / "kit/model.json").read_text())["target"].startswith(f"mnist-{KIT_OF}/")


def test_a_seed_that_is_none() -> None:
    with pytest.raises(InputError, match="seed is -1"):
        run_demo(Path("nowhere"), -1)


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


def test_the_studio_says_where_it_is() -> None:
    program = [sys.executable, "-c", "from brickbybrick.cli import main; main()", "studio", "--port", "0"]
    running = subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        assert running.stdout is not None
        line = running.stdout.readline()
        address = line.split()[4]
        with httpx.Client(base_url=address, timeout=60, transport=httpx.HTTPTransport(retries=5)) as client:
            assert client.get("/api/agents").status_code == 200
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(90)  # it may be warming up
        running.stdout.close()
    assert running.returncode in (0, 130, -signal.SIGINT)


def test_a_taken_port_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = b3("studio", "--port", port, expect=2, apart=True)
    assert result.stderr.splitlines()[-1].startswith(f"b3: cannot listen at 127.0.0.1:{port}")
    b3("studio", "--port", "99999", expect=2, apart=True)


def test_a_missing_package_is_one_line() -> None:
    script = (
        "import sys; sys.modules['uvicorn'] = None; from brickbybrick.cli import main; main(['studio', '--port', '0'])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == "b3: this needs uvicorn: pip install 'brickbybrick[studio]'\n"
