"""Corrections of 18EU's rules since the first version."""

from __future__ import annotations

from carril.engine.rule_changes import RuleChange

EXCESS_SOLD_AT_ONCE = RuleChange("2", "EU-A-8", "excess-sold-at-once")
"""A block that leaves its seller above 60% is refused if a larger one can be sold."""

CHANGES = (EXCESS_SOLD_AT_ONCE,)
