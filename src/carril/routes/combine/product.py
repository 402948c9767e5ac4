"""The product of several diagrams, built layer by layer with bounding.

A state is a node of each diagram. It is dropped if its value so far, plus what each train can still
earn on its own at the prices, plus the remaining multipliers, is below a threshold.
"""

from __future__ import annotations

from itertools import pairwise

from carril.routes.combine.dominance import Dominance
from carril.routes.combine.train_set import Path, TrainSet
from carril.routes.constants import INFEASIBLE, SCALE

State = tuple[int, ...]
Columns = list[int]


class Product:
    """The states of each layer, with the greatest value and the parent of each."""

    def __init__(
        self,
        trains: TrainSet,
        threshold: int,
        limit: int,
        width: int = 0,
        dominance: Dominance | None = None,
    ) -> None:
        """Keep states whose bound reaches `threshold`; stop above `limit` states (0 = no limit).

        With a `width`, only this number of states of each layer is expanded, those with the
        greatest bounds (a beam): the runs found are legal, but better ones may be missing. With
        `dominance`, a best run is kept, but not every one.
        """
        self.trains = trains
        self._dominance = dominance
        self._threshold = (threshold - trains.coupling.upper_bound) * SCALE
        self._losses: list[list[Columns]] = []
        """By layer and diagram: what each arc costs of the bound."""
        self.values: list[dict[State, int]] = []
        """Before each layer and after the last: the greatest value of each state."""
        self._parents: list[dict[State, State]] = []
        self.finished = self._build(limit, width)
        """Whether all layers were built within the limit."""

    def _layer_losses(self, layer: int) -> list[Columns]:
        """Return for each diagram how far the best route over an arc is below that of its source.

        Equal diagrams, which are next to each other, share one list.
        """
        trains = self.trains
        price = trains.prices[layer]
        found: list[Columns] = []
        for index, diagram in enumerate(trains.diagrams):
            if index and diagram is trains.diagrams[index - 1]:
                found.append(found[-1])
                continue
            arcs, losses = diagram.arcs[layer], []
            above, below = diagram.value_to_go[layer], diagram.value_to_go[layer + 1]
            for arc, source in enumerate(arcs.source):
                gain = arcs.reward[arc] * SCALE - price[arcs.segments[arc]]
                losses.append(above[source] - gain - below[arcs.target[arc]])
            found.append(losses)
        return found

    def _build(self, limit: int, width: int) -> bool:
        trains = self.trains
        start: State = tuple([0] * len(trains.diagrams))
        states: dict[State, int] = {start: 0}
        self.values.append(states)
        count = 0
        for layer in range(trains.depth):
            self._losses.append(self._layer_losses(layer))
            below: dict[State, int] = {}
            parents: dict[State, State] = {}
            for state, value in states.items():
                for after, reward in self.successors(layer, state, value):
                    if value + reward > below.get(after, INFEASIBLE):
                        below[after] = value + reward
                        parents[after] = state
                if limit and count + len(below) > limit:
                    break
            trains.budget.charge(len(below))
            count += len(below)
            states = below
            if self._dominance is not None:
                states = self._dominance.undominated(layer + 1, states)
            if width:
                states = self._beam(layer + 1, states, width)
            self.values.append(states)
            self._parents.append(parents)
            if limit and count > limit:
                return False
        return True

    def _slack(self, layer: int, state: State, value: int) -> int:
        """Return how far the bound of a state before a layer is above the threshold, scaled."""
        slack = value * SCALE + self.trains.multiplier_sums[layer] - self._threshold
        for diagram, node in zip(self.trains.diagrams, state, strict=True):
            slack += diagram.value_to_go[layer][node]
        return slack

    def _beam(self, layer: int, states: dict[State, int], width: int) -> dict[State, int]:
        """Return the states with the greatest bounds; of equal ones those that came first."""
        if len(states) <= width:
            return states
        ranked = sorted(states.items(), key=lambda one: -self._slack(layer, one[0], one[1]))
        return dict(ranked[:width])

    def successors(self, layer: int, state: State, value: int) -> list[tuple[State, int]]:
        """Return the next states that may reach the threshold, each with what the step earns."""
        found: list[tuple[State, int]] = []
        self._choose(layer, state, 0, 0, 0, self._slack(layer, state, value), [], [], found)
        return found

    def _choose(
        self,
        layer: int,
        state: State,
        index: int,
        used: int,
        reward: int,
        slack: int,
        chosen: list[int],
        nodes: list[int],
        found: list[tuple[State, int]],
    ) -> None:
        """Choose an arc for diagram `index` and those after it.

        Equal trains at the same node choose arcs in ascending order: any other order of the same
        arcs leads to the same state.
        """
        trains = self.trains
        if index == len(state):
            prices = trains.prices[layer]
            if slack >= prices[-1] - prices[used]:
                found.append((self._canonical(nodes), reward))
            return
        diagram = trains.diagrams[index]
        arcs, losses = diagram.arcs[layer], self._losses[layer][index]
        node = state[index]
        first = arcs.offsets[node]
        if index and node == state[index - 1] and diagram is trains.diagrams[index - 1]:
            first = chosen[-1]
        for arc in range(first, arcs.offsets[node + 1]):
            if arcs.segments[arc] & used or losses[arc] > slack:
                continue
            chosen.append(arc)
            nodes.append(arcs.target[arc])
            self._choose(
                layer,
                state,
                index + 1,
                used | arcs.segments[arc],
                reward + arcs.reward[arc],
                slack - losses[arc],
                chosen,
                nodes,
                found,
            )
            nodes.pop()
            chosen.pop()

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
