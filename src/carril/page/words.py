"""The texts of the page, from the catalogue `messages/LANGUAGE.toml`.

>>> Words("en", "£").say("seat.bot", name="Ana")
'Ana (bot)'
>>> Words("en", "£").money(1250)
'£1250'
>>> Words("en", "pts").money(1250)
'1250 pts'
>>> Words("en").say("run.sentence", company="9")
'Minor 9 runs its trains.'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from msgspec.structs import asdict, replace

from carril.engine.events import Answered, Event
from carril.engine.refusals import Refusal
from carril.engine.registry import title_names
from carril.engine.state import State
from carril.notation import messages
from carril.notation import words as notation
from carril.notation.messages import DEFAULT
from carril.notation.title_words import add_title_words
from carril.notation.words import Sayable

_COMPANIES = ("company", "seller")
"""Facts of sentences that are companies."""
_IN_EVENTS = (*_COMPANIES, "lot", "minor", "source", "target")
"""Facts of events that are companies; the sentences of refusals say what the others are."""


def _folder() -> Traversable:
    return files("carril.page") / "messages"


def catalogue(language: str) -> Mapping[str, str]:
    """Return the sentences of a language by dotted key; English fills the gaps.

    The sentences of all registered titles are among them.
    """
    return _catalogue(language, title_names())


@cache
def _catalogue(language: str, titles: tuple[str, ...]) -> Mapping[str, str]:
    general = messages.read_catalogue(_folder(), language)
    found = dict(flattened(add_title_words(general, language, "page", titles)))
    return found if language == DEFAULT else {**catalogue(DEFAULT), **found}


def flattened(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the sentences of nested tables with their dotted keys."""
    for key, value in table.items():
        if isinstance(value, str):
            yield prefix + key, value
        else:
            yield from flattened(value, f"{prefix}{key}.")


@cache
def languages() -> tuple[str, ...]:
    """Return the languages there are catalogues for, English first."""
    found = messages.languages(_folder())
    return (DEFAULT, *(name for name in found if name != DEFAULT))


def chosen_language(wanted: str) -> str:
    """Return the first language of an Accept-Language header that has a catalogue.

    >>> chosen_language("xx, en-GB;q=0.8")
    'en'
    """
    for part in wanted.split(","):
        name = part.split(";")[0].strip().split("-")[0].lower()
        if name in languages():
            return name
    return DEFAULT


@lru_cache(maxsize=8192, typed=True)
def _said(
    language: str, titles: tuple[str, ...], key: str, names: tuple[str, ...], *values: Any
) -> str:
    """Return a sentence with its facts; a page has about a hundred, most of them again and again.

    The cache distinguishes 1 and True, which read differently.
    """
    facts = dict(zip(names, values, strict=True))
    return messages.fill(_catalogue(language, titles).get(key, key), facts)


def _capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


@dataclass(frozen=True, slots=True)
class Words:
    """A language and the currency of a title."""

    language: str = DEFAULT
    currency: str = ""
    names: tuple[tuple[str, str], ...] = ()
    """Players and the names to show instead of theirs."""

    def say(self, key: str, **facts: Any) -> str:
        """Return the sentence of a key with its facts; the key itself if there is no sentence."""
        if self.names:
            names = dict(self.names)
            facts = {fact: notation.renamed(value, names) for fact, value in facts.items()}
        if numbered := self._numbered(facts, _COMPANIES):
            return _capitalized(self.say(key, **facts | numbered))
        try:
            return _said(self.language, title_names(), key, tuple(facts), *facts.values())
        except TypeError:  # a fact that cannot be a key, such as a list
            return messages.fill(catalogue(self.language).get(key, key), facts)

    def _numbered(self, facts: Mapping[str, Any], which: Sequence[str]) -> dict[str, str]:
        """Return the names of the companies among some facts that are known by a number alone."""
        plain = catalogue(self.language)["card.numbered"]
        return {
            fact: messages.fill(plain, {"symbol": symbol})
            for fact in which
            if isinstance(symbol := facts.get(fact), str) and symbol.isdigit()
        }

    def has(self, key: str) -> bool:
        """Return whether the catalogue has a sentence for a key."""
        return key in catalogue(self.language)

    def name(self, group: str, word: str) -> str:
        """Return the name of an engine term, or the term itself if it has no name."""
        return catalogue(self.language).get(f"{group}.{word}", word)

    def money(self, amount: int) -> str:
        """Return an amount in the currency of the title."""
        sign = "−" if amount < 0 else ""  # noqa: RUF001
        if self.currency.isalpha():
            return f"{sign}{abs(amount)} {self.currency}"
        return f"{sign}{self.currency}{abs(amount)}"

    def describe(self, thing: Sayable) -> str:
        """Return a sentence that describes a refusal, an event, a pending decision or a note."""
        known = self.language if self.language in notation.languages() else DEFAULT
        named = self._with_numbered(thing)
        said = notation.say(named, known, dict(self.names), self.money)
        return said if named is thing else _capitalized(said)

    def _with_numbered(self, thing: Sayable) -> Sayable:
        """Return the same with names for the companies that are known by a number alone."""
        if isinstance(thing, Refusal):
            found = self._numbered(thing.facts, _COMPANIES)
            return replace(thing, facts={**thing.facts, **found}) if found else thing
        if not isinstance(thing, Event):
            return thing
        found = self._numbered(asdict(thing), _IN_EVENTS)
        if isinstance(thing, Answered) and thing.about[:1].isdigit():
            found["about"] = self.say("card.train", name=thing.about)
        return replace(thing, **found) if found else thing

    def player(self, name: str) -> str:
        """Return the name to show for a player."""
        return dict(self.names).get(name, name)


def words_for(state: State, language: str, names: tuple[tuple[str, str], ...] = ()) -> Words:
    """Return the words for a game: a language, the currency of its title, names of players."""
    return Words(language, state.tables.figures.currency, names)
