"""How a model is said to stand: with how much is left until it falls."""

from collections.abc import Sequence
from dataclasses import replace
from math import atan, degrees

import numpy as np
import pytest
from geometry.models import stairs

from brickbybrick.construction import Construction, OtherPart, PlacedBrick
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.forces import least_friction
from brickbybrick.geometry.statics import FRICTION, Ground, Statics
from brickbybrick.judging.check import judge, sized
from brickbybrick.judging.verdict import BARE, FIRM, TOUCHED, Verdict, explain, is_steady


def model(*poses: Sequence[int]) -> Construction:
    return Construction.of_poses(BRICK_2X4, poses)


def heart(layers: int = 40) -> Construction:
    """Bricks 2x4 with their long sides to the back, wider from layer to layer, on one: 38 cm high at 40 layers."""
    halves = [2 * min(z // 2, 10) for z in range(layers)]  # studs on either side of the middle brick
    return model(*((x + z % 2, 0, z, 0) for z, half in enumerate(halves) for x in range(-half, half + 1, 2)))


def test_a_heart_on_one_brick_is_not_said_to_stand() -> None:
    """Its forces are in balance; yet a lean of two degrees tips it over."""
    verdict = judge(heart())
    assert verdict.stands
    assert verdict.steady is False
    assert verdict.tips_at is not None
    assert verdict.tips_at < TOUCHED
    on_table, on_plate = (sentence for sentence in verdict.sentences if sentence.startswith("On a "))
    assert on_table.startswith("On a table it tips over when touched, at a lean of ")
    assert on_table.endswith(" degrees: widen its foot.")
    assert "stands" not in on_table
    assert on_plate.startswith("On a studded plate it ")


@pytest.mark.parametrize("bricks", [1, 5, 40, 200])
def test_a_column_is_steady_up_to_three_degrees(bricks: int) -> None:
    """2x2 bricks, 15.8 mm wide and 9.6 mm high each: atan(7.9 / 4.8 n) is above 3 degrees up to 31 of them."""
    verdict = judge(Construction(tuple(PlacedBrick("2x2", 0, 0, 3 * z, 0) for z in range(bricks))))
    assert verdict.tips_at == pytest.approx(degrees(atan(7.9 / (4.8 * bricks))))
    assert verdict.steady == (bricks <= 31)
    assert any("tips over when touched" in sentence for sentence in verdict.sentences) != verdict.steady


def test_an_arch_tips_over_the_way_that_it_is_narrow() -> None:
    """Two feet 4 deep and three bricks high, 10 studs from end to end, and three bricks across them."""
    feet = [(x, 0, z, 0) for x in (0, 8) for z in range(3)]
    built = model(*feet, (1, 1, 3, 1), (5, 1, 3, 1), (3, 1, 4, 1))
    heights = [0.5, 1.5, 2.5] * 2 + [3.5, 3.5, 4.5]
    verdict = judge(built)
    assert verdict.tips_at == pytest.approx(degrees(atan(15.9 / (9.6 * np.mean(heights)))))
    assert verdict.steady


def built_stairs(steps: int) -> Construction:
    return Construction(tuple(PlacedBrick(str(part), *pose) for part, pose in stairs(steps, 2)))


def least_share(built: Construction, ground: Ground) -> float:
    """The linear program solved for each turn of the contact points, without any shortcut."""
    statics = Statics(sized(built.bricks))
    solved = [least_friction(statics, statics.points(ground, turn)) for turn in statics.turns()]
    return max(forces.friction for forces in solved if forces is not None) / FRICTION


@pytest.mark.parametrize("steps", [4, 10, 14, 17, 18, 19])
def test_stairs_on_a_plate_are_said_to_stand_as_firmly_as_they_do(steps: int) -> None:
    """StableLego's stairs stood with 19 steps and fell with 20."""
    built = built_stairs(steps)
    share = least_share(built, Ground.PLATE)
    verdict = judge(built)
    assert verdict.load_factor_on_plate == pytest.approx(share, abs=1e-6)
    manner = "stands firmly:" if share < FIRM else "stands:" if share < BARE else "stands barely:"
    says = f"On a studded plate it {manner} the most loaded joint bears {100 * share:.0f} % of what it can"
    (sentence,) = (sentence for sentence in verdict.sentences if "plate" in sentence)
    assert sentence.startswith(says)
    assert ("glue it, or widen its foot" in sentence) == (share >= BARE)


def test_all_three_manners_occur() -> None:
    shares = [least_share(built_stairs(steps), Ground.PLATE) for steps in (10, 17, 19)]
    assert shares[0] < FIRM <= shares[1] < BARE <= shares[2] < 1


def sentences(**known: object) -> str:
    figures: dict[str, object] = {
        **dict.fromkeys(
            ("joined", "no_overlap", "above_ground", "in_budget", "insertable", "insertable_as_placed"), True
        ),
        "stands": True,
        "stands_on_plate": True,
        "load_factor": 0.2,
        "load_factor_on_plate": 0.2,
    }
    return " ".join(explain(Verdict(**{**figures, **known}), model(), 1))  # type: ignore[arg-type]


def test_a_bound_never_says_that_a_model_barely_stands() -> None:
    """It may be far from what the joints really bear; below half of it the true share is below half too."""
    large = {"exact_load_factors": False}
    assert "stands firmly: the most loaded joint bears at most 20 %" in sentences(**large)
    high = sentences(load_factor=0.97, load_factor_on_plate=0.97, **large)
    assert "it stands: the most loaded joint bears at most 97 %" in high
    assert "barely" not in high
    assert "it stands barely: the most loaded joint bears 97 %" in sentences(load_factor=0.97)


def test_nothing_is_said_of_a_margin_that_nobody_knows() -> None:
    unknown = sentences(stands=None, stands_on_plate=None, load_factor=None, load_factor_on_plate=None, tips_at=8.07)
    assert unknown.startswith("On a table it may stand or fall; on a studded plate too.")
    assert "joint" not in unknown
    assert "The table may lean 8.0 degrees before the model tips over." in unknown  # rounded down


@pytest.mark.parametrize(
    ("stands", "tips_at", "steady"),
    [
        (True, 10.0, True),
        (True, 2.99, False),
        (False, 10.0, False),
        (None, 10.0, None),
        (None, 2.99, False),
        (True, None, True),
    ],
)
def test_what_is_steady(stands: bool | None, tips_at: float | None, steady: bool | None) -> None:
    assert is_steady(stands, tips_at) is steady


def test_what_is_not_judged_is_told() -> None:
    """Other parts change nothing of what is said about the bricks, and are named, ten kinds at most."""

    def parts(*names: str) -> tuple[OtherPart, ...]:
        return tuple(OtherPart(f"{name}.dat", 4, (0, 0, 0), (1,) * 9, (0, 0, 0), (1, 1, 1)) for name in names)

    plain = model((0, 0, 0, 0), (0, 0, 1, 0))
    verdict = judge(plain)
    one = judge(replace(plain, others=parts("3941")))
    assert one.sentences == (
        *verdict.sentences,
        "1 part is not judged, and all else as if there were no such parts: 3941.",
    )
    assert replace(one, sentences=()) == replace(verdict, sentences=())
    many = judge(replace(plain, others=parts("4589", "4589", *map(str, range(11)))))
    assert many.sentences[-1].startswith("13 parts are not judged")
    assert many.sentences[-1].endswith(": 2 of 4589, 0, 1, 2, 3, 4, 5, 6, 7, 8 and 2 more kinds.")
