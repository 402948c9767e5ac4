"""The greedy bot: it asks one rule after the other, and does what the first one says."""

from __future__ import annotations

from collections.abc import Callable

from carril.bots.bot import Decision, Dice
from carril.bots.greedy import answers, auction, earnings, founding, stock, track, trains
from carril.bots.greedy.sight import Sight
from carril.engine.actions import Action, GoBankrupt, Option, Pass, Range, RunTrains
from carril.engine.state import State

RULES: tuple[Callable[[Sight], Decision | None], ...] = (
    auction.choose_lot,
    auction.bid,
    auction.take_price,
    answers.answer,
    answers.buy_private,
    answers.buy_tender,
    earnings.run_offered,
    earnings.pay,
    founding.merge,
    founding.first_token,
    founding.set_par,
    founding.final_exchange,
    stock.trade,
    track.build,
    answers.take_over,
    trains.shop,
    trains.give_up,
    trains.side,
    earnings.deal,
)
"""Each says what to do, or nothing when it is not about the options at hand."""


class GreedyBot:
    """Plays by simple rules of thumb, each with a figure behind it."""

    name = "greedy"

    def choose(self, state: State, dice: Dice) -> Decision:
        """Return what the first rule that applies says."""
        if RunTrains in state.step.allows and (found := earnings.run(state)):
            return found
        sight = Sight(state, state.acting or "", state.options(), dice)
        for rule in RULES:
            decision = rule(sight)
            if decision is not None:
                return decision
        return _otherwise(sight)


def _otherwise(sight: Sight) -> Decision:
    """Pass where one may, else do the first thing that is no bankruptcy."""
    for choice in sight.plain(Pass):
        return Decision(choice, "nothing to gain")
    harmless = [option for option in sight.options if not isinstance(option, GoBankrupt)]
    return Decision(_least((harmless or list(sight.options))[0]), "the first of what is possible")


def _least(option: Option) -> Action:
    return option.at(option.least) if isinstance(option, Range) else option
