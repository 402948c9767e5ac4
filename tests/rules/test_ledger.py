import pytest

from carril.rules import TITLES, UnknownRule, UnknownTitle, load

COUNTS = {
    "18EU": {"rule": 311, "choice": 49, "difference": 31},
    "18ESP": {"rule": 548, "choice": 70, "edition": 61, "difference": 57},
    "18Cuba": {"rule": 390, "choice": 102},
}


@pytest.mark.parametrize("title", TITLES)
def test_every_entry_is_read(title: str) -> None:
    found: dict[str, int] = {}
    for entry in load(title).entries:
        found[entry.kind] = found.get(entry.kind, 0) + 1
    assert found == COUNTS[title]


@pytest.mark.parametrize("title", TITLES)
def test_no_line_that_begins_like_a_rule_is_overlooked(title: str) -> None:
    ledger = load(title)
    read = {entry.line for entry in ledger.rules}
    for number, line in enumerate(ledger.source.splitlines(), start=1):
        assert line.startswith((f"- **{TITLES[title]}-", f"- `{TITLES[title]}-")) == (
            number in read
        )


@pytest.mark.parametrize("title", TITLES)
def test_ids_and_anchors_are_unique(title: str) -> None:
    entries = load(title).entries
    assert len({entry.id for entry in entries}) == len(entries)
    assert len({entry.anchor for entry in entries}) == len(entries)
    assert all(entry.id.startswith(f"{TITLES[title]}-") for entry in entries)


def test_a_rule_has_its_section_text_and_whether_it_refuses() -> None:
    rule = load("18EU").find("EU-4.4.1-b")
    assert rule.section == "Track"
    assert rule.text == "**REFUSE** any tile upgrade by a minor."
    assert rule.refuse
    assert rule.anchor == "eu-4-4-1-b"
    assert not load("18EU").find("EU-4.4.1-d").refuse


def test_cuba_writes_refusals_without_bold() -> None:
    assert load("18Cuba").find("CUBA-III-a").refuse


def test_a_rule_keeps_the_table_it_announces_and_nothing_more() -> None:
    text = load("18EU").find("EU-D-a").text
    assert text.splitlines()[-1] == "| 6 | 40 50 60 65 |"
    assert "\n" not in load("18EU").find("EU-D-m").text
    assert "\n" not in load("18Cuba").find("CUBA-VII.3.4-j").text


def test_rules_of_one_edition_are_read() -> None:
    assert load("18ESP").find("ESP-DE-1.5-a").text.startswith("[DE] ")


def test_choices_and_differences_are_found_by_id_or_label() -> None:
    ledger = load("18EU")
    assert ledger.find("EU-A-1") is ledger.find("a-1")
    assert ledger.find("A-1").kind == "choice"
    assert ledger.find("A-1").text.startswith("**Value above 200 on the market.** The text")
    assert ledger.find("G-26").kind == "difference"
    assert load("18ESP").find("E1").kind == "edition"
    assert "C5" in {note.label for note in load("18Cuba").notes}


def test_an_unknown_id_is_refused_with_its_neighbours() -> None:
    with pytest.raises(
        UnknownRule, match=r"18EU has no rule 'EU-4\.1\.1-zz'; near it: EU-4\.1\.1-"
    ):
        load("18EU").find("EU-4.1.1-zz")


def test_titles_in_any_case_and_by_alias() -> None:
    assert load("18eu") is load("18EU")
    assert load("18España") is load("18ESP")


def test_an_unknown_title_is_refused() -> None:
    with pytest.raises(UnknownTitle, match="unknown title '1830'; there are 18Cuba, 18ESP, 18EU"):
        load("1830")


def test_section_by_heading_or_by_number() -> None:
    ledger = load("18EU")
    assert {entry.section for entry in ledger.in_section("dividends")} == {"Dividends"}
    assert [entry.id for entry in ledger.in_section("eu-1.3")] == ["EU-1.3-a", "EU-1.3-b"]
    assert all(entry.id.startswith("EU-2-") for entry in ledger.in_section("EU-2"))
    assert ledger.in_section("no such thing") == ()


def test_search_wants_every_word() -> None:
    found = load("18EU").search("Pullman limit")
    assert found
    assert all("pullman" in e.text.lower() and "limit" in e.text.lower() for e in found)
    assert load("18EU").search("  ") == ()
