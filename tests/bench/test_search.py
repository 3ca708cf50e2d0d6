"""Search, measured: the same IoU as one finds by building, and beside the agent that guides it."""

import json

import pytest
from command_line import b3

from brickbybrick.bench.search import bench_guided, bench_search
from brickbybrick.builders import register
from brickbybrick.builders.base import EpisodeBuilder
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.errors import InputError
from brickbybrick.targets.catalog import load_task


def test_the_figures_are_those_of_the_builders() -> None:
    task = load_task("random")
    targets = list(task.test[:2])
    figures = bench_search(targets, task.offsets, (100, 3_000))
    greedy = [each.iou or 0 for each in GreedyBuilder(task.offsets).build_all(targets)]
    assert figures["greedy_iou"] == pytest.approx(sum(greedy) / 2)
    assert figures["search_volume_3000_iou"] >= figures["search_volume_100_iou"]
    assert min(value for name, value in figures.items() if name.endswith("_ms")) > 0


def test_without_more_states_the_guided_search_is_the_agent_itself() -> None:
    task = load_task("mnist-1")
    agent = register.builder("b3plus", task.offsets, task="mnist-1")
    assert isinstance(agent, EpisodeBuilder)
    figures = bench_guided(task.test[:2], agent, (0,))
    assert figures["guided_0_iou"] >= figures["agent_iou"] > 0
    assert {"agent_ms", "guided_0_ms", "search_0_iou", "search_0_ms"} <= set(figures)


def test_the_command_prints_one_flat_object() -> None:
    figures = json.loads(b3("bench", "search", "--targets", "3", "--work", "1000", "--json").stdout)
    assert all(isinstance(value, float) and value > 0 for value in figures.values())
    assert {"greedy_iou", "greedy_ms", "search_images_1000_iou", "search_images_1000_ms"} <= set(figures)


def test_there_must_be_something_to_measure() -> None:
    task = load_task("mnist-1")
    for targets, works in ((task.test[:1], ()), (task.test[:1], (-1,)), ([], (10,))):
        with pytest.raises(InputError, match="at least one target and work of 0 or more"):
            bench_search(targets, task.offsets, works)
