"""What the steps of 18ESP share: its state, its edition and small rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from msgspec.structs import replace

from carril.engine.board import unlock_tokens
from carril.engine.events import GoalReached, PrivateClosed
from carril.engine.market import operating_order
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.shares import company_def, share_certificates
from carril.engine.state import BANK, Company, State, TitleState
from carril.engine.step import Step
from carril.titles.esp.conventions import ESPConventions
from carril.titles.esp.editions import EDITIONS, Edition
from carril.titles.esp.figures import ESPPrivate, figures

RESERVED = "reserved"
STRAWBERRY = "2P"


class ESPState(TitleState, tag="18ESP", frozen=True):
    """What only 18ESP remembers."""

    in_play: tuple[str, ...] = ()
    """The companies of this game."""
    privates: Mapping[str, str] = {}
    """The open privates and their owners: a player, a company, or "" before the auction."""
    share_6: str = ""
    """The company whose share comes with private 6."""
    director_7: str = ""
    """The company whose director's certificate comes with private 7."""
    tenders: tuple[str, ...] = ()
    """The companies that own a tender."""
    tenders_private: int = 0
    """Tenders that the owner of private 5 may still sell."""
    tenders_pool: int = 0
    """Tenders in the open market."""
    goals: Mapping[str, tuple[str, ...]] = {}
    """The goals each major has reached, in order."""
    late: tuple[str, ...] = ()
    """Majors launched from phase 5 on: they have no goals."""
    resting: Mapping[str, str] = {}
    """Trains that may not run in this operating round, by company."""
    mataro: tuple[str, ...] = ()
    """Who has the train of private 2, and on which side; () before it is taken."""
    strawberry_run: bool = False
    """Whether the strawberry train has made its first run."""
    scrap: Mapping[str, int] = {}
    """Cards that can be recycled: rusted ones."""
    exported: Mapping[str, int] = {}
    """Cards that were exported and have not rusted."""
    lost: Mapping[str, int] = {}
    """Cards that left the game in another way and have not rusted: not to be recycled yet (A51)."""
    eights: int = 0
    """How many 8 trains have left the deck."""
    last_rounds: str = ""
    """The end: "" not in sight, "due" triggered, "on" in the last set."""
    ran: tuple[str, ...] = ()
    """Minors that have run a train."""
    takers: tuple[str, ...] = ()
    """Majors that have taken over a minor."""
    frozen: tuple[str, ...] = ()
    """Minors that are frozen."""
    declined: tuple[tuple[str, str], ...] = ()
    """Offers for privates and tenders that were declined in this turn: the step, and what for."""
    round_order: tuple[str, ...] = ()
    """The order of the running operating round, where it is fixed (G37)."""


class PaysLater(Step, frozen=True):
    """Base of decisions after which a company pays a sum that is already fixed."""

    def due(self, state: State) -> int:
        """Return the sum."""
        raise NotImplementedError


def spendable(state: State, company: str) -> int:
    """Return the money of a company, less what it owes after a pending decision."""
    owed = sum(step.due(state) for step in state.agenda if isinstance(step, PaysLater))
    return state.companies[company].cash - owed


def conventions(state: State) -> ESPConventions:
    """Return the conventions of a game of 18ESP."""
    return cast(ESPConventions, state.setup.conventions)


def edition(state: State) -> Edition:
    """Return the edition that a game is played by."""
    return EDITIONS[state.setup.edition or "de"]


def esp(state: State) -> ESPState:
    """Return what only 18ESP remembers."""
    return cast(ESPState, state.extra)


def set_extra(move: Move, **changes: object) -> None:
    """Change what only 18ESP remembers."""
    move.set(extra=replace(esp(move.state), **changes))


def region(state: State, symbol: str) -> str:
    """Return the map a company belongs to."""
    return company_def(state, symbol).region


def is_minor(state: State, symbol: str) -> bool:
    """Return whether a company is a minor."""
    return state.companies[symbol].kind == "minor"


def active(state: State) -> Iterator[Company]:
    """Yield the companies that operate: launched, not closed, not frozen."""
    frozen = esp(state).frozen
    for company in state.companies.values():
        if company.floated and not company.closed and company.symbol not in frozen:
            yield company


def order(state: State) -> list[str]:
    """Return companies by price, minors and majors together (ESP-4-a, -b)."""
    names = [company.symbol for company in active(state)]
    if conventions(state).order_fixed and esp(state).round_order:
        return [name for name in esp(state).round_order if name in names]
    return operating_order(state, names)


def certificates(state: State, player: str) -> int:
    """Return a player's certificates: shares, minors that are not frozen, and privates."""
    privates = sum(owner == player for owner in esp(state).privates.values())
    frozen = sum(state.companies[m].held(player) for m in esp(state).frozen)
    return share_certificates(state, player) + privates - frozen


def private_def(state: State, private: str) -> ESPPrivate:
    """Return the entry of a private in the tables."""
    return figures(state).private[private_number(private) - 1]


def private_number(private: str) -> int:
    """Return the number of a private: "P3" is 3."""
    return int(private[1:])


def face_value(state: State, private: str) -> int:
    """Return the face value of a private in this edition."""
    return edition(state).face_values[private_number(private) - 1]


def income(state: State, private: str) -> int:
    """Return what a private pays in each operating round."""
    return private_def(state, private).income


def pay_privates(move: Move) -> None:
    """Pay the owner of every open private, a player or a company (ESP-4.1-a)."""
    for private, owner in esp(move.state).privates.items():
        if owner:
            pay(move, BANK, owner, income(move.state, private), "private income")


def close_private(move: Move, private: str) -> None:
    """Close a private."""
    privates = dict(esp(move.state).privates)
    privates.pop(private, None)
    set_extra(move, privates=privates)
    move.tell(PrivateClosed(private))


def owns_private(state: State, owner: str, private: str) -> bool:
    """Return whether a player or a company owns an open private."""
    return esp(state).privates.get(private) == owner


def has_goals(state: State, symbol: str) -> bool:
    """Return whether a company can reach goals: majors launched before phase 5."""
    return not is_minor(state, symbol) and symbol not in esp(state).late


def goals_of(state: State, symbol: str) -> dict[str, str]:
    """Return the goals of a company with the word for what each takes (ESP-5.1.1-b to -f)."""
    if not has_goals(state, symbol):
        return {}
    found = {"destination": "destination", "offboard": "offboard"}
    record = edition(state)
    kinds = record.north_goal if region(state, symbol) == "north" else record.south_goal
    third = "harbour" if kinds else "takeover"
    return found | {third: "-".join(kinds) or "takeover"}


def reach_goal(move: Move, symbol: str, goal: str, unlocks: int = 1) -> None:
    """Reward a goal once: par times its number, and a station (ESP-5.1.2-a, -5.1.3-a)."""
    goals = dict(esp(move.state).goals)
    reached = goals.get(symbol, ())
    if goal in reached or not has_goals(move.state, symbol):
        return
    goals[symbol] = (*reached, goal)
    set_extra(move, goals=goals)
    unlock_tokens(move, symbol, unlocks)
    move.tell(GoalReached(symbol, goal))
    par = move.state.companies[symbol].par
    pay(move, BANK, symbol, len(goals[symbol]) * par, "goal")
