"""LeoCAD shows a model with sub-models as it shows the plain one: the same pixels, the same parts in their places."""

import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from export.assembled import random_handwork, table
from export.leocad import pictures, placed, run
from PIL import Image

from brickbybrick.construction import Construction
from brickbybrick.export.kit import EXPORTS, plan
from brickbybrick.export.ldraw import to_ldraw
from brickbybrick.export.mpd import to_mpd
from brickbybrick.export.zipped import from_io, to_io
from brickbybrick.handwork.work import Handwork

pytestmark = pytest.mark.skipif(
    not (shutil.which("leocad") and shutil.which("xvfb-run")),
    reason="LeoCAD is not installed: apt-get install leocad xvfb",
)
Built = tuple[Construction, Handwork]


@pytest.fixture(scope="module")
def models() -> list[Built]:
    return [table(), *(random_handwork(random.Random(seed)) for seed in range(6))]


def test_pictures_are_those_of_the_plain_model(models: list[Built], tmp_path: Path) -> None:
    files = {}
    for number, (model, work) in enumerate(models):
        views = [step % 4 for step in range(len(work.steps))]
        content = to_mpd(model, work, views)
        files |= {f"{number}.ldr": to_ldraw(model), f"{number}.mpd": content}
        files[f"{number}-io.ldr"] = from_io(to_io(content, len(model.bricks)))
    seen = pictures(files, tmp_path)
    for number in range(len(models)):
        plain = seen[f"{number}.ldr"].astype(int)
        assert (plain[..., 3] > 0).mean() > 0.02
        for name in (f"{number}.mpd", f"{number}-io.ldr"):
            differ = np.abs(seen[name] - plain).max(axis=2) > 8
            assert differ.mean() < 0.001, name  # where parts are in each other's place, either may be seen


def test_the_parts_are_those_of_the_plain_model(models: list[Built], tmp_path: Path) -> None:
    files = {}
    for number, (model, work) in enumerate(models):
        files |= {f"{number}.ldr": to_ldraw(model), f"{number}.mpd": to_mpd(model, work)}
    found = placed(files, tmp_path)
    for number, (model, _) in enumerate(models):
        plain, assembled = found[f"{number}.ldr"], found[f"{number}.mpd"]
        assert plain.total() == assembled.total() == len(model.bricks)
        parts = [sorted((part, place[3::4][:3]) for part, place in each.elements()) for each in (plain, assembled)]
        assert parts[0] == parts[1]


def test_steps_are_shown_one_by_one(tmp_path: Path) -> None:
    """The legs, the plates, the brick that holds them together; a turned view does not change the count."""
    model, work = table()
    (tmp_path / "a.mpd").write_bytes(to_mpd(model, work, [0] * 8 + [1, 0, 2]))
    run(["leocad -i a.png -w 200 -h 200 -f 1 -t 4 --camera-angles 30 30 a.mpd"], tmp_path)
    seen = [np.asarray(Image.open(tmp_path / f"a{step}.png").convert("RGBA")) for step in ("01", "02", "03", "04")]
    black = [int(((image[..., :3].max(axis=2) < 80) & (image[..., 3] > 200)).sum()) for image in seen]
    white = [int(((image[..., :3].min(axis=2) > 180) & (image[..., 3] > 200)).sum()) for image in seen]
    assert white[0] == 0
    assert white[1] > 1000
    assert black[2] > black[1] + 200
    assert (seen[2] == seen[3]).all()  # there is no fourth step


def test_what_a_kit_holds(tmp_path: Path) -> None:
    model, _ = table()
    made = plan(model)
    kinds = {f"model.{kind}": EXPORTS[kind][1](made) for kind in ("ldr", "mpd", "io")}
    kinds["model-io.ldr"] = from_io(kinds.pop("model.io"))
    seen = pictures(kinds, tmp_path)
    assert (np.abs(seen["model.mpd"].astype(int) - seen["model.ldr"]).max(axis=2) > 8).mean() < 0.001
    assert (seen["model-io.ldr"] == seen["model.mpd"]).all()
