"""What must hold from one position to the next, where a title has more to promise than others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from carril.engine.actions import Action, RunTrains
from carril.engine.board import tile_at
from carril.engine.events import (
    Event,
    LoanRepaid,
    LoanTaken,
    MoneyPaid,
    SharesMoved,
    TrainBought,
    TrainDiscarded,
)
from carril.engine.state import BANK, State
from carril.engine.trains import COUPLED
from carril.titles.esp.common import conventions, esp, is_minor
from carril.titles.esp.loans import interest

GOALS = 1 + 2 + 3
"""Three goals, each worth par times its number."""


class Watch(Protocol):
    """Follows one game from its beginning."""

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        """Raise AssertionError if a step breaks a promise."""


class Nothing:
    """For titles that promise no more than every title does."""

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        """All is well."""


class Spain:
    """18ESP: debts never vanish, no train on the wrong gauge, goals pay at most 6 times par.

    No minor loses a train by its own purchase, and shares of companies that play no part stay put.
    """

    def __init__(self) -> None:
        """Nothing is paid for goals yet."""
        self.goals: Counter[str] = Counter()

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        """Look at one step."""
        self.debts(before, events, after)
        self.capital(events, after)
        self.owners(after)
        self.purchases(events, after)
        self.shares(events, after)
        if isinstance(action, RunTrains):
            self.gauges(before, action)

    def debts(self, before: State, events: Sequence[Event], after: State) -> None:
        """A debt grows by a loan and shrinks by what the player pays to the bank for it."""
        at_once = conventions(after).interest_per_loan  # G24: a loan then grows by its interest
        for name, player in after.players.items():
            loans = [e.amount for e in events if isinstance(e, LoanTaken) and e.player == name]
            taken = sum(loan + (interest(loan) if at_once else 0) for loan in loans)
            repaid = [e for e in events if isinstance(e, LoanRepaid) and e.player == name]
            debt = before.players[name].debt + taken - sum(e.amount for e in repaid)
            assert player.debt == debt >= 0, f"{name} owes {player.debt}, not {debt}"
            paid = sum(
                event.amount
                for event in events
                if isinstance(event, MoneyPaid)
                and (event.source, event.target, event.reason) == (name, BANK, "loan repaid")
            )
            due = sum(event.amount + event.interest for event in repaid)
            assert paid == due, f"{name} paid {paid} for debts, not {due}"
            free = [event for event in repaid if 2 * event.interest < event.amount]
            assert at_once or not free, f"{name} paid no interest"

    def capital(self, events: Sequence[Event], after: State) -> None:
        """What a company is paid for its goals."""
        for event in events:
            if isinstance(event, MoneyPaid) and event.reason == "goal":
                self.goals[event.target] += event.amount
                par = after.companies[event.target].par
                paid = self.goals[event.target]
                assert 0 < paid <= GOALS * par, f"{event.target} got {paid} for goals, par {par}"

    def owners(self, after: State) -> None:
        """Minors run on broad gauge alone."""
        trains = after.title.tables.trains
        for symbol, company in after.companies.items():
            for train in company.trains if is_minor(after, symbol) else ():
                assert COUPLED not in train, f"{symbol} has a combined train"
                assert trains[train].gauge != "narrow", f"{symbol} has a train {train}"

    def purchases(self, events: Sequence[Event], after: State) -> None:
        """No minor has to give up the train that it has just bought, and is left without one."""
        bought = {(e.company, e.train) for e in events if isinstance(e, TrainBought)}
        given_up = {(e.company, e.train) for e in events if isinstance(e, TrainDiscarded)}
        for company, train in bought & given_up:
            lost = is_minor(after, company) and train not in after.companies[company].trains
            assert not lost, f"{company} lost the {train} that it has bought"

    def shares(self, events: Sequence[Event], after: State) -> None:
        """Shares move only of companies that are in the game."""
        moved = {event.company for event in events if isinstance(event, SharesMoved)}
        strangers = moved.difference(esp(after).in_play)
        assert not strangers, f"shares of {strangers} have moved"

    def gauges(self, before: State, action: RunTrains) -> None:
        """A simple train keeps to track of its gauge; a combined one uses both."""
        tables = before.title.tables
        for route in action.routes:
            met = []
            for place in route.path:
                tile = tile_at(tables, before.board, place.partition(".")[0])
                met.append({path.gauge for path in tile.paths})
            if COUPLED in route.train:
                assert {"broad", "narrow"} <= set().union(*met), f"{route} has one gauge"
            else:
                fits = {tables.trains[route.train].gauge, "dual"}
                assert all(gauges & fits for gauges in met), f"{route} is on the wrong gauge"


def watch_for(title: str) -> Watch:
    """Return a watch for a new game of a title."""
    return Spain() if title == "18ESP" else Nothing()
