"""The page of promises names tests that exist, and a test for every defect."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "promises.md").read_text("utf-8")
DEFECTS = 23
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@cache
def _tests_in(file: str) -> set[str]:
    """Return the names of the tests in a file; those that are always skipped do not count."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and not any("mark.skip(" in ast.unparse(one) for one in node.decorator_list)
    }


def _rows(heading: str) -> list[str]:
    """Return the rows of the table under a heading."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [line for line in section.splitlines() if line.startswith("| ")][1:]


def test_every_test_that_is_named_exists() -> None:
    named = _TEST.findall(PAGE)
    missing = [f"{file}::{name}" for file, name in named if not (ROOT / file).is_file()]
    assert missing == []
    assert [f"{file}::{name}" for file, name in named if name not in _tests_in(file)] == []


def test_every_promise_has_a_test() -> None:
    promises = _rows("What you can rely on")
    assert len(promises) > 10
    assert [row for row in promises if not _TEST.search(row)] == []


def test_every_defect_has_a_test() -> None:
    rows = _rows("Defects that do not come back")
    numbers = [int(row.split("|")[1]) for row in rows if _TEST.search(row)]
    assert numbers == list(range(1, DEFECTS + 1))
