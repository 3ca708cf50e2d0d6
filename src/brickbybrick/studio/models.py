"""Models that people bring: a file of ours or of LDraw, as bricks that can be built on."""

from typing import Any

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export import ldraw
from brickbybrick.studio.requests import bricks_of
from brickbybrick.studio.verdicts import judged

LDRAW = (".ldr", ".mpd", ".dat")


def opened(name: str, content: bytes) -> dict[str, Any]:
    """The model that a file holds, and the verdict on it; the name's ending tells what the file is."""
    ending = "." + name.lower().rpartition(".")[2]
    if ending not in (*LDRAW, ".json"):
        raise InputError(f"{name}: no model by its ending; give one of {', '.join(LDRAW)}, .json")
    try:
        if ending == ".json":
            model = Construction.from_json(content)
        elif len(content) > ldraw.MOST_BYTES:
            raise InputError(f"more than {ldraw.MOST_BYTES // 1_000_000} MB: give a smaller model")
        else:
            model = ldraw.from_ldraw(content)
        bricks = bricks_of([brick.record() for brick in model.bricks])
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    shown = {
        "name": model.target or name.rpartition(".")[0],
        "builder": model.builder,
        "notes": list(model.notes),
    }
    return {"bricks": [brick.record() for brick in bricks], **shown, **judged(bricks, model.budget)}
