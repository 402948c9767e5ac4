"""Every visible sentence comes from the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter

import pytest

from carril.page import words as words_module
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


def _facts(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def _unknown_facts(other: Mapping[str, str]) -> list[str]:
    """Return the keys whose sentence uses a fact that the English sentence does not have."""
    english = catalogue("en")
    return [key for key, text in other.items() if not _facts(text) <= _facts(english[key])]


def test_all_languages_know_the_same_facts() -> None:
    for language in languages():
        assert _unknown_facts(catalogue(language)) == []


def test_an_unknown_fact_is_found() -> None:
    assert _unknown_facts({"seat.bot": "{nombre} (bot)", "seat.you": "tú"}) == ["seat.bot"]


def test_counting_and_money() -> None:
    words = Words("en", "£")
    assert words.say("lobby.actions", count=1) == "1 action"
    assert words.say("lobby.actions", count=7) == "7 actions"
    assert words.money(-20) == "−£20"  # noqa: RUF001
    assert words.say("no.such.key") == "no.such.key"


@pytest.fixture
def another_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A catalogue in a second language, with one sentence."""
    english = (PAGE / "messages" / "en.toml").read_text("utf-8")
    (tmp_path / "en.toml").write_text(english, "utf-8")
    (tmp_path / "xx.toml").write_text('[seat]\nbot = "{name} [x]"\n', "utf-8")
    monkeypatch.setattr(words_module, "_folder", lambda: tmp_path)
    _forget()
    yield
    _forget()


def _forget() -> None:
    languages.cache_clear()
    words_module._catalogue.cache_clear()


@pytest.mark.usefixtures("another_language")
def test_the_language_is_chosen_by_the_header() -> None:
    assert languages() == ("en", "xx")
    assert chosen_language("yy, xx-YY;q=0.9, en;q=0.5") == "xx"
    assert chosen_language("en, xx") == "en"
    assert chosen_language("yy") == "en"
    assert chosen_language("") == "en"


@pytest.mark.usefixtures("another_language")
def test_english_fills_the_gaps_of_a_language() -> None:
    words = Words("xx")
    assert words.say("seat.bot", name="Ana") == "Ana [x]"
    assert words.say("seat.you") == "you"


def test_a_language_without_a_catalogue() -> None:
    with pytest.raises(LookupError, match="'yy'; there are: en"):
        catalogue("yy")
