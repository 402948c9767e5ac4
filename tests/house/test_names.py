"""No title, company, place or card is named outside the titles."""

from __future__ import annotations

from tests.house.names import all_uses, names, pattern, uses

PENDING: set[str] = {
    "engine/hexes.py",
    "rules/coverage.py",
    "rules/ledger.py",
    "rules/pages.py",
    "service/api_models.py",
    "service/bench.py",
}
"""Files that still name one. This list only shrinks: a clean file is taken out of it."""


def test_no_title_is_named_outside_the_titles() -> None:
    found = all_uses()
    new = [str(use) for use in found if use.path not in PENDING]
    assert not new, "named outside titles/:\n" + "\n".join(new)
    clean = PENDING - {use.path for use in found}
    assert not clean, f"no longer pending, take them out of the list: {sorted(clean)}"


def test_names_of_every_kind_are_collected() -> None:
    assert {"18EU", "18Cuba", "SNCF", "MZA", "Paris", "A10", "Grand Central", "pullman"} <= names()


def test_a_name_is_found_as_a_word_and_not_in_an_example() -> None:
    found = pattern({"Nord", "FS", "A10", "N", "2", "pullman"}, {"eu"})
    text = """
    The Nord-Express: "A10", not A10 and not "A100".
    >>> buy("FS")
    'FS'

    N 2 Norden eu_map EU-1 Europe Pullmans FSX
    """
    words = [(use.line, use.word) for use in uses(text, found)]
    assert words == [(2, "Nord"), (2, '"A10"'), (6, "eu"), (6, "EU"), (6, "Pullmans")]
