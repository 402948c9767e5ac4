"""What a search costs: counted in nodes, so that a budget means the same on every machine."""

from __future__ import annotations


class BudgetSpent(Exception):
    """The number of nodes allowed is used up."""


class Meter:
    """Counts nodes, and stops the search when the budget is spent."""

    def __init__(self, budget: int) -> None:
        """Allow `budget` nodes; 0 = any number."""
        self.budget = budget
        self.nodes = 0

    def add(self, count: int) -> None:
        """Count some nodes more, but none beyond the budget."""
        self.nodes += count
        if self.budget and self.nodes > self.budget:
            self.nodes = self.budget
            raise BudgetSpent
