"""The Lagrangian dual for several trains: track conflicts priced, solved by subgradient steps.

Each segment (and each exclusive point) may be used by one train. With a multiplier v[s] >= 0 for
each of them, the trains choose their routes independently, each paying for what it uses, and the
sum of their values plus the sum of all multipliers is an upper bound on the value of any run.
"""

from __future__ import annotations

from carril.routes.constants import SCALE
from carril.routes.graph.layers import LayeredGraph

_STEPS = 12
_PATIENCE = 6
"""Steps without a lower bound after which the step size is halved."""
_MAX_HALVINGS = 5
_HEURISTIC_INTERVAL = 4
"""Steps between two calls of the primal heuristic."""

Multipliers = list[list[int]]
"""By layer and bit: a segment that starts in the layer, or its exclusive point, which is last."""


class LagrangianSubproblems:
    """One subproblem per train, given multipliers: the base of sets of trains."""

    def __init__(self, layered: LayeredGraph) -> None:
        """Start without multipliers."""
        self.layered = layered
        self.depth = len(layered.layers)
        self.incumbent = 0
        """The value of the best run known."""
        self.bound = 0
        """An upper bound on the value of all runs of these trains."""
        self.prices: list[list[int]] = []
        """By layer and set of segments: the sum of their multipliers, scaled."""
        self.multiplier_sums: list[int] = [0] * (self.depth + 1)
        """The sum of all multipliers from each layer on."""

    def zero_multipliers(self) -> Multipliers:
        """Return multipliers of 0."""
        return [[0] * self.layered.layer_bits(layer) for layer in range(self.depth)]

    def evaluate(self, multipliers: Multipliers) -> int:
        """Return the value of the dual function: an upper bound on any run, scaled."""
        self.prices = [subset_sums(layer) for layer in multipliers]
        for layer in range(self.depth - 1, -1, -1):
            below = self.multiplier_sums[layer + 1]
            self.multiplier_sums[layer] = below + sum(multipliers[layer])
        return self.multiplier_sums[0] + self.solve_subproblems()

    def solve_subproblems(self) -> int:
        """Return the sum of the trains' greatest values at the prices, each on its own."""
        raise NotImplementedError

    def usage(self) -> list[list[int]]:
        """Return for each train, layer by layer, the segments of its best route at the prices."""
        raise NotImplementedError

    def primal_heuristic(self) -> None:
        """Try to make a better run of the best routes at the prices."""


def subset_sums(values: list[int]) -> list[int]:
    """Return the sum of every subset, by the bits of the subset.

    >>> subset_sums([1, 5])
    [0, 1, 5, 6]
    """
    sums = [0]
    for value in values:
        sums += [value + other for other in sums]
    return sums


class Subgradient:
    """Lowers the dual bound by subgradient steps with Polyak's step size."""

    def __init__(
        self, subproblems: LagrangianSubproblems, multipliers: Multipliers | None = None
    ) -> None:
        """Start with some multipliers, or with 0."""
        self.subproblems = subproblems
        self.best_multipliers = _copy(multipliers or subproblems.zero_multipliers())
        self._multipliers = _copy(self.best_multipliers)
        self._bound = self.best_bound = subproblems.evaluate(self._multipliers)
        self._halvings = self._stale = self._steps = 0
        self._interval, self._patience = _HEURISTIC_INTERVAL, _PATIENCE
        self.finished = False
        """Whether the bound no longer falls, or proves the incumbent optimal."""

    def run(self, grain: int, steps: int = _STEPS) -> None:
        """Make some steps; a run better than the incumbent is better by at least `grain`."""
        subproblems = self.subproblems
        self._interval = max(_HEURISTIC_INTERVAL, steps // 3)
        self._patience = max(_PATIENCE, steps // 12)
        for _ in range(steps):
            proven = self.best_bound < (subproblems.incumbent + grain) * SCALE
            if proven or self._halvings > _MAX_HALVINGS or not self._step():
                self.finished = True
                break
            self._accept(subproblems.evaluate(self._multipliers))
        if self._multipliers != self.best_multipliers:
            subproblems.evaluate(self.best_multipliers)
        subproblems.bound = min(subproblems.bound, self.best_bound // SCALE)
        self._multipliers = _copy(self.best_multipliers)
        self._bound = self.best_bound

    def _accept(self, bound: int) -> None:
        """Keep multipliers with the lowest bound; halve the step size after a while without."""
        self._bound = bound
        self._stale += 1
        if bound < self.best_bound:
            self.best_bound = bound
            self.best_multipliers = _copy(self._multipliers)
            self._stale = 0
        if self._stale >= self._patience:
            self._halvings += 1
            self._stale = 0
            self._multipliers = _copy(self.best_multipliers)
            self._bound = self.subproblems.evaluate(self._multipliers)

    def _step(self) -> bool:
        """Raise the multipliers of conflicts, lower those of unused track; False if there are none.

        The step size is (bound - incumbent) / |g|^2, where g is the subgradient.
        """
        subproblems = self.subproblems
        subgradient = self._subgradient(subproblems.usage())
        if self._steps % self._interval == 0:
            subproblems.primal_heuristic()
        self._steps += 1
        norm = 0
        for layer, row in enumerate(subgradient):
            for bit, excess in enumerate(row):
                if excess > 0 or (excess < 0 and self._multipliers[layer][bit] > 0):
                    norm += excess * excess
        if norm == 0:
            return False
        gap = self._bound - subproblems.incumbent * SCALE
        step = max(1, (gap // norm) >> self._halvings)
        for layer, row in enumerate(subgradient):
            for bit, excess in enumerate(row):
                changed = self._multipliers[layer][bit] + step * excess
                self._multipliers[layer][bit] = max(0, changed)
        return True

    def _subgradient(self, usage: list[list[int]]) -> list[list[int]]:
        """Return for every segment how many routes use it, less the one that may."""
        excess = [[-1] * len(layer) for layer in self._multipliers]
        for route in usage:
            for layer, segments in enumerate(route):
                row = excess[layer]
                bit = 0
                while segments:
                    row[bit] += segments & 1
                    segments >>= 1
                    bit += 1
        return excess


def _copy(multipliers: Multipliers) -> Multipliers:
    return [list(layer) for layer in multipliers]
