"""Estimates of what companies earn and will need, for all decisions.

Everything is a pure function of the position. The engine caches the best runs, so asking again in
the same round costs nothing; a budget of nodes bounds the cost of one question.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from msgspec.structs import replace

from carril.engine.market import price
from carril.engine.network import reach
from carril.engine.runs import RunProblem, Train, best
from carril.engine.shares import company_def
from carril.engine.state import Company, State
from carril.engine.trains import (
    TRAIN,
    cards_for_sale,
    main_train,
    phase_def,
    running_trains,
    train_def,
)

VAST = 150
"""Above this number of pieces of track, a run is estimated from its stops alone."""
SECOND = 0.6
"""The estimated earnings of each further train, as a fraction of the longest one's."""
CERTAIN = 3000
"""Search nodes for a run that a company can count on."""
HORIZON = 6
"""The most operating rounds to look ahead."""
FOREVER = 99


@dataclass(frozen=True, slots=True)
class Care:
    """How carefully runs are estimated."""

    budget: int = 400
    """Search nodes for one look at a company's runs."""
    heavy: int = 240
    """Above this product of pieces of track and trains, only the longest train is searched."""
    vast: int = VAST
    """Above this number of pieces of track, a run is estimated from its stops alone."""


_care: ContextVar[Care] = ContextVar("care", default=Care())  # noqa: B039  (it is frozen)


@contextmanager
def careful(care: Care) -> Iterator[None]:
    """Estimate all runs with this care inside a `with` block."""
    token = _care.set(care)
    try:
        yield
    finally:
        _care.reset(token)


def with_trains(state: State, symbol: str, trains: tuple[str, ...]) -> State:
    """Return the position as if a company owned these trains."""
    charter = replace(state.companies[symbol], trains=trains)
    return replace(state, companies={**state.companies, symbol: charter})


def look(state: State, symbol: str) -> tuple[int, int]:
    """Return about what a company's best run earns now, and the effort of the search.

    The effort depends on the position alone, neither on the machine nor on earlier questions.
    """
    if not company_def(state, symbol).has_president:
        return state.title.answers.automatic_income(state, symbol), 0
    if not running_trains(state, state.companies[symbol]):
        return 0, 0
    problem = state.title.run_problem(state, symbol)
    count, pieces, care = len(problem.trains), len(problem.pieces), _care.get()
    heavy = count > 1 and pieces * count > care.heavy
    if not problem.trains:
        return 0, 0
    if heavy or pieces > care.vast:
        problem = replace(problem, trains=(max(problem.trains, key=_reach),))
    if pieces <= care.vast:
        value, effort = _solved(problem, care.budget)
    else:
        value, effort = _guessed(problem), 20
    if heavy:
        value = int(value * (1 + SECOND * (count - 1)))
    return value, effort + pieces + 60 * len(problem.trains)


def _solved(problem: RunProblem, budget: int) -> tuple[int, int]:
    """Return the value of the best run, or a little more than the best found; and the effort.

    The bound of a search that has hardly begun is several times the best run.
    """
    answer = best(problem, budget)
    if answer.optimal:
        return answer.value, answer.nodes
    return (answer.value * 7 + answer.bound) // 8, answer.nodes + budget // 2


def _guessed(problem: RunProblem) -> int:
    """Return three quarters of the value of the best stops that fit into one train."""
    left = sorted(problem.stops, key=lambda stop: -stop.value - stop.treasury)
    total = 0
    for room in problem.trains[0].room:
        fitting = [stop for stop in left if stop.kind in room.kinds]
        taken = fitting[: room.count] if room.count >= 0 else fitting[:4]
        total += sum(stop.value + stop.treasury for stop in taken)
        left = [stop for stop in left if stop not in taken]
    return total * 3 // 4


def _reach(train: Train) -> int:
    return sum(max(0, room.count) for room in train.room)


def income(state: State, symbol: str) -> int:
    """Return what a company's best run earns now, as far as the budget sees."""
    return look(state, symbol)[0]


def certain_income(state: State, symbol: str) -> int:
    """Return what a run earns that a long search finds: a company can count on it."""
    return best(state.title.run_problem(state, symbol), CERTAIN).value


def income_with(state: State, symbol: str, trains: tuple[str, ...]) -> int:
    """Return what a company would earn now with other trains."""
    return income(with_trains(state, symbol, trains), symbol)


def suits(state: State, symbol: str, train: str) -> int:
    """Return how many stops a company reaches on track of the gauge of a train.

    A little more counts for the gauge at its home, where there is no track yet.
    """
    gauge = train_def(state, train).gauge
    if not gauge:
        return 1
    stops = len(reach(state.tables, state.board, symbol, gauge).stops)
    return 2 * stops + (gauge == state.title.answers.usual_gauge(state, symbol))


def usable(state: State, symbol: str, train: str) -> bool:
    """Return whether a train can run for a company: on its track, or on what it will build."""
    gauge = train_def(state, train).gauge
    if not gauge or gauge == state.title.answers.usual_gauge(state, symbol):
        return True
    return state.title.run.may_start(state, symbol, train)


def next_train(state: State, symbol: str) -> str:
    """Return the train that a company would buy next: of its gauge, the largest it can pay for.

    Of the sides of a card it is the one whose gauge the company's track has.
    """
    charter, gauge = state.companies[symbol], company_def(state, symbol).gauge
    trains = state.tables.trains
    fitting = [
        max(sides, key=lambda name: suits(state, symbol, name)) if len(sides) > 1 else sides[0]
        for card in cards_for_sale(state)
        if (sides := _sides(state, card, gauge))
    ]
    if not fitting:
        return ""
    paid = [name for name in fitting if trains[name].price <= charter.cash]
    return paid[-1] if gauge and paid else fitting[0]


def _sides(state: State, card: str, gauge: str) -> list[str]:
    """Return the trains of a gauge that a card can be; "" stands for any."""
    trains = state.tables.trains
    return [
        name
        for name in state.setup.sides[card]
        if trains[name].kind == TRAIN and (not gauge or trains[name].gauge == gauge)
    ]


def renewed(state: State, symbol: str) -> State:
    """Return the position as if a company had the next train besides those that last."""
    charter = state.companies[symbol]
    kept = tuple(name for name in charter.trains if rounds_of(state, name) > 2)
    new = next_train(state, symbol)
    return with_trains(state, symbol, (*kept, new) if new else kept)


def later(state: State, symbol: str) -> int:
    """Return what a company would earn with the next train besides those that last."""
    return income(renewed(state, symbol), symbol)


def rounds_left(state: State) -> int:
    """Return about how many operating rounds the game still has, this one included."""
    names = [phase.name for phase in state.tables.phases]
    phase = names.index(state.phase)
    if state.broken:
        return max(1, phase_def(state).operating_rounds - state.round.number + 1)
    last = state.title.answers.last_set(state)
    if last is not None and last.begun:
        return last.rounds - max(0, state.round.number - 1)
    if last is not None and not last.cards:
        return last.rounds + (state.round.kind == "OR")
    if state.tables.figures.bank is None:
        return min(12, 2 + 3 * (len(names) - 1 - phase))
    companies = sum(1 for c in state.companies.values() if c.owner and not c.closed)
    flow = companies * (35 + 30 * phase)
    return max(1, min(12, 1 + state.bank // max(1, flow)))


def purchases_before_rust(state: State, train: str) -> int:
    """Return how many trains must leave the stack until this one is gone."""
    trains, rusted_by = state.tables.trains, train_def(state, train).rusted_by
    count = 0
    for name, left in state.depot.left.items():
        if rusted_by and state.tables.begun_by.get(name) == rusted_by:
            return count
        if left < 0:
            break
        count += left if not trains[name].supply else 0
    return FOREVER


def rounds_of(state: State, train: str) -> int:
    """Return about how many operating rounds a train still runs."""
    buyers = sum(1 for c in state.companies.values() if c.owner and not c.closed)
    pace = max(1, buyers // 4)
    return min(FOREVER, purchases_before_rust(state, main_train(train)) // pace + 1)


def lasts(state: State, company: Company) -> bool:
    """Return whether a company owns a train that it will still have in some rounds."""
    return any(rounds_of(state, name) > 3 for name in running_trains(state, company))


def train_price(state: State, symbol: str) -> int:
    """Return the price of the next train for a company; 0 if there is none."""
    name = next_train(state, symbol)
    return train_def(state, name).price if name else 0


def must_own(company: Company) -> bool:
    """Return whether its president pays for its train if the company cannot."""
    return company.floated and not company.closed and bool(company.owner)


def shortfall(state: State, company: Company) -> int:
    """Return what a company lacks for the train it will need, 0 if its trains last."""
    if not must_own(company) or lasts(state, company):
        return 0
    return max(0, train_price(state, company.symbol) - company.cash)


def burden(state: State, player: str) -> int:
    """Return what a player may soon have to pay for trains of the companies they lead."""
    total = 0
    for company in state.companies.values():
        if company.owner == player and (lack := shortfall(state, company)):
            soon = min((rounds_of(state, t) for t in running_trains(state, company)), default=0)
            earned = income(state, company.symbol) * min(soon, 3) * 2 // 3
            total += max(0, lack - earned)
    return total


def expected(state: State, symbol: str) -> int:
    """Return what a company will earn in a round of the near future."""
    company = state.companies[symbol]
    now = income(state, symbol)
    if lasts(state, company) or not company_def(state, symbol).has_president:
        return now
    purse = company.cash
    if company.owner and must_own(company):
        purse += state.players[company.owner].cash
    if purse >= train_price(state, symbol):
        return (now + later(state, symbol)) // 2
    return now // 2


def share_return(state: State, symbol: str) -> float:
    """Return the expected return of one share, as a fraction of its price."""
    each = price(state, symbol)
    if not each:
        return 0.0
    ahead = min(HORIZON, rounds_left(state))
    earned = expected(state, symbol)
    dividend = earned / company_def(state, symbol).units
    steps = state.title.earnings.price_steps(state, symbol, earned)
    growth = 0.07 if steps > 0 else 0.01 if not steps else -0.08
    if shortfall(state, state.companies[symbol]):
        growth -= 0.04
    return ahead * (dividend / each + growth)


def stake(state: State, player: str) -> float:
    """Return the value of a player's cash, companies and shares, coming rounds included."""
    ahead = min(HORIZON, rounds_left(state))
    total = float(state.players[player].cash - state.players[player].debt)
    for company in state.companies.values():
        sole = company_def(state, company.symbol).sole_owner
        if sole and company.owner == player and not company.closed:
            total += company.cash / 2 + income(state, company.symbol) * ahead / 2
        elif held := company.held(player):
            part = held / company_def(state, company.symbol).units
            total += held * price(state, company.symbol)
            total += part * (company.cash / 2 + income(state, company.symbol) * ahead)
    return total
