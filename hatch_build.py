"""Puts the built page into wheels and source archives; hatchling calls it.

A clone has no page: it is built here with Node, which pip brings for the purpose where the machine has none. Editable
installs need no page. `B3_PAGE=none` leaves it out: then b3 studio has nothing to show, and kits have no replay.
"""

import os
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILD = runpy.run_path(str(Path(__file__).parent / "web" / "build.py"))


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before a wheel or a source archive is packed."""

    def dependencies(self) -> list[str]:
        """Node, where the page has to be built and there is none."""
        wanted = os.environ.get("B3_PAGE") != "none" and not BUILD["is_current"]()
        return [BUILD["NODE_WHEEL"]] if wanted and BUILD["npm"]() is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        if version == "editable" or os.environ.get("B3_PAGE") == "none":
            return
        try:
            BUILD["main"]()
        except BUILD["PageError"] as error:
            self.app.abort(f"the page cannot be built: {error}; run make page first, or leave it out with B3_PAGE=none")
