"""What the steps of 18EU share: its state, its conventions and small rules."""

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
from carril.engine.trains import discard, excess_trains, over_limit, running_trains
from carril.titles.eu.conventions import EUConventions
from carril.titles.eu.figures import figures

PULLMAN = "P"


class EUState(TitleState, tag="18EU", frozen=True):
    """What only 18EU remembers."""

    exchange: str = ""
    """The final exchange round: "" not yet, "due" before the next stock round, "done"."""
    exchange_company: str = ""
    """The company that bought the first 5 train."""
    exchange_first: str = ""
    """The player who led that company when it bought it."""
    pieces: Mapping[str, str] = {}
    """Convention G-19: hex -> the piece on it, as records number them: tile, hyphen, number."""
    burdens: Mapping[str, int] = {}
    """Convention G-19: piece -> the upgrade cost it carries along."""
    routed: tuple[str, ...] = ()
    """Convention G-10: corporations that have had a route; they must own a train from then on."""


def conventions(state: State) -> EUConventions:
    """Return the conventions of a game of 18EU."""
    return cast(EUConventions, state.setup.conventions)


def eu(state: State) -> EUState:
    """Return what only 18EU remembers."""
    return cast(EUState, state.extra)


def minors_of(state: State, player: str) -> Iterator[Company]:
    """Yield the minors that a player owns, by number."""
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
    """Return minors by number, then floated corporations by price (EU-4.4-a to -d)."""
    minors = [c.symbol for c in state.companies.values() if c.kind == "minor" and not c.closed]
    majors = [c.symbol for c in state.companies.values() if c.kind == "major" and c.floated]
    return minors + operating_order(state, majors)


def drop_pullmans(move: Move, limit_too: bool) -> None:
    """Discard every Pullman without a train, and with `limit_too` those above the limit.

    There is nothing to choose: a Pullman without a train goes immediately (EU-4.4.9-h), and above
    the limit it goes before any other train (EU-4.4.9-k). On 18xx.games only a single card goes:
    two Pullmans stay (G-6).
    """
    by_cards = conventions(move.state).pullman_goes_by_itself
    for company in move.state.companies.values():
        if PULLMAN not in company.trains:
            continue
        others = company.trains[1:] if by_cards else running_trains(move.state, company)
        if not others or (limit_too and excess_trains(move.state, company)):
            discard(move, company.symbol, PULLMAN)


def discards_due(
    state: State, first: str = "", *, fixed: bool = False
) -> tuple[DiscardTrains, ...]:
    """Return the step for companies above their limit, if any.

    In operating order beginning with `first` (EU-4.4.3-v, EU-4.2.2-m), or, where 18xx.games
    keeps to it, minors by number and corporations in a fixed list (G-4, G-5).
    """
    if next(over_limit(state), None) is None:
        return ()
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
