"""Prices for segments that several trains want: they bring the bound down to the truth."""

from __future__ import annotations

from carril.routes.combine import SCALE, Team, priced_path

_ROUNDS = 120
_PATIENCE = 12


class Pricing:
    """Subgradient search for the prices with the lowest bound."""

    def __init__(self, team: Team) -> None:
        """Start with all prices 0."""
        self.team = team
        self.prices = team.free()
        self.best_prices = [list(layer) for layer in self.prices]
        self.best_bound = team.reprice(self.prices)

    def run(self, grain: int) -> None:
        """Lower the bound until it stops moving or proves the best known run."""
        team = self.team
        halvings = 0
        stale = 0
        bound = self.best_bound
        for _ in range(_ROUNDS):
            if self.best_bound < (team.best + grain) * SCALE:
                break
            if not self._step(bound, halvings):
                break
            bound = team.reprice(self.prices)
            if bound < self.best_bound:
                self.best_bound = bound
                self.best_prices = [list(layer) for layer in self.prices]
                stale = 0
            else:
                stale += 1
            if stale == _PATIENCE:
                halvings += 1
                stale = 0
                self.prices = [list(layer) for layer in self.best_prices]
                bound = team.reprice(self.prices)
            if halvings > 4:
                break
        team.reprice(self.best_prices)
        team.bound = min(team.bound, self.best_bound // SCALE)

    def _step(self, bound: int, halvings: int) -> bool:
        """Raise prices where trains collide, lower them where nobody runs."""
        team = self.team
        paths = [priced_path(diagram, team.prices) for diagram in team.diagrams]
        team.improve(paths)
        wish = [[-1] * len(layer) for layer in self.prices]
        for diagram, path in zip(team.diagrams, paths, strict=True):
            for layer, arc in enumerate(path):
                taken = diagram.arcs[layer].taken[arc]
                for bit in range(len(wish[layer])):
                    wish[layer][bit] += taken >> bit & 1
        norm = 0
        for layer, row in enumerate(wish):
            for bit, more in enumerate(row):
                if more > 0 or (more < 0 and self.prices[layer][bit] > 0):
                    norm += more * more
        if norm == 0:
            return False
        step = max(1, ((bound - team.best * SCALE) // norm) >> halvings)
        for layer, row in enumerate(wish):
            for bit, more in enumerate(row):
                self.prices[layer][bit] = max(0, self.prices[layer][bit] + step * more)
        return True
