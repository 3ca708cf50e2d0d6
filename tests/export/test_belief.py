"""Pictures of what is believed about the volume behind three silhouettes."""

from dataclasses import replace

import numpy as np
import pytest

from brickbybrick.export.belief import HARDLY, PERHAPS, SURELY, belief_in_space, picture_of_belief, shades
from brickbybrick.picture import INK, tones
from brickbybrick.targets.target import Target, target_of_voxels


def block(layer: int) -> Target:
    """A block of 6 x 4 studs and 2 bricks, whose left half is surely filled and whose right half hardly."""
    volume = np.ones((6, 4, 6 // layer), bool)
    target = target_of_voxels("block", volume, side=6, layer=layer)
    filled = target.volume & (np.indices(target.volume.shape)[0] < 3)
    belief = np.where(filled, 1.0, np.where(target.volume, 0.0, 0.0)).astype(np.float32)
    return replace(target, voxels=filled, belief=belief)


def seen(picture: object) -> set[tuple[int, ...]]:
    return {tuple(colour) for colour in np.asarray(picture)[..., :3].reshape(-1, 3).tolist()}


def test_the_surer_the_redder() -> None:
    told = shades(np.array([0.0, 0.5, 1.0]))
    assert [tuple(colour) for colour in told.tolist()] == [HARDLY, PERHAPS, SURELY]
    green = shades(np.linspace(0, 1, 20))[:, 1].astype(int)
    assert (np.diff(green) < 0).all()


@pytest.mark.parametrize("layer", [1, 3])
def test_all_of_the_room_is_shown_each_cell_in_its_shade(layer: int) -> None:
    """In space as light falls on it, also where nothing is built."""
    assert {tones(SURELY)["front"], tones(HARDLY)["front"], tones(HARDLY)["side"]} <= seen(
        belief_in_space(block(layer))
    )
    assert max(belief_in_space(block(layer), 100).size) <= 100


@pytest.mark.parametrize("layer", [1, 3])
def test_maps_have_a_line_around_what_is_built(layer: int) -> None:
    """Of a block the right half of each of two layers is left out: both maps show two shades and the line."""
    pixels = np.asarray(picture_of_belief(block(layer)).convert("RGB"))
    below = pixels[-260:]
    for colour in (HARDLY, SURELY, INK):
        assert (below == colour).all(axis=2).sum() > 100
    surely, hardly = ((below == colour).all(axis=2).sum() for colour in (SURELY, HARDLY))
    assert surely == pytest.approx(hardly, rel=0.15)


def test_a_tower_shows_layers_from_the_lowest_to_the_highest() -> None:
    """However many they are, the sheet stays one that can be looked at."""
    tower = target_of_voxels("tower", np.ones((3, 3, 90), bool), side=30, layer=1)
    tower = replace(tower, belief=tower.volume.astype(np.float32))
    assert max(picture_of_belief(tower).size) < 1200
