"""What the steps of 18EU share: its own state, its conventions, its small rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from msgspec.structs import replace

from carril.engine.market import operating_order
from carril.engine.move import Move
from carril.engine.shares import share_certificates
from carril.engine.state import Company, State, TitleState
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.discards import discards_due as engine_discards_due
from carril.engine.trains import discard, excess_trains, running_trains
from carril.titles.eu.conventions import EUConventions
from carril.titles.eu.figures import figures

PULLMAN = "P"
LATE = "5"
"""The phase from which corporations start without a minor."""


class EUState(TitleState, tag="18EU", frozen=True):
    """What only 18EU remembers."""

    exchange: str = ""
    """The final exchange round: "" not yet, "due" before the next stock round, "done"."""
    exchange_first: str = ""
    """The player whose company bought the first 5 train."""
    burdened: Mapping[str, int] = {}
    """Convention G-19: hexes whose yellow tile carries an upgrade cost of its own."""
    burdened_supply: Mapping[str, int] = {}
    """Convention G-19: how many pieces of a tile in the supply carry one."""


def conventions(state: State) -> EUConventions:
    """Return the conventions of a game of 18EU."""
    return cast(EUConventions, state.setup.conventions)


def eu(state: State) -> EUState:
    """Return what only 18EU remembers."""
    return cast(EUState, state.extra)


def minors_of(state: State, player: str) -> Iterator[Company]:
    """Yield the minors a player owns, by number."""
    for company in state.companies.values():
        if company.kind == "minor" and company.owner == player and not company.closed:
            yield company


def certificates(state: State, player: str) -> int:
    """Return a player's certificates; each minor counts as one (EU-3.1-b, G-1)."""
    shares = share_certificates(state, player)
    if not conventions(state).minors_are_certificates:
        return shares
    return shares + sum(1 for _ in minors_of(state, player))


def order(state: State) -> list[str]:
    """Minors by number, then floated corporations by price (EU-4.4-a to -d)."""
    minors = [c.symbol for c in state.companies.values() if c.kind == "minor" and not c.closed]
    majors = [c.symbol for c in state.companies.values() if c.kind == "major" and c.floated]
    return minors + operating_order(state, majors)


def drop_pullmans(move: Move, limit_too: bool) -> None:
    """Discard every Pullman that is alone, and those above the limit if that is due now.

    There is nothing to choose: a Pullman left alone goes at once (EU-4.4.9-h), and above the
    limit it goes before any other train (EU-4.4.9-k).
    """
    for company in move.state.companies.values():
        if PULLMAN not in company.trains:
            continue
        alone = not running_trains(move.state, company)
        if alone or (limit_too and excess_trains(move.state, company)):
            discard(move, company.symbol, PULLMAN)


def discards_due(
    state: State, first: str = "", *, fixed: bool = False
) -> tuple[DiscardTrains, ...]:
    """Return the step for companies above their limit, if any.

    In operating order beginning with `first` (EU-4.4.3-v, EU-4.2.2-m), or, where 18xx.games
    keeps to it, minors by number and corporations in a fixed list (G-4, G-5).
    """
    if fixed:
        minors = (company.symbol for company in state.tables.of_kind("minor"))
        sequence = [*minors, *figures(state).discard_order]
    else:
        sequence = list(dict.fromkeys((*order(state), *state.companies)))
    at = sequence.index(first) if first in sequence else 0
    return engine_discards_due(state, sequence[at:] + sequence[:at])


def set_extra(move: Move, **changes: object) -> None:
    """Change what only 18EU remembers."""
    move.set(extra=replace(eu(move.state), **changes))
