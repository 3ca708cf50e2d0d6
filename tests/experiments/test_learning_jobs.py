"""Jobs that learn go on exactly where they were stopped, whoever teaches."""

from functools import partial
from pathlib import Path

import pytest
import torch
from drawings import draw_strokes
from learning.small import weights

from brickbybrick.builders.register import builder, network_file
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.experiments import learning_jobs
from brickbybrick.experiments.job import Machine, Progress, perform, read_result
from brickbybrick.experiments.learning_jobs import Imitation, Learning, Rewarded, Teaching, Training, Validity, Volume
from brickbybrick.experiments.run import AGENT, read_log
from brickbybrick.learning import volume
from brickbybrick.learning.validity import held_out_data
from brickbybrick.policies.files import load_agent
from brickbybrick.policies.validity_network import load_network
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.random_assembly import assembled_targets


@pytest.fixture(scope="module")
def strokes(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(draw_strokes(tmp_path_factory.mktemp("learning") / "strokes"))


@pytest.fixture
def jobs(strokes: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Learning]:
    """A small one of each kind."""
    monkeypatch.setattr(learning_jobs, "TRAIN", 12)  # sequences to imitate
    monkeypatch.setattr(Learning, "tested_on_the_way", 2)
    monkeypatch.setattr(Teaching, "tested_on_the_way", 2)
    few = assembled_targets(6, seed=3)
    for module in (learning_jobs, volume):  # random objects to learn from, and to test beliefs with
        monkeypatch.setattr(module, "assembled_targets", lambda *_: few)
    monkeypatch.setattr(learning_jobs, "VolumeTraining", partial(volume.VolumeTraining, width=4, layers=1))
    return {
        "training": Training(task=strokes, preset="quick", steps=2_048, tested=2),
        "teaching": Teaching(task=strokes, preset="quick", rounds=2, epochs=2, work=200, tested=2),
        "imitation": Imitation(epochs=4, width=8, tested=2),
        "volume": Volume(task="random", steps=4, tested=2),
    }


@pytest.mark.parametrize("kind", ["training", "teaching", "imitation", "volume"])
def test_a_stopped_run_goes_on_and_ends_with_the_same_weights(
    jobs: dict[str, Learning], kind: str, tmp_path: Path
) -> None:
    """Stopped five times: right at its beginning, on its way between checkpoints, and right before its end."""
    job, whole, folder = jobs[kind], tmp_path / "whole", tmp_path / "stopped"
    news: list[Progress] = []
    result = perform(job, whole, Machine(), news.append)
    places = [progress.done for progress in news]
    for stop in [places[len(places) * part // 5] for part in range(5)]:

        def tell(progress: Progress, stop: int = stop) -> None:
            if progress.done >= stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            perform(job, folder, Machine(), tell)
        assert not job.is_done(folder)
    again = perform(job, folder, Machine())
    assert (folder / AGENT).read_bytes() == (whole / AGENT).read_bytes()
    for each in (again, result):
        del each["seconds"], each["ms_per_brick"]
    assert again == result
    for ours, theirs in zip(read_log(folder), read_log(whole), strict=True):
        assert ours | {"seconds": 0} == theirs | {"seconds": 0}
    assert {path.name for path in folder.iterdir()} == {path.name for path in whole.iterdir()}


@pytest.mark.parametrize("kind", ["teaching", "imitation", "volume"])
def test_a_result_is_what_the_agent_in_its_folder_builds(jobs: dict[str, Learning], kind: str, tmp_path: Path) -> None:
    job = jobs[kind]
    result = perform(job, tmp_path, Machine())
    task = load_task(job.task)
    agent = builder(str(tmp_path / AGENT), task.offsets)
    targets = {target.name: target for target in task.test}
    scores = evaluate(agent, [targets[name] for name in result["test"]["target"]])
    assert scores.iou.round(5).tolist() == result["test"]["iou"]
    assert len(result["losses"]) == len(read_log(tmp_path)) - 1  # before the first test nothing is learned
    assert read_result(tmp_path) == result


def test_names_of_runs_say_what_is_unusual_about_them() -> None:
    assert Training(task="mnist-3", seed=2).name == "mnist-3/b3-2"
    unusual = Training(task="random", agent="no-edge", frame="image", validation="joint", aggregation="mean")
    assert unusual.name == "random/no-edge-image-joint-mean-0"
    assert Teaching(task="objects", seed=1).name == "objects/b3plus-1"
    assert Teaching(task="objects", start="a.file").name == "objects/b3plus-on-0"
    assert Imitation(seed=3).name == "random/sl-3"
    assert Training(task="mnist-3", settings="entropy=0 gamma=0.9").name == "mnist-3/b3-entropy=0-gamma=0.9-0"
    assert Rewarded(task="mnist", seed=1).name == "mnist/b3plus-ppo-1"
    assert [Volume(preset=preset).name for preset in ("fast", "quick")] == ["shapes/volume-0", "shapes/volume-quick-0"]


def test_beliefs_are_told_of_by_kind(jobs: dict[str, Learning], tmp_path: Path) -> None:
    """Of shapes that were kept aside and of random objects: counts of cells in tenths, which add up."""
    aside = perform(jobs["volume"], tmp_path, Machine())["aside"]
    assert set(aside) == {"random"}
    found = aside["random"]
    assert len(found["cells"]) == len(found["believed"]) == len(found["filled"]) == 10
    assert sum(found["cells"]) > 0
    assert all(0 <= share <= 1 for share in (*found["believed"], *found["filled"]))
    assert all(tenth / 10 <= said <= (tenth + 1) / 10 for tenth, said in enumerate(found["believed"]) if said)


def test_the_one_that_comes_with_the_package_can_be_taught_on(strokes: str) -> None:
    job = Teaching(task=strokes, preset="quick", start="b3plus")
    learner = job.learner(load_task(strokes), Machine())
    file = network_file("b3plus", strokes, 1)
    assert file
    assert torch.equal(weights(learner.policy), weights(load_agent(file).policy))
    assert learner.settings()["width"] == load_agent(file).policy.config.width


def test_sequences_are_known_for_random_objects_only() -> None:
    with pytest.raises(InputError, match="random only, not for mnist-0"):
        Imitation(task="mnist-0")


def test_a_validity_network_is_judged_with_each_class_as_the_positive_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning_jobs, "held_out_data", lambda: held_out_data(2))
    result = perform(Validity(episodes=20, epochs=1), tmp_path, Machine())
    load_network(tmp_path / "network.safetensors")
    for split in ("train", "test"):
        for name, curve in result[split]["curves"].items():
            assert 0 <= curve["roc_area"] <= 1, name
            assert curve["recall"] == sorted(curve["recall"])
            assert (curve["recall"][-1], curve["false_positive_rate"][-1]) == (1, 1)  # everything is called positive
            assert len(curve["recall"]) == len(curve["precision"]) <= learning_jobs.CURVE_POINTS
