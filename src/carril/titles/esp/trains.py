"""What is 18ESP's own about trains: minors, the train that must run, special trains."""

from __future__ import annotations

from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import Company, State
from carril.engine.step import refuse
from carril.engine.steps.train_rules import TrainRules, anything_to_do
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import (
    COUPLED,
    discard_from_game,
    main_train,
    stack_top,
    train_def,
)
from carril.titles.esp.combining import COMBINING
from carril.titles.esp.common import STRAWBERRY, conventions, edition, esp, is_minor
from carril.titles.esp.discards import push_discards
from carril.titles.esp.duty import can_run, fulfils_duty
from carril.titles.esp.phases import card_left
from carril.titles.esp.privates import first_train


def is_mataro(state: State, seller: Company, train: str) -> bool:
    """Return whether a train is that of private 2 where it may not be sold (ESP-2.2-v).

    Of several alike the seller parts with an ordinary one.
    """
    if edition(state).private_2_train_sold or esp(state).mataro != (seller.symbol, train):
        return False
    return seller.trains.count(train) == 1


def barred(state: State, step: BuyTrains, train: str, source: str) -> Refusal | None:
    """Minors buy simple trains of the Iberian gauge only."""
    if main_train(train) not in state.tables.trains:
        return refuse(state, "no-such-train", train=train)
    foreign = COUPLED in train or train_def(state, train).gauge == "narrow"
    if foreign and is_minor(state, step.company):
        return refuse(state, "minor-iberian-only", train=train)
    return None


def trade_barred(state: State, seller: Company, train: str) -> Refusal | None:
    """Return why a company may not sell a train to another."""
    if seller.symbol in esp(state).frozen:
        return refuse(state, "frozen-minor", seller=seller.symbol)
    if train == STRAWBERRY:
        return refuse(state, "strawberry-not-sold", train=train)
    if is_mataro(state, seller, train):
        return refuse(state, "mataro-not-sold", train=train)
    return None


def duty(state: State, company: str) -> Refusal:
    """Every company must own a train (ESP-DE-5.7-a), or one that can run (ESP-4.7-a)."""
    usable = edition(state).train_must_run
    code = "must-buy-usable-train" if usable else "must-buy-train"
    return refuse(state, code, company=company)


def usable(state: State, company: str, train: str) -> bool:
    """Return whether a train can run, where it must be able to (A39)."""
    return not edition(state).train_must_run or can_run(state, company, train)


def gives_up(state: State, step: BuyTrains) -> tuple[str, ...]:
    """Return the trains of a full company, one of which goes: none can run (ESP-4.7.1-m)."""
    if not edition(state).train_must_run or step.has_room(state) or not step.must_buy(state):
        return ()
    trains = sorted(set(state.companies[step.company].trains))
    return tuple(name for name in trains if train_def(state, name).counted_as)


def asked(state: State, step: BuyTrains) -> bool:
    """18xx.games asks a company with room and 1, if any other company owns a train."""
    if not conventions(state).combining_after_buying:
        return anything_to_do(state, step)
    if not step.has_room(state):
        return False
    cash = step.treasury(state)
    others = any(c.trains for c in state.companies.values() if c.symbol != step.company)
    return cash >= train_def(state, stack_top(state)).price or (others and cash >= 1)


def after_purchase(move: Move, company: str, card: str) -> None:
    """Private 7 may close; a card of the deck may begin a phase; trains may have to go (G5)."""
    first_train(move, company)
    if card:
        card_left(move, card, company)
    else:
        push_discards(move, company)


TRAINS = TrainRules(
    barred=barred,
    trade_barred=trade_barred,
    duty=duty,
    fulfils=fulfils_duty,
    usable=usable,
    may_give=lambda state, train: True,
    gives_up=gives_up,
    give=discard_from_game,
    consent=lambda state: conventions(state).consents_asked,  # G6
    actions=(COMBINING,),
    asked=asked,
    after_purchase=after_purchase,
)
