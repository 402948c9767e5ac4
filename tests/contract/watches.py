"""What must hold from one position to the next, where a title has more to promise than others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Protocol

from carril.engine.actions import Action, GoBankrupt, RunTrains
from carril.engine.board import tile_at
from carril.engine.events import (
    CubesDelivered,
    CubesProduced,
    DividendPaid,
    Event,
    LoanRepaid,
    LoanTaken,
    MoneyPaid,
    SharesMoved,
    TrainBought,
    TrainDiscarded,
)
from carril.engine.market import price
from carril.engine.move import Move
from carril.engine.shares import company_def, sale_refusal, sell
from carril.engine.state import BANK, Setup, State
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import COUPLED, owns_class, same_gauge
from carril.titles.cuba.common import central, cuba
from carril.titles.cuba.events import CubesScored
from carril.titles.cuba.figures import figures
from carril.titles.esp.common import conventions, esp, is_minor
from carril.titles.esp.loans import interest
from tests.contract.invariants import trains_in_play

GOALS = 1 + 2 + 3
"""Three goals, each worth par times its number."""


class Watch(Protocol):
    """Follows one game from its beginning."""

    seen: Counter[str]
    """How often the game came to where a promise could be broken."""

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        """Raise AssertionError if a step breaks a promise."""


class Nothing:
    """For titles that promise no more than every title does."""

    def __init__(self) -> None:
        """There is nothing to see."""
        self.seen: Counter[str] = Counter()

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        """All is well."""


Emergency = tuple[str, str, str]
"""The round, the company that must buy a train, and its president."""


def emergency(state: State) -> Emergency | None:
    """Return the emergency of a position."""
    step = state.step
    if not isinstance(step, BuyTrains) or not step.must_buy(state):
        return None
    return str(state.round), step.company, step.actor(state)


def minors_keep_purchases(events: Sequence[Event], after: State, seen: Counter[str]) -> None:
    """No minor has to give up the train that it has just bought, and is left without one."""
    minors = {symbol for symbol, company in after.companies.items() if company.kind == "minor"}
    bought = {(e.company, e.train) for e in events if isinstance(e, TrainBought)}
    given_up = {(e.company, e.train) for e in events if isinstance(e, TrainDiscarded)}
    seen["minors' trains"] += sum(company in minors for company, _ in bought)
    for company, train in bought & given_up:
        lost = company in minors and train not in after.companies[company].trains
        assert not lost, f"{company} lost the {train} that it has bought"


class Europe:
    """18EU: nobody goes bankrupt who could have paid when the emergency began.

    No minor loses a train by its own purchase.
    """

    def __init__(self) -> None:
        """No emergency has begun."""
        self.seen: Counter[str] = Counter()
        self.emergency: Emergency | None = None
        self.solvent = False

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        """Look at one step."""
        self.shares(events, after)
        minors_keep_purchases(events, after, self.seen)
        found, step = emergency(before), before.step
        if found and isinstance(step, BuyTrains) and (missing := step.missing(before)):
            able = could_raise(before, step, missing)
            assert step.can_raise(before, missing) == able, f"all sales together: {able}"
            if found != self.emergency:
                self.solvent = able
                self.seen["emergencies"] += 1
            if isinstance(action, GoBankrupt):
                self.seen["bankruptcies"] += 1
                assert not self.solvent, f"{found[2]} could have paid for the train of {found[1]}"
            self.emergency = found
        elif not found:
            self.emergency = None

    def shares(self, events: Sequence[Event], after: State) -> None:
        """Shares move only of companies that are in the game."""
        for event in events:
            if isinstance(event, SharesMoved):
                assert event.company in after.companies, f"{event.company} is not in the game"
                assert event.count > 0, f"no share of {event.company} moves"


def could_raise(state: State, step: BuyTrains, missing: int) -> bool:
    """Return whether a president can raise an amount, by trying all sales of every company."""
    return sum(_most_raised(state, step, symbol) for symbol in state.companies) >= missing


def _most_raised(state: State, step: BuyTrains, symbol: str) -> int:
    """Return the most that blocks of one company can raise, sold in every possible way."""
    player, best = step.actor(state), 0
    for count in range(1, state.companies[symbol].held(player) + 1):
        if sale_refusal(state, player, symbol, count):
            continue
        move = Move(state)
        sell(move, player, symbol, count)
        if move.state.companies[step.company].owner == player:
            rest = _most_raised(move.state, step, symbol)
            best = max(best, count * price(state, symbol) + rest)
    return best


class Spain:
    """18ESP: debts never vanish, no train on the wrong gauge, goals pay at most 6 times par.

    No minor loses a train by its own purchase, and shares of companies that play no part stay put.
    Nobody goes bankrupt: whoever cannot pay for a train takes a loan.
    """

    def __init__(self) -> None:
        """Nothing is paid for goals yet."""
        self.seen: Counter[str] = Counter()
        self.goals: Counter[str] = Counter()
        self.emergency: Emergency | None = None

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        """Look at one step."""
        self.debts(before, events, after)
        self.capital(events, after)
        self.owners(after)
        minors_keep_purchases(events, after, self.seen)
        self.shares(events, after)
        self.emergencies(before, action)
        if isinstance(action, RunTrains):
            self.gauges(before, action)

    def debts(self, before: State, events: Sequence[Event], after: State) -> None:
        """A debt grows by a loan and shrinks by what the player pays to the bank for it."""
        at_once = conventions(after).interest_per_loan  # G24: a loan then grows by its interest
        for name, player in after.players.items():
            loans = [e.amount for e in events if isinstance(e, LoanTaken) and e.player == name]
            self.seen["loans"] += len(loans)
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

    def shares(self, events: Sequence[Event], after: State) -> None:
        """Shares move only of companies that are in the game."""
        moved = {event.company for event in events if isinstance(event, SharesMoved)}
        strangers = moved.difference(esp(after).in_play)
        assert not strangers, f"shares of {strangers} have moved"

    def emergencies(self, before: State, action: Action) -> None:
        """A president who must raise money always has a way to pay."""
        assert not isinstance(action, GoBankrupt), f"{action.by} is bankrupt"
        found, step = emergency(before), before.step
        if found and isinstance(step, BuyTrains) and step.missing(before):
            self.seen["emergencies"] += found != self.emergency
            self.emergency = found
        elif not found:
            self.emergency = None

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


class Cuba:
    """18Cuba: cubes, machines, cards and tokens are all accounted for, and gauges are kept."""

    def __init__(self) -> None:
        """Nobody has produced a cube yet."""
        self.seen: Counter[str] = Counter()
        self.produced = self.used = 0

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        """Look at one step."""
        self.cubes(events, after)
        self.machines(after)
        self.trains(after)
        self.earnings(events, after)
        self.cards(before, after)

    def cubes(self, events: Sequence[Event], after: State) -> None:
        """What is produced is shipped or scored by the FC, and boxes are empty between rounds."""
        for event in events:
            if isinstance(event, CubesProduced):
                self.seen["productions"] += 1
                self.produced += event.cubes
            elif isinstance(event, CubesDelivered | CubesScored):
                self.used += event.cubes
        boxes = cuba(after).cubes.values()
        assert min(boxes, default=0) >= 0, f"boxes hold {boxes}"
        assert self.produced == self.used + sum(boxes), f"{self.produced} cubes, {self.used} used"
        assert sum(boxes) <= figures(after).sugar.cubes, f"{sum(boxes)} cubes in boxes"
        assert after.round.kind == "OR" or not sum(boxes), "cubes are left between rounds"

    def machines(self, after: State) -> None:
        """Each machine is on sale or with one minor, which has no more than it may."""
        owned = Counter(name for held in cuba(after).machines.values() for name in held)
        machinery = figures(after).machinery
        for name, generation in machinery.generations.items():
            count = owned[name] + len(cuba(after).machine_prices[name])
            assert count == generation.count, f"{count} machines of generation {name}"
        for minor, held in cuba(after).machines.items():
            assert len(held) <= machinery.limit, f"{minor} has {len(held)} machines"

    def trains(self, after: State) -> None:
        """No more cards than there are, and none with a company of another gauge."""
        found = trains_in_play(after)
        for symbol, company in after.companies.items():
            for train in company.trains:
                gauge = company_def(after, symbol).gauge
                assert same_gauge(after, gauge, train), f"{symbol} has a train {train}"
                assert owns_class(after, company, train) or symbol == central(after), symbol
        bonus = figures(after).bonus.wagon
        for name, count in trains_at_first(after.setup).items():
            most = count + (1 if name == bonus else 0)
            assert found[name] <= most, f"{found[name]} cards {name}, of {most}"

    def earnings(self, events: Sequence[Event], after: State) -> None:
        """Dividends are whole sums for each share, and the FC keeps nothing."""
        for event in events:
            if isinstance(event, DividendPaid):
                units = company_def(after, event.company).units
                assert event.dividend % units == 0, f"{event.company} pays {event.dividend}"
                cash = after.companies[central(after)].cash
                assert event.company != central(after) or not cash, f"the FC keeps {cash}"

    def cards(self, before: State, after: State) -> None:
        """No token is locked again, no card comes back, and none is in two places."""
        for symbol, company in after.companies.items():
            assert company.locked <= before.companies[symbol].locked, f"{symbol} locks a token"
        old, new = cuba(before), cuba(after)
        assert new.commissioners.keys() <= old.commissioners.keys(), "a commissioner comes back"
        assert new.concessions.keys() <= old.concessions.keys(), "a concession comes back"
        assert not new.concessions.keys() & new.bonuses.keys(), "a concession and its bonus"


@cache
def trains_at_first(setup: Setup) -> Counter[str]:
    """Return how many cards of each train a game begins with."""
    return trains_in_play(setup.definition.begin(setup, setup.tables))


def watch_for(title: str) -> Watch:
    """Return a watch for a new game of a title."""
    kinds: dict[str, type[Watch]] = {"18Cuba": Cuba, "18ESP": Spain, "18EU": Europe}
    return kinds.get(title, Nothing)()
