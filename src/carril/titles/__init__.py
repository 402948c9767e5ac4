"""The titles: each a folder of tables, steps and rules of its own."""

from carril.titles.cuba.title import CUBA
from carril.titles.esp.title import ESP
from carril.titles.eu.title import EU

__all__ = ["CUBA", "ESP", "EU"]
