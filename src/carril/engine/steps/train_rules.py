"""What a title says about buying trains: the duty to own one, rebates, further actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from carril.engine.asides import aside_options
from carril.engine.steps.discards import discards_due
from carril.engine.trains import begin_phase, discard, phase_begun_by, runs_itself

if TYPE_CHECKING:
    from carril.engine.actions import Action, BuyTrain, Option
    from carril.engine.move import Move
    from carril.engine.refusals import Refusal
    from carril.engine.state import Company, State
    from carril.engine.steps.trains import BuyTrains


@dataclass(frozen=True, slots=True)
class TrainAction:
    """A further kind of action that a title allows while a company buys trains."""

    action: type[Action]
    options: Callable[[State, BuyTrains], Iterable[Option]]
    refusal: Callable[[State, BuyTrains, Any], Refusal | None]
    play: Callable[[Move, BuyTrains, Any], None]
    cost: Callable[[State, Any], int] = lambda state, action: 0
    """What it costs the company."""


@dataclass(frozen=True, slots=True)
class Rebates:
    """What a company gives for a train of the bank, so that it costs less.

    That is an old train which is traded in, a card of the president, or both.
    """

    offered: Callable[[State, BuyTrains, str], Iterable[tuple[str, str]]]
    """The old train and the card that can be given for a train, "" for none."""
    refusal: Callable[[State, BuyTrains, BuyTrain], Refusal | None]
    """Why these may not be given."""
    amount: Callable[[State, BuyTrain], int]
    """What they are worth together."""
    use: Callable[[Move, str, BuyTrain], None]
    """Take them from the company and its president."""


def action_cost(state: State, action: Action) -> int:
    """Return what one of the title's further actions with trains costs the company."""
    for further in state.title.trains.actions:
        if isinstance(action, further.action):
            return further.cost(state, action)
    return 0


def anything_to_do(state: State, step: BuyTrains) -> bool:
    """Return whether anything can be bought or done in the step or as an aside."""
    if next(step.purchases(state), None) is not None:
        return True
    further = state.title.trains.actions
    if any(True for one in further for _ in one.options(state, step)):
        return True
    return next(aside_options(state), None) is not None


def begin_phase_of(move: Move, company: str, card: str) -> None:
    """Begin the phase of a card that has left its supply, and ask for trains above the limit."""
    if phase := phase_begun_by(move.state, card):
        begin_phase(move, phase)
        move.push(*discards_due(move.state, (company, *move.state.title.order(move.state))))


def _train_runs(state: State, company: str, train: str) -> bool:
    return runs_itself(state, train)


@dataclass(frozen=True, slots=True)
class TrainRules:
    """What companies may buy, what they must own, and what a purchase leads to."""

    barred: Callable[[State, BuyTrains, str, str], Refusal | None] = lambda state, step, name, by: (
        None
    )
    """Why a company may not buy such a train, whatever the price; from the "stack", the "pool" or
    another "company"."""
    trade_barred: Callable[[State, Company, str], Refusal | None] = lambda state, seller, name: None
    """Why a company may not sell a train of its own to another."""
    duty: Callable[[State, str], Refusal | None] = lambda state, company: None
    """Why a company may not end its turn without a train that fulfils its duty; None if it may.

    A title that has the duty also has an action for a president who cannot pay (`actions`)."""
    fulfils: Callable[[State, str, str], bool] = _train_runs
    """Whether a train fulfils a company's duty to own one."""
    usable: Callable[[State, str, str], bool] = _train_runs
    """Whether a company can use a train: only such a one is bought in fulfilment of the duty."""
    may_give: Callable[[State, str], bool] = lambda state, train: False
    """Whether such a train is ever given up to make room."""
    gives_up: Callable[[State, BuyTrains], tuple[str, ...]] = lambda state, step: ()
    """The trains of which one may go now to make room; none while there is room."""
    give: Callable[[Move, str, str], None] = discard
    """Give up a train to make room."""
    any_price: Callable[[State], bool] = lambda state: False
    """Whether a recorded price of a card from a supply is accepted, whatever its price is."""
    consent: Callable[[State], bool] = lambda state: True
    """Whether another owner is asked before a train of theirs is bought."""
    trade_price: Callable[[State, str], int] = lambda state, train: 0
    """The only price at which companies sell each other such a train; 0 if they agree on one."""
    rebates: Rebates | None = None
    """What makes a train of the bank cheaper."""
    actions: tuple[TrainAction, ...] = ()
    """What else a company may do in the step."""
    asked: Callable[[State, BuyTrains], bool] = anything_to_do
    """Whether a company that need not buy anything is asked."""
    after_purchase: Callable[[Move, str, str], None] = begin_phase_of
    """What follows when a company has bought a train; the card, if it came from a supply."""
