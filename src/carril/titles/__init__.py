"""The titles: each a folder of tables, steps and rules of its own."""

from carril.titles.esp.title import ESP
from carril.titles.eu.title import EU

__all__ = ["ESP", "EU"]
