"""Track and stations: what raises the best run, or leads towards something that will."""

from __future__ import annotations

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
PULLS = 0.12
"""The weight of places that are not reached yet, relative to revenue."""


def build(sight: Sight) -> Decision | None:
    """Decide a turn of building: goals, track, passes, stations."""
    if sight.company is None:
        return None
    if not sight.may_pass:
        return _lay(sight) if sight.offers(LayTile) else None
    for goal in sight.plain(ReachDestination):
        return Decision(goal, "reaches its destination")
    if not sight.offers(LayTile, PlaceToken, OpenPass):
        return None
    return _token(sight) or _lay(sight) or _nothing(sight)


def _nothing(sight: Sight) -> Decision:
    return Decision(sight.plain(Pass)[0], "no track or station helps the best run")


# --- track -------------------------------------------------------------------------------


def _lay(sight: Sight) -> Decision | None:
    """Try the most promising lays, as many as the effort allows, and take the best."""
    assert sight.company is not None
    symbol = sight.company.symbol
    far = _looks_far(sight.state, symbol)
    before, effort = _earning(sight.state, symbol, far)
    found = []
    for hope, option in _ranked(sight, symbol)[:TRIED]:
        tried, cost = _tried(sight, symbol, option, hope, before, far)
        found.append(tried)
        effort += cost
        if effort + cost > EFFORT:
            break
    if not found:
        return None
    score, gain, now, best = max(found, key=lambda row: row[0])
    if score <= 0 and sight.may_pass:
        return None
    where = getattr(best, "hex", "")
    if gain > 0:
        return Decision(best, f"{where} raises the run by {gain} to {now}")
    return Decision(best, f"{where} leads to new places")


def _ranked(sight: Sight, symbol: str) -> list[tuple[float, Action]]:
    """Return what may be built, the most promising first by a quick estimate."""
    state = sight.state
    options: list[Action] = [*sight.plain(LayTile), *sight.plain(OpenPass)]
    known = frozenset(h for h, _ in reach(state.tables, state.board, symbol).stops)
    survey = Survey(state, known, sight.answers.visits(state, symbol))
    guesses = [(_promise(state, one, survey), one) for one in options]
    return sorted(guesses, key=lambda row: -row[0])


def _tried(
    sight: Sight, symbol: str, action: Action, hope: float, before: tuple[int, int], far: bool
) -> tuple[tuple[float, int, int, Action], int]:
    """Return the score of a lay, what the run gains, what it is then; and the effort."""
    after = agreed(sight.state, action)
    (now, then), effort = _earning(after, symbol, far)
    paid = sight.state.companies[symbol].cash - after.companies[symbol].cash
    ahead = max(2, min(outlook.HORIZON, outlook.rounds_left(sight.state)))
    gain, future = now - before[0], then - before[1]
    fee = after.players[sight.me].cash - sight.state.players[sight.me].cash
    score = gain + 0.4 * future + PULLS * hope + (fee - paid) / ahead
    if paid and gain <= 0 and future <= 0:
        score -= paid / 10 + 2
    return (score, gain, now, action), effort


def _looks_far(state: State, symbol: str) -> bool:
    """Return whether to consider the next train too: it is needed, and the search is cheap."""
    charter = state.companies[symbol]
    if not charter.trains:
        return True
    if len(charter.trains) > 1 and outlook.lasts(state, charter):
        return False
    return outlook.look(state, symbol)[1] <= EFFORT // 4


def _earning(state: State, symbol: str, far: bool) -> tuple[tuple[int, int], int]:
    """Return what a company earns now and could with one more train, and the effort of it."""
    now, effort = outlook.look(state, symbol)
    if not far:
        return (now, now), effort
    then, more = outlook.look(outlook.renewed(state, symbol), symbol)
    return (now, then), effort + more


def _promise(state: State, action: Action, survey: Survey) -> float:
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


def _token(sight: Sight) -> Decision | None:
    """Place a station where it raises the run, or in the best city while it costs nothing."""
    options = sight.plain(PlaceToken)
    if not options or sight.company is None:
        return None
    state, symbol = sight.state, sight.company.symbol
    options.sort(key=lambda one: -place_value(state, one.hex))
    before, effort = outlook.look(state, symbol)
    dear = effort > EFFORT // 4
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
