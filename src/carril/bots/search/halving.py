"""Comparing actions by playouts with common chance; the worse half is dropped again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

from carril.bots.bot import Dice
from carril.bots.search.playout import Interrupted, Job, Playout
from carril.bots.search.values import utility
from carril.engine.state import State

SHORTEST = 40
"""The first playouts have at least this many positions, or are not begun. Later ones are not begun
if they could be shorter than earlier ones: short and long playouts err differently."""
TURNS = 6
"""The most playouts of one action."""
CERTAINTY = 0.7
"""How many standard errors better another action must be than the first."""

Play = Callable[[Sequence[tuple[State, Job]]], list[Playout]]
"""Plays some games on, and returns what they led to in the same order."""


class Comparison:
    """Positions after several actions of one player, and what their playouts have led to."""

    def __init__(self, states: Sequence[State], player: str, rounds: int) -> None:
        """Compare positions; the first one is that after the choice to be improved on."""
        self.states, self.player, self.rounds = states, player, rounds
        self.found: list[list[float]] = [[] for _ in states]
        self.positions = 0

    def run(self, play: Play, dice: Dice, budget: int) -> None:
        """Play on until the budget of positions is used up or the search is interrupted."""
        alive, longest = list(range(len(self.states))), SHORTEST
        for _ in range(TURNS):
            allowance = (budget - self.positions) // len(alive)
            if len(alive) < 2 or allowance < longest:
                return
            job = Job(self.player, dice.below(1 << 32), self.rounds, allowance)
            try:
                played = play([(self.states[index], job) for index in alive])
            except Interrupted:
                return
            for index, one in zip(alive, played, strict=True):
                self.found[index].append(utility(one.worth, self.player))
                self.positions += one.positions
                longest = max(longest, one.positions)
            alive = self._kept(alive)

    def _kept(self, alive: list[int]) -> list[int]:
        """Return the first action, and of the others the better half if they are ahead of it."""
        others = sorted((index for index in alive if index), key=lambda index: -self._lead(index))
        half = others[: (len(others) + 1) // 2]
        return [0, *sorted(index for index in half if self._lead(index) > 0)]

    def _lead(self, index: int) -> float:
        """Return by how much an action has been better than the first, with the same chance."""
        pairs = self._pairs(index)
        return sum(pairs) / len(pairs) if pairs else 0.0

    def _pairs(self, index: int) -> list[float]:
        return [own - first for own, first in zip(self.found[index], self.found[0], strict=False)]

    def best(self) -> tuple[int, float]:
        """Return the best action, and its lead over the first one; the first if in doubt."""
        sure = [index for index in range(1, len(self.states)) if self._sure(index)]
        if not sure:
            return 0, 0.0
        best = max(sure, key=lambda index: (len(self.found[index]), self._lead(index)))
        return best, self._lead(best)

    def _sure(self, index: int) -> bool:
        pairs, lead = self._pairs(index), self._lead(index)
        if lead <= 0 or len(pairs) < 2:
            return False
        spread = sum((one - lead) ** 2 for one in pairs) / (len(pairs) - 1)
        return lead > CERTAINTY * sqrt(spread / len(pairs))
