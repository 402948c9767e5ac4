"""The sentences of titles: in their own folders, each in one place."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import carril
from carril.engine.answers import Note
from carril.engine.registry import title_named, title_names
from carril.engine.setups import all_setups, tables_for
from carril.notation.title_words import add_title_words, read_title_words
from carril.notation.words import catalogue, languages, say

SOURCE = Path(carril.__file__).parent
GENERAL = {"notation": SOURCE / "notation" / "words", "page": SOURCE / "page" / "messages"}


def _keys(sections: dict[str, Any]) -> list[tuple[str, str]]:
    return [(section, key) for section, sentences in sections.items() for key in sentences]


@pytest.mark.parametrize("name", GENERAL)
@pytest.mark.parametrize("language", languages())
def test_no_sentence_has_two_places(name: str, language: str) -> None:
    general = tomllib.loads((GENERAL[name] / f"{language}.toml").read_text("utf-8"))
    found = Counter(_keys(general))
    for title in title_names():
        found.update(_keys(read_title_words(title, language).get(name, {})))
    assert [key for key, count in found.items() if count > 1] == []


@pytest.mark.parametrize("title", title_names())
def test_a_title_adds_only_to_the_known_catalogues(title: str) -> None:
    assert set(read_title_words(title, "en")) <= set(GENERAL)


def test_a_language_that_a_title_lacks_is_english() -> None:
    for title in title_names():
        assert read_title_words(title, "xx") == read_title_words(title, "en")


def test_sentences_of_titles_are_added_to_a_section() -> None:
    general = {"note": {"own": "ours"}, "word": {"bank": "the bank"}}
    merged = add_title_words(general, "en", "notation", title_names())
    assert merged["note"]["own"] == "ours"
    assert len(merged["note"]) > 1
    assert general["note"] == {"own": "ours"}


@pytest.mark.parametrize("title", title_names())
def test_every_private_company_and_phase_event_has_a_sentence(title: str) -> None:
    known = title_named(title)
    notes = catalogue("en")["note"]
    for players, variants in all_setups(known):
        tables = tables_for(known, players, variants)
        codes = [private.note for private in tables.figures.private]
        codes += [phase.event for phase in tables.phases if phase.event]
        assert [code for code in codes if code not in notes] == []


def test_a_note_without_a_sentence_is_written_as_its_code() -> None:
    assert say(Note("brand-new", {"count": 3})) == "brand-new (count 3)"
