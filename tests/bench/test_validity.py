"""How long exact validity takes, as the command measures it; it checks the masks that it times."""

import json

from command_line import b3


def test_the_command_prints_one_flat_object() -> None:
    figures = json.loads(b3("bench", "validity", "--json").stdout)
    assert all(isinstance(value, float) and value > 0 for value in figures.values())
    named = {"full_mask_us_100", "incremental_us_100", "incremental_us_1000", "ratio_to_pairwise_100"}
    assert named <= set(figures)
    # By far: the paper's rule takes 92 offsets x 1,000 bricks x 1,000 bricks.
    assert figures["ratio_to_pairwise_1000"] > 10
