"""Parts of the reports, as Markdown."""

from collections.abc import Iterable, Sequence
from pathlib import Path


def markdown_parts(parts: Iterable[str]) -> str:
    """Those that say something, one below the other."""
    return "\n\n".join(part for part in parts if part)


def markdown_picture(file: Path, report: Path) -> str:
    return f"![{file.stem}]({file.relative_to(report.parent).as_posix()})"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])
