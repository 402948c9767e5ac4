"""What is 18Cuba's own about trains: the duty to own one, trade-ins, a concession's discount."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.actions import BuyTrain
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import POOL, State
from carril.engine.step import refuse
from carril.engine.steps.emergency_issue import EMERGENCY_ISSUE
from carril.engine.steps.train_rules import Rebates, TrainRules
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import STACK, lose, runs_itself, same_gauge, train_def
from carril.titles.cuba.bonuses import DISCOUNT
from carril.titles.cuba.common import MINOR, concession_def, cuba, kind, set_extra, without
from carril.titles.cuba.emergency import BANKRUPTCY
from carril.titles.cuba.events import DiscountUsed, TrainTraded
from carril.titles.cuba.figures import figures


def barred(state: State, step: BuyTrains, train: str, source: str) -> Refusal | None:
    """Return why there is no such train at all."""
    if train not in state.tables.trains:
        return refuse(state, "no-such-train", train=train)
    return None


def duty(state: State, company: str) -> Refusal | None:
    """Every company with a director must own a train, route or no route (CUBA-VII.3.9-b)."""
    return refuse(state, "must-buy-train", company=company)


def wagon_price(state: State, train: str) -> int:
    """Return the printed price of a wagon; other trains are sold at any price (VII.3.9-h, -i)."""
    known = state.tables.trains[train]
    return 0 if runs_itself(state, train) else known.price


# --- trade-ins and the discount ------------------------------------------------------------


def _discounts(state: State, player: str) -> Iterator[str]:
    """Yield the player's concessions that make a train cheaper."""
    for concession, owner in cuba(state).bonuses.items():
        if owner == player and concession_def(state, concession).bonus == DISCOUNT:
            yield concession


def offered(state: State, step: BuyTrains, train: str) -> Iterator[tuple[str, str]]:
    """Yield the old train and the concession that a minor can give for a train."""
    if kind(state, step.company) != MINOR:
        return
    owned = sorted(set(state.companies[step.company].trains))
    old = ["", *(name for name in owned if train_def(state, name).traded_for == train)]
    for private in ("", *_discounts(state, step.actor(state))):
        yield from ((trade, private) for trade in old if trade or private)


def rebate_refusal(state: State, step: BuyTrains, action: BuyTrain) -> Refusal | None:
    """Return why a company may not give this for a train."""
    if kind(state, step.company) != MINOR:
        return refuse(state, "rebate-for-minors", company=step.company)
    if action.source not in (STACK, POOL):
        return refuse(state, "rebate-from-bank", train=action.train)
    if action.private and action.private not in _discounts(state, step.actor(state)):
        return refuse(state, "no-discount", concession=action.private)
    return _trade_refusal(state, step, action) if action.trade else None


def _trade_refusal(state: State, step: BuyTrains, action: BuyTrain) -> Refusal | None:
    """Once in a turn, for the next type (CUBA-VII.3.9-p)."""
    if action.trade not in state.companies[step.company].trains:
        return refuse(state, "no-such-train-owned", train=action.trade)
    if train_def(state, action.trade).traded_for != action.train:
        return refuse(state, "trade-next-type", old=action.trade, train=action.train)
    if step.traded:
        return refuse(state, "one-trade", company=step.company)
    return None


def credit(state: State, train: str) -> int:
    """Return what a train is worth when it is traded in (CUBA-VII.3.9-q, -t)."""
    return train_def(state, train).price * figures(state).trade_in_percent // 100


def rebate(state: State, action: BuyTrain) -> int:
    """Return what an old train and a concession are worth together."""
    discount = figures(state).bonus.discount if action.private else 0
    return discount + (credit(state, action.trade) if action.trade else 0)


def give_for_train(move: Move, company: str, action: BuyTrain) -> None:
    """Take the traded train out of the game (G28), and use up the concession."""
    state, player = move.state, move.state.companies[company].owner
    if action.trade:
        move.tell(TrainTraded(company, action.trade, action.train, credit(state, action.trade)))
        lose(move, company, action.trade)
    if action.private:
        amount = figures(state).bonus.discount
        move.tell(DiscountUsed(player, action.private, company, action.train, amount))
        set_extra(move, bonuses=without(cuba(move.state).bonuses, action.private))


def fulfils(state: State, company: str, train: str) -> bool:
    """A train of the company's gauge fulfils its duty; a wagon does not (CUBA-VII.3.9-b)."""
    gauge = state.tables.companies[company].gauge
    return runs_itself(state, train) and same_gauge(state, gauge, train)


TRAINS = TrainRules(
    barred=barred,
    duty=duty,
    fulfils=fulfils,
    trade_price=wagon_price,
    rebates=Rebates(offered, rebate_refusal, rebate, give_for_train),
    actions=(EMERGENCY_ISSUE, BANKRUPTCY),
)
