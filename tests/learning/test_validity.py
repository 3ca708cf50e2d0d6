"""Learning validity: the data are the simulator's, the figures scikit-learn's, and training learns."""

import json

import numpy as np
import numpy.typing as npt
import pytest
import torch
from sklearn.metrics import average_precision_score, precision_score, recall_score, roc_auc_score

from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.relations import unpack_mask
from brickbybrick.learning.validity import (
    TRAIN_SEED,
    Histograms,
    States,
    ValidityTraining,
    curves,
    evaluate_validity,
    held_out_data,
    logit_histograms,
    near_neighbours,
    nodes_of,
    states_of,
    train_validity,
    validity_losses,
)
from brickbybrick.policies.graph_network import Room
from brickbybrick.policies.validity_network import ValidityConfig, ValidityNetwork
from brickbybrick.targets.random_assembly import ValidityData, validity_data
from brickbybrick.targets.target import TargetSet

TINY = ValidityTraining(ValidityConfig(width=32), episodes=50, bricks=6, epochs=25, batch=32, learning_rate=4e-3)


@pytest.fixture(scope="module")
def trained() -> tuple[ValidityNetwork, list[dict[str, float]]]:
    return train_validity(TINY)


def test_nodes_are_the_simulators(solid_targets: TargetSet) -> None:
    """Also where first bricks lie along x and unlike each other."""
    sim = Simulator(solid_targets, offset_set("all"), num_envs=16, budget=9)
    sim.target_arrays.starts[:, 3] = [0, 1, 0]
    sim.reset()
    actions = np.zeros((16, 2), np.int64)
    for _ in range(8):
        assert np.array_equal(nodes_of(sim.state.packed, sim.rel), sim.state.nodes)
        sim.random_actions(actions)
        sim.step(actions)
    assert np.array_equal(nodes_of(sim.state.packed, sim.rel), sim.state.nodes)
    assert len(np.unique(sim.state.nodes[:, :, 3])) == 2


def test_states_carry_the_exact_masks() -> None:
    data = validity_data(4, 8, seed=2)
    states = states_of(data, near_edges=False)
    assert np.array_equal(states.valid().numpy(), unpack_mask(data.packed.words, data.rel))
    assert states.bricks.tolist() == list(range(1, 9)) * 4
    assert np.array_equal(states.placed().sum(dim=1), states.bricks)


def test_what_stands_in_the_way_is_near() -> None:
    """Every brick that takes an offset from another is among its near neighbours, and so is every joined one."""
    data = validity_data(20, 12, seed=4)
    near, rel = near_neighbours(data.packed, data.rel), data.rel
    for row in range(11, 240, 12):
        poses = data.packed.placed[row, :, :4].astype(int)
        for pivot in range(12):
            neighbours = set(near[row, pivot].tolist()) - {-1}
            assert set(data.packed.neighbours[row, pivot].tolist()) - {-1} <= neighbours
            taken = {brick for brick in range(12) if brick != pivot and blocks(poses[brick], poses[pivot], data)}
            assert taken <= neighbours
            assert all(abs(poses[other, 2] - poses[pivot, 2]) == 1 for other in neighbours)
            assert all(np.abs(poses[other, :2] - poses[pivot, :2]).max() < rel.reach for other in neighbours)


def blocks(obstacle: npt.NDArray[np.int64], pivot: npt.NDArray[np.int64], data: ValidityData) -> bool:
    """Whether a brick alone takes an offset from a pivot, cell by cell."""
    cells = set(data.offsets.brick.cells(Pose(*obstacle.tolist())))
    places = (data.offsets.place(Pose(*pivot.tolist()), index) for index in range(len(data.offsets)))
    return any(not cells.isdisjoint(data.offsets.brick.cells(place)) for place in places)


def judged(network: ValidityNetwork, data: ValidityData) -> list[tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]]:
    """Truth and confidence of all pivots, and of all offsets."""
    states = states_of(data, network.config.near_edges)
    with torch.no_grad():
        logits = network(*states[:3])
    valid, placed = unpack_mask(data.packed.words, data.rel), states.placed().numpy()
    truths = valid.any(axis=-1), valid
    return [
        (truth[placed].ravel(), logit.double().sigmoid().numpy()[placed].ravel())
        for truth, logit in zip(truths, logits, strict=True)
    ]


def test_figures_are_scikit_learns(trained: tuple[ValidityNetwork, list[dict[str, float]]]) -> None:
    data = validity_data(40, 30, seed=7)  # more states than are judged at a time
    figures = evaluate_validity(trained[0], data)
    assert figures.pop("states") == 1200
    for head, (truth, confidence) in zip(("pivot", "offset"), judged(trained[0], data), strict=True):
        answer = confidence > 0.5
        assert figures.pop(f"{head}s") == len(truth)
        assert figures.pop(f"{head}_share_valid") == pytest.approx(truth.mean())
        for name, flip in (("valid", False), ("invalid", True)):
            pair = truth ^ flip, answer ^ flip
            assert figures.pop(f"{head}_precision_{name}") == pytest.approx(precision_score(*pair, zero_division=0))
            assert figures.pop(f"{head}_recall_{name}") == pytest.approx(recall_score(*pair))
    assert not figures


def test_curves_are_scikit_learns(trained: tuple[ValidityNetwork, list[dict[str, float]]]) -> None:
    data = validity_data(20, 15, seed=8)
    histograms = logit_histograms(trained[0], data)
    assert isinstance(histograms, Histograms)
    for counts, (truth, confidence) in zip(histograms, judged(trained[0], data), strict=True):
        for positive, flip in (("valid", False), ("invalid", True)):
            score = 1 - confidence if flip else confidence
            curve = curves(counts, positive)  # type: ignore[arg-type]
            assert curve.roc_area == pytest.approx(roc_auc_score(truth ^ flip, score), abs=2e-3)
            assert curve.average_precision == pytest.approx(average_precision_score(truth ^ flip, score), abs=5e-3)
            for rate in (curve.false_positive_rate, curve.true_positive_rate):
                assert (rate[0], rate[-1]) == (0, 1)
                assert np.all(np.diff(rate) >= 0)
            assert curve.precision[-1] == pytest.approx((truth ^ flip).mean())


def test_training_learns(trained: tuple[ValidityNetwork, list[dict[str, float]]]) -> None:
    network, records = trained
    assert [record["epoch"] for record in records] == list(range(1, 26))
    assert records[-1]["offset_loss"] < 0.6 * records[0]["offset_loss"]
    assert records[-1]["pivot_loss"] < records[0]["pivot_loss"]
    assert json.loads(json.dumps(records)) == records
    figures = evaluate_validity(network, validity_data(50, 6, seed=9))
    share = figures["offset_share_valid"]
    assert figures["offset_precision_valid"] > share + 0.3  # always answering "valid" has the share for a precision
    assert f1(figures, "offset") > 2 * share / (share + 1) + 0.1


def f1(figures: dict[str, float], head: str) -> float:
    precision, recall = figures[f"{head}_precision_valid"], figures[f"{head}_recall_valid"]
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize(
    "config",
    [ValidityConfig(width=8), ValidityConfig(width=8, messages="none"), ValidityConfig(width=8, near_edges=True)],
)
def test_the_same_seed_gives_the_same_weights(config: ValidityConfig) -> None:
    def weights(seed: int) -> list[torch.Tensor]:
        network, _ = train_validity(ValidityTraining(config, episodes=10, bricks=6, epochs=2, batch=16, seed=seed))
        return list(network.parameters())

    torch.manual_seed(5)
    drawn = torch.rand(1)
    torch.manual_seed(5)
    first, again, other = weights(1), weights(1), weights(2)
    assert all(torch.equal(one, two) for one, two in zip(first, again, strict=True))
    assert not all(torch.equal(one, two) for one, two in zip(first, other, strict=True))
    assert torch.equal(torch.rand(1), drawn)  # nobody else's random numbers were used up


def test_one_pass_sees_every_state_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def watched(network: ValidityNetwork, states: States, room: Room | None) -> tuple[torch.Tensor, torch.Tensor]:
        seen.extend(states.bricks.tolist())
        return validity_losses(network, states, room)

    monkeypatch.setattr("brickbybrick.learning.validity.validity_losses", watched)
    told: list[dict[str, float]] = []
    config = ValidityTraining(ValidityConfig(width=8), episodes=4, bricks=5, epochs=7, batch=10, one_pass=True)
    _, records = train_validity(config, told.append)
    assert seen == [1, 2, 3, 4, 5] * 4
    assert told == records
    assert len(records) == 1


def test_the_held_out_assemblies_are_others() -> None:
    held_out, other = held_out_data(), validity_data(1_000, 30, seed=TRAIN_SEED)
    assert len(held_out.packed.bricks) == 30_000
    last = slice(29, None, 30)
    same = (held_out.packed.placed[last] == other.packed.placed[last]).all(axis=(1, 2))
    assert not same.any()


def test_a_loss_that_is_no_number_stops_the_training() -> None:
    config = ValidityTraining(ValidityConfig(width=8), episodes=10, bricks=6, epochs=9, batch=8, learning_rate=1e20)
    with pytest.raises(InputError, match="a lower learning rate"):
        train_validity(config)


def test_what_cannot_be_trained_is_said() -> None:
    for changes in (
        {"epochs": 0},
        {"batch": 0},
        {"episodes": 0},
        {"learning_rate": 0.0},
        {"learning_rate": float("nan")},
    ):
        with pytest.raises(InputError):
            ValidityTraining(**changes)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="92"):
        train_validity(ValidityTraining(ValidityConfig(offsets=6), episodes=1))
    with pytest.raises(InputError, match="no device"):
        train_validity(ValidityTraining(episodes=1, device="abacus"))
    if not torch.cuda.is_available():
        with pytest.raises(InputError, match="no GPU"):
            train_validity(ValidityTraining(episodes=1, device="cuda"))
