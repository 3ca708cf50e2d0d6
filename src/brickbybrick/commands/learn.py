"""`b3 train`, `b3 evaluate` and `b3 validity`: making agents and finding out how good they are."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import tyro

from brickbybrick.commands.console import DataFolder, Device, Json, counter, device_of, job_bar, print_figures, working
from brickbybrick.commands.optimum import find_optima
from brickbybrick.errors import InputError, whole_number

if TYPE_CHECKING:
    from brickbybrick.experiments.job import Result
    from brickbybrick.experiments.learning_jobs import Learning
    from brickbybrick.learning.config import PPOConfig

TESTED = 100  # targets of each split that a finished agent is tested on
SL_WIDTHS = {"quick": 64, "fast": 192, "tuned": 192, "paper": 192}


@dataclass(frozen=True)
class Train:
    """Train an agent. A run that was stopped goes on where it was when the same command is given again."""

    task: tyro.conf.Positional[str]
    """mnist-0 to mnist-9, mnist, random, modelnet-airplane, ..., or a folder of pictures or meshes."""
    out: Path | None = None
    """Folder of the run; out/TASK-AGENT-SEED if not given. With several seeds each is added to its name."""
    preset: Literal["paper", "fast", "tuned", "quick"] = "quick"
    """paper: the paper's settings. fast: the same samples from more environments, for a GPU. tuned: with minibatches
    of 32 samples, learns more from them. quick: learns visibly in ten minutes on two cores."""
    agent: Literal["b3", "mlp", "no-node", "no-edge", "sighted", "sl", "b3plus", "b3plus-ppo", "volume"] = "b3"
    """b3: the paper's agent. mlp: the same without messages between bricks. no-node, no-edge: without the poses of
    bricks or of contacts. sighted: told what the images show around each brick, in the frame of the image. sl:
    taught the sequences that random objects were put together by, for the task random only. b3plus: taught by the
    search, with the preset quick from 600 targets a round, else longer and from more. b3plus-ppo: the same network
    trained by rewards alone. volume: no agent but what the search believes of what three views hide; it learns most
    from the task shapes, with quick in a fifth of the time."""
    validation: Literal["exact", "pretrained", "joint", "sampling", "direct"] | None = None
    """How invalid actions are kept out, by exact masks if not given; not for sl, b3plus and volume, like the
    five that follow, of which b3plus-ppo heeds --steps alone."""
    validity: Path | None = None
    """The validity network of pretrained masks; the one that comes with the package if not given."""
    frame: Literal["first", "image"] | None = None
    """Where the agent counts poses from: the first brick, as in the paper and if not given, or the corner of the
    image."""
    aggregation: Literal["sum", "mean"] | None = None
    """sum: a brick adds its neighbours' messages up, as in the paper and if not given. mean: it takes their mean, as in
    its code."""
    steps: int | None = None
    """Bricks to place in all; the preset's number if not given."""
    start: str | None = None
    """With --agent b3plus: who is taught on instead of one who knows nothing, an agent's file or b3plus, which comes
    with the package."""
    settings: Annotated[tuple[str, ...], tyro.conf.arg(name="set")] = ()
    """Other numbers than the preset's, as in learning_rate=0.001 gamma=0.9; of agents trained by rewards."""
    seed: int = 0
    """Random seed of everything that is drawn."""
    seeds: int = 1
    """Runs, one after the other, of this seed and the ones that follow; in the end their mean and deviation."""
    track: tuple[Literal["tensorboard", "wandb"], ...] = ()
    """Where figures go besides the run's log: TensorBoard's files in its folder, Weights & Biases."""
    device: Device = "auto"
    threads: int = 2
    """Threads for the environments and, on a CPU, the network."""
    data: DataFolder = None

    def run(self) -> None:
        from brickbybrick.experiments.results import Spread

        several = whole_number(self.seeds, "seeds", 1) > 1
        base = self.out or Path("out") / f"{Path(self.task).name}-{self.agent}"
        results = []
        for seed in range(self.seed, self.seed + self.seeds):
            folder = base.with_name(f"{base.name}-{seed}") if several or not self.out else base
            results.append(replace(self, seed=seed).train(folder, f"seed {seed}" if several else "training"))
        if several:
            means = [[float(np.mean(each[split]["iou"])) for each in results] for split in ("train", "test")]
            train, test = (Spread(tuple(each)) for each in means)
            print(
                f"IoU, mean and deviation of {self.seeds} seeds: {test} on unseen targets, {train} on training targets"
            )

    def train(self, folder: Path, what: str) -> "Result":
        """One run, to its end; or what it came to, if it is done."""
        from brickbybrick.experiments.job import Machine, perform, read_result, to_record
        from brickbybrick.experiments.run import AGENT

        job = self.job()
        threads = whole_number(self.threads, "threads", 1)
        machine = Machine(device_of(self.device), threads, self.data, track=self.track)
        if done := read_result(folder):
            wanted, known = to_record(job), done.get("job", {})
            if different := [name for name in wanted if known.get(name) != wanted[name]]:
                raise InputError(f"{folder}: is of another run, with other {', '.join(different)}; give another folder")
            print(f"this run is done; remove its folder to begin anew\nagent: {folder / AGENT}")
            return done
        with job_bar(what) as tell:
            result = perform(job, folder, machine, tell)
        print(f"agent: {folder / AGENT}")
        return result

    def job(self) -> "Learning":
        """What is to be done."""
        from brickbybrick.experiments.learning_jobs import Imitation, Rewarded, Teaching, Training, Volume

        seed = whole_number(self.seed, "seed", 0)
        names = ("validation", "validity", "frame", "aggregation", "steps")
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        given |= {"settings": self.chosen()} if self.settings else {}
        if self.start and self.agent != "b3plus":
            raise InputError(f"--start does not apply to {self.agent}, which begins anew: leave it out")
        if given and self.agent in ("sl", "b3plus", "volume"):
            option = next(iter(given)).replace("settings", "set")
            raise InputError(f"--{option} does not apply to {self.agent}, which is taught: leave it out")
        if self.agent == "sl":
            return Imitation(task=self.task, seed=seed, width=SL_WIDTHS[self.preset], tested=TESTED)
        if self.agent == "b3plus-ppo":
            if idle := [name for name in given if name not in ("steps", "settings")]:
                raise InputError(f"--{idle[0]} does not apply to b3plus-ppo: leave it out")
            return Rewarded(task=self.task, seed=seed, tested=TESTED, **given)
        preset: Literal["fast", "quick"] = "quick" if self.preset == "quick" else "fast"
        if self.agent == "b3plus":
            return Teaching(task=self.task, seed=seed, preset=preset, tested=TESTED, start=self.start)
        if self.agent == "volume":
            return Volume(task=self.task, seed=seed, preset=preset, tested=TESTED)
        if "validity" in given:
            if self.validation != "pretrained":
                raise InputError("--validity names the network of pretrained masks: add --validation pretrained")
            given["validity"] = str(self.validity)
        if self.agent == "sighted" and self.frame == "first":
            raise InputError("--frame first does not apply to sighted, which counts from the image: leave it out")
        return Training(task=self.task, agent=self.agent, preset=self.preset, seed=seed, tested=TESTED, **given)

    def chosen(self) -> str:
        """The settings of one's own, as a job has them."""
        from brickbybrick.learning.config import number_of

        pairs = dict(each.partition("=")[::2] for each in self.settings)
        for name, value in pairs.items():
            number_of(self.config(), name, value)
        return " ".join(f"{name}={pairs[name]}" for name in sorted(pairs))

    def config(self) -> "type[PPOConfig]":
        """What the settings of an agent that is trained by rewards are."""
        from brickbybrick.learning.config import TrainConfig
        from brickbybrick.learning.spatial_ppo import SpatialTraining

        return SpatialTraining if self.agent == "b3plus-ppo" else TrainConfig


@dataclass(frozen=True)
class Evaluate:
    """Let an agent build a task's targets, or pictures of one's own, and say how well it does."""

    task: tyro.conf.Positional[str]
    """The task whose targets are built; with --images only its joints count."""
    agent: str = "greedy"
    """search, guided, b3plus, bo, greedy, random, mason; b3 or mlp, the task's agent that comes with the package; or an
    agent's file."""
    split: Literal["train", "test"] = "test"
    """Which targets."""
    images: Path | None = None
    """A folder of pictures to build instead."""
    targets: int | None = None
    """How many, spread evenly over all; all if not given."""
    sampled: bool = False
    """Draw a trained agent's actions instead of taking the likeliest."""
    seed: int = 0
    """Random seed."""
    yardstick: bool = False
    """Compare with the best that can be built: known for the test targets of named tasks, searched for others."""
    data: DataFolder = None
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.builders import register
        from brickbybrick.evaluation import evaluate
        from brickbybrick.targets.catalog import load_task
        from brickbybrick.targets.images import load_image_folder
        from brickbybrick.targets.target import target_of_image

        task = load_task(self.task, self.data)
        targets = list(task.split(self.split))
        if self.images:
            targets = [target_of_image(name, image) for name, image in load_image_folder(self.images)]
        seed = whole_number(self.seed, "seed", 0)
        builder = register.builder(self.agent, task.offsets, task=self.task, seed=seed, sampled=self.sampled)
        most = None if self.targets is None else whole_number(self.targets, "targets", 1)
        start = time.perf_counter()
        with working(f"building {min(most or len(targets), len(targets))} targets"):
            scores = evaluate(builder, targets, most)
        means = scores.means()
        figures: dict[str, Any] = {
            **{f"{name}_mean": means[name] for name in ("iou", "return", "bricks")},
            "targets": len(scores.built),
            "seconds": time.perf_counter() - start,
        }
        per_target: dict[str, dict[str, float | None]] = {
            each.target: {"iou": each.iou, "return": each.episode_return} for each in scores.built
        }
        if self.yardstick:
            optima = list(find_optima(scores.targets, task.offsets, scores.built))
            figures["iou_share_of_optimum"] = scores.share_of(optima)
            figures["optimum_mean"] = sum(best.bound for best in optima) / len(optima)
            figures["optimum_proven"] = sum(best.proven for best in optima) / len(optima)
            for each, best in zip(scores.built, optima, strict=True):
                per_target[each.target]["optimum" if best.proven else "bound"] = best.bound
        print_figures(f"{builder.name} on {self.task}", figures, self.as_json, per_target=per_target)


@dataclass(frozen=True)
class ValidityTrain:
    """Train the network that guesses which actions are valid, on random assemblies."""

    out: Path = Path("out/validity.safetensors")
    """File to write."""
    variant: Literal["b3", "mlp", "no-node", "no-edge", "one-pass", "near"] = "b3"
    """b3: the paper's graph. mlp: no messages. no-node, no-edge: without poses of bricks or of contacts. one-pass:
    every assembly seen once, in order, which the paper calls jointly trained. near: near bricks are edges too."""
    epochs: int = 60
    """Times that all 200,000 assemblies are seen."""
    episodes: int = 10_000
    """Random assemblies of 20 bricks; all their stages are data."""
    seed: int = 0
    """Random seed, of the first weights and of the order."""
    device: Device = "auto"

    def run(self) -> None:
        import torch

        from brickbybrick.learning.validity import train_validity, training_of
        from brickbybrick.policies.validity_network import save_network

        torch.set_float32_matmul_precision("high")
        config = training_of(
            self.variant, episodes=self.episodes, epochs=self.epochs, seed=self.seed, device=device_of(self.device)
        )
        with counter("training") as progress:
            network, _ = train_validity(config, lambda record: progress(int(record["epoch"]), self.epochs))
        save_network(network, self.out)
        print(f"network: {self.out}")


@dataclass(frozen=True)
class ValidityEvaluate:
    """Precision and recall of a validity network on 30,000 random assemblies of 1 to 30 bricks."""

    network: tyro.conf.Positional[Path | None] = None
    """The network's file; the one that comes with the package if not given."""
    episodes: int = 1_000
    """Random assemblies of 30 bricks; all their stages are tested."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.learning.validity import evaluate_validity, held_out_data
        from brickbybrick.policies.validity_network import SHIPPED, load_network

        network = load_network(self.network or SHIPPED)
        data = held_out_data(whole_number(self.episodes, "episodes", 1))
        with working("testing"):
            figures = evaluate_validity(network, data)
        print_figures("validity", figures, self.as_json)


@dataclass(frozen=True)
class Validity:
    """Train and test the network that guesses which actions are valid."""

    what: (
        Annotated[ValidityTrain, tyro.conf.subcommand("train")]
        | Annotated[ValidityEvaluate, tyro.conf.subcommand("evaluate")]
    )

    def run(self) -> None:
        self.what.run()
