"""What must hold in every position of every title, whoever plays.

Each check raises AssertionError with a line that says what is wrong. None knows a title.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from carril.engine.actions import kind_of
from carril.engine.board import tile_at
from carril.engine.money import total
from carril.engine.network import supply
from carril.engine.state import Company, State
from carril.engine.trains import card_of, excess_trains, phase_reached
from carril.notation.position import decode, describe, encode

PLACES = {"treasury", "pool", "ipo", "reserved"}
"""Where shares lie that no player holds."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the first position had, and every later one must have."""

    money: int
    trains: Counter[str]
    tokens: Counter[str]

    @classmethod
    def of(cls, state: State) -> Beginning:
        """Take stock before the first action."""
        tokens = Counter({s: c.tokens + c.locked for s, c in state.companies.items()})
        return cls(total(state), trains_in_play(state), tokens)


def trains_in_play(state: State) -> Counter[str]:
    """Return how many cards of each kind there are: in the stack, the pool and with companies."""
    found: Counter[str] = Counter()
    found.update({name: left for name, left in state.depot.left.items() if left > 0})
    owned = [train for company in state.companies.values() for train in company.trains]
    for train in (*state.depot.pool, *owned):
        found[card_of(state, train)] += 1
    for kind in state.tables.trains.values():
        if kind.ages_to:  # a card that is turned over is still the same card
            found[kind.name] += found.pop(kind.ages_to, 0)
    return found


def money_is_conserved(state: State, beginning: Beginning) -> None:
    """No money comes or goes, and only the bank may owe any."""
    assert total(state) == beginning.money, f"{total(state)} money, not {beginning.money}"
    for player in state.players.values():
        assert player.cash >= 0, f"{player.name} has {player.cash}"
    for company in state.companies.values():
        assert company.cash >= 0, f"{company.symbol} has {company.cash}"


def shares_are_conserved(state: State, beginning: Beginning) -> None:
    """All shares of a company are somewhere, and its president holds enough of them."""
    for company in state.companies.values():
        if company.shares:
            _shares(state, company)
        if company.closed or (company.shares and not company.started):
            assert not company.owner, f"{company.symbol} is out of play but owned"
            assert _sold_out(state) or not company.trains, f"{company.symbol} is out but has trains"
            assert _sold_out(state) or not company.cash, f"{company.symbol} is out but has money"


def _sold_out(state: State) -> bool:
    """Return whether closed companies may go on owning trains, as a convention has it."""
    return bool(getattr(state.setup.conventions, "closed_minors_trade", False))


def _shares(state: State, company: Company) -> None:
    definition = state.tables.companies[company.symbol]
    counted = sum(company.shares.values())
    assert counted == definition.units, f"{company.symbol} has {counted} shares"
    assert min(company.shares.values()) > 0, f"{company.symbol} lists a holder of nothing"
    strangers = company.shares.keys() - state.players.keys() - PLACES
    assert not strangers, f"{company.symbol} is held by {strangers}"
    if not company.owner:
        led = company.started and definition.has_president
        assert not led, f"{company.symbol} is started and has no president"
        return
    held = company.held(company.owner)
    assert held >= definition.president_units, f"{company.owner} leads {company.symbol} with {held}"
    most = max(company.held(name) for name in state.players)
    assert held == most, f"{company.owner} leads {company.symbol} with {held}, another has {most}"


def prices_stand_for_started_companies(state: State, beginning: Beginning) -> None:
    """Exactly the started companies have a price, on a space of the market."""
    marked = [marker.company for marker in state.markers]
    started = sorted(one.symbol for one in state.companies.values() if one.started)
    assert sorted(marked) == started, f"prices of {marked}, started {started}"
    grid = state.setup.market
    for marker in state.markers:
        assert grid.price(marker.row, marker.column) > 0


def tiles_and_tokens_are_within_supply(state: State, beginning: Beginning) -> None:
    """No tile is laid more often than it exists; tokens fit their circles and their charters."""
    tables, board = state.tables, state.board
    for number, left in supply(tables, board).items():
        assert left >= 0, f"too many tiles {number}"
    placed: Counter[str] = Counter()
    for hex_id, circles in board.tokens.items():
        stops = tile_at(tables, board, hex_id).stops
        assert len(circles) <= len(stops), f"{hex_id} has tokens beyond its cities"
        for stop, companies in zip(stops, circles, strict=False):
            beside = 1 if len(stops) > 1 or stop.slots > 2 or _chose_home(state, companies) else 0
            assert len(companies) <= stop.slots + beside, f"{hex_id} holds too many tokens"
            placed.update(companies)
    for symbol, company in state.companies.items():
        count = placed[symbol] + company.tokens + company.locked
        assert company.tokens >= 0
        assert company.locked >= 0
        most = max(tables.companies[symbol].tokens, beginning.tokens[symbol])
        assert count <= most, f"{symbol} has {count} tokens"
        assert not (company.closed and placed[symbol]), f"{symbol} is closed, its token lies"


def _chose_home(state: State, companies: tuple[str, ...]) -> bool:
    """Return whether one of these has no printed home: it may stand beside the last circle."""
    known = state.tables.companies  # a marker of another kind may stand there too
    defined = [known[symbol] for symbol in companies if symbol in known]
    return any(company.home is None and company.tokens > 1 for company in defined)


def trains_are_conserved(state: State, beginning: Beginning) -> None:
    """A train is in the stack, in the pool, with a company, or rusted with all of its kind."""
    now = trains_in_play(state)
    cards = any(train.card for train in state.tables.trains.values())
    for name, train in state.tables.trains.items():
        if train.count < 0:
            continue
        if cards:  # cards can be exported, recycled and set aside; they never multiply
            assert now[name] <= beginning.trains[name] + 1, f"{now[name]} trains {name}"
            continue
        rusted = bool(train.rusted_by) and phase_reached(state, train.rusted_by)
        wanted = 0 if rusted else beginning.trains[name]
        assert now[name] == wanted, f"{now[name]} trains {name}, not {wanted}"


def train_limits_are_kept(state: State, beginning: Beginning) -> None:
    """In an operating round no company is above its limit, but for discards that are due."""
    if state.round.kind != "OR" or not state.agenda:
        return
    if any("discards" in str(step.__struct_config__.tag) for step in state.agenda):
        return
    late = ("phase_discards_at_once", "takeover_discards")
    if not all(getattr(state.setup.conventions, name, True) for name in late):
        return
    for symbol in state.title.order(state):
        company = state.companies[symbol]
        assert not excess_trains(state, company), f"{symbol} has {company.trains}"


def somebody_can_act(state: State, beginning: Beginning) -> None:
    """Unless the game is over, there is one who decides, and he is still in the game."""
    assert state.finished == (not state.agenda), "over with decisions due, or the other way round"
    if state.finished:
        assert state.options() == (), "options after the end"
        assert state.result is not None
        assert set(state.result) == set(state.players)
        return
    acting = state.acting or ""
    assert acting in state.players, f"{acting!r} is to decide"
    assert not state.players[acting].bankrupt, f"{acting} is bankrupt and to decide"


def options_of_a_kind_are_those_of_all(state: State, beginning: Beginning) -> None:
    """Asking for some kinds gives the same options in the same order as asking for all."""
    found, kinds = state.options(), state.kinds()
    assert {kind_of(option) for option in found} <= set(kinds), "an option of an unnamed kind"
    for asked in (kinds[::2], kinds[1::2]):
        wanted = tuple(option for option in found if kind_of(option) in asked)
        assert not asked or state.options(*asked) == wanted, f"other options of {asked}"


def snapshots_are_faithful(state: State, beginning: Beginning) -> None:
    """A position that is written and read back is the same."""
    data = encode(state)
    again = decode(data)
    assert again == state, "a snapshot reads back as another position"
    assert encode(again) == data, "a snapshot reads back in another order"


CHECKS: tuple[Callable[[State, Beginning], None], ...] = (
    money_is_conserved,
    shares_are_conserved,
    prices_stand_for_started_companies,
    tiles_and_tokens_are_within_supply,
    trains_are_conserved,
    train_limits_are_kept,
    somebody_can_act,
    options_of_a_kind_are_those_of_all,
    snapshots_are_faithful,
)


def check(state: State, beginning: Beginning) -> None:
    """Hold a position to every invariant; the error names the position."""
    for one in CHECKS:
        try:
            one(state, beginning)
        except AssertionError as error:
            raise AssertionError(f"{one.__name__}: {error}\n{describe(state)}") from error
