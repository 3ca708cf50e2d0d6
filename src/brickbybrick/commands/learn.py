"""`b3 train`, `b3 evaluate` and `b3 validity`: making agents and finding out how good they are."""

import json
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from brickbybrick.commands.console import NOTES, Device, Json, device_of, print_figures, working
from brickbybrick.commands.optimum import find_optima
from brickbybrick.errors import InputError, whole_number

if TYPE_CHECKING:
    from brickbybrick.learning.config import TrainConfig
    from brickbybrick.learning.ppo import Report
    from brickbybrick.search.builder import Builder
    from brickbybrick.targets.catalog import Task

TRAINING_COLUMNS = (
    TextColumn("{task.completed}/{task.total} steps"),
    BarColumn(),
    TextColumn("{task.fields[figures]}"),
    TimeRemainingColumn(),
)


@dataclass(frozen=True)
class Train:
    """Train an agent. A run that was stopped goes on where it was when the same command is given again."""

    task: tyro.conf.Positional[str]
    """mnist-0 to mnist-9, mnist, random, modelnet-airplane, ..., or a folder of pictures or meshes."""
    out: Path | None = None
    """Folder of the run; out/TASK-AGENT-SEED if not given."""
    preset: Literal["paper", "fast", "quick"] = "quick"
    """paper: the paper's settings. fast: the same samples from more environments, for a GPU. quick: learns visibly in
    ten minutes on two cores."""
    agent: Literal["b3", "mlp", "no-node", "no-edge", "sl", "b3plus"] = "b3"
    """b3: the paper's agent. mlp: the same without messages between bricks. no-node, no-edge: without the poses of
    bricks or of contacts. sl: taught the sequences that random objects were put together by, for the task random
    only. b3plus: taught by the search, with the preset quick from 600 targets a round, else longer and from all;
    masks, frames and steps are the others'."""
    validation: Literal["exact", "pretrained", "joint", "sampling", "direct"] = "exact"
    """How invalid actions are kept out."""
    validity: Path | None = None
    """The validity network of pretrained masks; the one that comes with the package if not given."""
    frame: Literal["first", "image"] = "first"
    """Where the agent counts poses from: the first brick, as in the paper, or the corner of the image."""
    aggregation: Literal["sum", "mean"] = "sum"
    """sum: a brick adds its neighbours' messages up, as in the paper. mean: it takes their mean, as in its code."""
    steps: int | None = None
    """Bricks to place in all; the preset's number if not given."""
    seed: int = 0
    """Of everything that is drawn."""
    device: Device = "auto"
    threads: int = 2
    """Threads for the environments and, on a CPU, the network."""
    data: str | None = None
    """Folder of data that does not come with the package; B3_DATA if not given."""

    def run(self) -> None:
        import torch

        from brickbybrick.learning.config import preset
        from brickbybrick.learning.training import train
        from brickbybrick.learning.validation import make_validator
        from brickbybrick.policies.graph_network import VARIANTS
        from brickbybrick.policies.validity_network import SHIPPED, load_network
        from brickbybrick.targets.catalog import load_task

        device = device_of(self.device)
        torch.set_num_threads(whole_number(self.threads, "threads", 1))
        torch.set_float32_matmul_precision("high")
        task = load_task(self.task, self.data)
        folder = self.out or Path("out") / f"{Path(self.task).name}-{self.agent}-{self.seed}"
        if self.agent == "b3plus":
            if self.steps is not None:
                raise InputError("B3+ is taught in rounds, not for a number of steps: leave --steps out")
            self._teach(task, folder, device)
            return
        changes: dict[str, object] = {"seed": whole_number(self.seed, "seed", 0), "frame": self.frame}
        changes |= {"validation": self.validation, "aggregation": self.aggregation, **VARIANTS.get(self.agent, {})}
        if self.steps is not None:
            changes["steps"] = self.steps
        config = preset(self.preset, task, **changes)
        network = load_network(self.validity or SHIPPED, device) if self.validation == "pretrained" else None
        if self.agent == "sl":
            self._imitate(config, folder, device)
            return
        with Progress(*TRAINING_COLUMNS, console=NOTES, disable=not NOTES.is_terminal) as bar:
            shown = bar.add_task("training", total=config.steps, figures="")

            def progress(report: "Report", record: "dict[str, float] | None") -> None:
                episodes = report.episodes
                speed = bar.tasks[0].speed or 0.0
                figures = f"{speed:,.0f} steps/s, return {episodes.episode_return:.3f}, IoU {episodes.iou:.3f}"
                bar.update(shown, completed=report.steps, figures=figures)
                if record:
                    bar.console.print(
                        f"{record['steps']:.0f} steps, {record['seconds']:.0f} s: "
                        f"IoU {record['train_iou']:.3f} train, {record['test_iou']:.3f} test",
                        highlight=False,
                    )

            validator = make_validator(self.validation, task.offsets, network, device, self.seed)
            train(config, task, validator, folder, device, self.threads, progress)
        print(f"agent: {folder / 'agent.safetensors'}")

    def _teach(self, task: "Task", folder: Path, device: str) -> None:
        from brickbybrick.policies.spatial import SpatialPolicy, save_spatial
        from brickbybrick.search.apprentice import Apprentice
        from brickbybrick.search.teaching import QUICK, Teaching, teach
        from brickbybrick.targets.target import spread

        settings = replace(QUICK if self.preset == "quick" else Teaching(), seed=self.seed)
        about: dict[str, object] = {"task": self.task, "config": asdict(settings)}
        tested = spread(task.test, 100)
        with Progress(console=NOTES, disable=not NOTES.is_terminal) as bar:
            shown = bar.add_task("teaching", total=settings.rounds)

            def progress(number: int, loss: float, policy: SpatialPolicy) -> None:
                save_spatial(folder / "agent.safetensors", policy, about)
                built = Apprentice(policy, task.offsets).build_all(tested)
                reached = sum(each.iou or 0.0 for each in built) / len(built)
                bar.update(shown, completed=number)
                bar.console.print(f"round {number}: loss {loss:.3f}, IoU {reached:.3f} test", highlight=False)

            teach(task, settings, device, self.threads, progress)
        print(f"agent: {folder / 'agent.safetensors'}")

    def _imitate(self, config: "TrainConfig", folder: Path, device: str) -> None:
        from brickbybrick.learning.checkpoint import save_agent
        from brickbybrick.learning.imitation import ImitationConfig, imitate
        from brickbybrick.targets.random_assembly import TRAIN, assembled_targets

        if self.task != "random":
            raise InputError(f"sequences to imitate are known for the task random only, not for {self.task}")
        settings = ImitationConfig(width=config.width, seed=config.seed)
        with Progress(console=NOTES, disable=not NOTES.is_terminal) as bar:
            shown = bar.add_task("imitating", total=settings.epochs)
            policy = imitate(
                settings, assembled_targets()[:TRAIN], device, lambda epoch, _: bar.update(shown, completed=epoch)
            )
        save_agent(folder / "agent.safetensors", "sl", policy, config, steps=0)
        print(f"agent: {folder / 'agent.safetensors'}")


@dataclass(frozen=True)
class Evaluate:
    """Let an agent build a task's targets, or pictures of one's own, and say how well it does."""

    task: tyro.conf.Positional[str]
    """The task whose targets are built; with --images only its joints count."""
    agent: str = "greedy"
    """search, guided, b3plus, bo, greedy, random; b3 or mlp, the task's agent that comes with the package; or an
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
    """Of what is drawn."""
    yardstick: bool = False
    """Compare with the best that can be built: known for the test targets of named tasks, searched for others."""
    data: str | None = None
    """Folder of data that does not come with the package; B3_DATA if not given."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.targets.catalog import load_task
        from brickbybrick.targets.images import load_image_folder
        from brickbybrick.targets.target import spread, target_of_image

        task = load_task(self.task, self.data)
        if self.images:
            targets = [target_of_image(name, image) for name, image in load_image_folder(self.images)]
        else:
            targets = list(task.split(self.split))
        if self.targets is not None:
            targets = spread(targets, whole_number(self.targets, "targets", 1))
        start = time.perf_counter()
        with working(f"building {len(targets)} targets"):
            built = self._builder(task).build_all(targets)
        seconds = time.perf_counter() - start
        figures: dict[str, Any] = {
            "iou_mean": sum(each.iou or 0.0 for each in built) / len(built),
            "return_mean": sum(each.episode_return or 0.0 for each in built) / len(built),
            "bricks_mean": sum(len(each.bricks) for each in built) / len(built),
            "targets": len(built),
            "seconds": seconds,
        }
        per_target: dict[str, dict[str, float | None]] = {
            each.target: {"iou": each.iou, "return": each.episode_return} for each in built
        }
        if self.yardstick:
            from brickbybrick.search.yardstick import share_of_optimum

            optima = find_optima(targets, task.offsets, built)
            figures["iou_share_of_optimum"] = share_of_optimum(built, optima)
            figures["optimum_mean"] = sum(best.bound for best in optima) / len(optima)
            figures["optimum_proven"] = sum(best.proven for best in optima) / len(optima)
            for each, best in zip(built, optima, strict=True):
                per_target[each.target]["optimum" if best.proven else "bound"] = best.bound
        if self.as_json:
            print(json.dumps({**figures, "per_target": per_target}))
            return
        print_figures(f"{built[0].builder} on {self.task}", figures, as_json=False)

    def _builder(self, task: "Task") -> "Builder":
        from brickbybrick.search.named import named_builder

        seed = whole_number(self.seed, "seed", 0)
        named = named_builder(self.agent, task.offsets, seed)
        if named is not None:
            return named
        from brickbybrick.learning.checkpoint import agent_path, load_agent
        from brickbybrick.learning.evaluate import Agent

        saved = load_agent(agent_path(self.agent, self.task, task.views))
        shape = saved.policy.config
        if (shape.views, shape.offsets) != (task.views, len(task.offsets)):
            raise InputError(
                f"{self.agent} is trained on {saved.config.task}, for {shape.views} views and {shape.offsets} offsets; "
                f"{self.task} has others"
            )
        return Agent(saved.policy, task.offsets, saved.name, greedy=not self.sampled, seed=seed)


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
    """Of the first weights and of the order."""
    device: Device = "auto"

    def run(self) -> None:
        import torch

        from brickbybrick.learning.validity import train_validity, training_of
        from brickbybrick.policies.validity_network import save_network

        torch.set_float32_matmul_precision("high")
        config = training_of(
            self.variant, episodes=self.episodes, epochs=self.epochs, seed=self.seed, device=device_of(self.device)
        )
        with Progress(console=NOTES, disable=not NOTES.is_terminal) as bar:
            shown = bar.add_task("training", total=self.epochs)
            network, _ = train_validity(config, lambda record: bar.update(shown, completed=record["epoch"]))
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
