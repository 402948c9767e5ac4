"""Serial numbers of trains in records of 18xx.games, and who owns each train.

A record names a train by its serial number, but not in every transfer: a company that closes,
merges or goes bankrupt passes its trains on without naming them. So the numbers follow the position
after every action: where a company owns fewer trains of a kind than the list says, its numbers move
to the company that owns more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from carril.engine.state import POOL, State


class Holding(NamedTuple):
    """The owner of a train, a company or the pool, and its name here."""

    owner: str
    name: str


class TrainSerials:
    """The trains that have left the supply, by serial number, in the order they were acquired."""

    def __init__(self, holdings: Iterable[tuple[str, str, str]] = ()) -> None:
        """Start with some serial numbers, each with its owner and name."""
        self._held = {serial: Holding(owner, name) for serial, owner, name in holdings}

    def __contains__(self, serial: object) -> bool:
        """Return whether a train has left the supply."""
        return serial in self._held

    def owner(self, serial: str) -> str:
        """Return the owner of a train, or "" while it is in the supply or out of the game."""
        held = self._held.get(serial)
        return held.owner if held else ""

    def name(self, serial: str) -> str:
        """Return the name of a train: that of its serial number until another is given."""
        held = self._held.get(serial)
        return held.name if held else serial.rpartition("-")[0]

    def owned_by(self, owner: str) -> Iterator[str]:
        """Yield the serial numbers of a company's trains, the one acquired first first."""
        return (serial for serial, held in self._held.items() if held.owner == owner)

    def give(self, serial: str, owner: str, name: str = "") -> None:
        """Note that a train has a new owner; it is the one acquired last."""
        name = name or self.name(serial)
        self._held.pop(serial, None)
        self._held[serial] = Holding(owner, name)

    def rename(self, serial: str, name: str) -> None:
        """Note that a train has a new name; its place in the order stays."""
        self._held[serial] = Holding(self.owner(serial), name)

    def follow(self, state: State) -> None:
        """Move serial numbers to where the position has the trains."""
        missing = _holdings(state)
        missing.subtract(self._held.values())
        for serial, held in list(self._held.items()):
            if missing[held] >= 0:
                continue
            missing[held] += 1
            owner = next((h.owner for h in missing if h.name == held.name and missing[h] > 0), "")
            missing[Holding(owner, held.name)] -= 1
            self.give(serial, owner)


def _holdings(state: State) -> Counter[Holding]:
    """Count the trains of each company and of the pool."""
    owned = ((c.symbol, name) for c in state.companies.values() for name in c.trains)
    pooled = ((POOL, name) for name in state.depot.pool)
    return Counter(Holding(owner, name) for source in (owned, pooled) for owner, name in source)
