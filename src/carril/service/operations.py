"""The registry of write operations.

Every function that changes the store is registered with `@operation`. Its parameters have the same
names everywhere (`store`, `game`, `user`, `fork`, `turn`, ...), so that the tests can call every
operation, and run every pair of them at the same time: see `tests/service/races.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

OPERATIONS: dict[str, Callable[..., Any]] = {}
"""All write operations by name."""

F = TypeVar("F", bound=Callable[..., Any])


def operation(function: F) -> F:
    """Register a function that changes the store."""
    OPERATIONS[function.__name__] = function
    return function
