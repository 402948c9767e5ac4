"""The figures of a forecast while it is made: companies, players, the supplies of trains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from carril.bots.greedy import outlook
from carril.engine.answers import LastSet
from carril.engine.market import marker
from carril.engine.shares import certificate_limit, company_def
from carril.engine.state import Company, State
from carril.engine.trains import TRAIN, main_train, running_trains, train_limit

POWER = 0.8
"""How the revenue grows with the number of stops: less than in proportion."""
ENDLESS = 8
"""The stops of a train that visits any number."""
FURTHER = 0.7
"""What each further train of a company earns, as a fraction of the one before."""


@dataclass(slots=True)
class Line:
    """A company in play."""

    symbol: str
    units: int
    sole: bool
    led: bool
    """Whether somebody decides for it."""
    gauge: str
    limit: int
    owner: str
    cash: int
    trains: list[str]
    holders: dict[str, int]
    space: tuple[int, int] | None
    income: float
    """What its present trains earn on the present track."""
    power: float
    """The power of these trains."""
    revenue: list[int] = field(default_factory=list)
    dividends: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Ledger:
    """The position of a forecast."""

    state: State
    lines: list[Line]
    cash: dict[str, int]
    room: dict[str, int]
    """How many more certificates each player may take."""
    supply: dict[str, int]
    phase: str
    bank: int | None
    broken: bool
    """Whether the bank is broken, so that the game ends with the present set of rounds."""
    received: dict[str, int]
    last: LastSet | None
    """The last operating rounds, if trains bring the game to its end."""
    cards: int
    """How many trains must still leave the supply until they are due."""

    def price(self, line: Line) -> int:
        """Return the price of a share."""
        return self.state.setup.market.price(*line.space) if line.space else 0


def power(state: State, train: str) -> float:
    """Return how much a train earns relative to others on the same track."""
    found = state.tables.trains[main_train(train)]
    if found.kind != TRAIN:
        return 0.4
    stops = sum(one.count if one.count >= 0 else 0 for one in found.distance)
    return float((stops or ENDLESS) ** POWER * found.factor)


def joint_power(state: State, trains: Iterable[str]) -> float:
    """Return how much trains of one company earn together: the best route is taken only once."""
    powers = sorted((power(state, name) for name in trains), reverse=True)
    return sum(one * FURTHER**number for number, one in enumerate(powers))


def open_ledger(state: State) -> Ledger:
    """Return the figures of a position."""
    players = state.players
    limit = certificate_limit(state)
    bank = state.bank if state.tables.figures.bank is not None else None
    return Ledger(
        state=state,
        lines=list(_lines(state)),
        cash={name: one.cash - one.debt * 3 // 2 for name, one in players.items()},
        room={name: limit - state.title.certificates(state, name) for name in players},
        supply={
            name: left
            for name, left in state.depot.left.items()
            if state.tables.trains[name].kind == TRAIN and left
        },
        phase=state.phase,
        bank=bank,
        broken=state.broken,
        received=dict.fromkeys(players, 0),
        last=(last := state.title.answers.last_set(state)),
        cards=last.cards if last else 0,
    )


def _lines(state: State) -> Iterator[Line]:
    for company in state.companies.values():
        led = company_def(state, company.symbol).has_president
        if not company.closed and (company.owner if led else company.floated or company.started):
            yield _line(state, company)


def _line(state: State, company: Company) -> Line:
    plan, place = company_def(state, company.symbol), marker(state, company.symbol)
    trains = list(running_trains(state, company))
    return Line(
        symbol=company.symbol,
        units=max(1, plan.units),
        sole=plan.sole_owner,
        led=plan.has_president,
        gauge=plan.gauge,
        limit=train_limit(state, company),
        owner=company.owner,
        cash=company.cash,
        trains=trains,
        holders=dict(company.shares),
        space=(place.row, place.column) if place else None,
        income=float(outlook.income(state, company.symbol)),
        power=joint_power(state, company.trains),
    )


def rounds_in_set(state: State, phase: str) -> int:
    """Return how many operating rounds follow a stock round in a phase."""
    return max(1, state.tables.phases[state.tables.phase_numbers[phase]].operating_rounds)
