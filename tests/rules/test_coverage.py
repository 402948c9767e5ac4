from pathlib import Path
from textwrap import dedent

import pytest

from carril.rules import load
from carril.rules.coverage import BadMark, cover, excuses, scan
from carril.rules.marker import rule

TESTS = Path(__file__).parents[1]


def scanned(folder: Path, source: str) -> dict[str, tuple[str, ...]]:
    (folder / "test_some.py").write_text(dedent(source), encoding="utf-8")
    return scan(folder)


def test_marks_are_attached_and_may_be_stacked() -> None:
    @rule("EU-1.1-a", "EU-1.1-b")
    @rule("EU-2-a")
    def test() -> None: ...

    assert test.rules == ("EU-1.1-a", "EU-1.1-b", "EU-2-a")  # type: ignore[attr-defined]


def test_marks_of_functions_classes_and_methods_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    found = scanned(
        folder,
        """
        @rule("EU-1.1-a", "EU-1.1-b")
        @marker.rule("EU-2-a")
        def test_one(): ...

        @rule("EU-2-a")
        class TestMany:
            @pytest.mark.parametrize("n", [1, 2])
            @rule("EU-2-b")
            async def test_two(self): ...
        """,
    )
    here = "tests/test_some.py"
    assert found == {
        "EU-1.1-a": (f"{here}::test_one",),
        "EU-1.1-b": (f"{here}::test_one",),
        "EU-2-a": (f"{here}::test_one", f"{here}::TestMany"),
        "EU-2-b": (f"{here}::TestMany::test_two",),
    }


def test_a_test_set_aside_holds_nothing(tmp_path: Path) -> None:
    source = """
        @pytest.mark.skip(reason="later")
        @rule("EU-2-a")
        def test_one(): ...

        @pytest.mark.xfail
        @rule("EU-2-a")
        def test_two(): ...

        @pytest.mark.skip
        class TestMany:
            @rule("EU-2-a")
            def test_three(self): ...
        """
    assert scanned(tmp_path, source) == {}


@pytest.mark.parametrize(
    "source",
    [
        "@rule(ID)\ndef test_one(): ...",
        "@rule(*IDS)\ndef test_one(): ...",
        "@rule()\ndef test_one(): ...",
        "@rule(1)\ndef test_one(): ...",
        "@rule('EU-2-a')\ndef helper(): ...",
    ],
)
def test_a_mark_that_cannot_be_read_is_refused(tmp_path: Path, source: str) -> None:
    with pytest.raises(BadMark, match=r"test_some\.py:\d"):
        scanned(tmp_path, source)


def test_cover_sorts_every_rule_into_one_group() -> None:
    ledger = load("18EU")
    marks = {"EU-2-a": ("t::one",), "EU-A-1": ("t::two",), "ESP-1.3-a": ("t::three",)}
    coverage = cover(ledger, marks, {"EU-2-b": "because", "ESP-1.3-b": "of another title"})
    assert coverage.tested == {"EU-2-a": ("t::one",), "EU-A-1": ("t::two",)}
    assert coverage.excused == {"EU-2-b": "because"}
    assert len(coverage.missing) == len(ledger.entries) - 3
    assert coverage.unknown == {}
    assert coverage.needless == ()
    assert not coverage.complete


@pytest.mark.parametrize("open_one", ["EU-2-b", "EU-A-3", "EU-G-4"])
def test_complete_when_every_entry_is_tested_or_excused(open_one: str) -> None:
    ledger = load("18EU")
    marks = {entry.id: ("t::all",) for entry in ledger.entries if entry.id != open_one}
    assert cover(ledger, marks, {open_one: "because"}).complete
    assert cover(ledger, marks, {}).missing == (open_one,)
    assert not cover(ledger, marks, {}).complete


def test_18eu_is_complete() -> None:
    assert cover(load("18EU"), scan(TESTS), excuses()).complete


@pytest.mark.parametrize("stray", ["EU-9.9-z", "XY-1-a"])
def test_an_id_of_no_ledger_is_reported(stray: str) -> None:
    ledger = load("18EU")
    marks = {entry.id: ("t::all",) for entry in ledger.entries} | {stray: ("t::typo",)}
    coverage = cover(ledger, marks, {})
    assert coverage.unknown == {stray: ("t::typo",)}
    assert not coverage.complete


def test_an_excuse_for_a_tested_or_unknown_rule_is_reported() -> None:
    ledger = load("18EU")
    marks = {entry.id: ("t::all",) for entry in ledger.entries}
    coverage = cover(ledger, marks, {"EU-2-a": "stale", "EU-9.9-z": "typo"})
    assert coverage.needless == ("EU-2-a", "EU-9.9-z")
    assert not coverage.complete


@pytest.mark.parametrize("title", ["18EU", "18ESP", "18Cuba"])
def test_our_own_marks_and_excuses_are_sound(title: str) -> None:
    coverage = cover(load(title), scan(TESTS), excuses())
    assert coverage.unknown == {}
    assert coverage.needless == ()
