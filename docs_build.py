"""What MkDocs does beside its own when it builds the site: pages that lie outside docs/ become part of it, links are
followed to where their pages are on the site, and notebooks become pages.

Links in the Markdown are those of the repository, so that the pages can be read there too.
"""

import base64
import posixpath
import re
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent
OUTSIDE = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "results/*.md", "results/*/*.png")
ELSEWHERE = {"README.md": "index.md"}  # what a page of the repository is on the site
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages and pictures from outside docs/, and a page for each notebook."""
    for path in sorted(path for pattern in OUTSIDE for path in ROOT.glob(pattern)):
        files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    for path in sorted(ROOT.glob("docs/notebooks/*.ipynb")):
        name = path.relative_to(ROOT / "docs").with_suffix(".md").as_posix()
        files.append(File.generated(config, name, content=notebook_page(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - MkDocs'
    """Leads links from where a page is in the repository to where it is on the site."""
    here = page.file.src_uri
    outside = any(Path(here).match(pattern) for pattern in OUTSIDE)
    folder = posixpath.dirname(here if outside else f"docs/{here}")

    def led(match: re.Match[str]) -> str:
        link = match[0]
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or not parts.path:
            return link
        wanted = posixpath.normpath(posixpath.join(folder, parts.path))
        wanted = ELSEWHERE.get(wanted, wanted).removeprefix("docs/")
        page_of_notebook = re.sub(r"\.ipynb$", ".md", wanted)
        if not here.startswith("notebooks/") and files.get_file_from_path(page_of_notebook):
            wanted = page_of_notebook
        return parts._replace(path=posixpath.relpath(wanted, posixpath.dirname(here) or ".")).geturl()

    return LINK.sub(led, markdown)


def notebook_page(path: Path) -> str:
    """A notebook as Markdown: text as it is, code in fences, and what came of it below."""
    notebook = nbformat.read(path, as_version=4)
    parts: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif cell.cell_type == "code":
            parts.append(f"```python\n{cell.source}\n```")
            parts += [shown for output in cell.outputs if (shown := output_shown(output))]
    parts.insert(1, f"*This page is a notebook: [download it]({path.name}), or open the file in a hosted one.*")
    return "\n\n".join(parts)


def output_shown(output: nbformat.NotebookNode) -> str:
    """One output of a cell: a picture, or text."""
    data = output.get("data", {})
    for kind in ("image/png", "image/gif"):
        if kind in data:
            picture = base64.b64encode(base64.b64decode(data[kind])).decode()  # without line breaks
            return f'<img alt="what the cell shows" src="data:{kind};base64,{picture}">'
    text = output.get("text") or data.get("text/plain", "")
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""
