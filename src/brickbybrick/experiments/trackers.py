"""Where a run's figures go besides its log: TensorBoard's event files, Weights & Biases.

Both get every iteration, the log only tests. A run that goes on after a stop goes on in both, and what the stopped one
wrote after its last checkpoint no longer counts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from json import dumps
from pathlib import Path
from typing import Any

from brickbybrick.errors import InputError

Track = Callable[[Mapping[str, float], int], None]  # told figures, and after how many steps they are
SPLITS = ("train", "test", "rollout")
PROJECT = "brickbybrick"


@contextmanager
def tracked(names: Sequence[str], folder: Path, settings: Mapping[str, Any], done: int) -> Iterator[Track]:
    """Where to tell figures of a run that has done so many steps, which go to all trackers of these names."""
    with ExitStack() as stack:
        tracks = [stack.enter_context(TRACKERS[name](folder, settings, done)) for name in names]

        def track(figures: Mapping[str, float], step: int) -> None:
            told = {tag(name): value for name, value in figures.items() if name != "steps"}
            for each in tracks:
                each(told, step)

        yield track


def tag(name: str) -> str:
    """What a figure of the log is called where figures have groups: test_iou is test/iou."""
    group, _, rest = name.partition("_")
    return f"{group}/{rest}" if group in SPLITS else f"learning/{name}"


@contextmanager
def tensorboard(folder: Path, settings: Mapping[str, Any], done: int) -> Iterator[Track]:
    """Event files in the run's folder."""
    from torch.utils.tensorboard import SummaryWriter

    there = any(folder.glob("events.out.tfevents.*"))
    writer = SummaryWriter(folder, purge_step=done + 1 if there else None)
    writer.add_text("settings", f"```\n{dumps(settings, indent=1)}\n```", done)

    def track(figures: Mapping[str, float], step: int) -> None:
        for name, value in figures.items():
            writer.add_scalar(name, value, step)

    try:
        yield track
    finally:
        writer.close()


@contextmanager
def weights_and_biases(folder: Path, settings: Mapping[str, Any], _: int) -> Iterator[Track]:
    """A run of Weights & Biases, also kept in the run's folder."""
    import wandb

    kept = folder / "wandb" / "latest-run"  # a link to a folder whose name ends with the run's id
    known = kept.resolve().name.rpartition("-")[2] if kept.exists() else None
    folder.mkdir(parents=True, exist_ok=True)
    quiet = wandb.Settings(quiet=True, console="off")
    try:
        run = wandb.init(
            project=PROJECT,
            name=folder.name,
            dir=folder,
            id=known,
            resume="allow",
            config=dict(settings),
            settings=quiet,
        )
    except wandb.Error as error:
        said = str(error).partition("\n")[0]
        raise InputError(f"Weights & Biases: {said}; log in by wandb login, or set WANDB_MODE=offline") from error
    run.define_metric("*", step_metric="steps")  # steps of its own could not go back to a checkpoint
    with run:
        yield lambda figures, step: run.log({"steps": step, **figures})


TRACKERS = {"tensorboard": tensorboard, "wandb": weights_and_biases}
