"""Prices for segments that several trains want: they bring the bound down to the truth."""

from __future__ import annotations

from carril.routes.network import Network
from carril.routes.plan import SCALE

_ROUNDS = 12
_PATIENCE = 6
_HALVINGS = 5
_REST = 4
"""Steps between two tries to make a better run from the priced routes."""


class Bidders:
    """Trains that want segments, whatever is known of their routes."""

    def __init__(self, network: Network) -> None:
        """Let them bid for the segments of a network."""
        self.network = network
        self.layers = len(network.layers)
        self.best = 0
        """What the best run that is known is worth."""
        self.bound = 0
        """What no run of theirs can exceed."""
        self.prices: list[list[int]] = []
        """By layer and bits taken up, scaled."""
        self.later: list[int] = [0] * (self.layers + 1)
        """The sum of the prices of all layers from one on."""

    def free(self) -> list[list[int]]:
        """Prices of 0, by layer and segment (and exclusive junction, which comes last)."""
        points = self.network.problem.points
        return [[0] * (len(e.new) + points[e.point].exclusive) for e in self.network.layers]

    def reprice(self, prices: list[list[int]]) -> int:
        """Let all bid at prices by layer and segment; the bound that follows."""
        self.prices = [_table(layer) for layer in prices]
        for layer in range(self.layers - 1, -1, -1):
            self.later[layer] = self.later[layer + 1] + sum(prices[layer])
        return self.later[0] + self.bid()

    def bid(self) -> int:
        """The most that all can earn at the prices, each on its own."""
        raise NotImplementedError

    def wanted(self) -> list[list[int]]:
        """For each train, layer by layer, the bits that it takes up at the prices."""
        raise NotImplementedError

    def compromise(self) -> None:
        """Try to make a better run of what the trains want."""


def _table(prices: list[int]) -> list[int]:
    """The price of every set of segments of a layer."""
    table = [0]
    for price in prices:
        table += [price + other for other in table]
    return table


class Pricing:
    """Subgradient search for the prices with the lowest bound."""

    def __init__(self, bidders: Bidders, prices: list[list[int]] | None = None) -> None:
        """Start with some prices, or with all at 0."""
        self.bidders = bidders
        self.prices = [list(layer) for layer in prices or bidders.free()]
        self.best_prices = [list(layer) for layer in self.prices]
        self.bound = self.best_bound = bidders.reprice(self.prices)
        self.halvings = self.stale = self.steps = 0
        self.spent = False

    def run(self, grain: int, rounds: int = _ROUNDS) -> None:
        """Some rounds; `spent` when the bound does not move or proves the best known run."""
        bidders = self.bidders
        for _ in range(rounds):
            if self.best_bound < (bidders.best + grain) * SCALE or self.halvings > _HALVINGS:
                self.spent = True
                break
            if not self._step():
                self.spent = True
                break
            self._judge(bidders.reprice(self.prices))
        if self.prices != self.best_prices:
            bidders.reprice(self.best_prices)
        bidders.bound = min(bidders.bound, self.best_bound // SCALE)
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
            self.bound = self.bidders.reprice(self.prices)

    def _step(self) -> bool:
        """Raise prices where trains collide, lower them where nobody runs."""
        bidders = self.bidders
        wish = self._wishes(bidders.wanted())
        if self.steps % _REST == 0:
            bidders.compromise()
        self.steps += 1
        norm = 0
        for layer, row in enumerate(wish):
            for bit, more in enumerate(row):
                if more > 0 or (more < 0 and self.prices[layer][bit] > 0):
                    norm += more * more
        if norm == 0:
            return False
        step = max(1, ((self.bound - bidders.best * SCALE) // norm) >> self.halvings)
        for layer, row in enumerate(wish):
            for bit, more in enumerate(row):
                self.prices[layer][bit] = max(0, self.prices[layer][bit] + step * more)
        return True

    def _wishes(self, wanted: list[list[int]]) -> list[list[int]]:
        """For every segment how many routes want it, less the one that may have it."""
        wish = [[-1] * len(layer) for layer in self.prices]
        for route in wanted:
            for layer, taken in enumerate(route):
                row = wish[layer]
                bit = 0
                while taken:
                    row[bit] += taken & 1
                    taken >>= 1
                    bit += 1
        return wish
