"""What the set-up compiles, so that the first `b3 build` need not: `python -m brickbybrick.commands.prepare`.

It builds something small with the search and with the mason, the builders that `b3 build` takes by itself. Numba keeps
the machine code beside the source, or in NUMBA_CACHE_DIR, for as long as neither the source nor the processor changes.
"""

import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from PIL import Image

from brickbybrick.building import build_files
from brickbybrick.commands.console import working
from brickbybrick.order import Order

BOX = """OFF
8 12 0
0 0 0  0 0 2  0 3 0  0 3 2  4 0 0  4 0 2  4 3 0  4 3 2
3 0 1 3  3 0 3 2  3 4 6 7  3 4 7 5  3 0 4 5  3 0 5 1
3 2 3 7  3 2 7 6  3 0 2 6  3 0 6 4  3 1 5 7  3 1 7 3
"""
ORDERS = (Order(kit=()), Order(kit=(), size=16, repair=True))  # by the search, by the mason


def prepare() -> None:
    """Builds with both, side by side: what one needs compiled the other hardly does."""
    with ProcessPoolExecutor(len(ORDERS), get_context("spawn")) as processes:
        list(processes.map(build_small, ORDERS))


def build_small(order: Order) -> None:
    """Builds a picture and a mesh."""
    with tempfile.TemporaryDirectory(prefix="brickbybrick-") as folder:
        picture, mesh = Path(folder) / "bar.png", Path(folder) / "box.off"
        bar = Image.new("L", (28, 28), 255)
        bar.paste(0, (8, 4, 20, 24))
        bar.save(picture)
        mesh.write_text(BOX)
        for _, made in build_files([picture, mesh], order):
            if isinstance(made, Exception):
                raise made


if __name__ == "__main__":
    with working("preparing"):
        prepare()
