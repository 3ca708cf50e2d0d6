"""What the set-up compiles, so that the first `b3 build` need not: `python -m brickbybrick.commands.prepare`.

It builds something small with the mason, whom `b3 build` takes by itself, and with the search. Numba keeps the machine
code beside the source, or in NUMBA_CACHE_DIR, for as long as neither the source nor the processor changes.
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
# The same without a lid, and in colour.
POT = """OFF
8 10 0
0 0 0
0 0 2
0 3 0
0 3 2
4 0 0
4 0 2
4 3 0
4 3 2
3 0 1 3 200 40 40
3 0 3 2 200 40 40
3 4 6 7 40 40 200
3 4 7 5 40 40 200
3 0 4 5 40 200 40
3 0 5 1 40 200 40
3 2 3 7 40 200 40
3 2 7 6 40 200 40
3 0 2 6 40 40 40
3 0 6 4 40 40 40
"""
ORDERS = (Order(kit=(), agent="search"), Order(kit=(), size=16, repair=True))


def prepare() -> None:
    """Builds with both, side by side: what one needs compiled the other hardly does."""
    with ProcessPoolExecutor(len(ORDERS), get_context("spawn")) as processes:
        list(processes.map(build_small, ORDERS))


def build_small(order: Order) -> None:
    """Builds a picture and meshes."""
    with tempfile.TemporaryDirectory(prefix="brickbybrick-") as folder:
        picture, mesh, pot = (Path(folder) / name for name in ("bar.png", "box.off", "pot.off"))
        bar = Image.new("RGB", (28, 28), "white")
        bar.paste((200, 40, 40), (8, 4, 20, 14))
        bar.paste((40, 40, 200), (8, 14, 20, 18))
        bar.paste((40, 40, 200), (8, 20, 20, 24))  # apart from the rest, so that it has to be joined
        bar.save(picture)
        mesh.write_text(BOX)
        pot.write_text(POT)
        for _, made in build_files([picture, mesh, pot], order):
            if isinstance(made, Exception):
                raise made


if __name__ == "__main__":
    with working("preparing"):
        prepare()
