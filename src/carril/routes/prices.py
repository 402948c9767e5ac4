"""Prices for segments that several trains want: they bring the bound down to the truth."""

from __future__ import annotations

from carril.routes.combine import SCALE, Path, Team, priced_path

_ROUNDS = 12
_PATIENCE = 6
_HALVINGS = 5
_REST = 4
"""Steps between two tries to make a better run from the priced routes."""


class Pricing:
    """Subgradient search for the prices with the lowest bound."""

    def __init__(self, team: Team) -> None:
        """Start with all prices 0."""
        self.team = team
        self.prices = team.free()
        self.best_prices = [list(layer) for layer in self.prices]
        self.bound = self.best_bound = team.reprice(self.prices)
        self.halvings = self.stale = self.steps = 0
        self.spent = False

    def run(self, grain: int) -> None:
        """Some rounds; `spent` when the bound does not move or proves the best known run."""
        team = self.team
        for _ in range(_ROUNDS):
            if self.best_bound < (team.best + grain) * SCALE or self.halvings > _HALVINGS:
                self.spent = True
                break
            if not self._step():
                self.spent = True
                break
            self._judge(team.reprice(self.prices))
        team.reprice(self.best_prices)
        team.bound = min(team.bound, self.best_bound // SCALE)
        self.prices = [list(layer) for layer in self.best_prices]
        self.bound = self.best_bound

    def _judge(self, bound: int) -> None:
        """Keep prices that lower the bound; after a while without, take smaller steps."""
        self.bound = bound
        self.stale += 1
        if bound < self.best_bound:
            self.best_bound = bound
            self.best_prices = [list(layer) for layer in self.prices]
            self.stale = 0
        if self.stale == _PATIENCE:
            self.halvings += 1
            self.stale = 0
            self.prices = [list(layer) for layer in self.best_prices]
            self.bound = self.team.reprice(self.prices)

    def _step(self) -> bool:
        """Raise prices where trains collide, lower them where nobody runs."""
        team = self.team
        paths = [priced_path(diagram, team.prices) for diagram in team.diagrams]
        if self.steps % _REST == 0:
            team.improve(paths)
        self.steps += 1
        wish = self._wishes(paths)
        norm = 0
        for layer, row in enumerate(wish):
            for bit, more in enumerate(row):
                if more > 0 or (more < 0 and self.prices[layer][bit] > 0):
                    norm += more * more
        if norm == 0:
            return False
        step = max(1, ((self.bound - team.best * SCALE) // norm) >> self.halvings)
        for layer, row in enumerate(wish):
            for bit, more in enumerate(row):
                self.prices[layer][bit] = max(0, self.prices[layer][bit] + step * more)
        return True

    def _wishes(self, paths: list[Path]) -> list[list[int]]:
        """For every segment how many routes want it, less the one that may have it."""
        wish = [[-1] * len(layer) for layer in self.prices]
        for diagram, path in zip(self.team.diagrams, paths, strict=True):
            for layer, arc in enumerate(path):
                taken = diagram.arcs[layer].taken[arc]
                for bit in range(len(wish[layer])):
                    wish[layer][bit] += taken >> bit & 1
        return wish
