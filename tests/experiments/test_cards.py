"""Cards can be read by programs and say what the records and the data say."""

from typing import Any

import pytest

from brickbybrick.bounds.yardstick import load_known
from brickbybrick.builders.register import WEIGHTS
from brickbybrick.experiments.cards import data_card, headed, model_head
from brickbybrick.targets.catalog import load_task

yaml = pytest.importorskip("yaml")


def head_of(card: str) -> dict[str, Any]:
    empty, head, _ = card.split("---\n", 2)
    assert empty == ""
    read: dict[str, Any] = yaml.safe_load(head)
    return read


def test_a_head_is_yaml_before_the_text() -> None:
    card = headed({"license": "mit", "tags": ["a: b", "#c"]}, "# A card\n")
    assert head_of(card) == {"license": "mit", "tags": ["a: b", "#c"]}
    assert card.endswith("---\n\n# A card\n")


def test_scores_are_results_of_the_model() -> None:
    head = model_head([("mnist-0-b3", "mnist-0", 0.53549)])
    ((result,),) = [model["results"] for model in head["model-index"]]
    assert (result["dataset"]["name"], result["dataset"]["split"]) == ("mnist-0", "test")
    assert result["metrics"] == [{"type": "iou", "name": "mean IoU of mnist-0-b3", "value": 0.535}]


def test_the_head_of_the_card_that_comes_along_has_every_network() -> None:
    head = head_of((WEIGHTS.parent / "README.md").read_text())
    assert {"license", "library_name", "pipeline_tag", "tags", "datasets", "metrics", "model-index"} == head.keys()
    named = {result["metrics"][0]["name"].rpartition(" ")[2] for result in head["model-index"][0]["results"]}
    assert named == {path.stem for path in WEIGHTS.glob("*.safetensors")}


def test_the_card_of_the_data_counts_them() -> None:
    task = load_task("random")
    card = data_card([task])
    assert head_of(card)["size_categories"] == ["1K<n<10K"]
    assert f"| random | {len(task.train)} | {len(task.test)} | " in card
    assert f"says of {len(load_known()):,} targets" in card
