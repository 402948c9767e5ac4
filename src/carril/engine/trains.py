"""Trains move only here: the stack, the pool, the companies; rust, limits and phases."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from carril.engine.events import PhaseBegan, TrainDiscarded, TrainsRusted
from carril.engine.move import Move
from carril.engine.state import Company, State
from carril.engine.tables import PhaseDef, TrainDef

COUPLED = "|"
"""Stands in the name of a train between the train itself and what is coupled to it."""


def main_train(name: str) -> str:
    """Return a train without what is coupled to it."""
    return name.partition(COUPLED)[0]


def train_def(state: State, name: str) -> TrainDef:
    """Return what the tables say of a kind of train."""
    return state.tables.trains[main_train(name)]


def card_of(state: State, name: str) -> str:
    """Return the name of the card that a train is a side of."""
    return train_def(state, name).card or main_train(name)


def trains_counted(state: State, company: Company) -> int:
    """Return how many of a company's trains count against its limit."""
    return sum(train_def(state, name).limited for name in company.trains)


def phase_def(state: State) -> PhaseDef:
    """Return what holds in the present phase."""
    tables = state.tables
    return tables.phases[tables.phase_numbers[state.phase]]


def phase_reached(state: State, name: str) -> bool:
    """Return whether a phase has begun."""
    numbers = state.tables.phase_numbers
    return numbers[state.phase] >= numbers[name]


def train_limit(state: State, company: Company) -> int:
    """Return how many trains a company may own now."""
    return phase_def(state).train_limit[company.kind]


def stack_top(state: State) -> str:
    """Return the train that can be bought from the stack."""
    return next(name for name, left in state.depot.left.items() if left)


def runs_itself(state: State, name: str) -> bool:
    """Return whether a train runs; a car that only goes with another does not."""
    return train_def(state, name).kind == "train"


def running_trains(state: State, company: Company) -> tuple[str, ...]:
    """Return a company's trains that run by themselves."""
    return tuple(name for name in company.trains if runs_itself(state, name))


def _without(trains: tuple[str, ...], name: str) -> tuple[str, ...]:
    index = trains.index(name)
    return trains[:index] + trains[index + 1 :]


def remove_from_stack(move: Move) -> str:
    """Take the top card off the stack and return its name."""
    depot = move.state.depot
    name = stack_top(move.state)
    left = depot.left[name]
    move.set(depot=replace(depot, left={**depot.left, name: left - 1 if left > 0 else left}))
    return name


def take_from_stack(move: Move, company: str, side: str = "") -> None:
    """Give the top train to a company, on the side it chooses."""
    name = remove_from_stack(move)
    receive(move, company, side or name)


def take_from_pool(move: Move, company: str, name: str) -> None:
    """Give a train of the pool to a company."""
    depot = move.state.depot
    move.set(depot=replace(depot, pool=_without(depot.pool, name)))
    receive(move, company, name)


def hand_train(move: Move, seller: str, buyer: str, name: str) -> None:
    """Move a train from one company to another."""
    lose(move, seller, name)
    receive(move, buyer, name)


def discard(move: Move, company: str, name: str) -> None:
    """Put a company's train into the pool."""
    lose(move, company, name)
    depot = move.state.depot
    move.set(depot=replace(depot, pool=(*depot.pool, name)))
    move.tell(TrainDiscarded(company, name))


def receive(move: Move, company: str, name: str) -> None:
    """Put a train on a company's charter."""
    charter = move.state.companies[company]
    move.set_company(replace(charter, trains=(*charter.trains, name)))


def lose(move: Move, company: str, name: str) -> None:
    """Take a train off a company's charter."""
    charter = move.state.companies[company]
    move.set_company(replace(charter, trains=_without(charter.trains, name)))


def starts_phase(state: State, name: str) -> bool:
    """Return whether the purchase of a train from the stack begins its phase."""
    numbers = state.tables.phase_numbers
    return name in numbers and numbers[name] > numbers[state.phase]


def begin_phase(move: Move, name: str) -> None:
    """Begin a phase: its values hold from now on, and what it rusts is gone everywhere."""
    move.set(phase=name)
    move.tell(PhaseBegan(name))
    for train in move.state.tables.trains.values():
        if train.rusted_by == name:
            rust(move, train.name)


def rust(move: Move, name: str) -> None:
    """Remove a kind of train from all companies and from the pool, with what is coupled to it."""
    owners = []
    for company in move.state.companies.values():
        kept = tuple(train for train in company.trains if main_train(train) != name)
        if len(kept) < len(company.trains):
            owners.append(company.symbol)
            move.set_company(replace(company, trains=kept))
    depot = move.state.depot
    pool = tuple(train for train in depot.pool if main_train(train) != name)
    move.set(depot=replace(depot, pool=pool))
    move.tell(TrainsRusted(name, tuple(owners)))


def over_limit(state: State) -> Iterator[Company]:
    """Yield the companies that own more trains than they may, in the order of the table."""
    for company in state.companies.values():
        if trains_counted(state, company) > train_limit(state, company):
            yield company
