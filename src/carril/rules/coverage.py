"""Which rules a test holds, which no program can test, and which are still open.

The marks are read from the source of the tests; nothing of them is imported or run.
"""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from carril.rules.ledger import TITLES, Ledger

Marks = Mapping[str, tuple[str, ...]]
"""Rule id -> the tests that name it, as `tests/titles/test_eu_tables.py::test_towns`."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class BadMark(ValueError):
    """A mark that cannot be read, or that stands where no test is."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The state of one ledger; `tested` and `excused` are in the order of the ledger."""

    title: str
    tested: Marks
    excused: Mapping[str, str]
    missing: tuple[str, ...]
    unknown: Marks
    """Ids that tests name and no ledger has."""
    needless: tuple[str, ...]
    """Ids that are excused although a test holds them, or that the ledger does not have."""
    notes_tested: Marks
    notes_missing: tuple[str, ...]
    """Choices and differences; they are counted, but not demanded."""

    @property
    def complete(self) -> bool:
        """Every rule is tested or excused, and no mark or excuse is wrong."""
        return not (self.missing or self.unknown or self.needless)


def scan(folder: Path) -> dict[str, tuple[str, ...]]:
    """All marks below a folder of tests. A skipped or failing-as-expected test holds nothing."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        name = Path(folder.name, path.relative_to(folder)).as_posix()
        for test, ids in _marked(tree, name):
            for one in ids:
                found.setdefault(one, []).append(f"{name}::{test}")
    return {one: tuple(tests) for one, tests in sorted(found.items())}


def excuses() -> dict[str, str]:
    """Rule id -> why no program can test it."""
    source = (files("carril.rules") / "excused.toml").read_text(encoding="utf-8")
    return {str(one): str(reason) for one, reason in tomllib.loads(source).items()}


def cover(ledger: Ledger, marks: Marks, excused: Mapping[str, str]) -> Coverage:
    """Hold the marks and the excuses against a ledger."""
    prefix = TITLES[ledger.title]
    required = [rule.id for rule in ledger.rules]
    notes = [note.id for note in ledger.notes]
    known = {*required, *notes}
    own_excuses = [one for one in excused if _belongs(one, prefix)]
    return Coverage(
        title=ledger.title,
        tested={one: marks[one] for one in required if one in marks},
        excused={one: excused[one] for one in required if one in excused and one not in marks},
        missing=tuple(one for one in required if one not in marks and one not in excused),
        unknown={one: marks[one] for one in marks if _belongs(one, prefix) and one not in known},
        needless=tuple(one for one in own_excuses if one in marks or one not in known),
        notes_tested={one: marks[one] for one in notes if one in marks},
        notes_missing=tuple(one for one in notes if one not in marks and one not in excused),
    )


def _belongs(one: str, prefix: str) -> bool:
    """Is this an id of the title with this prefix? An id of no title belongs to every one."""
    start = one.split("-", 1)[0]
    return start == prefix or start not in TITLES.values()


def _marked(tree: ast.Module, where: str) -> Iterator[tuple[str, list[str]]]:
    for node in tree.body:
        yield from _of_definition(node, where, "")
        if isinstance(node, ast.ClassDef) and not _is_set_aside(node):
            for inner in node.body:
                yield from _of_definition(inner, where, f"{node.name}::")


def _of_definition(node: ast.stmt, where: str, outer: str) -> Iterator[tuple[str, list[str]]]:
    if not isinstance(node, Definition):
        return
    marks = [one for one in node.decorator_list if _is_mark(one)]
    if marks and not node.name.startswith(("test", "Test")):
        raise BadMark(f"{where}:{node.lineno}: {node.name} has a rule mark and is not a test")
    if _is_set_aside(node):
        return
    for mark in marks:
        yield f"{outer}{node.name}", _ids(mark, where)


def _is_mark(decorator: ast.expr) -> bool:
    if not isinstance(decorator, ast.Call):
        return False
    match decorator.func:
        case ast.Name(id="rule") | ast.Attribute(attr="rule"):
            return True
    return False


def _is_set_aside(node: Definition) -> bool:
    marks = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    return any(isinstance(one, ast.Attribute) and one.attr in ("skip", "xfail") for one in marks)


def _ids(mark: ast.expr, where: str) -> list[str]:
    assert isinstance(mark, ast.Call)
    ids = [one.value for one in mark.args if isinstance(one, ast.Constant)]
    words = [one for one in ids if isinstance(one, str)]
    if not words or len(words) != len(mark.args) or mark.keywords:
        raise BadMark(f"{where}:{mark.lineno}: a rule mark takes ids written out as strings")
    return words
