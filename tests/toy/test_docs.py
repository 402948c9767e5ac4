"""The snippets of 18Toy in docs/titles.md are those of its files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "titles.md").read_text("utf-8")
SNIPPETS = re.findall(r"```\w+\n# (tests/toy/[\w.]+)\n(.*?)```", PAGE, re.DOTALL)


def test_there_are_snippets() -> None:
    assert len(SNIPPETS) > 8


@pytest.mark.parametrize(("name", "snippet"), SNIPPETS, ids=[name for name, _ in SNIPPETS])
def test_a_snippet_is_in_its_file(name: str, snippet: str) -> None:
    assert snippet in (ROOT / name).read_text("utf-8")
