"""A bot that improves on the rules of the greedy one, decision by decision."""

from carril.bots.planner.player import PlannerBot

__all__ = ["PlannerBot"]
