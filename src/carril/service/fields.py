"""Fields of requests: numbers in range, and texts that can be stored."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field

MOST_NUMBER = (1 << 31) - 1
"""The largest number of a position, message or request."""
MOST_SEED = (1 << 63) - 1
_DIGITS = 20
_DEPTH = 40

T = TypeVar("T")

Number = Annotated[int, Field(ge=0, le=MOST_NUMBER)]
"""The number of a position, message or request, in an address or a form."""
JsonNumber = Annotated[int, Field(ge=0, le=MOST_NUMBER, strict=True)]
"""The same in a JSON body, where neither a boolean nor a text is a number."""


def parse_number(text: str, default: T, most: int = MOST_NUMBER) -> int | T:
    """Return the number that a text is, or a default if it is not one in range.

    >>> [parse_number(one, None) for one in ("17", "", "²", "-1", "9" * 30)]
    [17, None, None, None, None]
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
        return default
    return int(text) if int(text) <= most else default


def is_storable(text: str) -> bool:
    """Return whether both databases can store a text: no NUL, no half of a surrogate pair."""
    return "\x00" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


def check_text(text: str) -> str:
    """Return a text; raise ValueError if it cannot be stored."""
    if not is_storable(text):
        raise ValueError("this text contains characters that cannot be stored")
    return text


def check_values(value: Any, depth: int = 0) -> Any:
    """Return JSON values; raise ValueError if a text in them cannot be stored, or they are deep."""
    if depth > _DEPTH:
        raise ValueError("this is nested too deeply")
    if isinstance(value, str):
        check_text(value)
    elif isinstance(value, dict):
        for key, one in value.items():
            check_values(key, depth + 1)
            check_values(one, depth + 1)
    elif isinstance(value, list):
        for one in value:
            check_values(one, depth + 1)
    return value


Text = Annotated[str, AfterValidator(check_text)]
"""A text in an address or a form."""
