"""Trains move only here: the stack, the pool, the companies; rust, limits and phases."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from carril.engine.events import PhaseBegan, TrainDiscarded, TrainsRusted
from carril.engine.move import Move
from carril.engine.state import Company, State
from carril.engine.tables import PhaseDef, TrainDef


def train_def(state: State, name: str) -> TrainDef:
    """Return what the tables say of a kind of train."""
    return state.title.tables.trains[name]


def phase_def(state: State) -> PhaseDef:
    """Return what holds in the present phase."""
    return next(phase for phase in state.title.tables.phases if phase.name == state.phase)


def phase_reached(state: State, name: str) -> bool:
    """Return whether a phase has begun."""
    names = [phase.name for phase in state.title.tables.phases]
    return names.index(state.phase) >= names.index(name)


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


def take_from_stack(move: Move, company: str) -> str:
    """Give the top train to a company; the first of its kind starts a phase."""
    depot = move.state.depot
    name = stack_top(move.state)
    left = depot.left[name]
    move.set(depot=replace(depot, left={**depot.left, name: left - 1 if left > 0 else left}))
    _receive(move, company, name)
    return name


def take_from_pool(move: Move, company: str, name: str) -> None:
    """Give a train of the pool to a company."""
    depot = move.state.depot
    move.set(depot=replace(depot, pool=_without(depot.pool, name)))
    _receive(move, company, name)


def hand_train(move: Move, seller: str, buyer: str, name: str) -> None:
    """Move a train from one company to another."""
    _lose(move, seller, name)
    _receive(move, buyer, name)


def discard(move: Move, company: str, name: str) -> None:
    """Put a company's train into the pool."""
    _lose(move, company, name)
    depot = move.state.depot
    move.set(depot=replace(depot, pool=(*depot.pool, name)))
    move.tell(TrainDiscarded(company, name))


def _receive(move: Move, company: str, name: str) -> None:
    charter = move.state.companies[company]
    move.set_company(replace(charter, trains=(*charter.trains, name)))


def _lose(move: Move, company: str, name: str) -> None:
    charter = move.state.companies[company]
    move.set_company(replace(charter, trains=_without(charter.trains, name)))


def starts_phase(state: State, name: str) -> bool:
    """Return whether the purchase of a train from the stack begins its phase."""
    names = [phase.name for phase in state.title.tables.phases]
    return name in names and names.index(name) > names.index(state.phase)


def begin_phase(move: Move, name: str) -> None:
    """Begin a phase: its values hold from now on, and what it rusts is gone everywhere."""
    move.set(phase=name)
    move.tell(PhaseBegan(name))
    for train in move.state.title.tables.trains.values():
        if train.rusted_by == name:
            _rust(move, train.name)


def _rust(move: Move, name: str) -> None:
    owners = []
    for company in move.state.companies.values():
        if name in company.trains:
            owners.append(company.symbol)
            kept = tuple(train for train in company.trains if train != name)
            move.set_company(replace(company, trains=kept))
    depot = move.state.depot
    pool = tuple(train for train in depot.pool if train != name)
    move.set(depot=replace(depot, pool=pool))
    move.tell(TrainsRusted(name, tuple(owners)))


def over_limit(state: State) -> Iterator[Company]:
    """Yield the companies that own more trains than they may, in the order of the table."""
    for company in state.companies.values():
        if len(company.trains) > train_limit(state, company):
            yield company
