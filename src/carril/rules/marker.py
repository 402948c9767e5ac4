"""The mark that says which rules a test holds."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T", bound=Callable[..., object])


def rule(*ids: str) -> Callable[[T], T]:
    """Mark a test, or a class of tests, with the ids of the ledger rules it holds.

    Coverage reads the marks from the source (`carril.rules.coverage`), so the ids must be
    written out as plain strings. Marks may be stacked.

    >>> @rule("EU-1.1-a")
    ... def test_bank() -> None: ...
    >>> test_bank.rules
    ('EU-1.1-a',)
    """

    def mark(test: T) -> T:
        marked = (*ids, *getattr(test, "rules", ()))
        test.rules = marked  # type: ignore[attr-defined]
        return test

    return mark
