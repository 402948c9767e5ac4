"""Pages about the code name files and folders that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = {path.parent.name for path in ROOT.glob("src/carril/*/__init__.py")}
ROOTS = {"src", "tests", "scripts", "docs"}


def named_paths(text: str) -> set[str]:
    """Return the paths in backticks, from the root of the project; `*` stands for any name."""
    found = {path.rstrip("/") for path in re.findall(r"`([\w*.-]+/[\w*./-]*)`", text)}
    inside = {f"src/carril/{path}" for path in found if path.partition("/")[0] in ROOMS}
    return inside | {path for path in found if path.partition("/")[0] in ROOTS}


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md", "docs/titles.md"])
def test_named_files_exist(page: str) -> None:
    named = named_paths((ROOT / page).read_text("utf-8"))
    assert named
    assert not {path for path in named if not any(ROOT.glob(path))}


def test_paths_are_found() -> None:
    text = "`engine/play.py`, `titles/*/`, `scripts/test`, `carril[table]`, `out/site`, `a/b`"
    expected = {"src/carril/engine/play.py", "src/carril/titles/*", "scripts/test"}
    assert named_paths(text) == expected
