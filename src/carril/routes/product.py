"""The product of several diagrams, searched layer by layer."""

from __future__ import annotations

from itertools import pairwise

from carril.routes.combine import Path, Team
from carril.routes.plan import NEVER, SCALE

State = tuple[int, ...]


class Product:
    """States reached in each layer: one node of every diagram, and the best way there."""

    def __init__(self, team: Team, least: int, limit: int) -> None:
        """Keep states whose bound reaches `least`; give up above `limit` states (0 = none)."""
        self.team = team
        self.least = least * SCALE
        self.limit = limit
        self.layers: list[dict[State, int]] = []
        self.parents: list[dict[State, State]] = []
        self.whole = True
        self._search()

    def _search(self) -> None:
        team = self.team
        start: State = tuple([0] * len(team.diagrams))
        states: dict[State, int] = {start: 0}
        self.layers.append(states)
        count = 0
        for layer in range(team.layers):
            below: dict[State, int] = {}
            parents: dict[State, State] = {}
            for state, value in states.items():
                for after, gain in self.children(layer, state, value):
                    if value + gain > below.get(after, NEVER):
                        below[after] = value + gain
                        parents[after] = state
            states = below
            self.layers.append(states)
            self.parents.append(parents)
            team.meter.add(len(states))
            count += len(states)
            if self.limit and count > self.limit:
                self.whole = False
                return

    def children(self, layer: int, state: State, value: int) -> list[tuple[State, int]]:
        """States below, each with what the step earns, that may still reach `least`."""
        team = self.team
        found: list[tuple[State, int]] = []
        floor = self.least - team.later[layer + 1] - team.settlement.most * SCALE - value * SCALE
        self._choose(layer, state, 0, 0, 0, floor, [], found)
        return found

    def _choose(
        self,
        layer: int,
        state: State,
        index: int,
        taken: int,
        gain: int,
        floor: int,
        nodes: list[int],
        found: list[tuple[State, int]],
    ) -> None:
        """Choose an arc for diagram `index` and those after it."""
        diagrams = self.team.diagrams
        if index == len(state):
            if gain * SCALE >= floor:
                found.append((self._named(nodes), gain))
            return
        diagram = diagrams[index]
        arcs = diagram.arcs[layer]
        below = diagram.rest[layer + 1]
        node = state[index]
        for arc in range(arcs.first[node], arcs.first[node + 1]):
            if arcs.taken[arc] & taken:
                continue
            target = arcs.target[arc]
            nodes.append(target)
            self._choose(
                layer,
                state,
                index + 1,
                taken | arcs.taken[arc],
                gain + arcs.gain[arc],
                floor - below[target],
                nodes,
                found,
            )
            nodes.pop()

    def _named(self, nodes: list[int]) -> State:
        """Equal diagrams side by side are interchangeable: put their nodes in order."""
        diagrams = self.team.diagrams
        names = list(nodes)
        for index in range(1, len(names)):
            place = index
            while place and diagrams[place] is diagrams[place - 1]:
                if names[place] >= names[place - 1]:
                    break
                names[place], names[place - 1] = names[place - 1], names[place]
                place -= 1
        return tuple(names)

    def ends(self) -> list[tuple[int, State]]:
        """Final states with what their best run earns, best first."""
        team = self.team
        found: list[tuple[int, State]] = []
        for state, value in self.layers[-1].items():
            shared = team.shared(state)
            extra = team.settlement.correction(shared)
            if extra > NEVER:
                found.append((value + extra, state))
        found.sort(key=lambda end: (-end[0], end[1]))
        return found

    def paths(self, end: State) -> list[Path]:
        """The arcs of the best run that ends in `end`."""
        states = [end]
        for parents in reversed(self.parents):
            states.append(parents[states[-1]])
        states.reverse()
        values = [self.layers[layer][state] for layer, state in enumerate(states)]
        gains = [after - before for before, after in pairwise(values)]
        return self.team_paths(states, gains)

    def team_paths(self, states: list[State], gains: list[int]) -> list[Path]:
        """Turn a chain of states, and what each step earns, into one path for each diagram."""
        paths: list[Path] = [[] for _ in states[0]]
        nodes = list(states[0])
        for layer, gain in enumerate(gains):
            arcs = self._match(layer, nodes, states[layer + 1], gain, 0, 0, [])
            assert arcs is not None
            for index, arc in enumerate(arcs):
                paths[index].append(arc)
                nodes[index] = self.team.diagrams[index].arcs[layer].target[arc]
        return paths

    def _match(
        self,
        layer: int,
        nodes: list[int],
        after: State,
        want: int,
        index: int,
        taken: int,
        arcs: list[int],
    ) -> list[int] | None:
        """Arcs from `nodes` to the state `after` that earn `want` together."""
        diagrams = self.team.diagrams
        if index == len(nodes):
            targets = [d.arcs[layer].target[arcs[i]] for i, d in enumerate(diagrams)]
            return list(arcs) if want == 0 and self._named(targets) == after else None
        columns = diagrams[index].arcs[layer]
        node = nodes[index]
        for arc in range(columns.first[node], columns.first[node + 1]):
            if columns.taken[arc] & taken:
                continue
            arcs.append(arc)
            used = taken | columns.taken[arc]
            rest = want - columns.gain[arc]
            found = self._match(layer, nodes, after, rest, index + 1, used, arcs)
            if found is not None:
                return found
            arcs.pop()
        return None
