"""The notebooks run from top to bottom, and what is kept of them is small."""

import runpy
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
MOST_BYTES = 200_000


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_shows_what_it_says(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    done = runpy.run_path(str(ROOT / "docs/notebooks/run.py"))["executed"](path, tmp_path)
    assert [kinds_of(cell) for cell in done.cells] == [kinds_of(cell) for cell in nbformat.read(path, 4).cells]


def kinds_of(cell: dict) -> list[set[str]]:
    """What kinds of things a cell shows."""
    return [set(output.get("data", {"text": ""})) for output in cell.get("outputs", ())]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_kept_of_it_is_small_whole_and_without_errors(path: Path) -> None:
    assert path.stat().st_size < MOST_BYTES
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not [output for cell in code for output in cell.outputs if output.output_type == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_hosted_notebook_installs_the_package_first(path: Path) -> None:
    first = next(cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    assert 'find_spec("brickbybrick") is None' in first.source
    assert "%pip install" in first.source
