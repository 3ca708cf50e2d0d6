"""b3 train, evaluate and validity, as a user runs them."""

import json
from pathlib import Path

import pytest
import torch
from command_line import b3, refusal
from drawings import draw_strokes

from brickbybrick.builders.register import WEIGHTS
from brickbybrick.cli import command_of
from brickbybrick.commands.learn import Train
from brickbybrick.experiments.learning_jobs import Imitation, Rewarded, Teaching, Training, Volume

SETTINGS = "entropy=0 gamma=0.9"  # in the order of their names
FIGURES = {"iou_mean", "return_mean", "targets", "seconds"}


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draw_strokes(tmp_path_factory.mktemp("strokes"))


@pytest.fixture(scope="module")
def agent(pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    result = b3("train", str(pictures), "--steps", "2048", "--out", str(folder), "--threads", "1")
    assert "2048 steps" in result.stderr
    assert (folder / "log.jsonl").read_text().count("\n") == 2  # before it learns, and in the end
    return folder / "agent.safetensors"


def test_a_run_that_is_done_is_not_done_again(agent: Path, pictures: Path) -> None:
    before = agent.stat().st_mtime_ns
    result = b3("train", str(pictures), "--steps", "2048", "--out", str(agent.parent), "--threads", "1")
    assert result.stdout == f"this run is done; remove its folder to begin anew\nagent: {agent}\n"
    assert agent.stat().st_mtime_ns == before


def test_a_run_of_other_settings_is_not_gone_on_with(agent: Path, pictures: Path) -> None:
    assert "other steps" in refusal("train", str(pictures), "--steps", "4096", "--out", str(agent.parent))
    assert "other frame, steps" in refusal("train", str(pictures), "--frame", "image", "--out", str(agent.parent))


def test_several_seeds_come_to_a_mean_and_a_deviation(pictures: Path, tmp_path: Path) -> None:
    """Of what each of them scored in the end; a seed that is done is not done again."""
    line = ["train", str(pictures), "--steps", "2048", "--threads", "1", "--seed", "4", "--out", str(tmp_path / "runs")]
    b3(*line[:-1], str(tmp_path / "runs-5"), "--seed", "5")
    result = b3(*line, "--seeds", "2")
    assert "this run is done" in result.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"runs-4", "runs-5"}
    for split, words in (("test", "on unseen targets"), ("train", "on training targets")):
        scores = [json.loads((tmp_path / f"runs-{seed}/result.json").read_text())[split]["iou"] for seed in (4, 5)]
        means = [sum(each) / len(each) for each in scores]
        deviation = abs(means[0] - means[1]) / 2**0.5
        assert f"{sum(means) / 2:.3f} ± {deviation:.3f} {words}" in result.stdout


def test_a_trained_agent_builds_what_it_is_shown(agent: Path, pictures: Path) -> None:
    figures = json.loads(b3("evaluate", str(pictures), "--agent", str(agent), "--split", "train", "--json").stdout)
    assert set(figures) >= FIGURES
    assert figures["targets"] == len(figures["per_target"]) == 4
    own = b3("evaluate", "mnist-0", "--agent", str(agent), "--images", str(pictures), "--sampled", "--json").stdout
    assert json.loads(own)["targets"] == 5


@pytest.mark.parametrize("name", ["bo", "greedy", "random", "search", "guided"])
def test_builders_that_need_no_training(name: str) -> None:
    figures = json.loads(b3("evaluate", "mnist-1", "--agent", name, "--targets", "7", "--json").stdout)
    assert figures["targets"] == 7
    assert 0 < figures["iou_mean"] < 1


def test_the_mason_is_evaluated_too() -> None:
    """It has bricks of all sizes and heeds no budget, so that it fills a digit nearly."""
    figures = json.loads(b3("evaluate", "mnist-0", "--agent", "mason", "--targets", "2", "--json").stdout)
    assert figures["targets"] == 2
    assert figures["iou_mean"] > 0.95


def test_every_agent_is_named_where_one_is_not_known() -> None:
    line = refusal("evaluate", "mnist-0", "--agent", "nobody")
    known = line.partition("choose ")[2].removesuffix(" or an agent's file").split(", ")
    assert {"search", "guided", "b3plus", "b3", "mlp", "greedy", "bo", "random", "mason"} <= set(known)


def test_an_agent_for_other_views_is_refused(agent: Path) -> None:
    line = refusal("evaluate", "random", "--agent", str(agent))
    assert f"{agent}: an agent for 1 view(s) and 6 offsets does not build with the 16 offsets of random" in line


def test_a_few_targets_are_some_of_each_kind() -> None:
    found = json.loads(b3("evaluate", "mnist", "--agent", "greedy", "--targets", "20", "--json").stdout)
    assert {name.split("/")[0] for name in found["per_target"]} == {f"mnist-{digit}" for digit in range(10)}


def test_agents_that_come_with_the_package_build_unseen_digits() -> None:
    """Better than at random (0.23), and B3 better than MLP, as the report has it."""
    ious = {}
    for agent in ("b3", "mlp", "random"):
        figures = json.loads(b3("evaluate", "mnist-9", "--agent", agent, "--json").stdout)
        assert figures["targets"] == 100
        ious[agent] = figures["iou_mean"]
    assert ious["b3"] > ious["mlp"] > ious["random"] + 0.15


def test_pictures_of_ones_own_are_built_by_the_agent_for_all_digits(pictures: Path) -> None:
    assert json.loads(b3("evaluate", str(pictures), "--agent", "b3", "--json").stdout)["iou_mean"] > 0.3


def test_a_validity_network_is_trained_and_tested(tmp_path: Path) -> None:
    path = tmp_path / "validity.safetensors"
    b3("validity", "train", "--out", str(path), "--episodes", "20", "--epochs", "1", "--device", "cpu")
    figures = json.loads(b3("validity", "evaluate", str(path), "--episodes", "2", "--json").stdout)
    for head in ("pivot", "offset"):
        for figure in ("precision", "recall"):
            assert {f"{head}_{figure}_valid", f"{head}_{figure}_invalid"} <= set(figures)
    assert figures["states"] == 60


def test_the_network_that_comes_along_is_as_good_as_its_card_says() -> None:
    """On the first 3,000 of the 30,000 test states, within the noise of so few, above the paper's .9125 and .9661."""
    figures = json.loads(b3("validity", "evaluate", "--episodes", "100", "--json").stdout)
    assert figures["offset_precision_valid"] > 0.9125
    assert figures["offset_recall_valid"] > 0.9661
    assert figures["pivot_precision_valid"] > 0.9909
    assert figures["pivot_recall_valid"] > 0.9944


@pytest.mark.parametrize(
    ("line", "job"),
    [
        ("mnist-0", Training(task="mnist-0", preset="quick", tested=100)),
        ("random --agent mlp --steps 9", Training(task="random", agent="mlp", preset="quick", steps=9, tested=100)),
        ("random --agent sl --preset paper", Imitation(tested=100)),
        ("mnist-0 --set gamma=0.9 entropy=0", Training(task="mnist-0", preset="quick", tested=100, settings=SETTINGS)),
        ("mnist --agent b3plus-ppo --set layers=2", Rewarded(task="mnist", tested=100, settings="layers=2")),
        ("mnist --agent b3plus --preset fast --seed 3", Teaching(task="mnist", seed=3, tested=100)),
        ("mnist --agent b3plus --start a.file", Teaching(task="mnist", preset="quick", tested=100, start="a.file")),
        ("mnist --agent b3plus-ppo --steps 50", Rewarded(task="mnist", steps=50, tested=100)),
        ("shapes --agent volume", Volume(preset="quick", tested=100)),
        ("shapes --agent volume --preset fast", Volume(tested=100)),
    ],
)
def test_a_line_stands_for_a_job(line: str, job: object) -> None:
    command = command_of(["train", *line.split()])
    assert isinstance(command, Train)
    assert command.job() == job


@pytest.mark.parametrize("agent", ["sl", "b3plus", "volume"])
@pytest.mark.parametrize(
    "option",
    [
        "--validation exact",
        "--frame image",
        "--steps 100",
        "--aggregation mean",
        "--validity some.file",
        "--set gamma=1",
    ],
)
def test_what_is_taught_has_no_masks_frames_or_steps(agent: str, option: str, tmp_path: Path) -> None:
    line = refusal("train", "random", "--agent", agent, *option.split(), "--out", str(tmp_path / "run"))
    assert line == f"b3: {option.split()[0]} does not apply to {agent}, which is taught: leave it out"
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["evaluate", "mnist-0", "--agent", "nobody"], "nobody"),
        (["evaluate", "mnist-0", "--targets", "0"], "targets is 0"),
        (["evaluate", "random", "--agent", "sl"], "no agent named 'sl'"),
        (["train", "mnist-0", "--validation", "pretrained", "--validity", "none.file"], "none.file"),
        (["train", "mnist-0", "--validity", "none.file"], "add --validation pretrained"),
        (["train", "mnist-0", "--start", "none.file"], "--start does not apply to b3"),
        (["train", "mnist-0", "--agent", "b3plus", "--start", "none.file"], "none.file"),
        (["train", "mnist-0", "--agent", "b3plus", "--start", str(WEIGHTS / "mnist-b3.safetensors")], "holds no B3+"),
        (
            ["train", "mnist-0", "--agent", "b3plus", "--start", str(WEIGHTS / "objects-b3plus.safetensors")],
            "a B3+ of 3 view(s) is not taught on with targets of 1",
        ),
        (["train", "mnist-0", "--steps", "0"], "steps is 0"),
        (["train", "mnist-0", "--agent", "sl"], "random only"),
        (["train", "mnist-0", "--seed", "-4"], "seed is -4"),
        (["train", "mnist-0", "--seeds", "0"], "seeds is 0"),
        (["train", "mnist-0", "--set", "beauty=1"], "no setting named 'beauty'"),
        (["train", "mnist-0", "--set", "gamma=1.5"], "gamma is 1.5: give a number from 0 to 1"),
        (["train", "mnist-0", "--set", "gamma=nan"], "gamma is nan"),
        (["train", "mnist-0", "--set", "epochs=many"], "epochs is 'many': give a whole number"),
        (["train", "mnist-0", "--set", "minibatches=7"], "2048 samples do not split into 7 equal minibatches"),
        (["train", "mnist-0", "--set", "width=0"], "width"),
        (["validity", "evaluate", "nothing.safetensors"], "nothing.safetensors"),
        (["validity", "train", "--epochs", "0"], "1 epoch"),
    ],
)
def test_mistakes_end_in_one_line(
    arguments: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert complaint in refusal(*arguments)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU, so asking for one is no mistake")
def test_asking_for_a_gpu_that_is_not_there() -> None:
    assert "no GPU" in refusal("train", "mnist-0", "--device", "cuda")
