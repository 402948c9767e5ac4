"""Names of users and players: which are accepted, and which look alike."""

from __future__ import annotations

import secrets
import tomllib
import unicodedata
from importlib import resources

from carril.service.errors import BadRequest

LONGEST = 40
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
"""Characters without a picture that count as letters or marks."""
_ALPHABETS = tomllib.loads(
    resources.files("carril.service").joinpath("look_alikes.toml").read_text("utf-8")
)
_LOOK_ALIKE = {
    ord(letter): latin
    for alphabet in _ALPHABETS.values()
    for letter, latin in zip(alphabet["letters"], alphabet["latin"], strict=True)
}
"""Letters of other alphabets, and digits, by the Latin letter that they look like."""


def clean_name(name: str) -> str:
    """Return a name with normalized letters and spaces; raise BadRequest if it is not valid.

    >>> clean_name(" \\uff21na   Maria ")
    'Ana Maria'
    """
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not 1 <= len(name) <= LONGEST or not is_visible(name):
        raise BadRequest(
            f"A name must have 1 to {LONGEST} printable characters.", {"most": LONGEST}
        )
    return name


def is_visible(text: str) -> bool:
    """Return whether a text consists of printable characters that can be seen.

    >>> [is_visible(one) for one in ("Ana", "A\\n", "A\\u202e", "A\\u3164", "\\ud800")]
    [True, False, False, False, False]
    """
    return text.isprintable() and not _INVISIBLE.intersection(text)


def skeleton(name: str) -> str:
    """Return a form that is the same for names that look alike.

    >>> skeleton("Ana") == skeleton("\\u0410na") == skeleton("ANA") == skeleton("An a")
    True
    >>> skeleton("Ana") == skeleton("Anna")
    False
    """
    folded = unicodedata.normalize("NFKC", name).casefold().translate(_LOOK_ALIKE)
    return "".join(c for c in folded if c.isalnum() or unicodedata.category(c) == "Mn") or folded


def new_id() -> str:
    """Return a new id for a game or a user; it does not begin like an option of a command."""
    made = secrets.token_urlsafe(9)
    return new_id() if made.startswith("-") else made
