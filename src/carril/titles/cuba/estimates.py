"""What cards and companies of 18Cuba are about worth, for bots."""

from __future__ import annotations

from carril.engine.market import price
from carril.engine.state import State
from carril.engine.trains import train_def
from carril.titles.cuba.bonuses import MACHINE, MAIL, WAGON
from carril.titles.cuba.central import counted_cities, cubes_left
from carril.titles.cuba.common import MINOR, central, concession_def, kind
from carril.titles.cuba.concessions import SHARE
from carril.titles.cuba.figures import figures

_MAIL_ROUNDS = 2
"""Operating rounds of each colour in which the mail contract is expected to pay."""


def private_worth(state: State, symbol: str) -> int:
    """Return the value of a commissioner or a concession to a player.

    A commissioner is worth less than its funding, since it needs a tile of its category in reach. A
    concession is worth its credit and its bonus.
    """
    own = figures(state)
    for commissioner in own.private:
        if commissioner.symbol == symbol:
            return commissioner.funding * 3 // 4
    return own.opening.credit + _bonus_worth(state, concession_def(state, symbol).bonus)


def _bonus_worth(state: State, bonus: str) -> int:
    own = figures(state)
    if bonus == SHARE:
        return price(state, central(state))
    if bonus == WAGON:
        return train_def(state, own.bonus.wagon).price
    if bonus == MACHINE:
        return own.machinery.generations["1"].prices[-1]
    if bonus == MAIL:
        return _MAIL_ROUNDS * sum(own.bonus.mail.values())
    return own.bonus.discount if bonus else 0


def automatic_income(state: State, company: str) -> int:
    """Return what the state railway would earn now: its cities and the cubes in the boxes."""
    return sum(counted_cities(state).values()) + cubes_left(state) * figures(state).sugar.left_over


def visits(state: State, company: str) -> frozenset[str]:
    """Return the stops away from its stations: fields for a minor, no fields for others."""
    if kind(state, company) == MINOR:
        return frozenset({"field"})
    return frozenset({"city", "harbour", "offboard"})
