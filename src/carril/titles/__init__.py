"""The titles: each a folder of tables, steps and rules of its own."""

from carril.titles.eu.title import EU

__all__ = ["EU"]
