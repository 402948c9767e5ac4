"""The arcs of one layer of a diagram, stored as columns."""

from __future__ import annotations


class Arcs:
    """Arcs of one layer. Node 0 is the train that has not started; its arc to node 0 is first."""

    def __init__(self) -> None:
        """Start without arcs."""
        self.source: list[int] = []
        self.target: list[int] = []
        self.reward: list[int] = []
        """What an arc earns."""
        self.segments: list[int] = []
        """The segments that start with an arc (and the point if it is exclusive), as bits."""
        self.offsets: list[int] = []
        """The first arc of each node, and the number of arcs, once arcs are sorted by source."""


class RelaxedArcs(Arcs):
    """Arcs for trains of any capacity and for either objective."""

    def __init__(self) -> None:
        """Start without arcs."""
        super().__init__()
        self.payable: list[int] = []
        """The payable part of the reward, which is the total."""
        self.calls: list[int] = []
        """Whether an arc takes a place in the train: 0 or 1."""


def renumber(alive: list[bool]) -> list[int]:
    """Return consecutive numbers for the nodes that stay, -1 for the others.

    >>> renumber([True, False, True])
    [0, -1, 1]
    """
    numbers: list[int] = []
    count = 0
    for living in alive:
        numbers.append(count if living else -1)
        count += int(living)
    return numbers


def sort_by_source(arcs: Arcs, above: list[int], below: list[int]) -> tuple[list[int], list[int]]:
    """Return the arcs between nodes that stay, in the order of their sources, and the offsets.

    `above` and `below` are the new numbers of the nodes, as `renumber` returns them.
    """
    offsets = [0] * (max(above) + 2)
    for arc, source in enumerate(arcs.source):
        if above[source] >= 0 and below[arcs.target[arc]] >= 0:
            offsets[above[source] + 1] += 1
    for node in range(len(offsets) - 1):
        offsets[node + 1] += offsets[node]
    free = list(offsets)
    alive = [0] * offsets[-1]
    for arc, source in enumerate(arcs.source):
        node = above[source]
        if node >= 0 and below[arcs.target[arc]] >= 0:
            alive[free[node]] = arc
            free[node] += 1
    return alive, offsets


def kept_arcs(arcs: Arcs, above: list[int], below: list[int]) -> Arcs:
    """Return the arcs between nodes that stay, sorted by source."""
    kept = Arcs()
    _copy_columns(arcs, kept, above, below)
    return kept


def kept_relaxed_arcs(arcs: RelaxedArcs, above: list[int], below: list[int]) -> RelaxedArcs:
    """Return the arcs of a relaxed diagram between nodes that stay, sorted by source."""
    kept = RelaxedArcs()
    alive = _copy_columns(arcs, kept, above, below)
    kept.payable = [arcs.payable[arc] for arc in alive]
    kept.calls = [arcs.calls[arc] for arc in alive]
    return kept


def _copy_columns(arcs: Arcs, kept: Arcs, above: list[int], below: list[int]) -> list[int]:
    """Fill the columns that all arcs have; return the numbers of the arcs that stay."""
    alive, kept.offsets = sort_by_source(arcs, above, below)
    kept.source = [above[arcs.source[arc]] for arc in alive]
    kept.target = [below[arcs.target[arc]] for arc in alive]
    kept.reward = [arcs.reward[arc] for arc in alive]
    kept.segments = [arcs.segments[arc] for arc in alive]
    return alive
