"""What the site has besides the pages in docs/: the pages of the root, and the reference.

mkdocs calls `on_files`; mkdocstrings loads the extension, which marks examples in docstrings.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from griffe import Docstring, Extension, Object
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "LICENSE": "licence.md",
}
"""Where the pages of the root are on the site."""
ROOMS = sorted(path.parent.name for path in ROOT.glob("src/carril/*/__init__.py"))
REFERENCE = "# Reference\n\nMade from the docstrings of the package.\n\n{links}\n"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for name, target in PAGES.items():
        text = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
        files.append(File.generated(config, target, content=text))
    links = "\n".join(f"- [carril.{room}]({room}.md)" for room in ROOMS)
    files.append(
        File.generated(config, "reference/index.md", content=REFERENCE.format(links=links))
    )
    for room in ROOMS:
        content = f"::: carril.{room}\n"
        files.append(File.generated(config, f"reference/{room}.md", content=content))
    return files


def on_page_markdown(text: str, **more: Any) -> str:
    """Turn links to sources, which are not on the site, into plain text; fix those to the root."""
    text = re.sub(r"\[([^\]]+)\]\((?:\.\./)+(?:src|tests|scripts)/[^)]*\)", r"\1", text)
    return _with_links(text)


def _with_links(text: str) -> str:
    """Point links to pages of the root to where these are on the site."""
    for name, target in PAGES.items():
        text = text.replace(f"]({name})", f"]({target})").replace(f"](../{name})", f"]({target})")
    return text


def fenced(text: str) -> str:
    """Put the examples of a docstring, which end at an empty line, into code blocks."""
    return re.sub(
        r"^>>> (?:.+\n?)+", lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text, flags=re.M
    )


class Examples(Extension):
    """Shows examples in docstrings as code."""

    def on_object(self, *, obj: Object, **more: Any) -> None:
        """Mark the examples in the docstring of an object."""
        if obj.docstring:
            obj.docstring = Docstring(fenced(obj.docstring.value), parent=obj)
