"""Dominance between states of a product with many trains.

Whatever a train does, one of the same type with more room can do as well. So a state is dominated
by another one of the same layer that is worth at least as much, has the same routes under way, and
has idle trains left that can replace those of the first state.
"""

from __future__ import annotations

from carril.engine.runs.revenue import room_caps
from carril.routes.diagram.exact import Diagram

State = tuple[int, ...]
Entry = tuple[int, list[int], State]
"""Value of a state, its idle trains as `_idle_counts` returns them, and the state."""


class Dominance:
    """Finds dominated states of a product of diagrams."""

    def __init__(self, diagrams: list[Diagram]) -> None:
        """Compare states of these diagrams; equal ones must be next to each other."""
        self.group: list[int] = []
        """For each diagram the index of the first one that is equal."""
        for index, diagram in enumerate(diagrams):
            equal = index > 0 and diagram is diagrams[index - 1]
            self.group.append(self.group[-1] if equal else index)
        self.distinct = sorted(set(self.group))
        self.chains = _chains(diagrams, self.distinct)
        self.settled = [
            _settled(diagram) if self.group[index] == index else []
            for index, diagram in enumerate(diagrams)
        ]
        """By first diagram, layer and node: whether nothing more can happen to the train."""

    def undominated(self, layer: int, states: dict[State, int]) -> dict[State, int]:
        """Return the states before a layer that no other one dominates, in the same order."""
        similar: dict[State, list[Entry]] = {}
        for state, value in states.items():
            key, idle = self._split(layer, state)
            entry: Entry = (-value, idle, state)
            entries = similar.get(key)
            if entries is None:
                similar[key] = [entry]
            else:
                entries.append(entry)
        if len(similar) == len(states):
            return states
        kept: set[State] = set()
        for entries in similar.values():
            entries.sort()
            best: list[list[int]] = []
            for _, idle, state in entries:
                if not _covered(idle, best):
                    best.append(idle)
                    kept.add(state)
        return {state: value for state, value in states.items() if state in kept}

    def _split(self, layer: int, state: State) -> tuple[State, list[int]]:
        """Return the nodes of trains under way, and minus the idle trains, chain by chain."""
        idle = [0] * len(state)
        under_way: list[int] = []
        for index, node in enumerate(state):
            group = self.group[index]
            if self.settled[group][layer][node]:
                continue
            if node:
                under_way += [group, node]
            else:
                idle[group] -= 1
        return tuple(under_way), self._idle_counts(idle)

    def _idle_counts(self, idle: list[int]) -> list[int]:
        """Return for each train how many of its chain with at least its room are idle."""
        counts: list[int] = []
        for chain in self.chains:
            total = 0
            for group in chain:
                total += idle[group]
                counts.append(total)
        return counts


def _covered(idle: list[int], others: list[list[int]]) -> bool:
    """Return whether one of the others has as many idle trains everywhere; counts are negative."""
    for other in others:
        covered = True
        for position in range(len(idle)):
            if other[position] > idle[position]:
                covered = False
                break
        if covered:
            return True
    return False


def _settled(diagram: Diagram) -> list[list[bool]]:
    """Return by layer and node whether the route earns and uses nothing more, and couples nothing.

    This is so for complete routes, and for the idle train once no route can start.
    """
    below = [not label for label in diagram.coupling_labels]
    found = [below]
    for layer in range(len(diagram.arcs) - 1, -1, -1):
        arcs = diagram.arcs[layer]
        here = [arcs.offsets[n] < arcs.offsets[n + 1] for n in range(diagram.widths[layer])]
        for arc, source in enumerate(arcs.source):
            if arcs.segments[arc] or arcs.reward[arc] or not below[arcs.target[arc]]:
                here[source] = False
        below = here
        found.append(below)
    found.reverse()
    return found


def _chains(diagrams: list[Diagram], distinct: list[int]) -> list[list[int]]:
    """Return chains of diagrams; each can do whatever the next one in its chain can do."""
    chains: list[list[int]] = []
    for index in distinct:
        for chain in chains:
            place = _place(diagrams, chain, index)
            if place >= 0:
                chain.insert(place, index)
                break
        else:
            chains.append([index])
    return chains


def _place(diagrams: list[Diagram], chain: list[int], index: int) -> int:
    """Return where a diagram belongs in a chain; -1 if it is not comparable with all others."""
    place = 0
    while place < len(chain) and _includes(diagrams[chain[place]], diagrams[index]):
        place += 1
    for other in chain[place:]:
        if not _includes(diagrams[index], diagrams[other]):
            return -1
    return place


def _includes(large: Diagram, small: Diagram) -> bool:
    """Return whether one train can make every route of another, for the same value."""
    one, two = large.objective.relaxation, small.objective.relaxation
    if one.diagram is not two.diagram or one.card is not None or two.card is not None:
        return False
    kinds = sorted({stop.kind for stop in one.diagram.resources.problem.stops})
    tighter = room_caps(two.train.room, kinds)
    for counted, cap in room_caps(one.train.room, kinds):
        if not any(counted <= more and least <= cap for more, least in tighter):
            return False
    return True
