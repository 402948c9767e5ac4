"""What is 18EU's own about trains: Pullmans, the duty of corporations, the final exchange."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Action, DiscardTrain, Pass
from carril.engine.move import Move
from carril.engine.network import has_route
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def
from carril.engine.state import POOL, Company, State
from carril.engine.step import Step, refuse
from carril.engine.steps.discards import DiscardRules
from carril.engine.steps.operating import CompanyStep
from carril.engine.steps.train_rules import TrainRules
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import (
    begin_phase,
    discard,
    phase_begun_by,
    phase_def,
    phase_reached,
    running_trains,
    runs_itself,
    train_def,
    train_limit,
    trains_counted,
)
from carril.titles.eu.common import (
    PULLMAN,
    conventions,
    discards_due,
    drop_pullmans,
    eu,
    set_extra,
)
from carril.titles.eu.emergency import BANKRUPTCY


def duty(state: State, company: str) -> Refusal | None:
    """Every corporation must own a train (EU-4.5-a); on 18xx.games only one with a route (G-10)."""
    if company_def(state, company).sole_owner:
        return None
    if conventions(state).train_only_with_route and not has_had_route(state, company):
        return None
    return refuse(state, "must-buy-train", company=company)


def has_had_route(state: State, company: str) -> bool:
    """Return whether a corporation has, or ever had, two joined stops other than ports (G-10)."""
    return company in eu(state).routed or has_route(
        state.tables, state.board, company, ignore=frozenset({"harbour"}), same_hex=True
    )


class NoteRoute(Step, tag="note-route", frozen=True):
    """A moment in a corporation's turn at which 18xx.games looks for a route (G-10)."""

    company: str

    def settle(self, move: Move) -> bool:
        """Remember a route that is found."""
        move.pop()
        routed = eu(move.state).routed
        if self.company not in routed and has_had_route(move.state, self.company):
            set_extra(move, routed=(*routed, self.company))
        return True


def fulfils(state: State, company: str, train: str) -> bool:
    """Return whether a train fulfils the duty to own one: no Pullman; on 18xx.games too (G-6)."""
    return runs_itself(state, train) or conventions(state).pullman_goes_by_itself


def pullman_refusal(state: State, step: BuyTrains, train: str, source: str) -> Refusal | None:
    """Return why a company may not buy a Pullman of the pool (EU-4.4.9)."""
    if train != PULLMAN:
        return None
    if PULLMAN in gives_up(state, step):
        return refuse(state, "pullman-for-pullman", company=step.company)
    if source != POOL:
        return None
    company, pullman = state.companies[step.company], train_def(state, PULLMAN)
    if not phase_reached(state, pullman.available_from):
        return refuse(state, "pullman-not-yet")
    if company.trains.count(PULLMAN) >= pullman.limit:
        return refuse(state, "second-pullman", company=step.company)
    if PULLMAN in step.bought:
        return refuse(state, "pullman-bought", company=step.company)
    if not running_trains(state, company):
        return refuse(state, "pullman-needs-train", company=step.company)
    return None


def gives_up(state: State, step: BuyTrains) -> tuple[str, ...]:
    """Return the Pullman if it may make room: one owned before the first purchase (EU-4.4.9-i)."""
    company = state.companies[step.company]
    owned = PULLMAN in step.began_with and PULLMAN in company.trains
    if not owned or step.bought or conventions(state).free_pullman_discard:
        return ()
    full = trains_counted(state, company) == train_limit(state, company)
    return (PULLMAN,) if full else ()


def trade_barred(state: State, seller: Company, train: str) -> Refusal | None:
    """Pullmans are not sold between companies."""
    return None if runs_itself(state, train) else refuse(state, "pullman-not-traded", train=train)


def after_purchase(move: Move, company: str, card: str) -> None:
    """All effects at once; excess trains go now, or at the end of the turn (G-4)."""
    if phase := phase_begun_by(move.state, card):
        begin_phase(move, phase)
        if phase_def(move.state).event == "final-exchange":
            owner = move.state.companies[company].owner
            set_extra(move, exchange="due", exchange_company=company, exchange_first=owner)
        if conventions(move.state).phase_discards_at_once:
            move.push(*discards_due(move.state, first=company))
    drop_pullmans(move, limit_too=True)


TRAINS = TrainRules(
    barred=pullman_refusal,
    trade_barred=trade_barred,
    duty=duty,
    fulfils=fulfils,
    may_give=lambda state, train: train == PULLMAN,
    gives_up=gives_up,
    any_price=lambda state: not conventions(state).stack_price_checked,
    actions=(BANKRUPTCY,),
    after_purchase=after_purchase,
)


def pullman_first(state: State, company: str, train: str) -> Refusal | None:
    """Above the limit a Pullman goes before any other train (EU-4.4.9-k); not so by G-6."""
    if conventions(state).pullman_goes_by_itself:
        return None
    if train != PULLMAN and PULLMAN in state.companies[company].trains:
        return refuse(state, "pullman-first", train=train)
    return None


DISCARDS = DiscardRules(barred=pullman_first)


class PullmanChoice(CompanyStep, tag="pullman", frozen=True):
    """On 18xx.games a Pullman may be given up in every turn, one after the other (G-7)."""

    allows = (DiscardTrain, Pass)

    def settle(self, move: Move) -> bool:
        """Skip a company without a Pullman."""
        if PULLMAN in move.state.companies[self.company].trains:
            return False
        move.pop()
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Give it up, or keep it."""
        by = self.actor(state)
        return (DiscardTrain(PULLMAN, by=by), Pass(by=by))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Only the Pullman may go."""
        if isinstance(action, DiscardTrain) and action.train != PULLMAN:
            return refuse(state, "no-voluntary-discard", train=action.train)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Discard the Pullman, or go on."""
        if isinstance(action, DiscardTrain):
            discard(move, self.company, PULLMAN)
        else:
            self.passed(move)
