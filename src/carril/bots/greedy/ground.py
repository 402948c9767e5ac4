"""The value of places on the map, and how near they are."""

from __future__ import annotations

from functools import partial

from carril.engine.board import tile_at
from carril.engine.cache import Cache
from carril.engine.state import State
from carril.engine.trains import phase_def

_WEIGHTS = {"city": 1.0, "offboard": 1.0, "field": 1.0, "town": 0.6, "mine": 0.5, "harbour": 0.5}
_UNBUILT = {"city": 20, "field": 10, "town": 10, "mine": 10, "harbour": 10}
_FAR = 4
_FADES = tuple(0.55**distance for distance in range(_FAR + 1))
_around: Cache[tuple[tuple[str, int], ...]] = Cache(1024)


def around(state: State, hex_id: str) -> tuple[tuple[str, int], ...]:
    """Return the hexes within a few steps, with their distance."""
    return _around.get(hex_id, partial(_spread, state, hex_id), owner=state.tables.hexes)


def _spread(state: State, hex_id: str) -> tuple[tuple[str, int], ...]:
    hexes = state.tables.hexes
    seen = {hex_id: 0}
    edge = [hex_id]
    for distance in range(1, _FAR + 1):
        beyond = {n for at in edge for n in hexes[at].neighbours if n and n not in seen}
        edge = sorted(beyond)
        seen.update(dict.fromkeys(edge, distance))
    return tuple(seen.items())


def place_value(state: State, hex_id: str, kinds: frozenset[str] | None = None) -> float:
    """Return the value of a visit to a hex in this phase; an unbuilt city has its first value.

    With kinds of stops: only those count.
    """
    colour = phase_def(state).colour
    found = 0.0
    for stop in tile_at(state.tables, state.board, hex_id).stops:
        if kinds is not None and stop.kind not in kinds:
            continue
        worth = stop.value(colour) or _UNBUILT.get(stop.kind, 0)
        found = max(found, worth * _WEIGHTS.get(stop.kind, 0.4))
    return found


class Survey:
    """The places worth reaching in one position; each hex is valued once."""

    __slots__ = ("_found", "_state", "_values")

    def __init__(self, state: State, known: frozenset[str], kinds: frozenset[str]) -> None:
        """Survey a position for a company that already reaches the stops of these hexes.

        Its trains visit stops of these kinds.
        """
        self._state = state
        new = (hex_id for hex_id in state.tables.hexes if hex_id not in known)
        # Most hexes have nothing to visit: only the others are stored.
        self._values = {at: worth for at in new if (worth := place_value(state, at, kinds))}
        self._found: dict[str, list[tuple[float, str]]] = {}

    def value(self, hex_id: str) -> float:
        """Return the value of a hex that the company does not reach yet; 0 if it does."""
        return self._values.get(hex_id, 0.0)

    def pull(self, hex_id: str, but: str) -> float:
        """Return how attractive a hex is: the two best places near it, except one."""
        found = self._found.get(hex_id)
        if found is None:
            near = [(at, far) for at, far in around(self._state, hex_id) if at in self._values]
            ranked = sorted(
                ((self._values[at] * _FADES[far], at) for at, far in near), reverse=True
            )
            found = self._found[hex_id] = ranked[:3]
        return sum([value for value, other in found if other != but][:2])


def home_value(state: State, hex_id: str, kinds: frozenset[str] | None = None) -> float:
    """Return what a short train may soon earn from a hex: its value and two more stops."""
    near = sorted(
        (place_value(state, o, kinds) * 0.85 ** (d - 1) for o, d in around(state, hex_id) if d),
        reverse=True,
    )
    return max(20.0, place_value(state, hex_id, kinds)) + near[0] + 0.3 * near[1]
