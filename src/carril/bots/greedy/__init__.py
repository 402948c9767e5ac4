"""A bot that plays sensibly by simple rules: one module for each kind of decision."""

from carril.bots.greedy.player import GreedyBot

__all__ = ["GreedyBot"]
