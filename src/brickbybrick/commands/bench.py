"""`b3 bench`: how fast things are, and how true."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

import tyro

from brickbybrick.commands.console import (
    NOTES,
    DataFolder,
    Device,
    Json,
    device_of,
    print_figures,
    some_targets,
    working,
)
from brickbybrick.errors import InputError
from brickbybrick.order import TOLERANCE, Order, Parts


@dataclass(frozen=True)
class BenchEnv:
    """Environment steps per second: one environment, batches on 1 and 2 threads, plain implementations beside them."""

    as_json: Json = False
    seconds: float = 2.0
    """How long to measure each figure."""

    def run(self) -> None:
        from brickbybrick.bench.env import bench_env

        with working("measuring") as status:
            figures = bench_env(self.seconds, lambda what: status.update(f"measuring {what}"))
        print_figures("environment steps", figures, self.as_json)


@dataclass(frozen=True)
class BenchPeers:
    """Environment steps per second beside Jumanji's packing games, played alike."""

    envs: int = 1024
    """Environments side by side."""
    seconds: float = 5.0
    """How long to measure each figure."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.bench.peers import bench_peers

        with working("measuring") as status:
            figures = bench_peers(self.envs, self.seconds, lambda what: status.update(f"measuring {what}"))
        print_figures("environment steps beside others", figures, self.as_json)


@dataclass(frozen=True)
class BenchValidity:
    """Microseconds of exact validity: a whole mask and one placement, plain implementations beside them."""

    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.bench.validity import bench_validity

        with working("measuring") as status:
            figures = bench_validity(lambda what: status.update(f"measuring {what}"))
        print_figures("exact validity", figures, self.as_json)


@dataclass(frozen=True)
class BenchTrain:
    """Milliseconds of placing bricks and of an update, as fast as the device allows and as plain PyTorch runs them."""

    task: tyro.conf.Positional[str] = "mnist-0"
    """The task to train on."""
    device: Device = "auto"
    data: DataFolder = None
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.bench.train import bench_train
        from brickbybrick.targets.catalog import load_task

        with working("measuring"):
            figures = bench_train(load_task(self.task, self.data), device_of(self.device))
        print_figures("training", figures, self.as_json)


@dataclass(frozen=True)
class BenchSearch:
    """IoU and milliseconds a target of search, from the images alone and told the volume, beside greedy; one thread."""

    task: tyro.conf.Positional[str] = "mnist-0"
    """The task whose targets are built."""
    split: Literal["train", "test"] = "test"
    """Which targets."""
    targets: int = 20
    """How many at most, spread evenly over all."""
    work: tuple[int, ...] = (10_000, 100_000, 500_000)
    """Bricks to look at for one target."""
    data: DataFolder = None
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.bench.search import bench_search

        task, chosen = some_targets(self.task, self.data, self.split, self.targets)
        with working("measuring") as status:
            figures = bench_search(chosen, task.offsets, self.work, lambda what: status.update(f"measuring {what}"))
        print_figures(f"search on {self.task}", figures, self.as_json)


@dataclass(frozen=True)
class BenchGuided:
    """IoU and milliseconds a target of an agent, of the search that it guides, and of plain search for as long."""

    task: tyro.conf.Positional[str] = "mnist-0"
    """The task whose test targets are built."""
    agent: str = "b3"
    """b3plus; b3 or mlp, the task's agent that comes with the package; or an agent's file."""
    targets: int = 20
    """How many at most, spread evenly over all."""
    work: tuple[int, ...] = (0, 100, 500)
    """States that the agent looks at for one target."""
    data: DataFolder = None
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.bench.search import bench_guided
        from brickbybrick.builders import register
        from brickbybrick.builders.base import EpisodeBuilder

        task, chosen = some_targets(self.task, self.data, "test", self.targets)
        guide = register.builder(self.agent, task.offsets, task=self.task)
        if not isinstance(guide, EpisodeBuilder):
            raise InputError(f"{self.agent} does not propose bricks: choose b3plus, b3, mlp or an agent's file")
        with working("measuring") as status:
            figures = bench_guided(chosen, guide, self.work, lambda what: status.update(f"measuring {what}"))
        print_figures(f"{self.agent} and search on {self.task}", figures, self.as_json)


@dataclass(frozen=True)
class BenchStudio:
    """People who build at once on one server: builds a second, requests lost, models mixed, memory."""

    builders: int = 50
    """How many build at once, 64 at most."""
    rounds: int = 2
    """Models that each of them has built."""
    agent: str | None = None
    """Who builds, as the studio names it; all of them in turn if not given."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.bench.studio import bench_studio

        with working("starting a studio") as status:
            figures = bench_studio(
                self.builders, self.rounds, self.agent, lambda what: status.update(f"measuring {what}")
            )
        print_figures("the studio", figures, self.as_json)


@dataclass(frozen=True)
class BenchColour:
    """How true the colours of models are and how many bricks they take, beside the same models in one colour."""

    input: tyro.conf.Positional[Path]
    """A picture, a mesh, or a folder of them."""
    size: int | None = None
    """Studs of the longest side; by what the input holds if not given."""
    palette: str = "all"
    """Colours to build with: all, common, or names with commas between them."""
    tolerance: float = TOLERANCE
    """Fewer bricks or truer colours, as in b3 build."""
    picture: Path | None = None
    """A PNG to write, of all models side by side."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.building import inputs_of
        from brickbybrick.experiments.colouring import all_measured, as_picture, as_table
        from brickbybrick.files import write_whole
        from brickbybrick.picture import to_png

        order = Order(size=self.size, palette=self.palette, tolerance=self.tolerance)
        with working("building") as status:
            rows = all_measured(inputs_of(self.input), order, lambda what: status.update(f"building {what}"))
        if self.picture is not None:
            write_whole(self.picture, to_png(as_picture(rows), small=True))
        print(json.dumps([row.record() for row in rows]) if self.as_json else as_table(rows))


@dataclass(frozen=True)
class BenchParts:
    """How true models are to meshes and how many parts they take, with bricks alone and with finer parts."""

    inputs: tyro.conf.Positional[tuple[Path, ...]] = ()
    """Meshes, or folders of them; a ball, two cones and a torus if none is given."""
    size: int = 24
    """Studs of the longest side."""
    parts: tuple[Parts, ...] = get_args(Parts)
    """What to build with, as in b3 build."""
    table: Path | None = None
    """A file to write, with the table as Markdown."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.experiments.fineness import all_measured, as_table, named_meshes
        from brickbybrick.files import write_whole

        orders = [Order(size=self.size, parts=parts) for parts in dict.fromkeys(self.parts)]
        with working("building") as status:
            rows = all_measured(named_meshes(self.inputs), orders, lambda what: status.update(f"building {what}"))
        if self.table is not None:
            write_whole(self.table, (as_table(rows) + "\n").encode())
        print(json.dumps([row.record() for row in rows]) if self.as_json else as_table(rows))


@dataclass(frozen=True)
class BenchHands:
    """How models are put together by hand: what is built apart, steps, what must be held or is not seen."""

    inputs: tyro.conf.Positional[tuple[Path, ...]]
    """Models (.json, .ldr, .mpd, .io), pictures, meshes, or folders of them."""
    size: int | None = None
    """Studs of the longest side of what is built; by what the input holds if not given."""
    parts: tuple[Parts, ...] = ("plates",)
    """What to build with, as in b3 build."""
    kept: Path | None = None
    """A folder for what was built, from which it is read the next time."""
    table: Path | None = None
    """A file to write, with the table as Markdown."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.experiments.hands import all_measured, as_table, files_of
        from brickbybrick.files import write_whole

        orders = [Order(size=self.size, parts=parts) for parts in dict.fromkeys(self.parts)]
        rows = []
        with working("planning") as status:
            for row in all_measured(
                files_of(self.inputs), orders, self.kept, lambda what: status.update(f"planning {what}")
            ):
                if isinstance(row, InputError):
                    NOTES.print(f"left out: {row}", highlight=False, markup=False)
                else:
                    rows.append(row)
        if not rows:
            raise InputError("nothing to put together: give models that can be built, pictures or meshes")
        if self.table is not None:
            write_whole(self.table, (as_table(rows) + "\n").encode())
        print(json.dumps([row.record() for row in rows]) if self.as_json else as_table(rows))


@dataclass(frozen=True)
class Bench:
    """Measure how fast things are, and how true."""

    what: (
        Annotated[BenchEnv, tyro.conf.subcommand("env")]
        | Annotated[BenchPeers, tyro.conf.subcommand("peers")]
        | Annotated[BenchValidity, tyro.conf.subcommand("validity")]
        | Annotated[BenchTrain, tyro.conf.subcommand("train")]
        | Annotated[BenchSearch, tyro.conf.subcommand("search")]
        | Annotated[BenchGuided, tyro.conf.subcommand("guided")]
        | Annotated[BenchStudio, tyro.conf.subcommand("studio")]
        | Annotated[BenchColour, tyro.conf.subcommand("colour")]
        | Annotated[BenchParts, tyro.conf.subcommand("parts")]
        | Annotated[BenchHands, tyro.conf.subcommand("hands")]
    )

    def run(self) -> None:
        self.what.run()
