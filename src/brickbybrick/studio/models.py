"""Models that people bring: a file of ours or of LDraw, as bricks that can be built on."""

from typing import Any

from brickbybrick.errors import InputError
from brickbybrick.export.models import ENDINGS, model_in
from brickbybrick.judging.verdict import not_judged
from brickbybrick.studio.requests import bricks_of
from brickbybrick.studio.verdicts import judged


def opened(name: str, content: bytes) -> dict[str, Any]:
    """The bricks of the model that a file holds, and the verdict on them; the name's ending tells what the file is."""
    if "." + name.lower().rpartition(".")[2] not in ENDINGS:
        raise InputError(f"{name}: no model by its ending; give one of {', '.join(ENDINGS)}")
    model = model_in(name, content)
    try:
        bricks = bricks_of([brick.record() for brick in model.bricks])
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    shown = {
        "name": model.target or name.rpartition(".")[0],
        "builder": model.builder,
        "notes": [*model.notes, *not_judged(model)],
    }
    return {"bricks": [brick.record() for brick in bricks], **shown, **judged(bricks, model.budget)}
