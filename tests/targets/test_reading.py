"""How inputs are understood: as agents were trained if nothing else is said, and within limits."""

from typing import Any

import pytest

from brickbybrick.errors import InputError
from brickbybrick.targets.reading import AS_TRAINED, Reading
from brickbybrick.targets.target import VIEW_SIDE


def test_nothing_said_is_as_agents_were_trained() -> None:
    assert (AS_TRAINED.size, AS_TRAINED.proportions, AS_TRAINED.colours) == (VIEW_SIDE, "cubic", False)


@pytest.mark.parametrize(
    "changed", [{"size": 3}, {"size": 97}, {"depth": 0}, {"contrast": 0.0}, {"mosaic": True, "depth": 2}]
)
def test_what_makes_no_sense_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"choose|lies flat"):
        Reading(**changed)
