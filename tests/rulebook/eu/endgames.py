"""Positions in the middle of a company's turn, and in the final exchange round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from carril.engine.actions import Range, SellShares
from carril.engine.market import price
from carril.engine.state import Round, State
from carril.engine.step import Step
from carril.engine.steps.dealing import DealStock
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.trains import BuyTrains
from carril.titles.eu.exchange import FinalExchange
from tests.table import at, cash, charter, corporation, game, offered, own_minors, phase, tokens


def empty_game(
    players: int = 3, in_phase: str = "4", minors: Mapping[str, str] | None = None, **more: Any
) -> State:
    """A game with only these minors: the top train of phase 4 costs 300, of phase 5 it costs 500.

    The trains of the minors are left away, so that each test says what they own.
    """
    state = own_minors(game(players, **more), minors or {})
    for minor in minors or {}:
        state = charter(state, minor, trains=())
    return phase(state, in_phase)


def turn_at(state: State, company: str, kind: type[Step], number: int = 1) -> State:
    """Put the position into a company's turn, where a step of this kind is next."""
    order = state.title.order(state)
    done = tuple(order[: order.index(company) + 1])
    state = replace(state, round=Round("OR", 2, number))
    steps = state.title.turn(state, company)
    last = max(index for index, step in enumerate(steps) if isinstance(step, kind))
    return at(state, OperatingRound(done), *steps[: last + 1])


def buying(state: State, company: str, number: int = 1) -> State:
    """The company is about to buy trains."""
    return turn_at(state, company, BuyTrains, number)


def dealing(state: State, company: str, number: int = 1) -> State:
    """The company is about to sell or buy its own stock."""
    return turn_at(state, company, DealStock, number)


def exchanging(state: State, first: str = "Ana") -> State:
    """The final exchange round begins with this player."""
    return at(state, FinalExchange(first), round_=Round("FER", 2))


def needy(
    shares: Mapping[str, int] | None = None,
    players: int = 3,
    in_phase: str = "4",
    conventions: Any = "rulebook",
    minors: Mapping[str, str] | None = None,
    **more: Any,
) -> State:
    """SNCF, led by Ana, has a token in Paris and no train; nothing else is on the board."""
    state = empty_game(players, in_phase, minors, conventions=conventions)
    held = shares or {"Ana": 4, "Ben": 4}
    state = corporation(state, "SNCF", held, **({"price": 100, "tokens": 4} | more))
    second = state.board.tokens.get("A10", ((), ()))[1]
    circles = {**state.board.tokens, "A10": (("SNCF",), second)}
    return replace(state, board=replace(state.board, tokens=circles))


def prices(state: State, *companies: str) -> list[int]:
    """The prices of some corporations."""
    return [price(state, company) for company in companies]


def berlin(held: dict[str, int], owners: dict[str, str] | None = None, **more: Any) -> State:
    """Ana's minor 9 with 134 and a 3 train beside KPEV of Ben; her minor 8 is on its own."""
    state = empty_game(3, "5", owners or {"9": "Ana", "8": "Ana"})
    fields: dict[str, Any] = {"price": 90, "tokens": 4, "trains": ("5",)} | more
    state = corporation(state, "KPEV", held, **fields)
    state = tokens(state, J5=(("9",), ("KPEV",)))
    return cash(charter(state, "9", trains=("3",)), m9=134, m8=55, KPEV=10)


def for_sale(state: State) -> dict[str, tuple[int, int]]:
    """The corporations offered for sale with the least and the most shares of each."""
    found = {}
    for option in offered(state, SellShares):
        assert isinstance(option, Range)
        assert isinstance(option.action, SellShares)
        found[option.action.company] = (option.least, option.most)
    return found
