"""Sentences for what the engine says: refusals, events, and what may be done now.

A catalogue is a TOML file with a sentence for every code. In braces stand the facts; after a colon
how they are told: `{count:share|shares}` counts (or, for yes and no, chooses), `{source:word}` is
looked up among the words, `{owners:list}` joins names.

>>> from carril.engine.refusals import Refusal
>>> say(Refusal("cannot-pay", {"cost": 120, "cash": 90}, "EU-4.1.2-e"))
'That costs 120; only 90 is there.'
"""

from __future__ import annotations

import string
import tomllib
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
from carril.notation.title_words import add_title_words

Sayable = Refusal | Event | Step | Note


@cache
def languages() -> tuple[str, ...]:
    """Return the languages there are catalogues for.

    >>> "en" in languages()
    True
    """
    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name[:-5] for name in found if name.endswith(".toml")))


def catalogue(language: str) -> Mapping[str, Any]:
    """Return all sentences of a language, by kind and code; LookupError if there is none.

    The sentences of all registered titles are among them.
    """
    return _catalogue(language, title_names())


@cache
def _catalogue(language: str, titles: tuple[str, ...]) -> Mapping[str, Any]:
    if language not in languages():
        known = ", ".join(languages())
        raise LookupError(f"no catalogue for the language {language!r}; there are: {known}")
    general = tomllib.loads((files(__name__) / f"{language}.toml").read_text("utf-8"))
    return add_title_words(general, language, "notation", titles)


def say(thing: Sayable, language: str = "en") -> str:
    """Return a refusal, an event, a decision that is due or a note as a sentence."""
    kind, code, facts = _parts(thing)
    words = catalogue(language)
    sentence = _chosen(words[kind].get(code, ""), facts)
    if not sentence:
        return _plain(code, facts)
    return _Speaker(words["word"]).vformat(sentence, (), facts)


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
    """Return the sentence; one of several is chosen by the fact that `by` names."""
    if isinstance(entry, str):
        return entry
    return entry.get(str(facts[entry["by"]]), entry["else"])


def _plain(code: str, facts: Mapping[str, Any]) -> str:
    """Return something to read where a catalogue has no sentence."""
    told = ", ".join(f"{name} {value}" for name, value in facts.items())
    return f"{code} ({told})" if told else code


class _Speaker(string.Formatter):
    """Puts facts into a sentence."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = words

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "word":
            return self.words.get(str(value), str(value))
        if format_spec == "list":
            return ", ".join(value)
        if "|" in format_spec:
            first, second = format_spec.split("|")
            if isinstance(value, bool):
                return first if value else second
            return f"{value} {first if value == 1 else second}"
        return str(value)
