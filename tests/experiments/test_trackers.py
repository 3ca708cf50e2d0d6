"""Figures of runs as TensorBoard's own reader and Weights & Biases' own files have them."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from drawings import draw_strokes

from brickbybrick.errors import InputError
from brickbybrick.experiments.job import Machine, Progress, perform
from brickbybrick.experiments.learning_jobs import Training
from brickbybrick.experiments.run import read_log
from brickbybrick.experiments.trackers import tag, tracked

event_accumulator = pytest.importorskip(
    "tensorboard.backend.event_processing.event_accumulator", reason="TensorBoard is not installed"
)
BLOCK, WHOLE, LAST = 32_768, 1, 4
SETTINGS = {"task": "mnist-3", "gamma": 0.5}


def scalars(folder: Path) -> dict[str, dict[int, float]]:
    """What TensorBoard shows of a run: the value of each figure after so many steps."""
    events = event_accumulator.EventAccumulator(str(folder))
    events.Reload()
    return {name: {each.step: each.value for each in events.Scalars(name)} for name in events.Tags()["scalars"]}


def written(path: Path) -> Iterator[bytes]:
    """The records of a file of Weights & Biases: LevelDB's log format after a header of 7 bytes."""
    data, at, record = path.read_bytes(), 7, b""
    while at + 7 <= len(data):
        left = BLOCK - at % BLOCK
        if left < 7:  # blocks end with zeros where no header fits
            at += left
            continue
        length, kind = int.from_bytes(data[at + 4 : at + 6], "little"), data[at + 6]
        record += data[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (WHOLE, LAST):
            yield record
            record = b""


@pytest.mark.slow
def test_tensorboard_has_every_iteration_of_a_run_and_its_tests_once(tmp_path: Path) -> None:
    """Also of one that was stopped between two checkpoints and gone on with."""
    strokes, folder = str(draw_strokes(tmp_path / "strokes")), tmp_path / "run"
    job, machine = Training(task=strokes, preset="quick", steps=6_144, tested=2), Machine(track=("tensorboard",))

    def stop(progress: Progress) -> None:
        if progress.done >= 4_096:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        perform(job, folder, machine, stop)
    perform(job, folder, machine)
    shown = scalars(folder)
    assert list(shown["learning/entropy"]) == list(shown["rollout/iou"]) == [2_048, 4_096, 6_144]
    for name in ("test_iou", "train_return", "seconds"):
        assert shown[tag(name)] == pytest.approx({record["steps"]: record[name] for record in read_log(folder)})


def test_what_came_after_the_last_checkpoint_does_not_count(tmp_path: Path) -> None:
    for done, told in ((0, {0: 0.1, 10: 0.2, 20: 0.3, 30: 0.4}), (10, {20: 0.5})):
        with tracked(["tensorboard"], tmp_path, SETTINGS, done) as track:
            for step, value in told.items():
                track({"steps": step, "test_iou": value}, step)
    assert scalars(tmp_path) == {"test/iou": pytest.approx({0: 0.1, 10: 0.2, 20: 0.5})}


@pytest.fixture
def mode(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """How Weights & Biases is used, which it asks once in a process unless it is torn down."""
    wandb = pytest.importorskip("wandb", reason="Weights & Biases is not installed")
    wandb.teardown()
    yield partial(monkeypatch.setenv, "WANDB_MODE")
    wandb.teardown()


def test_weights_and_biases_goes_on_with_its_run(tmp_path: Path, mode: Callable[[str], None]) -> None:
    """Read from the files that it would send."""
    from wandb.proto.wandb_internal_pb2 import Record

    mode("offline")
    for done in (0, 10):
        with tracked(["wandb"], tmp_path, SETTINGS, done) as track:
            track({"steps": done, "test_iou": 0.25 + done}, done)
    ids, histories, settings = set(), [], {}
    for path in sorted(tmp_path.glob("wandb/offline-run-*/*.wandb")):
        for data in written(path):
            record = Record()
            record.ParseFromString(data)
            ids |= {record.run.run_id} - {""}
            settings |= {item.key: json.loads(item.value_json) for item in record.run.config.update}
            items = {"/".join(item.nested_key) or item.key: item.value_json for item in record.history.item}
            if items:
                histories.append((json.loads(items["steps"]), json.loads(items["test/iou"])))
    assert histories == [(0, 0.25), (10, 10.25)]
    assert len(ids) == 1
    assert settings.items() >= SETTINGS.items()


def test_weights_and_biases_without_a_login_is_one_line(
    tmp_path: Path, mode: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    mode("online")
    monkeypatch.setenv("WANDB_API_KEY", "too short")
    monkeypatch.setenv("HOME", str(tmp_path))
    with (
        pytest.raises(InputError, match=r"Weights & Biases: .*WANDB_MODE=offline$"),
        tracked(["wandb"], tmp_path, SETTINGS, 0),
    ):
        pass


def test_figures_have_groups() -> None:
    assert [tag(name) for name in ("test_iou", "rollout_episode_return", "policy_loss", "loss")] == [
        "test/iou",
        "rollout/episode_return",
        "learning/policy_loss",
        "learning/loss",
    ]
