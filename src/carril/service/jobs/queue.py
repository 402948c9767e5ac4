"""A fair queue: users take turns, and so do the tables of each user."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Items in the queues of users and tables; a user with many waits as long as one with few.

    >>> queue: FairQueue[int] = FairQueue()
    >>> for number, user in enumerate(("ana", "ana", "ben")):
    ...     queue.put(number, user, "table")
    >>> [queue.take() for _ in range(3)], queue.take()
    ([0, 2, 1], None)
    """

    def __init__(self) -> None:
        """Start empty."""
        self._users: OrderedDict[str, OrderedDict[str, deque[T]]] = OrderedDict()

    def put(self, item: T, user: str, table: str) -> None:
        """Add an item at the end of the queue of a user and a table."""
        tables = self._users.setdefault(user, OrderedDict())
        tables.setdefault(table, deque()).append(item)

    def take(self) -> T | None:
        """Return the next item, or None; the user and the table then go to the end."""
        if not self._users:
            return None
        user, tables = next(iter(self._users.items()))
        table, items = next(iter(tables.items()))
        item = items.popleft()
        _rotate(tables, table, bool(items))
        _rotate(self._users, user, bool(tables))
        return item

    def waiting(self, user: str) -> int:
        """Return the number of items in the queues of a user."""
        return sum(len(items) for items in self._users.get(user, {}).values())

    def __len__(self) -> int:
        """Return the number of items."""
        return sum(self.waiting(user) for user in self._users)


V = TypeVar("V")


def _rotate(queues: OrderedDict[str, V], key: str, more: bool) -> None:
    """Move a queue to the end, or remove it if it is empty."""
    if more:
        queues.move_to_end(key)
    else:
        del queues[key]
