"""Values as keys of caches by what they are, not by what they contain."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Same(Generic[T]):
    """A key that is equal only to a key of the very same value, however large that is.

    >>> tables = {"a": 1}
    >>> Same(tables) == Same(tables), Same(tables) == Same({"a": 1})
    (True, False)
    """

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        """Stand for a value, and keep it, so that no other can take its place in memory."""
        self.value = value

    def __hash__(self) -> int:
        """Return a number that only this value has while it is kept."""
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        """Return whether the other stands for the very same value."""
        return isinstance(other, Same) and other.value is self.value
