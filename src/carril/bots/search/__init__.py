"""A bot that plays the planner's best choices on, with the engine as its model, and compares."""

from carril.bots.search.player import SearchBot

__all__ = ["SearchBot"]
