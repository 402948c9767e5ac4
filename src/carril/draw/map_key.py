"""The map of a set of tables as a cache key."""

from __future__ import annotations

from carril.engine.tables import Tables


class MapKey:
    """Tables that compare equal if they have the very same map and tiles, whatever the set-up."""

    __slots__ = ("tables",)

    def __init__(self, tables: Tables) -> None:
        """Wrap tables; the key keeps them alive."""
        self.tables = tables

    def __hash__(self) -> int:
        """Return a hash of the map's identity."""
        return id(self.tables.hexes)

    def __eq__(self, other: object) -> bool:
        """Return whether the other tables have the same map and tiles."""
        return (
            isinstance(other, MapKey)
            and other.tables.hexes is self.tables.hexes
            and other.tables.tiles is self.tables.tiles
        )
