"""Positions for tests: a game in seat order, changed by hand where a rule needs it.

Every change keeps the money of the game at its total: what is given comes from the bank.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from carril import start
from carril.engine.actions import Accept, Action, ChooseLot, Option, Pass, Range
from carril.engine.board import Board
from carril.engine.events import Event
from carril.engine.play import listed, resume
from carril.engine.runs import Route
from carril.engine.state import Marker, Round, State
from carril.engine.step import Step
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.stock import StockRound

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fay")


def game(players: int = 4, **more: Any) -> State:
    """Return the first position of 18EU with Ana first, then Ben, and so on."""
    return start("18EU", NAMES[:players], **({"seed": 1, "seated": True} | more))


def cash(state: State, **amounts: int) -> State:
    """Give players or companies exactly so much money (companies: SNCF=100; minors: m8=100)."""
    for name, amount in amounts.items():
        party = name[1:] if name[0] == "m" and name[1:].isdigit() else name
        if party in state.players:
            player = state.players[party]
            state = replace(
                state,
                bank=state.bank + player.cash - amount,
                players={**state.players, party: replace(player, cash=amount)},
            )
        else:
            company = state.companies[party]
            state = replace(state, bank=state.bank + company.cash - amount)
            state = charter(state, party, cash=amount)
    return state


def stack_from(state: State, train: str) -> State:
    """Let this be the top train of the stack, those before it being gone."""
    left = dict(state.depot.left)
    for name in left:
        if name == train:
            break
        left[name] = 0
    return replace(state, depot=replace(state.depot, left=left))


def named_routes(*texts: str) -> tuple[Route, ...]:
    """Read routes as they are written in tests: "2: A6.0 B7.0"."""
    parts = [text.partition(":") for text in texts]
    return tuple(Route(train, tuple(path.split())) for train, _, path in parts)


def charter(state: State, symbol: str, **changes: Any) -> State:
    """Change fields of a company's charter."""
    company = replace(state.companies[symbol], **changes)
    return replace(state, companies={**state.companies, symbol: company})


def own_minors(state: State, owners: Mapping[str, str]) -> State:
    """Give minors to players and put their tokens on their homes; the others are out of play."""
    tokens: dict[str, list[tuple[str, ...]]] = {}
    for symbol, company in state.companies.items():
        if company.kind != "minor":
            continue
        if symbol not in owners:
            state = charter(state, symbol, closed=True, trains=(), tokens=0)
            continue
        state = charter(state, symbol, owner=owners[symbol], tokens=0)
        home = state.title.tables.companies[symbol].home
        assert home is not None
        circles = tokens.setdefault(
            home.hex, [() for _ in state.title.tables.hexes[home.hex].print.stops]
        )
        circles[home.city] = (symbol,)
    fixed = {hex_id: tuple(circles) for hex_id, circles in tokens.items()}
    return replace(state, board=Board(state.board.laid, {**state.board.tokens, **fixed}))


def tiles(state: State, **laid: tuple[str, int]) -> State:
    """Put tiles on the board: tiles(state, E6=("57", 0))."""
    return replace(state, board=replace(state.board, laid={**state.board.laid, **laid}))


def tokens(state: State, **placed: tuple[tuple[str, ...], ...]) -> State:
    """Put tokens on the board, for each city of a hex: tokens(state, J5=(("DR",), ()))."""
    return replace(state, board=replace(state.board, tokens={**state.board.tokens, **placed}))


def corporation(
    state: State,
    symbol: str,
    shares: Mapping[str, int],
    *,
    price: int = 100,
    at: tuple[int, int] | None = None,
    **more: Any,
) -> State:
    """Start a corporation by hand: its shares by holder (the first one is its president).

    What nobody holds lies in the treasury; the price is a starting value, or the space `at`.
    Floated and operated unless said otherwise.
    """
    president = next(iter(shares))
    rest = 10 - sum(shares.values())
    holders = {name: count for name, count in shares.items() if count}
    if rest:
        holders["treasury"] = holders.get("treasury", 0) + rest
    par = next((p for p in state.title.tables.pars if p.price == price), None)
    row, column = at or ((par.row, par.column) if par else (2, 4))
    fields = {"started": True, "floated": True, "operated": True, "tokens": 5, "par": price} | more
    state = charter(state, symbol, shares=holders, owner=president, **fields)
    return replace(state, markers=(*state.markers, Marker(symbol, row, column)))


def phase(state: State, name: str) -> State:
    """Set the phase, with the trains of earlier phases gone from the stack."""
    left = dict(state.depot.left)
    for train in left:
        if train.isdigit() and int(train) < int(name):
            left[train] = 0
    return replace(state, phase=name, depot=replace(state.depot, left=left))


def stock_round(state: State, player: str = "Ana", turn: int = 2) -> State:
    """Put the position into a stock round with this player to act."""
    state = replace(state, round=Round("SR", turn), agenda=(StockRound(player),), priority=player)
    return resume(state).state


def operate(state: State, company: str, *, turn: int = 2, number: int = 1) -> State:
    """Put the position into an operating round at the beginning of this company's turn."""
    order = state.title.order(state)
    done = tuple(order[: order.index(company)])
    state = replace(state, round=Round("OR", turn, number), agenda=(OperatingRound(done),))
    return resume(state).state


def at(state: State, *steps: Step, round_: Round | None = None) -> State:
    """Put these decisions on the agenda, the last one due first, and settle."""
    changed = replace(state, agenda=steps, round=round_ or state.round)
    return resume(changed).state


def play(state: State, *actions: Action) -> State:
    """Apply actions one after the other."""
    for action in actions:
        state = state.apply(action).state
    return state


def events(state: State, action: Action) -> tuple[Event, ...]:
    """Return what an action makes happen."""
    return state.apply(action).events


def code(state: State, action: Action) -> str:
    """Return the code of the refusal, or "" if the action is legal.

    Also holds the engine to its word: what is refused is not offered and changes nothing, and
    what is legal applies.
    """
    refusal = state.refusal(action)
    full = replace(action, by=state.acting or "")
    if refusal is None:
        state.apply(action)
        return ""
    assert not listed(state.options(), full), f"offered but refused: {full}"
    return refusal.code


def cited(state: State, action: Action) -> str:
    """Return the rule that a refusal cites, or "" if the action is legal."""
    refusal = state.refusal(action)
    return refusal.rule if refusal else ""


def offered(state: State, kind: type[Action]) -> list[Option]:
    """Return the options of one kind of action."""
    return [option for option in state.options() if isinstance(plain(option), kind)]


def plain(option: Option) -> Action:
    """Return an option as an action; of a range, the least amount."""
    return option.action if isinstance(option, Range) else option


def pass_until(state: State, step: type[Step], limit: int = 500) -> State:
    """Pass (or take the first option where one must act) until such a decision is due."""
    for _ in range(limit):
        if isinstance(state.step, step):
            return state
        by = state.acting or ""
        if state.refusal(Pass(by=by)) is None:
            state = state.apply(Pass(by=by)).state
        else:
            state = state.apply(plain(state.options()[0])).state
    raise AssertionError(f"{step.__name__} is never due")


def sell_all_minors(state: State) -> State:
    """Play the initial sale: each minor is taken at 90 by the auctioneer (as far as he can)."""
    while state.round.kind == "Sale":
        step: Any = state.step
        if step.stage == "choose":
            state = play(state, ChooseLot(next(iter(_unsold(state)))))
        elif step.stage == "falling" and step.turn == step.opener:
            state = play(state, Accept())
        else:
            state = play(state, Pass())
    return state


def _unsold(state: State) -> list[str]:
    return [c.symbol for c in state.companies.values() if c.kind == "minor" and not c.owner]
