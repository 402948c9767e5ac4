"""Frontier states of one route, and the transitions between them at a point (Simpath).

A partial route is a set of disjoint paths. Its *frontier state* is the mate vector of those paths:
for each position in the frontier 0 if the route does not use that segment, 1 if the path over it
ends in an end of the route, or m + 2 if it leads to the frontier segment at position m. The vector
is packed into one integer, six bits per position.
"""

from __future__ import annotations

from carril.routes.graph.layers import Layer, LayeredGraph, Transitions
from carril.routes.state.resources import Resources

_BITS = 6
_MASK = (1 << _BITS) - 1
MAX_WIDTH = _MASK - 1
"""Widest frontier that can be packed: the last position, plus 2, must fit in six bits."""
COMPLETE = -1
"""The frontier state of a complete route; no further segment may be used."""


class FrontierTooWide(ValueError):
    """The graph has a frontier wider than a frontier state can represent."""


def check_width(width: int) -> None:
    """Raise FrontierTooWide unless a frontier of this width can be packed."""
    if width > MAX_WIDTH:
        text = f"the frontier is {width} segments wide; at most {MAX_WIDTH} can be represented"
        raise FrontierTooWide(text)


def pack(mates: list[int]) -> int:
    """Return the frontier state of a mate vector.

    >>> pack([0, 1]), pack([3, 2])
    (64, 131)
    """
    state = 0
    for position, mate in enumerate(mates):
        state |= mate << (_BITS * position)
    return state


def used_positions(state: int) -> list[int]:
    """Return the positions in the frontier whose segments the route uses.

    >>> used_positions(0), used_positions(pack([0, 1])), used_positions(pack([3, 2]))
    ([], [1], [0, 1])
    """
    positions: list[int] = []
    position = 0
    while state > 0:
        if state & _MASK:
            positions.append(position)
        state >>= _BITS
        position += 1
    return positions


class FrontierTransitions:
    """The transitions at one layer for one type of train.

    Within a transition, positions are those of the frontier before the layer, followed by one for
    each segment that starts in it.
    """

    def __init__(self, layered: LayeredGraph, layer: Layer, resources: Resources) -> None:
        """Prepare the transitions of the train of `resources` at `layer`."""
        point = layered.problem.points[layer.point]
        self.resources = resources
        self.stop = point.stop if point.kind == "stop" else -1
        self._side = point.kind == "side"
        self._exclusive = point.exclusive and point.kind != "stop"
        self._width = len(layer.closing) + len(layer.staying)
        self._closing = layer.closing
        self._started = len(layer.starting)
        check_width(len(layer.staying) + self._started)
        self._allowed = 0
        self.groups: list[list[str]] = []
        """For each segment that starts here, the exclusive groups of its pieces."""
        self._add_segments(layered, layer)
        self._memo = layer.transitions.setdefault(self._allowed, {})
        new = [self._width + index for index in range(self._started)]
        self._staying = layer.staying + new
        self._position = [0] * (self._width + self._started)
        for index, position in enumerate(self._staying):
            self._position[position] = index
        self._hexes = [""] * (self._width + self._started)
        self._note_hexes(layered, layer)
        self._choices = self._allowed_choices()

    def _add_segments(self, layered: LayeredGraph, layer: Layer) -> None:
        gauges = self.resources.train.gauges
        for index, number in enumerate(layer.starting):
            segment = layered.graph.segments[number]
            if not gauges or segment.gauges <= set(gauges):
                self._allowed |= 1 << index
            self.groups.append([layered.problem.pieces[piece].once for piece in segment.pieces])

    def _note_hexes(self, layered: LayeredGraph, layer: Layer) -> None:
        """Note for each segment at the point the hex through which it arrives."""
        graph = layered.graph
        closing = [n for n in graph.incident[layer.point] if n not in layer.starting]
        closing.sort(key=lambda number: layered.start_order[number])
        pairs = list(zip(layer.closing, closing, strict=True))
        pairs += [(self._width + index, number) for index, number in enumerate(layer.starting)]
        for position, number in pairs:
            self._hexes[position] = graph.end_hex(number, layer.point)

    def _allowed_choices(self) -> list[tuple[int, list[int]]]:
        """Return every set of segments that the train may start: as bits, and as positions."""
        found: list[tuple[int, list[int]]] = []
        for started in range(1 << self._started):
            if not started & ~self._allowed:
                bits = [index for index in range(self._started) if started >> index & 1]
                found.append((started, [self._width + index for index in bits]))
        return found

    def count_groups(self, label: int, started: int) -> int:
        """Return the label after starting some segments; -1 if the route may not use them all."""
        for index in range(self._started):
            if started >> index & 1:
                label = self.resources.count_groups(label, self.groups[index])
                if label < 0:
                    return -1
        return label

    def transitions(self, state: int) -> Transitions:
        """Return all transitions from a frontier state, in a fixed order.

        The first one uses no segment, if that is possible. Types of trains that may start the
        same segments share the memo.
        """
        found = self._memo.get(state)
        if found is None:
            found = self._expand(state)
            self._memo[state] = found
        return found

    def _expand(self, state: int) -> Transitions:
        mates = [0] * (self._width + self._started)
        for position in range(self._width):
            mates[position] = (state >> (_BITS * position)) & _MASK
        used = [position for position in self._closing if mates[position]]
        found: Transitions = []
        for started, positions in self._choices:
            if self._degree_allowed(len(used) + len(positions)):
                self._connect(mates, used + positions, started, found)
        return found

    def _degree_allowed(self, degree: int) -> bool:
        """Return whether a route may use this many segments at the point."""
        if self.stop >= 0 or self._exclusive:
            return degree <= 2 and (self.stop >= 0 or degree != 1)
        return degree % 2 == 0

    def _connect(self, mates: list[int], here: list[int], started: int, found: Transitions) -> None:
        """Add the transitions that use exactly the segments `here` at the point."""
        if len(here) == 1:
            after = list(mates)
            complete = self._end(after, here[0])
            self._add(after, started, 1, complete, found)
            return
        if self._exclusive and here:
            started |= 1 << self._started
        self._pair(mates, here, started, len(here) if self.stop >= 0 else 0, False, found)

    def _pair(
        self,
        mates: list[int],
        here: list[int],
        started: int,
        degree: int,
        complete: bool,
        found: Transitions,
    ) -> None:
        """Join the first segment to each other one in turn, and pair the rest likewise."""
        if not here:
            self._add(mates, started, degree, complete, found)
            return
        one = here[0]
        for index in range(1, len(here)):
            two = here[index]
            if self._side and self._hexes[one] == self._hexes[two]:
                continue
            after = list(mates)
            closed = self._join(after, one, two)
            if closed < 0 or (closed and complete):
                continue
            rest = here[1:index] + here[index + 1 :]
            self._pair(after, rest, started, degree, complete or closed == 1, found)

    def _end(self, mates: list[int], one: int) -> bool:
        """Let the route end here; return whether that completes it."""
        if one >= self._width:
            mates[one] = 1
            return False
        mate = mates[one]
        mates[one] = 0
        if mate == 1:
            return True
        mates[mate - 2] = 1
        return False

    def _join(self, mates: list[int], one: int, two: int) -> int:
        """Join two segments; return 1 if that completes the route, -1 if it closes a cycle."""
        if one >= self._width:  # both start here: segments that close come first
            mates[one] = two + 2
            mates[two] = one + 2
            return 0
        mate = mates[one]
        mates[one] = 0
        if two >= self._width:
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
        self,
        mates: list[int],
        started: int,
        degree: int,
        complete: bool,
        found: Transitions,
    ) -> None:
        """Pack the frontier after the point; a complete route may leave nothing open."""
        packed = 0
        ends = 0
        for index, position in enumerate(self._staying):
            mate = mates[position]
            if mate == 1:
                ends += 1
                packed |= 1 << (_BITS * index)
            elif mate:
                packed |= (self._position[mate - 2] + 2) << (_BITS * index)
        if complete:
            if not packed:
                found += [COMPLETE, started, degree]
        elif ends <= 2:
            found += [packed, started, degree]
