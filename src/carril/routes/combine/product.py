"""The product of several diagrams, built layer by layer with bounding.

A state is a node of each diagram. It is dropped if its value so far, plus what each train can still
earn on its own at the prices, plus the remaining multipliers, is below a threshold.
"""

from __future__ import annotations

from itertools import pairwise

from carril.routes.combine.train_set import Path, TrainSet
from carril.routes.constants import INFEASIBLE, SCALE

State = tuple[int, ...]


class Product:
    """The states of each layer, with the greatest value and the parent of each."""

    def __init__(self, trains: TrainSet, threshold: int, limit: int) -> None:
        """Keep states whose bound reaches `threshold`; stop above `limit` states (0 = no limit)."""
        self.trains = trains
        self._threshold = threshold * SCALE
        self.values: list[dict[State, int]] = []
        """Before each layer and after the last: the greatest value of each state."""
        self._parents: list[dict[State, State]] = []
        self.finished = self._build(limit)
        """Whether all layers were built within the limit."""

    def _build(self, limit: int) -> bool:
        trains = self.trains
        start: State = tuple([0] * len(trains.diagrams))
        states: dict[State, int] = {start: 0}
        self.values.append(states)
        count = 0
        for layer in range(trains.depth):
            below: dict[State, int] = {}
            parents: dict[State, State] = {}
            for state, value in states.items():
                for after, reward in self.successors(layer, state, value):
                    if value + reward > below.get(after, INFEASIBLE):
                        below[after] = value + reward
                        parents[after] = state
            states = below
            self.values.append(states)
            self._parents.append(parents)
            trains.budget.charge(len(states))
            count += len(states)
            if limit and count > limit:
                return False
        return True

    def successors(self, layer: int, state: State, value: int) -> list[tuple[State, int]]:
        """Return the next states that may reach the threshold, each with what the step earns."""
        trains = self.trains
        found: list[tuple[State, int]] = []
        other = trains.multiplier_sums[layer + 1] + trains.coupling.upper_bound * SCALE
        missing = self._threshold - other - value * SCALE
        self._choose(layer, state, 0, 0, 0, missing, [], found)
        return found

    def _choose(
        self,
        layer: int,
        state: State,
        index: int,
        used: int,
        reward: int,
        missing: int,
        nodes: list[int],
        found: list[tuple[State, int]],
    ) -> None:
        """Choose an arc for diagram `index` and those after it."""
        if index == len(state):
            if reward * SCALE >= missing:
                found.append((self._canonical(nodes), reward))
            return
        diagram = self.trains.diagrams[index]
        arcs = diagram.arcs[layer]
        below = diagram.value_to_go[layer + 1]
        node = state[index]
        for arc in range(arcs.offsets[node], arcs.offsets[node + 1]):
            if arcs.segments[arc] & used:
                continue
            target = arcs.target[arc]
            nodes.append(target)
            self._choose(
                layer,
                state,
                index + 1,
                used | arcs.segments[arc],
                reward + arcs.reward[arc],
                missing - below[target],
                nodes,
                found,
            )
            nodes.pop()

    def _canonical(self, nodes: list[int]) -> State:
        """Return the nodes with those of equal diagrams in order: these are interchangeable."""
        diagrams = self.trains.diagrams
        ordered = list(nodes)
        for index in range(1, len(ordered)):
            at = index
            while at and diagrams[at] is diagrams[at - 1]:
                if ordered[at] >= ordered[at - 1]:
                    break
                ordered[at], ordered[at - 1] = ordered[at - 1], ordered[at]
                at -= 1
        return tuple(ordered)

    def final_states(self) -> list[tuple[int, State]]:
        """Return the states after the last layer with the values of their runs, best first."""
        trains = self.trains
        found: list[tuple[int, State]] = []
        for state, value in self.values[-1].items():
            correction = trains.coupling.correction(trains.coupling_labels(state))
            if correction > INFEASIBLE:
                found.append((value + correction, state))
        found.sort(key=lambda final: (-final[0], final[1]))
        return found

    def best_paths(self, final: State) -> list[Path]:
        """Return the paths of the best run that ends in a state."""
        states = [final]
        for parents in reversed(self._parents):
            states.append(parents[states[-1]])
        states.reverse()
        values = [self.values[layer][state] for layer, state in enumerate(states)]
        return self.paths(states, [after - before for before, after in pairwise(values)])

    def paths(self, states: list[State], rewards: list[int]) -> list[Path]:
        """Return a path for each diagram along a chain of states; each step earns its reward."""
        paths: list[Path] = [[] for _ in states[0]]
        nodes = list(states[0])
        for layer, reward in enumerate(rewards):
            arcs = self._match(layer, nodes, states[layer + 1], reward, 0, 0, [])
            assert arcs is not None
            for index, arc in enumerate(arcs):
                paths[index].append(arc)
                nodes[index] = self.trains.diagrams[index].arcs[layer].target[arc]
        return paths

    def _match(
        self,
        layer: int,
        nodes: list[int],
        after: State,
        reward: int,
        index: int,
        used: int,
        arcs: list[int],
    ) -> list[int] | None:
        """Return arcs from `nodes` to the state `after` that earn `reward` together."""
        diagrams = self.trains.diagrams
        if index == len(nodes):
            targets = [d.arcs[layer].target[arcs[i]] for i, d in enumerate(diagrams)]
            return list(arcs) if reward == 0 and self._canonical(targets) == after else None
        columns = diagrams[index].arcs[layer]
        node = nodes[index]
        for arc in range(columns.offsets[node], columns.offsets[node + 1]):
            if columns.segments[arc] & used:
                continue
            arcs.append(arc)
            rest = reward - columns.reward[arc]
            now = used | columns.segments[arc]
            found = self._match(layer, nodes, after, rest, index + 1, now, arcs)
            if found is not None:
                return found
            arcs.pop()
        return None
