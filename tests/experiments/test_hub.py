"""What would be put on a model hub."""

import inspect
from pathlib import Path

import numpy as np
import pytest

from brickbybrick.bounds.yardstick import SHIPPED, load_known
from brickbybrick.builders.register import WEIGHTS
from brickbybrick.errors import InputError
from brickbybrick.experiments.hub import Hub, write_data
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.modelnet import RESOLUTION, read_packed


def test_the_data_can_be_read_again(tmp_path: Path) -> None:
    write_data(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"README.md", "optima.json", "random.npz"}
    assert load_known(tmp_path / "optima.json") == load_known(SHIPPED)
    task = load_task("random")
    for read, targets in zip(read_packed(tmp_path / "random.npz", RESOLUTION), (task.train, task.test), strict=True):
        assert len(read) == len(targets)
        for (_, voxels), target in zip(read, targets, strict=True):
            assert voxels is not None
            assert np.array_equal(voxels, target.volume)


def test_without_send_it_only_says_what_it_would_send(capsys: pytest.CaptureFixture[str]) -> None:
    Hub(model="me/bricks").run()
    said = capsys.readouterr().out.splitlines()
    assert "model me/bricks: README.md" in said[0]
    assert len(said) == 2 + len(list(WEIGHTS.glob("*.safetensors")))


@pytest.mark.parametrize(
    ("hub", "why"), [(Hub(), "give --model"), (Hub(model="bricks"), "WHO/NAME"), (Hub(data="a/b/c"), "WHO/NAME")]
)
def test_where_it_goes_has_to_be_said(hub: Hub, why: str) -> None:
    with pytest.raises(InputError, match=why):
        hub.run()


def test_the_hubs_package_takes_what_it_is_given() -> None:
    hub = pytest.importorskip("huggingface_hub", reason="sending needs the extra hub").HfApi
    inspect.signature(hub.create_repo).bind(None, "a/b", repo_type="model", exist_ok=True)
    upload = inspect.signature(hub.upload_folder)
    upload.bind(None, repo_id="a/b", repo_type="model", folder_path=Path(), allow_patterns=["README.md"])
