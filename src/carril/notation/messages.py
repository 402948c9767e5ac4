"""Message catalogues: TOML files of sentences, one for each language, with facts in braces.

A format after a colon says how a fact is written:

- `{count:share|shares}` writes a number with the singular or plural noun, or chooses one of the two
  words for yes or no,
- `{source:word}` looks the fact up among the catalogue's words,
- `{owners:list}` joins names with commas,
- `{price:money}` writes an amount of money, with the currency where the caller says which.

>>> fill("{count:share|shares} of {company}", {"count": 2, "company": "FS"})
'2 shares of FS'
>>> fill("{player} says {accepted:yes|no}", {"player": "Ana", "accepted": True})
'Ana says yes'
>>> fill("a share from {source:word}", {"source": "pool"}, {"pool": "the pool"})
'a share from the pool'
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources.abc import Traversable
from string import Formatter
from typing import Any

DEFAULT = "en"
_SUFFIX = ".toml"

Money = Callable[[int], str]
"""How an amount of money is written."""


def languages(folder: Traversable) -> tuple[str, ...]:
    """Return the languages with a catalogue in a folder, in alphabetical order."""
    names = sorted(entry.name for entry in folder.iterdir())
    return tuple(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))


def read_catalogue(folder: Traversable, language: str) -> dict[str, Any]:
    """Return the catalogue of a language; raise LookupError if there is none."""
    known = languages(folder)
    if language not in known:
        listed = ", ".join(known)
        raise LookupError(f"no catalogue for the language {language!r}; there are: {listed}")
    return tomllib.loads((folder / f"{language}{_SUFFIX}").read_text("utf-8"))


def fill(
    sentence: str,
    facts: Mapping[str, Any],
    words: Mapping[str, str] | None = None,
    money: Money = str,
) -> str:
    """Return a sentence with its facts; raise KeyError if one is missing."""
    pieces = _parsed(sentence)
    if len(pieces) == 1 and pieces[0][1] is None:
        return pieces[0][0]
    return "".join(
        [
            text if name is None else text + _written(facts[name], form, words or {}, money)
            for text, name, form in pieces
        ]
    )


@lru_cache(maxsize=4096)
def _parsed(sentence: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return the pieces of a sentence: text, then the name and format of the fact after it."""
    return tuple((text, name, form or "") for text, name, form, _ in Formatter().parse(sentence))


def _written(value: Any, form: str, words: Mapping[str, str], money: Money) -> str:
    if form == "word":
        return words.get(str(value), str(value))
    if form == "money":
        return money(value)
    if form == "list":
        return ", ".join(value)
    if "|" in form:
        first, second = form.split("|")
        if isinstance(value, bool):
            return first if value else second
        return f"{value} {first if value == 1 else second}"
    return str(value)
