"""What is believed about the volume behind three views is a volume with these views, at any size."""

import time
from dataclasses import replace

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from brickbybrick.builders.beam.planner import from_views
from brickbybrick.builders.belief import FILLED, Belief, believed_volume, proven
from brickbybrick.builders.register import VOLUME, belief_of_file
from brickbybrick.geometry.voxels import silhouettes, three_views, visual_hull
from brickbybrick.policies.volume import LAYERS, VolumeConfig, VolumeNetwork
from brickbybrick.targets.inputs import HULL_RATIO
from brickbybrick.targets.target import target_of_image, target_of_views, target_of_voxels

seeds = st.integers(0, 10_000)
sides = st.tuples(st.integers(1, 20), st.integers(1, 20), st.integers(1, 40))


def untrained() -> Belief:
    torch.manual_seed(3)
    return Belief(VolumeNetwork(VolumeConfig(width=8, layers=2)))


def hull_of(seed: int, shape: tuple[int, int, int], filled: float) -> np.ndarray:
    """What the views of some random boxes leave room for."""
    random, volume = np.random.default_rng(seed), np.zeros(shape, bool)
    for _ in range(1 + int(20 * filled)):
        low = random.integers(0, shape)
        high = random.integers(low, shape) + 1
        volume[tuple(map(slice, low, high))] = True
    return visual_hull(silhouettes(volume))


def pieces(volume: np.ndarray) -> int:
    return ndimage.label(volume)[1]


@given(seed=seeds, shape=sides, filled=st.floats(0, 1), share=st.floats(0, 1))
@settings(max_examples=150, deadline=None)
def test_a_believed_volume_has_the_views_of_its_hull(
    seed: int, shape: tuple[int, int, int], filled: float, share: float
) -> None:
    """Whatever is believed. It hangs together as the hull does, and has every cell that is likely enough."""
    hull = hull_of(seed, shape, filled)
    likely = np.where(hull, np.random.default_rng(seed).random(shape) ** (4 * share), 0).astype(np.float32)
    volume = believed_volume(hull, likely)
    assert not (volume & ~hull).any()
    assert volume[likely > FILLED].all()
    for shown, wanted in zip(silhouettes(volume), silhouettes(hull), strict=True):
        assert np.array_equal(shown, wanted)
    assert volume[proven(hull)].all()
    assert pieces(volume) <= pieces(hull)


def test_what_is_believed_full_is_the_hull_and_what_is_believed_empty_is_thin() -> None:
    hull = np.ones((5, 6, 7), bool)
    assert believed_volume(hull, np.ones(hull.shape, np.float32)).all()
    thin = believed_volume(hull, np.where(hull, np.float32(0.1), 0))
    assert pieces(thin) == 1
    assert thin.sum() < hull.sum() / 2


@given(seed=seeds, shape=sides, filled=st.floats(0, 1), height=st.sampled_from([0.4, 1.0, 1.2]))
@settings(max_examples=25, deadline=None)
def test_what_views_prove_stays_proven_at_any_size(
    seed: int, shape: tuple[int, int, int], filled: float, height: float
) -> None:
    hull = hull_of(seed, shape, filled)
    likely = untrained().likely(hull, height)
    assert not likely[~hull].any()
    assert ((likely > 0) & (likely <= 1))[hull].all()
    assert (likely[proven(hull)] == 1).all()


def test_cells_that_the_network_knows_are_looked_at_one_by_one() -> None:
    """As the search looks at them, and in mirrors."""
    volume = np.zeros((LAYERS,) * 3, bool)
    volume[2:12, 3:11, :5] = volume[4:6, 5:9, :12] = True
    target = target_of_views("chair", three_views(volume), HULL_RATIO)
    seen = []
    for axes in ((), (0,), (1,), (0, 1)):
        mirrored = replace(target, hull=np.flip(target.hull, axes))
        seen.append(np.flip(untrained().cells(mirrored), axes))
    np.testing.assert_allclose(untrained().likely(target.hull), np.mean(seen, axis=0), atol=1e-5)


@given(seed=seeds, filled=st.floats(0, 1), axis=st.integers(0, 1))
@settings(max_examples=25, deadline=None)
def test_what_is_the_same_in_a_mirror_is_believed_to_be_the_same_there(seed: int, filled: float, axis: int) -> None:
    half = hull_of(seed, (2 * LAYERS, 2 * LAYERS, 30), filled)
    half[0], half[-1], half[:, 0], half[:, -1] = True, True, True, True  # of the network's size, so that blocks agree
    hull = visual_hull(silhouettes(half | np.flip(half, axis)))
    likely = untrained().likely(hull, 0.4)
    np.testing.assert_allclose(likely, np.flip(likely, axis), atol=1e-5)


def test_finer_cells_of_one_thing_are_believed_alike() -> None:
    """Blocks of 2 x 2 x 5 plates, which are cubes, are taken for the cell that they fill."""
    hull = hull_of(5, (LAYERS,) * 3, 0.2)
    hull = visual_hull(silhouettes(np.pad(hull, 1)[1:-1, 1:-1, 1:-1] | (np.indices(hull.shape).max(axis=0) < 2)))
    fine = hull.repeat(2, axis=0).repeat(2, axis=1).repeat(5, axis=2)
    coarse, found = untrained().likely(hull), untrained().likely(fine, 0.4)
    middles = found.reshape(LAYERS, 2, LAYERS, 2, LAYERS, 5).mean(axis=(1, 3, 5))
    there = hull & ~proven(hull)
    assert np.corrcoef(middles[there], coarse[there])[0, 1] > 0.8


def test_the_rule_of_the_hull_holds_where_the_network_knows_nothing() -> None:
    flat = target_of_image("bar", np.ones((14, 14), bool))
    tall = target_of_voxels("tower", np.ones((3, 3, 20), bool), side=20)
    for target in (flat, tall):
        assert np.array_equal(untrained()(target).cells, from_views(target).cells)
    low = target_of_voxels("block", np.ones((4, 4, 4), bool))
    assert np.array_equal(untrained()(low).cells, untrained().cells(low))


def test_the_largest_things_take_seconds() -> None:
    """A ball of 96 studs in plates, in many pieces, for it is drawn cell by cell what is believed of it."""
    ball = np.linalg.norm((np.mgrid[:96, :96, :240].T * (1, 1, 0.4) - 47.5).T, axis=0) < 48
    hull = visual_hull(silhouettes(ball))
    likely = np.where(hull, np.random.default_rng(0).random(hull.shape) * 0.6, 0).astype(np.float32)
    start = time.process_time()
    volume = believed_volume(hull, likely)
    assert time.process_time() - start < 12
    assert pieces(hull & (likely > FILLED)) > 1000
    assert pieces(volume) == 1


def test_plain_boxes_stay_whole() -> None:
    """Three rectangles are a box to everyone, whatever else could cast them: a cube, a plank, a tower, in any size."""
    network = belief_of_file(VOLUME)
    for shape in ((14, 14, 14), (24, 24, 24), (14, 4, 3), (6, 6, 14), (32, 20, 8)):
        box = np.ones(shape, bool)
        assert believed_volume(box, network.likely(box)).all(), shape
