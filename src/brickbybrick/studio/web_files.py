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
        self._files: dict[str, bytes] = {}  # by their place

    @property
    def is_built(self) -> bool:
        return (self.folder / "index.html").is_file()

    def answer(self, name: str) -> Response:
        """The file of that name; the page itself where there is none."""
        if not self._files:
            found = sorted(path for path in self.folder.rglob("*") if path.is_file())
            self._files = {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in found}
        if "index.html" not in self._files:
            return PlainTextResponse(NOT_BUILT, 503)
        name = name or "index.html"
        if name not in self._files:
            return PlainTextResponse("There is nothing here.\n", 404)
        kind = TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        caching = FOR_EVER if name.startswith("assets/") else "no-cache"
        return Response(self._files[name], headers={"Cache-Control": caching}, media_type=kind)
