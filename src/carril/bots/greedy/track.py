"""Track and stations: what raises the best run, or leads towards something that will."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from carril.bots.bot import Decision
from carril.bots.greedy import outlook
from carril.bots.greedy.ground import Survey, place_value
from carril.bots.greedy.sight import Sight, agreed
from carril.engine.actions import Action, LayTile, OpenPass, Pass, PlaceToken, ReachDestination
from carril.engine.board import tile_at
from carril.engine.network import reach
from carril.engine.state import State
from carril.engine.tile import turned
from carril.engine.trains import phase_def

TRIED = 8
"""How many of the legal lays are tried on the map."""
EFFORT = 1300
"""The effort that trying may take, in the unit of `outlook.look`."""
AnySight = TypeVar("AnySight", bound=Sight)


class Weights(NamedTuple):
    """How much what a lay leads to counts, relative to what the run gains at once."""

    future: float = 0.4
    """The run with the next trains."""
    pulls: float = 0.12
    """Places that are not reached yet."""


GREEDY = Weights()


@dataclass(frozen=True, slots=True)
class Lay:
    """A lay that has been tried."""

    action: Action
    after: State
    score: float
    gain: int
    """What the run gains at once."""
    now: int
    """What the run is worth then."""


def build(sight: Sight) -> Decision | None:
    """Decide a turn of building: goals, stations, the best lay for this turn."""
    return build_turn(sight, _lay, EFFORT)


def build_turn(
    sight: AnySight, lay: Callable[[AnySight], Decision | None], effort: int
) -> Decision | None:
    """Decide a turn of building; `lay` chooses the track."""
    if sight.company is None:
        return None
    if not sight.may_pass:
        return lay(sight) if sight.offers(LayTile) else None
    for goal in sight.plain(ReachDestination):
        return Decision(goal, "reaches its destination")
    if not sight.offers(LayTile, PlaceToken, OpenPass):
        return None
    return station(sight, effort) or lay(sight) or nothing(sight)


def nothing(sight: Sight) -> Decision:
    """Build nothing."""
    return Decision(sight.plain(Pass)[0], "no track or station helps the best run")


# --- track -------------------------------------------------------------------------------


def _lay(sight: Sight) -> Decision | None:
    """Take the best of the most promising lays."""
    assert sight.company is not None
    tried, _ = try_lays(sight, sight.company.symbol, EFFORT, GREEDY)
    if not tried or (tried[0].score <= 0 and sight.may_pass):
        return None
    return lay_decision(tried[0], "leads to new places")


def lay_decision(lay: Lay, otherwise: str) -> Decision:
    """Return the decision for a lay, with what it gains, or what it is good for otherwise."""
    where = getattr(lay.action, "hex", "")
    if lay.gain > 0:
        return Decision(lay.action, f"{where} raises the run by {lay.gain} to {lay.now}")
    return Decision(lay.action, f"{where} {otherwise}")


def try_lays(sight: Sight, symbol: str, most: int, weights: Weights) -> tuple[list[Lay], int]:
    """Try the most promising lays, as many as an effort of `most` allows.

    Return them, the best first, and the greatest effort of a single one.
    """
    far = looks_far(sight.state, symbol, most)
    before, effort = earning(sight.state, symbol, far)
    greatest, found = effort, []
    for hope, option in ranked(sight, symbol)[:TRIED]:
        lay, cost = try_lay(sight, symbol, option, hope, before, far, weights)
        found.append(lay)
        effort, greatest = effort + cost, max(greatest, cost)
        if effort + cost > most:
            break
    return sorted(found, key=lambda lay: -lay.score), greatest


def ranked(sight: Sight, symbol: str) -> list[tuple[float, Action]]:
    """Return what may be built, the most promising first by a quick estimate."""
    state = sight.state
    options: list[Action] = [*sight.plain(LayTile), *sight.plain(OpenPass)]
    known = frozenset(h for h, _ in reach(state.tables, state.board, symbol).stops)
    survey = Survey(state, known, sight.answers.visits(state, symbol))
    guesses = [(promise(state, one, survey), one) for one in options]
    return sorted(guesses, key=lambda row: -row[0])


def try_lay(
    sight: Sight,
    symbol: str,
    action: Action,
    hope: float,
    before: tuple[int, int],
    far: bool,
    weights: Weights,
) -> tuple[Lay, int]:
    """Return a lay as tried from a position, and the effort of it."""
    state, after = sight.state, agreed(sight.state, action)
    (now, then), effort = earning(after, symbol, far)
    paid = state.companies[symbol].cash - after.companies[symbol].cash
    ahead = max(2, min(outlook.HORIZON, outlook.rounds_left(state)))
    gain, future = now - before[0], then - before[1]
    fee = after.players[sight.me].cash - state.players[sight.me].cash
    score = gain + weights.future * future + weights.pulls * hope + (fee - paid) / ahead
    if paid and gain <= 0 and future <= 0:
        score -= paid / 10 + 2
    return Lay(action, after, score, gain, now), effort


def looks_far(state: State, symbol: str, effort: int = EFFORT) -> bool:
    """Return whether to consider the next train too: it is needed, and the search is cheap."""
    charter = state.companies[symbol]
    if not charter.trains:
        return True
    if len(charter.trains) > 1 and outlook.lasts(state, charter):
        return False
    return outlook.look(state, symbol)[1] <= effort // 4


def earning(state: State, symbol: str, far: bool) -> tuple[tuple[int, int], int]:
    """Return what a company earns now and could with one more train, and the effort of it."""
    now, effort = outlook.look(state, symbol)
    if not far:
        return (now, now), effort
    then, more = outlook.look(outlook.renewed(state, symbol), symbol)
    return (now, then), effort + more


def promise(state: State, action: Action, survey: Survey) -> float:
    """Return a quick estimate of a lay: its stops, and where its new track leads."""
    if not isinstance(action, LayTile):
        return 30.0
    tables = state.tables
    old = tile_at(tables, state.board, action.hex)
    new = turned(tables.tiles[action.tile], action.turn)
    colour = phase_def(state).colour
    score = float(sum(stop.value(colour) for stop in new.stops))
    score -= sum(stop.value(colour) for stop in old.stops)
    if new.stops:
        score += survey.value(action.hex)
    for edge in new.exits - old.exits:
        beyond = tables.hexes[action.hex].neighbours[edge]
        score += survey.pull(beyond, action.hex) if beyond else -5.0
    return score - tables.hexes[action.hex].cost / 10


# --- stations ----------------------------------------------------------------------------


def station(sight: Sight, most: int = EFFORT) -> Decision | None:
    """Place a station where it raises the run, or in the best city while it costs nothing."""
    options = sight.plain(PlaceToken)
    if not options or sight.company is None:
        return None
    state, symbol = sight.state, sight.company.symbol
    options.sort(key=lambda one: -place_value(state, one.hex))
    before, effort = outlook.look(state, symbol)
    dear = effort > most // 4
    found = []
    for option in options[: 1 if dear else 3]:
        after = state.apply(option).state
        paid = sight.company.cash - after.companies[symbol].cash
        if paid and (dear or sight.company.cash < paid + outlook.train_price(state, symbol) // 2):
            continue
        gain = 0 if dear else outlook.income(after, symbol) - before
        if gain > 0 or not paid:
            hold = place_value(state, option.hex) / 10
            found.append((gain + hold - paid / outlook.HORIZON, gain, option))
    found = [row for row in found if row[0] > 0]
    if not found:
        return None
    _, gain, best = max(found, key=lambda row: row[:2])
    why = f"raises the run by {gain}" if gain > 0 else "keeps the city open"
    return Decision(best, f"a station in {best.hex} {why}")
