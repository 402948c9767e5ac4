"""No title, company, place or card is named outside the titles."""

from __future__ import annotations

from tests.house.names import all_uses, names, pattern, uses


def test_no_title_is_named_outside_the_titles() -> None:
    found = [str(use) for use in all_uses()]
    assert not found, "named outside titles/:\n" + "\n".join(found)


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
