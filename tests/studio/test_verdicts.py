"""What pages are told of models."""

from brickbybrick.building import build_wanted
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.kit import plan
from brickbybrick.judging.likeness import colour_figures
from brickbybrick.order import Order
from brickbybrick.studio.verdicts import judged, likeness_of, told_at_the_end
from brickbybrick.targets.inputs import wanted_picture
from brickbybrick.targets.things import drawing


def test_the_likeness_is_b3_builds() -> None:
    order = Order(size=16)
    (made,) = build_wanted([wanted_picture("cat", drawing("cat"), order.reading)], order)
    assert made.target is not None
    figures = colour_figures(made.construction, made.target)
    told = told_at_the_end(made)
    assert told["likeness"] == {
        "shape": made.construction.iou,
        "colour": figures["colour_close"],
        "mean_difference": figures["colour_mean"],
        "bricks": len(made.construction.bricks),
    }
    assert told["builder"] == "mason"
    assert told["construction"] == made.construction.record()


def test_a_model_without_a_target_is_like_nothing() -> None:
    bricks = (PlacedBrick("2x4", 0, 0, 0, 0),)
    told = likeness_of(plan(Construction(bricks)))
    assert told == {"shape": None, "colour": None, "mean_difference": None, "bricks": 1}
    assert judged(bricks)["verdict"]["stands"]
