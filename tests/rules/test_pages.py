import re
from pathlib import Path

from carril.rules import TITLES, load
from carril.rules.pages import pages, write

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs" / "rules"
MADE = pages(TESTS)


def test_docs_are_what_the_builder_makes() -> None:
    on_disk = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")}
    stale = [name for name in MADE.keys() | on_disk.keys() if MADE.get(name) != on_disk.get(name)]
    assert not stale, "run scripts/build-docs"


def test_every_entry_has_its_anchor_and_every_link_its_target() -> None:
    for title in TITLES:
        page = MADE[f"{title.lower()}.md"]
        anchors = re.findall(r'<a id="([^"]+)"></a>', page)
        assert anchors == [entry.anchor for entry in load(title).entries]
        assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= set(anchors)


def test_a_page_says_what_its_ledger_says() -> None:
    for title in TITLES:
        page = MADE[f"{title.lower()}.md"].split("-->\n\n", 1)[1]
        plain = re.sub(r'<a id="[^"]+"></a>', "", page)
        plain = re.sub(r"\[([A-Z][\w.-]*)\]\(#[^)]+\)", r"\1", plain)
        assert plain == re.sub(r"(?<!`)\[([CG]\d+)\]", r"\1", load(title).source)


def test_index_counts_the_rules() -> None:
    assert "| [18EU](18eu.md) | 311 |" in MADE["README.md"]
    assert "| [18ESP](18esp.md) | 548 |" in MADE["README.md"]


def test_tests_are_listed_by_rule() -> None:
    line = next(line for line in MADE["18eu-tests.md"].splitlines() if "[EU-D-j]" in line)
    assert "[test_towns](../../tests/titles/test_eu_tables.py)" in line


def test_writing_twice_changes_nothing_and_stale_pages_go(tmp_path: Path) -> None:
    assert sorted(write(tmp_path, TESTS)) == sorted(MADE)
    assert write(tmp_path, TESTS) == []
    (tmp_path / "18xy.md").write_text("old", encoding="utf-8")
    assert write(tmp_path, TESTS) == ["18xy.md"]
    assert not (tmp_path / "18xy.md").exists()
