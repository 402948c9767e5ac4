"""Emergency money of 18Cuba: shares of the company, the director's cash, then their shares."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.actions import BuyTrain, GoBankrupt, Option
from carril.engine.events import PlayerBankrupt
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.play import end_game
from carril.engine.refusals import Refusal
from carril.engine.state import POOL, State
from carril.engine.step import refuse
from carril.engine.steps.emergency import EmergencyRules
from carril.engine.steps.emergency_issue import issue_first, may_issue
from carril.engine.steps.train_rules import TrainAction
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import STACK, runs_itself

EMERGENCY = EmergencyRules(
    sale_barred=issue_first,  # CUBA-VII.3.10-e
    stays_solvent=lambda state: True,  # CUBA-VII.3.10-k: bankrupt only if no sales suffice
    reason="director's help",
)


def _can_pay(state: State, step: BuyTrains) -> bool:
    """Return whether a train of the bank can be paid for now, also with a concession."""
    return any(
        isinstance(option, BuyTrain)
        and option.source in (STACK, POOL)
        and runs_itself(state, option.train)
        for option in step.purchases(state)
    )


def bankrupt_refusal(state: State, step: BuyTrains, action: GoBankrupt) -> Refusal | None:
    """Return why a director is not bankrupt: no need, enough money, something left to sell."""
    if not step.must_buy(state):
        return refuse(state, "no-emergency", company=step.company)
    if _can_pay(state, step):
        return refuse(state, "enough-money", company=step.company)
    if may_issue(state, step):
        return refuse(state, "can-still-issue", company=step.company)
    if left := step.for_sale(state):
        return refuse(state, "can-still-sell", company=next(iter(left)))
    return None


def _options(state: State, step: BuyTrains) -> Iterator[Option]:
    action = GoBankrupt(by=step.actor(state))
    if bankrupt_refusal(state, step, action) is None:
        yield action


def _go_bankrupt(move: Move, step: BuyTrains, action: GoBankrupt) -> None:
    """Pay all cash to the company; the game ends at once and is scored (G18)."""
    player = step.actor(move.state)
    pay(move, player, step.company, move.state.players[player].cash, "bankruptcy")
    move.tell(PlayerBankrupt(player))
    end_game(move, "bankruptcy")


BANKRUPTCY = TrainAction(GoBankrupt, _options, bankrupt_refusal, _go_bankrupt)
