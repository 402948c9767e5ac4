"""Everything the page says comes from a catalogue: `messages/LANGUAGE.toml`.

>>> Words("en", "£").say("seat.bot", name="Ana")
'Ana (bot)'
>>> Words("en", "£").money(1250)
'£1250'
>>> Words("en", "pts").money(1250)
'1250 pts'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from carril.engine.answers import Note
from carril.engine.events import Event
from carril.engine.refusals import Refusal
from carril.engine.registry import title_names
from carril.engine.state import State
from carril.engine.step import Step
from carril.notation import words as notation
from carril.notation.title_words import add_title_words

DEFAULT = "en"


def catalogue(language: str) -> Mapping[str, str]:
    """Return the sentences of a language by dotted key; English fills what is missing.

    The sentences of all registered titles are among them.
    """
    return _catalogue(language, title_names())


@cache
def _catalogue(language: str, titles: tuple[str, ...]) -> Mapping[str, str]:
    source = files("carril.page") / "messages" / f"{language}.toml"
    general = tomllib.loads(source.read_text("utf-8"))
    own = dict(_flat(add_title_words(general, language, "page", titles)))
    return own if language == DEFAULT else {**catalogue(DEFAULT), **own}


def _flat(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, str):
            found.append((prefix + key, value))
        else:
            found += _flat(value, f"{prefix}{key}.")
    return found


@cache
def languages() -> tuple[str, ...]:
    """Return the languages there are catalogues for, English first."""
    names = (entry.name for entry in (files("carril.page") / "messages").iterdir())
    found = sorted(name[:-5] for name in names if name.endswith(".toml"))
    return (DEFAULT, *(name for name in found if name != DEFAULT))


def chosen_language(wanted: str) -> str:
    """Return the first language of an Accept-Language header that there is a catalogue for.

    >>> chosen_language("xx, en-GB;q=0.8")
    'en'
    """
    for part in wanted.split(","):
        name = part.split(";")[0].strip().split("-")[0].lower()
        if name in languages():
            return name
    return DEFAULT


_COUNTED = re.compile(r"\{(\w+):([^|{}]*)\|([^|{}]*)\}")


@dataclass(frozen=True, slots=True)
class Words:
    """A language, and how a title writes money."""

    language: str = DEFAULT
    currency: str = ""

    def say(self, key: str, **facts: Any) -> str:
        """Return a sentence with its facts; `{count:share|shares}` counts."""
        sentence = catalogue(self.language).get(key, key)

        def counted(found: re.Match[str]) -> str:
            value = facts[found[1]]
            return f"{value} {found[2] if value == 1 else found[3]}"

        return _COUNTED.sub(counted, sentence).format(**facts)

    def has(self, key: str) -> bool:
        """Return whether the catalogue has a sentence."""
        return key in catalogue(self.language)

    def name(self, group: str, word: str) -> str:
        """Return what a word of the engine is called; the word itself if nothing else is known."""
        return catalogue(self.language).get(f"{group}.{word}", word)

    def money(self, amount: int) -> str:
        """Return a sum as the title writes it."""
        sign = "−" if amount < 0 else ""  # noqa: RUF001
        if self.currency.isalpha():
            return f"{sign}{abs(amount)} {self.currency}"
        return f"{sign}{self.currency}{abs(amount)}"

    def tell(self, thing: Refusal | Event | Step | Note) -> str:
        """Return a refusal, an event, a decision that is due or a note as a sentence."""
        known = self.language if self.language in notation.languages() else DEFAULT
        return notation.say(thing, known)


def words_for(state: State, language: str) -> Words:
    """Return the words for a game: its language and its money."""
    return Words(language, state.tables.figures.currency)
