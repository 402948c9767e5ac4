"""What a title decides about its stock round."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from carril.engine.actions import Action, Option, StartCompany
from carril.engine.events import PriorityMoved
from carril.engine.launch import sell_president
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import Source, held_by_players, raise_sold_out, sell_down
from carril.engine.state import IPO, POOL, Company, State

if TYPE_CHECKING:
    from carril.engine.steps.stock import StockRound


@dataclass(frozen=True, slots=True)
class TurnAction:
    """A further kind of action in a turn that only one title has."""

    action: type[Action]
    options: Callable[[State, StockRound, str], Iterable[Option]]
    """What is offered with a company; the company is "" for actions that do not end the turn."""
    refusal: Callable[[State, StockRound, Any], Refusal | None]
    play: Callable[[Move, str, Any], None]
    ends_turn: bool = False
    """Whether it takes the place of a purchase; otherwise a purchase may follow."""


def with_shares(state: State) -> Iterator[str]:
    """Yield the companies that have shares, in the order of the table."""
    return (company.symbol for company in state.companies.values() if company.shares)


def pass_priority(move: Move, player: str) -> None:
    """Give the priority deal to a player."""
    move.set(priority=player)
    move.tell(PriorityMoved(player))


def end_round(move: Move, player: str) -> None:
    """Move the priority deal to the player who began the final passes; raise sold-out prices."""
    pass_priority(move, player)
    raise_sold_out(move)


@dataclass(frozen=True, slots=True)
class StockRules:
    """What a title decides about its stock round."""

    sources: tuple[Source, ...] = (Source(IPO, at_par=True), Source(POOL))
    """Where shares are bought, in the order of the options; the first holds unsold shares."""
    actions: tuple[TurnAction, ...] = ()
    one_block: bool = False
    """Whether a player sells shares of one company only once in a turn."""
    least_block: Callable[[State, str, str], int] = lambda state, player, symbol: 1
    """The fewest shares of a company that a player sells in one block, if that many can be sold."""
    listed: Callable[[State], Iterable[str]] = with_shares
    """The companies in the order in which purchases and starts are offered."""
    start: Callable[[Move, str, StartCompany], None] = sell_president
    finish: Callable[[Move, str], None] = end_round
    """What happens at the end of the round; the player began the final passes."""
    counts_to_float: Callable[[State, Company], int] = held_by_players
    """How many shares of a company count towards its flotation."""
    floated: Callable[[Move, str], None] = lambda move, symbol: None
    """What else happens when a company floats."""
    bought: Callable[[Move, str], None] = lambda move, symbol: None
    """What else happens when a player has bought a share of a company."""
    duty: Callable[[State, str, Collection[str]], str] = sell_down
    """The refusal of everything but sales for a player who must sell, or ""; what they can sell."""
    may_pass: Callable[[State, str], bool] = lambda state, player: False
    """Whether a player who must sell may pass instead."""
    asked: Callable[[State, str], bool] = lambda state, player: False
    """Whether a player who can only pass is asked."""
    seller_refusal: Callable[[State, StockRound], Refusal | None] = lambda state, step: None
    """Why a player may sell nothing at this point of the turn."""
    buyer_refusal: Callable[[State, str], Refusal | None] = lambda state, player: None
    """Why a player may buy nothing."""
    offer_refusal: Callable[[State, StockRound, str], Refusal | None] = lambda *_: None
    """Why certificates of a company are not offered to the player now."""
    start_refusal: Callable[[State, str, str], Refusal | None] = lambda state, player, symbol: None
    """Why a player may not start a company, at any price."""
    par_refusal: Callable[[State, str, int], Refusal | None] = lambda state, symbol, par: None
    """Why a company may not start at a price of the market."""
