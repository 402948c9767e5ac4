"""Sentences for refusals, events and pending decisions.

The catalogue of a language has a sentence for every code, in the syntax of
`carril.notation.messages`. A table instead of a sentence chooses one of several by the fact that
`by` names.

>>> from carril.engine.refusals import Refusal
>>> say(Refusal("cannot-pay", {"cost": 120, "cash": 90}, "EU-4.1.2-e"))
'That costs 120, but only 90 is available.'
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from carril.engine.answers import Note
from carril.engine.events import Event
from carril.engine.refusals import Refusal
from carril.engine.registry import title_names
from carril.engine.step import Step
from carril.notation import messages
from carril.notation.title_words import add_title_words

Sayable = Refusal | Event | Step | Note


@cache
def languages() -> tuple[str, ...]:
    """Return the languages there are catalogues for.

    >>> "en" in languages()
    True
    """
    return messages.languages(files(__name__))


def catalogue(language: str) -> Mapping[str, Any]:
    """Return all sentences of a language, by kind and code; raise LookupError if there are none.

    The sentences of all registered titles are among them.
    """
    return _catalogue(language, title_names())


@cache
def _catalogue(language: str, titles: tuple[str, ...]) -> Mapping[str, Any]:
    general = messages.read_catalogue(files(__name__), language)
    return add_title_words(general, language, "notation", titles)


def say(
    thing: Sayable,
    language: str = messages.DEFAULT,
    names: Mapping[str, str] | None = None,
    money: messages.Money = str,
) -> str:
    """Return a sentence that describes a refusal, an event, a pending decision or a note.

    `names` has other names for some players; `money` writes the amounts in events, by default as
    plain numbers.
    """
    kind, code, facts = _parts(thing)
    if names:
        facts = {fact: renamed(value, names) for fact, value in facts.items()}
    sentences = catalogue(language)
    sentence = _chosen(sentences[kind].get(code, ""), facts)
    if not sentence:
        return _plain(code, facts)
    return messages.fill(sentence, facts, sentences["word"], money)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a fact with other names for players, also in a list of names.

    >>> renamed(("Guest 2", "Ana"), {"Guest 2": "Bea"})
    ('Bea', 'Ana')
    """
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple | list):
        return tuple(renamed(one, names) for one in value)
    return value


def _parts(thing: Sayable) -> tuple[str, str, dict[str, Any]]:
    if isinstance(thing, Refusal):
        return "refusal", thing.code, dict(thing.facts)
    if isinstance(thing, Note):
        return "note", thing.code, dict(thing.facts)
    facts = msgspec.structs.asdict(thing)
    code = str(type(thing).__struct_config__.tag)
    if isinstance(thing, Step):
        return "step", code, facts | {"subject": thing.subject}
    return "event", code, facts


def _chosen(entry: str | Mapping[str, str], facts: Mapping[str, Any]) -> str:
    """Return the sentence of an entry; if it has several, the one for the fact named by `by`."""
    if isinstance(entry, str):
        return entry
    return entry.get(str(facts[entry["by"]]), entry["else"])


def _plain(code: str, facts: Mapping[str, Any]) -> str:
    """Return a readable text for a code that has no sentence."""
    listed = ", ".join(f"{name} {value}" for name, value in facts.items())
    return f"{code} ({listed})" if listed else code
