"""Every visible sentence comes from the catalogue."""

from __future__ import annotations

import re
from pathlib import Path

from carril.page.words import Words, catalogue, chosen_language, languages

PAGE = Path(__file__).parents[2] / "src/carril/page"
_USED = re.compile(r"""\bt\(["']([a-z.-]+)["'](?! ~)""")
_SAID = re.compile(r"""(?:say|choice|amount)\(\s*(?:[\w().]+,\s*)?["']([a-z]+\.[a-z-]+)["']""")


def _keys() -> set[str]:
    found: set[str] = set()
    for path in (PAGE / "templates").rglob("*.html"):
        found |= set(_USED.findall(path.read_text("utf-8")))
    for path in PAGE.rglob("*.py"):
        found |= set(_SAID.findall(path.read_text("utf-8")))
    return {key for key in found if "." in key and not key.endswith(".")}


def test_every_key_that_is_used_is_in_the_catalogue() -> None:
    keys = _keys()
    assert len(keys) > 150
    assert sorted(keys - set(catalogue("en"))) == []


def test_templates_hold_no_sentences_of_their_own() -> None:
    """Text between tags is a symbol or comes from an expression."""
    for path in (PAGE / "templates").rglob("*.html"):
        bare = re.sub(r"\{[%#{].*?[%#}]\}", "", path.read_text("utf-8"), flags=re.S)
        texts = re.findall(r">([^<>]+)<", bare)
        words = [text.strip() for text in texts if re.search(r"[A-Za-z]{3,}", text)]
        assert words == [], path.name


def test_all_languages_know_the_same_facts() -> None:
    fields = re.compile(r"\{(\w+)")
    for language in languages():
        other = catalogue(language)
        for key, sentence in catalogue("en").items():
            assert set(fields.findall(other[key])) <= set(fields.findall(sentence)), key


def test_counting_and_money() -> None:
    words = Words("en", "£")
    assert words.say("lobby.actions", count=1) == "1 action"
    assert words.say("lobby.actions", count=7) == "7 actions"
    assert words.money(-20) == "−£20"  # noqa: RUF001
    assert words.say("no.such.key") == "no.such.key"


def test_the_language_is_chosen_by_the_header() -> None:
    assert chosen_language("xx;q=0.9, en;q=0.5") == "en"
    assert chosen_language("") == "en"
