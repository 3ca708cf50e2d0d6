"""What a PDF says, as another program reads it."""

import io
from typing import Any

from pypdf import PageObject, PdfReader

Run = tuple[str, float]  # a text and the size of its letters


def read(data: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(data), strict=True)


def runs(page: PageObject) -> list[Run]:
    """Every text of a page with its size."""
    found: list[Run] = []

    def visit(text: str, _cm: Any, matrix: Any, _font: Any, size: float) -> None:
        if text.strip():
            found.append((text.strip(), round(size * abs(matrix[3]), 1)))

    page.extract_text(visitor_text=visit)
    return found
