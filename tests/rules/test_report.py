import pytest
from rich.console import Console, RenderableType

from carril.rules import UnknownRule, load, report
from carril.rules.coverage import Coverage, cover

EU = load("18EU")


def shown(renderable: RenderableType) -> str:
    console = Console(width=200, color_system=None)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


def coverage() -> Coverage:
    marks = {"EU-2-a": ("t.py::one",), "EU-0-x": ("t.py::typo",), "EU-A-1": ("t.py::two",)}
    return cover(EU, marks, {"EU-2-b": "because"})


def test_contents_names_every_section() -> None:
    text = shown(report.contents(EU))
    assert "18EU: 311 rules" in text
    assert all(name in text for name in EU.sections)


def test_one_rule_in_full() -> None:
    text = shown(report.one_rule(EU, "eu-1.1-b"))
    assert "EU-1.1-b  Setup" in text
    assert "There are 8 corps and 15 minors." in text


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("EU-2-a", "held by t.py::one"),
        ("A-1", "held by t.py::two"),
        ("EU-2-b", "excused: because"),
        ("EU-2-c", "no test names it"),
    ],
)
def test_one_rule_with_its_tests(name: str, state: str) -> None:
    assert state in shown(report.one_rule(EU, name, coverage()))


def test_section_lists_its_rules() -> None:
    text = shown(report.section(EU, "EU-1.3"))
    assert "EU-1.3-a" in text
    assert "EU-1.3-b" in text
    assert "EU-1.4-a" not in text


def test_unknown_section_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownRule, match=r"no section 'tennis'; there are: Setup; Phases"):
        report.section(EU, "tennis")


def test_search_lists_or_says_that_there_is_nothing() -> None:
    assert "EU-2-i" in shown(report.search(EU, "eighth exhaust"))
    assert "nothing contains 'tennis'" in shown(report.search(EU, "tennis"))


def test_coverage_table_counts_and_names_what_is_open() -> None:
    text = shown(report.coverage_table(EU, coverage()))
    assert _sums(text, "rules") == ["311", "1", "1", "309"]
    assert _sums(text, "choices and differences") == ["80", "1", "0", "79"]
    assert _sums(text, "all") == ["391", "2", "1", "388"]
    assert _sums(text, "Where 18xx.games differs") == ["31", "0", "0", "31"]
    assert "excused: EU-2-b: because" in text
    assert "missing: EU-1.1-a, EU-1.1-b" in text
    assert "unknown id EU-0-x in t.py::typo" in text


def _sums(text: str, name: str) -> list[str]:
    """Return the figures of a row of the table."""
    found = (line for line in text.splitlines() if line[1:].strip().startswith(name))
    return [word for word in next(found).split() if word.isdigit()]
