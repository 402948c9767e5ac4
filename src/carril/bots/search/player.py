"""The bot that searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from carril.bots.bot import Decision, Dice
from carril.bots.planner import PlannerBot
from carril.bots.search.candidates import candidates, searched
from carril.bots.search.halving import Comparison
from carril.bots.search.playout import Job, Playout, play_on
from carril.bots.search.processes import Pool
from carril.engine.state import State

BUDGET = 3000
"""Positions for one decision."""
ROUNDS = 99
"""Operating rounds that a playout completes before the forecast takes over: the whole game."""


class SearchBot:
    """Plays like the planner unless the engine shows that another of its options is better."""

    def __init__(
        self,
        name: str = "search",
        budget: int = BUDGET,
        rounds: int = ROUNDS,
        processes: int = 1,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        """Search with a budget of positions, on some processes, until told to stop."""
        self.name, self.budget, self.rounds, self.stop = name, budget, rounds, stop
        self._planner = PlannerBot()
        self._pool = Pool(processes) if processes > 1 else None

    def choose(self, state: State, dice: Dice) -> Decision:
        """Return the planner's choice, or another that has done better in playouts."""
        choice = self._planner.choose(state, dice)
        if not searched(state) or (self.stop is not None and self.stop()):
            return choice
        found = candidates(state, choice)
        if len(found) < 2:
            return choice
        states = [state.apply(action).state for action in found]
        comparison = Comparison(states, state.acting or "", self.rounds)
        comparison.run(self._play, dice, self.budget)
        best, lead = comparison.best()
        if not best:
            return choice
        return Decision(found[best], f"looked ahead: {lead:.0f} better than the planner's choice")

    def _play(self, jobs: Sequence[tuple[State, Job]]) -> list[Playout]:
        if self._pool is not None:
            return self._pool.play(jobs, self.stop)
        return [play_on(state, job, self.stop) for state, job in jobs]

    def close(self) -> None:
        """End the processes, if there are any; the next search starts them again."""
        if self._pool is not None:
            self._pool.close()
