"""The BO baseline: its Gaussian processes against scikit-learn's, its choices against trying everything."""

import numpy as np
import pytest
import torch
from scipy.stats import norm
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern

from brickbybrick.builders import bayes
from brickbybrick.builders.base import RandomBuilder
from brickbybrick.builders.bayes import (
    LENGTHS,
    NOISE,
    BayesBuilder,
    KimBuilder,
    evaluate,
    expected_improvement,
    find_candidates,
)
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.construction import Construction
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.voxels import iou
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import TargetSet


def points_and_scores(points: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Six small regression problems on the grid: where, how much, and where else."""
    generator = np.random.default_rng(points)
    x = generator.integers(0, 14, (6, points, 4)).astype(float)
    x[..., 3] %= 2
    x[0, 1] = x[0, 0]  # raw pairs repeat a pose
    y = np.sin(x[..., 0] / 3) + np.cos(x[..., 2] / 5) + x[..., 3] / 2
    y = (y - y.mean(axis=1, keepdims=True)) / y.std(axis=1, keepdims=True)
    at = generator.integers(0, 14, (6, 40, 4)).astype(float)
    return torch.from_numpy(x), torch.from_numpy(y), torch.from_numpy(at)


def regressor(lengths: tuple[float, ...], variance: float) -> GaussianProcessRegressor:
    kernel = ConstantKernel(variance) * Matern(lengths, nu=2.5)
    return GaussianProcessRegressor(kernel, alpha=NOISE * variance, optimizer=None)


@pytest.mark.parametrize("points", [5, 9, 14])
def test_posteriors_equal_scikit_learns(points: int) -> None:
    x, y, at = points_and_scores(points)
    processes = bayes.fit(x, y)
    mean, deviation = bayes.posterior(processes, at)
    for row in range(len(x)):
        expected = regressor(tuple(processes.lengths[row].tolist()), float(processes.variance[row]))
        expected_mean, expected_deviation = expected.fit(x[row], y[row]).predict(at[row], return_std=True)
        np.testing.assert_allclose(mean[row], expected_mean, atol=1e-6)
        np.testing.assert_allclose(deviation[row].square(), expected_deviation**2, atol=1e-6)


def test_the_likeliest_lengths_and_variance_of_the_grid_are_taken() -> None:
    """No choice of lengths from the grid, with any variance, is likelier by scikit-learn's reckoning."""
    x, y, _ = points_and_scores(9)
    processes = bayes.fit(x, y)
    for row in range(len(x)):

        def likelihood(across: float, up: float, variance: float, row: int = row) -> float:
            fitted = regressor((across, across, up, across), variance).fit(x[row], y[row])
            return float(fitted.log_marginal_likelihood_value_)

        across, _, up, _ = processes.lengths[row].tolist()
        taken = likelihood(across, up, float(processes.variance[row]))
        for variance in np.geomspace(0.01, 1000, 6):
            others = [likelihood(across, up, float(variance)) for across in LENGTHS for up in LENGTHS]
            assert taken >= max(others) - 1e-4


def test_expected_improvement_is_that_of_a_normal_variable() -> None:
    mean, deviation = torch.tensor([-1.0, 0.2, 0.9, 3.0]).double(), torch.tensor([0.5, 2.0, 1e-3, 1.0]).double()
    best = 0.7
    gain = expected_improvement(mean, deviation, torch.tensor(best)).numpy()
    z = (mean.numpy() - best) / deviation.numpy()
    np.testing.assert_allclose(gain, (mean.numpy() - best) * norm.cdf(z) + deviation.numpy() * norm.pdf(z), atol=1e-12)
    draws = mean.numpy() + deviation.numpy() * np.random.default_rng(0).standard_normal((400_000, 4))
    np.testing.assert_allclose(gain, np.maximum(draws - best, 0).mean(axis=0), atol=0.01)


def test_equal_scores_still_lead_somewhere_new() -> None:
    """Where nothing evaluated so far differs, the candidate farthest from all of it is the least certain."""
    features = torch.zeros((1, 30, 4)).double()
    features[0, :, 0] = torch.arange(30)
    tried = np.arange(5)[None]
    assert bayes.propose(features, tried, np.full((1, 5), 0.25), np.array([25])).tolist() == [24]


@pytest.mark.parametrize("offsets", ["mnist", "random", "modelnet", "all"])
@pytest.mark.parametrize("distinct", [False, True])
def test_candidates_are_all_valid_placements(offsets: str, distinct: bool, solid_targets: TargetSet) -> None:
    """Against the readable rules, eight random bricks into an episode; and their IoU against counting cells."""
    joints = offset_set(offsets)
    sim = Simulator(solid_targets, joints, num_envs=len(solid_targets))
    sim.reset(targets=np.arange(len(solid_targets)))
    actions = np.zeros((len(solid_targets), 2), np.int64)
    for _ in range(8):
        sim.random_actions(actions)
        sim.step(actions)
    envs = np.array([2, 0])
    found = find_candidates(sim, envs, distinct)
    scores = evaluate(sim, envs, found.poses)
    for row, env in enumerate(envs):
        assembly = Assembly(offsets=joints)
        for pose in sim.construction(env).poses:
            assembly.put(pose)
        valid = [tuple(pair) for pair in np.argwhere(assembly.mask()).tolist()]
        poses = [joints.place(assembly.poses[pivot], offset) for pivot, offset in valid]
        count = int(found.counts[row])
        pairs = [tuple(pair) for pair in found.actions[row, :count].tolist()]
        assert [tuple(pose) for pose in found.poses[row, :count].tolist()] == [poses[valid.index(p)] for p in pairs]
        if distinct:
            assert len({poses[valid.index(pair)] for pair in pairs}) == count == len(set(poses))
        else:
            assert sorted(pairs) == valid
            assert pairs != valid  # shuffled
        pose = poses[valid.index(pairs[0])]
        assert scores[row, 0] == pytest.approx(
            iou(assembly.size, [*assembly.poses, pose], sim.targets[int(env)].volume)
        )


def replay(construction: Construction, target_volume: np.ndarray) -> list[float]:
    """IoU after each brick."""
    poses = construction.poses
    return [iou(Assembly().size, poses[: step + 1], target_volume) for step in range(len(poses))]


@pytest.mark.parametrize("distinct", [False, True])
def test_with_few_candidates_the_best_is_taken(distinct: bool, flat_targets: TargetSet) -> None:
    """With six offsets, most steps of a digit have no more than 15 candidates: BO is then greedy."""
    offsets = offset_set("mnist")
    few = many = 0
    for target in flat_targets:
        construction = BayesBuilder(offsets, distinct=distinct).build(target)
        scores = replay(construction, target.volume)
        assembly = Assembly(offsets=offsets)
        for step, placed in enumerate(construction.poses):
            if step:
                valid = np.argwhere(assembly.mask()).tolist()
                poses = [offsets.place(assembly.poses[pivot], offset) for pivot, offset in valid]
                best = max(iou(assembly.size, [*assembly.poses, pose], target.volume) for pose in poses)
                if len(set(poses) if distinct else poses) <= 15:
                    few += 1
                    assert scores[step] == pytest.approx(best)
                else:
                    many += 1
                    assert scores[step] <= best + 1e-12
            assembly.put(placed)
    assert few > many


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("offsets", ["mnist", "modelnet", "all"])
def test_what_is_built_obeys_the_rules(offsets: str, distinct: bool, solid_targets: TargetSet) -> None:
    builder = BayesBuilder(offset_set(offsets), seed=3, distinct=distinct)
    for target, construction in zip(solid_targets, builder.build_all(solid_targets.targets), strict=True):
        assembly = Assembly()
        for pose in construction.poses:
            assembly.put(pose)  # refuses bricks that overlap or lie underground
        assert all(assembly.neighbours(brick) for brick in range(len(assembly.poses)))
        assert assembly.poses[0] == target.start
        assert len(assembly.poses) == target.budget
        assert construction.iou == pytest.approx(iou(assembly.size, assembly.poses, target.volume))
        assert (construction.builder, construction.target) == ("bo", target.name)


@pytest.mark.parametrize(("task_name", "distinct"), [("mnist-0", False), ("random", True), ("random", False)])
def test_a_target_is_built_the_same_in_any_batch(
    task_name: str, distinct: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = load_task(task_name)
    targets = task.test.targets[:12]
    builder = BayesBuilder(task.offsets, seed=7, distinct=distinct)
    together = builder.build_all(targets)
    assert builder.build_all(targets[::-1])[::-1] == together
    assert [builder.build(target) for target in targets[:3]] == together[:3]
    monkeypatch.setattr(bayes, "ENVS_AT_ONCE", 5)
    assert builder.build_all(targets) == together
    assert BayesBuilder(task.offsets, seed=8, distinct=distinct).build_all(targets) != together


def test_bo_lies_between_chance_and_greedy_on_real_digits() -> None:
    task = load_task("mnist-3")
    targets = task.test.targets[:20]
    scores = {
        label: np.mean([construction.iou for construction in builder.build_all(targets)])
        for label, builder in {
            "random": RandomBuilder(task.offsets),
            "bo": BayesBuilder(task.offsets),
            "greedy": GreedyBuilder(task.offsets),
        }.items()
    }
    assert scores["random"] + 0.2 < scores["bo"] < scores["greedy"] + 0.02  # greedy draws among equals, so may lose


def test_proposals_beat_as_many_random_looks() -> None:
    """What the Gaussian process is for: 16 offsets give enough candidates to tell."""
    task = load_task("random")
    targets = task.test.targets[:40]
    proposed = BayesBuilder(task.offsets, distinct=True).build_all(targets)
    drawn = BayesBuilder(task.offsets, distinct=True, initial=15, more=0).build_all(targets)
    assert np.mean([c.iou for c in proposed]) > np.mean([c.iou for c in drawn]) + 0.05


def test_the_number_of_candidates_is_reported(flat_targets: TargetSet) -> None:
    offsets = offset_set("mnist")
    raw, distinct = BayesBuilder(offsets), BayesBuilder(offsets, distinct=True)
    raw_notes = raw.build(flat_targets[0]).notes
    distinct_notes = distinct.build(flat_targets[0]).notes
    assert 1 < distinct.candidates_per_step < raw.candidates_per_step < 6 * flat_targets[0].budget
    assert f"{raw.candidates_per_step:.1f} (pivot, offset) pairs" in raw_notes[-1]
    assert f"{distinct.candidates_per_step:.1f} distinct placements" in distinct_notes[-1]


def test_no_evaluations_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1"):
        BayesBuilder(offset_set("mnist"), initial=0)


def test_torch_keeps_its_threads(flat_targets: TargetSet) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        BayesBuilder(offset_set("mnist")).build(flat_targets[0])
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


def test_kims_choice_is_among_a_few_of_all_joints(flat_targets: TargetSet) -> None:
    """The pool is a random draw: with one placement in it nothing is chosen, with all it is BO on all joints."""
    offsets = offset_set("mnist")
    every = [BayesBuilder(offset_set("all"), seed=5).build(target) for target in flat_targets]
    large = [KimBuilder(offsets, seed=5, pool=10_000).build(target) for target in flat_targets]
    assert [each.bricks for each in large] == [each.bricks for each in every]
    assert any(brick.d == 1 for each in large for brick in each.bricks)  # which a digit's offsets never turn
    few = [
        np.mean([KimBuilder(offsets, seed, pool=pool).build(t).iou for t in flat_targets])
        for pool in (1, 50)
        for seed in range(5)
    ]
    assert np.mean(few[:5]) < np.mean(few[5:]) - 0.05
    builder = KimBuilder(offsets, pool=7)
    builder.build(flat_targets[0])
    assert builder.candidates_per_step == 7
    with pytest.raises(InputError, match="pool"):
        KimBuilder(offsets, pool=0)
