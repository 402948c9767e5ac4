"""The rules ledgers: every rule of every title as one numbered, testable line.

>>> ledger = load("18EU")
>>> ledger.find("EU-1.1-b").text
'There are 8 corps and 15 minors.'
"""

from carril.rules.ledger import (
    TITLES,
    Kind,
    Ledger,
    Rule,
    UnknownRule,
    UnknownTitle,
    add_ledger,
    load,
    title_of,
)

__all__ = [
    "TITLES",
    "Kind",
    "Ledger",
    "Rule",
    "UnknownRule",
    "UnknownTitle",
    "add_ledger",
    "load",
    "title_of",
]
