"""The results that are kept beside the source."""

from pathlib import Path

KEPT = Path(__file__).parents[2] / "results"
