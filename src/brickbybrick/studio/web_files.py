"""The built page: files that are listed once, so that what a request names is looked up in a list and nowhere else."""

import mimetypes
from pathlib import Path

from starlette.responses import PlainTextResponse, Response

FOLDER = Path(__file__).parent / "page"
NOT_BUILT = "The page was not built yet: build it with make page, then load this again.\n"
# Types that do not depend on what a system has registered.
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
FOR_EVER = "public, max-age=31536000, immutable"  # names of assets change with their content


class WebFiles:
    """The files of the page, read once it is there."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder
        self._files: dict[str, tuple[str, bytes]] = {}  # by their place: type and content

    @property
    def is_built(self) -> bool:
        return (self.folder / "index.html").is_file()

    def answer(self, name: str) -> Response:
        """The file of that name; the page itself where there is none."""
        if not self._files:
            self._files = _read(self.folder)
        if "index.html" not in self._files:
            return PlainTextResponse(NOT_BUILT, 503)
        found = self._files.get(name or "index.html")
        if found is None:
            return PlainTextResponse("There is nothing here.\n", 404)
        kind, content = found
        caching = FOR_EVER if name.startswith("assets/") else "no-cache"
        return Response(content, headers={"Cache-Control": caching}, media_type=kind)


def _read(folder: Path) -> dict[str, tuple[str, bytes]]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): (_type_of(path), path.read_bytes()) for path in files}


def _type_of(path: Path) -> str:
    return TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
