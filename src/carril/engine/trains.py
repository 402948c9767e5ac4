"""Trains move only here: the supplies, the pool, the companies; rust, age, limits and phases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from carril.engine.events import (
    PhaseBegan,
    TrainDiscarded,
    TrainMoved,
    TrainsAged,
    TrainsRusted,
)
from carril.engine.move import Move
from carril.engine.state import POOL, Company, Depot, State
from carril.engine.tables import PhaseDef, Tables, TrainDef

COUPLED = "|"
"""Separates a train from what is coupled to it, in the name of a combined train."""
STACK = "stack"
"""The source of a train that is bought from one of the bank's supplies."""
TRAIN = "train"
"""The kind of trains that run by themselves, and the class that they count against."""

# --- what the tables say -----------------------------------------------------------------


def main_train(name: str) -> str:
    """Return a train without what is coupled to it."""
    return name.partition(COUPLED)[0]


def train_def(state: State, name: str) -> TrainDef:
    """Return what the tables say of a kind of train."""
    trains = state.tables.trains
    return trains.get(name) or trains[main_train(name)]


def card_of(state: State, name: str) -> str:
    """Return the name of the card that a train is a side of."""
    return train_def(state, name).card or main_train(name)


def sides(state: State, card: str) -> tuple[str, ...]:
    """Return the trains that a card can be."""
    trains = state.tables.trains
    return (card, *(name for name, train in trains.items() if train.card == card))


def runs_itself(state: State, name: str) -> bool:
    """Return whether a train runs; a car that only goes with another does not."""
    return train_def(state, name).kind == TRAIN


def running_trains(state: State, company: Company) -> tuple[str, ...]:
    """Return a company's trains that run by themselves."""
    trains = state.tables.trains
    return tuple(name for name in company.trains if trains[main_train(name)].kind == TRAIN)


def phase_def(state: State) -> PhaseDef:
    """Return the definition of the present phase."""
    tables = state.tables
    return tables.phases[tables.phase_numbers[state.phase]]


def phase_reached(state: State, name: str) -> bool:
    """Return whether a phase has begun."""
    numbers = state.tables.phase_numbers
    return numbers[state.phase] >= numbers[name]


# --- limits ------------------------------------------------------------------------------


def trains_counted(state: State, company: Company, counted_as: str = TRAIN) -> int:
    """Return how many of a company's trains count against the limit of a class."""
    trains = state.tables.trains
    return sum(trains[main_train(name)].counted_as == counted_as for name in company.trains)


def by_class(tables: Tables, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return trains by the class that limits count them in, those without one as trains."""
    found: dict[str, tuple[str, ...]] = {TRAIN: ()}
    for name in names:
        counted_as = tables.trains[main_train(name)].counted_as or TRAIN
        found[counted_as] = (*found.get(counted_as, ()), name)
    return found


def train_limit(state: State, company: Company, counted_as: str = TRAIN) -> int:
    """Return how many trains of a class a company may own now; -1 if there is no limit."""
    if _keeps_trains(state, company):
        return -1
    limit = phase_def(state).train_limit[company.kind]
    return limit if isinstance(limit, int) else limit.get(counted_as, 0)


def has_room(state: State, company: Company, train: str = "") -> bool:
    """Return whether a company may own one more train, an ordinary one if none is named."""
    known = state.tables.trains.get(main_train(train))
    counted_as = known.counted_as if known else TRAIN
    limit = train_limit(state, company, counted_as)
    return not counted_as or limit < 0 or trains_counted(state, company, counted_as) < limit


def same_gauge(state: State, gauge: str, train: str) -> bool:
    """Return whether a train is of a gauge; "" stands for any."""
    known = state.tables.trains.get(main_train(train))
    return not gauge or known is None or known.gauge in ("", gauge)


def owns_class(state: State, company: Company, train: str) -> bool:
    """Return whether a company has a limit for the class of a train, so that it can own one."""
    known = state.tables.trains.get(main_train(train))
    limit = phase_def(state).train_limit[company.kind]
    if known is None or isinstance(limit, int):
        return True
    return not known.counted_as or known.counted_as in limit


def excess_trains(state: State, company: Company) -> list[str]:
    """Return the kinds of trains that a company owns too many of: all of a class over its limit."""
    limit = phase_def(state).train_limit[company.kind]
    few = isinstance(limit, int) and len(company.trains) <= limit
    if few or _keeps_trains(state, company):
        return []
    owned = {train_def(state, name).counted_as for name in company.trains}
    over = {
        counted_as
        for counted_as in owned
        if counted_as
        and trains_counted(state, company, counted_as) > train_limit(state, company, counted_as)
    }
    if not over:
        return []
    return sorted({name for name in company.trains if train_def(state, name).counted_as in over})


def over_limit(state: State) -> Iterator[Company]:
    """Yield the companies that own more trains than they may, in the order of the table."""
    for company in state.companies.values():
        if company.trains and not company.closed and excess_trains(state, company):
            yield company


def _keeps_trains(state: State, company: Company) -> bool:
    return state.tables.companies[company.symbol].keeps_trains


# --- the bank's trains -------------------------------------------------------------------


def new_depot(tables: Tables) -> Depot:
    """Return the supplies and the pool at the start of a game."""
    trains = tables.trains.values()
    left = {train.name: train.count for train in trains if not train.card and not train.initial}
    pool = [
        name for train in trains if train.initial == POOL for name in [train.name] * train.count
    ]
    return Depot(left, tuple(pool))


def cards_for_sale(state: State) -> Iterator[str]:
    """Yield the cards that can be bought from the bank's supplies.

    These are the top card of each supply, and every card that a phase has unlocked.
    """
    trains, begun = state.tables.trains, set()
    for name, left in state.depot.left.items():
        if not left:
            continue
        train = trains[name]
        if train.available_from:
            if phase_reached(state, train.available_from):
                yield name
        elif train.supply not in begun:
            begun.add(train.supply)
            yield name


def bank_trains(state: State) -> Iterator[tuple[str, str]]:
    """Yield the trains that the bank shows, each with its source: a supply or the pool."""
    for card in cards_for_sale(state):
        yield from ((side, STACK) for side in sides(state, card))
    yield from ((name, POOL) for name in sorted(set(state.depot.pool)))


def stack_top(state: State, supply: str = "") -> str:
    """Return the first card that can be bought from a supply, or ""."""
    trains = state.tables.trains
    return next((name for name in cards_for_sale(state) if trains[name].supply == supply), "")


def remove_card(move: Move, card: str) -> None:
    """Take a card out of its supply."""
    depot = move.state.depot
    left = depot.left[card]
    move.set(depot=replace(depot, left={**depot.left, card: left - 1 if left > 0 else left}))


# --- trains change hands -----------------------------------------------------------------


def deliver(move: Move, source: str, buyer: str, name: str) -> None:
    """Give a company a train that it has bought from a supply, the pool or another company."""
    if source == STACK:
        remove_card(move, card_of(move.state, name))
    elif source == POOL:
        depot = move.state.depot
        move.set(depot=replace(depot, pool=_without(depot.pool, name)))
    else:
        _remove(move, source, name)
    _add(move, buyer, name)


def hand_train(move: Move, source: str, target: str, name: str) -> None:
    """Move a train from one company to another without a purchase."""
    _remove(move, source, name)
    _add(move, target, name)
    move.tell(TrainMoved(name, source, target))


def discard(move: Move, company: str, name: str) -> None:
    """Put a company's train into the pool."""
    _remove(move, company, name)
    depot = move.state.depot
    move.set(depot=replace(depot, pool=(*depot.pool, name)))
    move.tell(TrainDiscarded(company, name))


def discard_from_game(move: Move, company: str, name: str) -> None:
    """Take a company's train out of the game."""
    _remove(move, company, name)
    move.tell(TrainDiscarded(company, name))
    move.tell(TrainMoved(name, POOL, ""))


def receive(move: Move, company: str, name: str) -> None:
    """Give a company a train from outside the game."""
    _add(move, company, name)
    move.tell(TrainMoved(name, "", company))


def lose(move: Move, company: str, name: str) -> None:
    """Take a train of a company out of the game, without calling it a discard."""
    _remove(move, company, name)
    move.tell(TrainMoved(name, company, ""))


def _add(move: Move, company: str, name: str) -> None:
    charter = move.state.companies[company]
    move.set_company(replace(charter, trains=(*charter.trains, name)))


def _remove(move: Move, company: str, name: str) -> None:
    charter = move.state.companies[company]
    move.set_company(replace(charter, trains=_without(charter.trains, name)))


def _without(trains: tuple[str, ...], name: str) -> tuple[str, ...]:
    index = trains.index(name)
    return trains[:index] + trains[index + 1 :]


# --- phases ------------------------------------------------------------------------------


def phase_begun_by(state: State, card: str) -> str:
    """Return the phase that begins when a card leaves its supply now, or ""."""
    name = state.tables.begun_by.get(card, "")
    return name if name and not phase_reached(state, name) else ""


def begin_phase(move: Move, name: str) -> tuple[str, ...]:
    """Begin a phase: remove the trains it rusts, then turn over the cards it ages.

    Return the trains that companies and the pool have lost.
    """
    move.set(phase=name)
    move.tell(PhaseBegan(name))
    trains = move.state.tables.trains.values()
    gone = [lost for train in trains if train.rusted_by == name for lost in rust(move, train.name)]
    for train in trains:
        if train.aged_by == name:
            age(move, train.name, train.ages_to)
    return tuple(gone)


def rust(move: Move, name: str) -> list[str]:
    """Remove a kind of train from play, with what is coupled to it; return the trains removed.

    Unsold cards go as well; a company that keeps its trains loses none.
    """
    gone: list[str] = []

    def remaining(trains: tuple[str, ...]) -> tuple[str, ...]:
        gone.extend(train for train in trains if main_train(train) == name)
        return tuple(train for train in trains if main_train(train) != name)

    owners = _change_everywhere(move, remaining)
    left = dict(move.state.depot.left)
    if left.get(name):
        _set_left(move, {**left, name: 0})
    move.tell(TrainsRusted(name, owners))
    return gone


def age(move: Move, name: str, becomes: str) -> None:
    """Turn over all cards of a kind, unsold ones as well; a company may keep its trains."""

    def turned(trains: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(becomes if train == name else train for train in trains)

    owners = _change_everywhere(move, turned)
    left = dict(move.state.depot.left)
    if left.get(name):
        _set_left(move, {**left, name: 0, becomes: left[name]})
    move.tell(TrainsAged(name, becomes, owners))


def _set_left(move: Move, left: dict[str, int]) -> None:
    move.set(depot=replace(move.state.depot, left=left))


def _change_everywhere(
    move: Move, change: Callable[[tuple[str, ...]], tuple[str, ...]]
) -> tuple[str, ...]:
    """Change the trains of the companies and of the pool; return the companies concerned."""
    owners = []
    for company in move.state.companies.values():
        trains = () if _keeps_trains(move.state, company) else company.trains
        changed = change(trains)
        if changed != trains:
            owners.append(company.symbol)
            move.set_company(replace(company, trains=changed))
    depot = move.state.depot
    move.set(depot=replace(depot, pool=change(depot.pool)))
    return tuple(owners)
