"""The greedy bot: it asks one rule after another and follows the first that has an answer."""

from __future__ import annotations

from collections.abc import Callable

from carril.bots.bot import Decision, Dice
from carril.bots.greedy import answers, auction, earnings, founding, stock, track, trains
from carril.bots.greedy.sight import Sight
from carril.engine import actions as act
from carril.engine.actions import Action, GoBankrupt, Option, Pass, Range, RunTrains
from carril.engine.asides import takes
from carril.engine.state import State

Rule = Callable[[Sight], Decision | None]

Rules = tuple[tuple[tuple[type[Action], ...], Rule], ...]

RULES: Rules = (
    ((act.PlaceBonus,), answers.place_bonus),
    ((act.ChooseLot,), auction.draft),
    ((act.ChooseLot,), auction.choose_lot),
    ((act.Bid,), auction.bid),
    ((act.Accept,), auction.take_price),
    ((act.Accept, act.Decline), answers.answer),
    ((act.BuyPrivate,), answers.buy_private),
    ((act.BuyTender,), answers.buy_tender),
    ((act.RunTrains,), earnings.run_offered),
    ((act.DeclareDividend,), earnings.pay),
    ((act.MergeMinor,), founding.merge),
    ((act.PlaceToken,), founding.first_token),
    ((act.StartCompany,), founding.set_par),
    ((act.ExchangeMinor, act.CloseMinor), founding.final_exchange),
    (stock.DEALS, stock.trade),
    ((act.LayTile, act.PlaceToken, act.OpenPass, act.ReachDestination), track.build),
    ((act.TakeOver,), answers.take_over),
    (trains.PURCHASES, trains.shop),
    ((act.BuyMachine,), answers.buy_machine),
    ((act.DiscardTrain,), trains.give_up),
    ((act.ChooseSide,), trains.side),
    ((act.IssueShares, act.RedeemShares), earnings.deal),
)
"""The rules in order of precedence. A rule is asked if an action of one of its kinds is offered;
it returns None if the options are not its concern."""


class GreedyBot:
    """Plays by simple rules of thumb, each with a figure behind it."""

    name = "greedy"

    def choose(self, state: State, dice: Dice) -> Decision:
        """Return the decision of the first rule that has one."""
        return first_decision(state, dice, RULES)


def first_decision(state: State, dice: Dice, rules: Rules) -> Decision:
    """Return the decision of the first of some rules that has one."""
    if takes(state, RunTrains) and (found := earnings.run(state)):
        return found
    sight = Sight(state, state.acting or "", state.options(), dice)
    for kinds, rule in rules:
        decision = rule(sight) if sight.offers(*kinds) else None
        if decision is not None:
            return decision
    return _otherwise(sight)


def _otherwise(sight: Sight) -> Decision:
    """Pass if possible, else take the first option that is not bankruptcy."""
    for choice in sight.plain(Pass):
        return Decision(choice, "nothing to gain")
    harmless = [option for option in sight.options if not isinstance(option, GoBankrupt)]
    return Decision(_least((harmless or list(sight.options))[0]), "the first possible action")


def _least(option: Option) -> Action:
    return option.at(option.least) if isinstance(option, Range) else option
