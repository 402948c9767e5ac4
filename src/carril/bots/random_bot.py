"""A bot that plays at random, with a mild bias so that games come to an end.

First it draws the kind of action, then one of that kind: so a hundred ways to lay a tile do not
drown the one way to pass.
"""

from __future__ import annotations

from carril.bots.bot import Decision, Dice
from carril.engine.actions import Action, Option, Range
from carril.engine.state import State

WEIGHTS = {
    "pass": 4,
    "choose": 10,
    "bid": 6,
    "accept": 30,
    "decline": 4,
    "sell": 1,
    "buy": 16,
    "start": 12,
    "exchange": 12,
    "merge": 10,
    "close": 10,
    "lay": 24,
    "token": 8,
    "run": 10,
    "dividend": 10,
    "train": 24,
    "offer": 2,
    "discard": 10,
    "issue": 1,
    "redeem": 1,
    "bankrupt": 1,
}
"""The weight of each kind of action among those that are possible; any other kind has 10."""

DIVIDENDS = {"full": 7, "half": 2, "withhold": 1}


class RandomBot:
    """Draws among the options."""

    name = "random"

    def choose(self, state: State, dice: Dice) -> Decision:
        """Draw a kind of action by its weight, then one of that kind."""
        groups: dict[str, list[Option]] = {}
        for option in state.options():
            groups.setdefault(_kind(option), []).append(option)
        kinds = list(groups)
        kind = kinds[dice.pick([WEIGHTS.get(kind, 10) for kind in kinds])]
        return Decision(_drawn(groups[kind], dice), f"drawn among {len(kinds)} kinds of action")


def _kind(option: Option) -> str:
    """Return the kind of an option; a price to be agreed on is an offer."""
    if isinstance(option, Range) and option.field == "price":
        return "offer"
    action = option.action if isinstance(option, Range) else option
    return str(type(action).__struct_config__.tag)


def _drawn(options: list[Option], dice: Dice) -> Action:
    option = options[dice.pick([_weight(option) for option in options])]
    return _amount(option, dice) if isinstance(option, Range) else option


def _weight(option: Option) -> int:
    """Return the weight of one option among others of its kind."""
    if isinstance(option, Range):
        return 1
    source = getattr(option, "source", "")
    if source in ("stack", "pool"):
        return 6
    return DIVIDENDS.get(getattr(option, "kind", ""), 4)


def _amount(option: Range, dice: Dice) -> Action:
    """Draw an amount: mostly the least, else rather a small one, the smallest of three throws."""
    steps = (option.most - option.least) // option.step + 1
    if dice.below(3):
        return option.at(option.least)
    throw = min(dice.below(steps) for _ in range(3))
    return option.at(option.least + throw * option.step)


class CarelessBot:
    """Draws any option with the same chance: bankruptcies and odd corners, for tests."""

    name = "careless"

    def choose(self, state: State, dice: Dice) -> Decision:
        """Draw one option, and any amount of a range."""
        options = state.options()
        option = options[dice.below(len(options))]
        if isinstance(option, Range):
            steps = (option.most - option.least) // option.step + 1
            return Decision(option.at(option.least + dice.below(steps) * option.step), "any amount")
        return Decision(option, f"drawn among {len(options)} options")
