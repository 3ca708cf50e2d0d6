"""Puts the networks, or the data, with their card on a model hub: `python -m brickbybrick.experiments.hub`.

Without --send it only says what it would send. Who one is, the hub's own package finds out (`hf auth login`).
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import tyro

from brickbybrick.bounds.yardstick import SHIPPED as OPTIMA
from brickbybrick.builders.register import WEIGHTS
from brickbybrick.errors import InputError
from brickbybrick.experiments.cards import data_card
from brickbybrick.files import write_whole
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.modelnet import RESOLUTION, write_packed

CARD = "README.md"
TASKS = ("mnist", "random")  # whose targets need nothing but the package


@dataclass(frozen=True)
class Hub:
    """Put the networks, or the data, with their card on a model hub."""

    model: str | None = None
    """Where the networks go, as in WHO/NAME."""
    data: str | None = None
    """Where the data go, as in WHO/NAME."""
    send: bool = False
    """Send it; without, only say what would be sent."""

    def run(self) -> None:
        if self.model is None and self.data is None:
            raise InputError("nowhere to put anything: give --model WHO/NAME, --data WHO/NAME or both")
        for name in filter(None, (self.model, self.data)):
            if len([part for part in name.split("/") if part]) != 2 or name.count("/") != 1:
                raise InputError(f"{name}: no name on a hub; give one as in WHO/NAME")
        if self.model is not None:
            self._put(self.model, "model", WEIGHTS.parent)
        if self.data is not None:
            with tempfile.TemporaryDirectory(prefix="brickbybrick-") as name:
                write_data(Path(name))
                self._put(self.data, "dataset", Path(name))

    def _put(self, name: str, kind: str, folder: Path) -> None:
        files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        for file in files:
            print(f"{kind} {name}: {file}, {(folder / file).stat().st_size:,} bytes")
        if self.send:
            from huggingface_hub import HfApi

            hub = HfApi()
            hub.create_repo(name, repo_type=kind, exist_ok=True)
            hub.upload_folder(repo_id=name, repo_type=kind, folder_path=folder, allow_patterns=files)


def write_data(folder: Path) -> None:
    """The targets that may be passed on, what is known of the best that can be built, and the card."""
    tasks = [load_task(name) for name in TASKS]
    random = tasks[TASKS.index("random")]
    train, test = (
        [(target.name.replace("/", "-"), target.volume) for target in split] for split in (random.train, random.test)
    )
    write_packed(folder / "random.npz", train, test, RESOLUTION)
    write_whole(folder / OPTIMA.name, OPTIMA.read_bytes())
    write_whole(folder / CARD, data_card(tasks).encode())


if __name__ == "__main__":
    tyro.cli(Hub).run()
