"""How the open ends of one route may go on at a point.

The *openings* of a partial route say, for every segment of the frontier, whether
the route uses it and what lies at the other end of that stretch: nothing (0), an
end of the route (1), or another open segment (its place + 2). They are packed
into one number, six bits a place.
"""

from __future__ import annotations

from carril.routes.network import Layer, Network
from carril.routes.tally import Tally

_BITS = 6
_FULL = 63
DONE = -1
"""The openings of a route that is complete."""

Move = tuple[int, int, int]
"""New openings (or DONE), bits of the segments taken up, how often the stop is touched."""


class Crossing:
    """One layer as one train sees it."""

    def __init__(self, network: Network, layer: Layer, tally: Tally) -> None:
        """Note what `tally`'s train may do at the point of `layer`."""
        point = network.problem.points[layer.point]
        self.stop = point.stop if point.kind == "stop" else -1
        self.side = point.kind == "side"
        self.exclusive = point.exclusive and point.kind != "stop"
        self.width = len(layer.old) + len(layer.keep)
        self.old = layer.old
        self.count = len(layer.new)
        self.allowed = 0
        self.tally = tally
        self.words: list[list[str]] = []
        gauges = tally.train.gauges
        for index, number in enumerate(layer.new):
            if not gauges or network.segments[number].gauges <= set(gauges):
                self.allowed |= 1 << index
            pieces = network.segments[number].pieces
            self.words.append([network.problem.pieces[piece].once for piece in pieces])
        self.known = layer.moves.setdefault(self.allowed, {})
        self.staying = layer.keep + [self.width + index for index in range(self.count)]
        self.place = [0] * (self.width + self.count)
        for index, where in enumerate(self.staying):
            self.place[where] = index
        hexes: list[str] = [""] * (self.width + self.count)
        for where, number in self._numbered(network, layer):
            hexes[where] = network.end_hex(number, layer.point)
        self.hexes = hexes
        self.choices = self._choices()

    def _numbered(self, network: Network, layer: Layer) -> list[tuple[int, int]]:
        """Place and number of each segment at the point."""
        olds = [number for number in network.at[layer.point] if number not in layer.new]
        by_place = sorted(olds, key=lambda number: network.opened[number])
        pairs = list(zip(layer.old, by_place, strict=True))
        return pairs + [(self.width + index, number) for index, number in enumerate(layer.new)]

    def take(self, tally: int, taken: int) -> int:
        """Count the segments taken up here; -1 if the route may not have them all."""
        for index in range(self.count):
            if taken >> index & 1:
                tally = self.tally.take(tally, self.words[index])
                if tally < 0:
                    return -1
        return tally

    def moves(self, openings: int) -> list[Move]:
        """Every way to go on from `openings`, in a fixed order: the idle one first.

        Trains that may use the same segments share them.
        """
        found = self.known.get(openings)
        if found is None:
            found = self._moves(openings)
            self.known[openings] = found
        return found

    def _moves(self, openings: int) -> list[Move]:
        mates = [0] * (self.width + self.count)
        for place in range(self.width):
            mates[place] = (openings >> (_BITS * place)) & _FULL
        used = [place for place in self.old if mates[place]]
        found: list[Move] = []
        for taken, places in self.choices:
            if self._possible(len(used) + len(places)):
                self._go_on(mates, used + places, taken, found)
        return found

    def _choices(self) -> list[tuple[int, list[int]]]:
        """Every set of new segments that the train may take up: as bits, and as places."""
        found: list[tuple[int, list[int]]] = []
        for taken in range(1 << self.count):
            if not taken & ~self.allowed:
                bits = [index for index in range(self.count) if taken >> index & 1]
                found.append((taken, [self.width + index for index in bits]))
        return found

    def _possible(self, total: int) -> bool:
        """Whether a route may use so many segments at the point."""
        if self.stop >= 0 or self.exclusive:
            return total <= 2 and (self.stop >= 0 or total != 1)
        return total % 2 == 0

    def _go_on(self, mates: list[int], here: list[int], taken: int, found: list[Move]) -> None:
        """Add the moves that use exactly the segments `here` at the point."""
        if len(here) == 1:
            after = list(mates)
            done = self._end(after, here[0])
            self._add(after, taken, 1, done, found)
            return
        if self.exclusive and here:
            taken |= 1 << self.count
        self._pair(mates, here, taken, len(here) if self.stop >= 0 else 0, False, found)

    def _pair(
        self,
        mates: list[int],
        here: list[int],
        taken: int,
        touched: int,
        done: bool,
        found: list[Move],
    ) -> None:
        """Join the first segment with each other one in turn, and the rest likewise."""
        if not here:
            self._add(mates, taken, touched, done, found)
            return
        one = here[0]
        for index in range(1, len(here)):
            two = here[index]
            if self.side and self.hexes[one] == self.hexes[two]:
                continue
            after = list(mates)
            closed = self._link(after, one, two)
            if closed < 0 or (closed and done):
                continue
            rest = here[1:index] + here[index + 1 :]
            self._pair(after, rest, taken, touched, done or closed == 1, found)

    def _end(self, mates: list[int], one: int) -> bool:
        """End the route here; True if that completes it."""
        if one >= self.width:
            mates[one] = 1
            return False
        mate = mates[one]
        mates[one] = 0
        if mate == 1:
            return True
        mates[mate - 2] = 1
        return False

    def _link(self, mates: list[int], one: int, two: int) -> int:
        """Join two segments: 0, 1 if that completes the route, -1 if it closes a ring."""
        if one >= self.width:  # both are taken up here: the used ones come first
            mates[one] = two + 2
            mates[two] = one + 2
            return 0
        mate = mates[one]
        mates[one] = 0
        if two >= self.width:
            mates[two] = mate
            if mate >= 2:
                mates[mate - 2] = two + 2
            return 0
        if mate == two + 2:
            return -1
        other = mates[two]
        mates[two] = 0
        if mate >= 2:
            mates[mate - 2] = other
        if other >= 2:
            mates[other - 2] = mate
        return 1 if mate == 1 and other == 1 else 0

    def _add(
        self, mates: list[int], taken: int, touched: int, done: bool, found: list[Move]
    ) -> None:
        """Pack what is open now; a complete route may leave nothing open."""
        packed = 0
        ends = 0
        for index, where in enumerate(self.staying):
            mate = mates[where]
            if mate == 1:
                ends += 1
                packed |= 1 << (_BITS * index)
            elif mate:
                packed |= (self.place[mate - 2] + 2) << (_BITS * index)
        if done:
            if not packed:
                found.append((DONE, taken, touched))
        elif ends <= 2:
            found.append((packed, taken, touched))


def places_used(openings: int) -> list[int]:
    """Return which segments of the frontier a partial route uses.

    >>> places_used(0), places_used(1 << 6), places_used((1 + 2) | (0 + 2) << 6)
    ([], [1], [0, 1])
    """
    places: list[int] = []
    place = 0
    while openings > 0:
        if openings & _FULL:
            places.append(place)
        openings >>= _BITS
        place += 1
    return places
