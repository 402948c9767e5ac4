"""A budget of nodes: it means the same on every machine, unlike a time limit."""

from __future__ import annotations


class BudgetExhausted(Exception):
    """The search has created as many nodes as it may."""


class NodeBudget:
    """Counts the nodes of diagrams and products, and stops the search at a limit."""

    def __init__(self, limit: int) -> None:
        """Allow `limit` nodes; 0 = any number."""
        self.limit = limit
        self.nodes = 0

    def charge(self, count: int) -> None:
        """Count `count` more nodes; at most the limit is ever recorded."""
        self.nodes += count
        if self.limit and self.nodes > self.limit:
            self.nodes = self.limit
            raise BudgetExhausted
