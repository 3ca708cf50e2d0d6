"""Runs the notebooks of this folder from top to bottom and keeps what came of it in them, for the site to show.

python docs/notebooks/run.py [NAME ...]
"""

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from brickbybrick.files import write_whole

HERE = Path(__file__).parent
SECONDS = 600  # for a cell; each notebook takes less than a minute where nothing else runs


def executed(path: Path, folder: Path) -> nbformat.NotebookNode:
    """A notebook with what its cells give, run in a folder that they may write to; an error where one fails."""
    notebook = nbformat.read(path, as_version=4)
    # Times of execution would differ each time.
    client = NotebookClient(notebook, timeout=SECONDS, record_timing=False, resources={"metadata": {"path": folder}})
    client.execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop("image/jpeg", None)  # the same picture as PNG is there
    notebook.metadata.pop("widgets", None)
    return notebook


if __name__ == "__main__":
    chosen = [HERE / f"{name}.ipynb" for name in sys.argv[1:]] or sorted(HERE.glob("*.ipynb"))
    for path in chosen:
        with tempfile.TemporaryDirectory() as folder:
            write_whole(path, nbformat.writes(executed(path, Path(folder))).encode() + b"\n")
        print(path)
