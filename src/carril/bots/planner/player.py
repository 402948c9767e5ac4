"""The planner: the rules of the greedy bot, with better ones where a plan pays."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from carril.bots.bot import Decision, Dice
from carril.bots.greedy import earnings as greedy_earnings
from carril.bots.greedy import founding
from carril.bots.greedy import stock as greedy_stock
from carril.bots.greedy import track as greedy_track
from carril.bots.greedy.outlook import Care, careful
from carril.bots.greedy.player import RULES, Rule, Rules, first_decision
from carril.bots.greedy.sight import Sight
from carril.bots.planner import earnings, stock, track
from carril.bots.planner.params import OWN_TABLE, Params, Plan, characters
from carril.bots.ranking import Ranked, ranked
from carril.engine.state import State

PLANS: Mapping[Rule, Callable[[Plan], Decision | None]] = {
    greedy_track.build: track.build,
    greedy_stock.trade: stock.trade,
    founding.merge: stock.merge,
    greedy_earnings.pay: earnings.pay,
}
"""The plans that take the place of rules of the greedy bot; the other rules stay."""
HEAVY = 500
"""The product of pieces of track and trains up to which all trains are searched together."""


class PlannerBot:
    """Plays by plans: track for two turns, companies that really float, shares to the end."""

    def __init__(self, name: str = OWN_TABLE, params: Params | None = None) -> None:
        """Play as the planner or one of its characters, or with other parameters."""
        self.name = name
        self.params = params or characters()[name]
        self.care = Care(budget=self.params.budget, heavy=HEAVY)
        self._rules: Rules = tuple((kinds, self._improved(rule)) for kinds, rule in RULES)

    def choose(self, state: State, dice: Dice) -> Decision:
        """Return the decision of the first plan or rule that has one."""
        with careful(self.care):
            return first_decision(state, dice, self._rules)

    def rank(self, state: State, dice: Dice, most: int = 3) -> tuple[Ranked, ...]:
        """Return its choice and the next best options, with an estimate and a reason for each."""
        choice = self.choose(state, dice)
        with careful(self.care):
            return ranked(state, choice, most)

    def _improved(self, rule: Rule) -> Rule:
        """Return the plan that takes the place of a rule, or the rule."""
        plan = PLANS.get(rule)
        if plan is None:
            return rule

        def planned(sight: Sight) -> Decision | None:
            return plan(Plan(sight.state, sight.me, sight.options, sight.dice, self.params))

        return planned
