"""Registers 18Toy, so that whatever is tested for every title is tested for it as well."""

from importlib.resources import files

from carril.engine.registry import register
from carril.rules import add_ledger
from tests.toy.title import TOY

register(TOY)
add_ledger(TOY.name, files("tests.toy") / "rules.md")
