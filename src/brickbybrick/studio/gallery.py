"""Examples for those who have nothing at hand: things to build, which are drawn by this package, and what the paper's
agents were tested on, unseen digits and objects joined at random."""

from functools import cache
from io import BytesIO
from threading import Lock
from typing import Any

from PIL import Image

from brickbybrick.colours import palette_of
from brickbybrick.order import Order
from brickbybrick.picture import to_png
from brickbybrick.studio.descriptions import data_url, views_of
from brickbybrick.studio.previews import preview
from brickbybrick.studio.sent import Sent
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.inputs import Wanted
from brickbybrick.targets.solids import SOLIDS, solid
from brickbybrick.targets.target import Target
from brickbybrick.targets.things import DRAWINGS, drawing

DIGITS, OBJECTS = 2, 12  # examples: digits of each class, and objects
ACROSS = 128  # pixels of the picture of an example
SKETCH = 20  # studs of the longest side of a mesh in its picture

_LOCK = Lock()


def example(target: Target) -> Sent:
    """Something that is the same however it is read, and that all agents build."""
    return Sent("picture" if len(target.images) == 1 else "silhouettes", target.name, fixed=Wanted(target))


def examples() -> dict[str, Sent]:
    """All examples by their names; of those for the paper's agents none was trained on."""
    with _LOCK:  # two pages that open at once must not both read all digits
        return _things() | _targets()


def sections() -> list[dict[str, Any]]:
    """The examples as a page shows them."""
    examples()
    with _LOCK:
        return _sections()


@cache
def _things() -> dict[str, Sent]:
    drawn = {
        name: Sent("picture", name, ((f"{name}.png", to_png(drawing(name))),), on_nothing=True) for name in DRAWINGS
    }
    solids = {name: Sent("mesh", name, ((f"{name}.obj", solid(name)),)) for name in SOLIDS}
    return drawn | solids


@cache
def _targets() -> dict[str, Sent]:
    tasks = [(f"mnist-{digit}", DIGITS) for digit in range(10)] + [("random", OBJECTS)]
    targets = [target for task, count in tasks for target in load_task(task).test.targets[:count]]
    return {target.name: example(target) for target in targets}


@cache
def _sections() -> list[dict[str, Any]]:
    return [
        {"title": "Things to build", "items": [_item(sent) for sent in _things().values()]},
        {"title": "The paper's targets", "items": [_item(sent) for sent in _targets().values()]},
    ]


def _item(sent: Sent) -> dict[str, Any]:
    item: dict[str, Any] = {
        "name": sent.name,
        "title": _title(sent.name),
        "kind": sent.kind,
        "preview": data_url(to_png(_picture(sent))),
    }
    if sent.fixed is not None:
        item["views"] = views_of(sent.fixed.target.images)
    return item


def _title(name: str) -> str:
    """A name for people: `mnist-3/400` is a digit, and `random/0` an object."""
    task, slash, number = name.partition("/")
    if not slash:
        return name[0].upper() + name[1:]
    return f"Object {number}" if task == "random" else f"Digit {task.rpartition('-')[2]}"


def _picture(sent: Sent) -> Image.Image:
    """A small picture of an example: a drawing as it is, anything else in cells."""
    if sent.kind == "picture" and sent.fixed is None:
        ((_, content),) = sent.files
        picture = Image.open(BytesIO(content))
        picture.thumbnail((ACROSS, ACROSS))
        return picture
    wanted = sent.read(Order(size=SKETCH))
    return preview(wanted.target, wanted.reading, palette_of("all"), ACROSS)
