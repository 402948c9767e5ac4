"""The stock round of 18EU: where shares come from, exchanging minors, the end of the round."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.actions import Action, ExchangeMinor
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.rule_changes import follows
from carril.engine.shares import Source, excess_shares, held_by_players
from carril.engine.state import POOL, TREASURY, Company, State
from carril.engine.step import refuse
from carril.engine.steps.stock import StockRound
from carril.engine.steps.stock_rules import StockRules, TurnAction, end_round
from carril.titles.eu.changes import EXCESS_SOLD_AT_ONCE
from carril.titles.eu.common import conventions, discards_due, minors_of
from carril.titles.eu.merging import connected, exchange
from carril.titles.eu.starting import start, start_refusal

SOURCES = (Source(TREASURY, pays_company=lambda state: True), Source(POOL))  # EU-4.1.2-c


def exchanges(state: State, step: StockRound, company: str) -> Iterator[Action]:
    """Yield the exchanges of a player's minors for a share of a company."""
    charter = state.companies[company]
    if charter.operated or not charter.started:
        return
    for minor in minors_of(state, step.player):
        for source in SOURCES:
            action = ExchangeMinor(minor.symbol, company, source.place, by=step.player)
            if exchange_refusal(state, step, action) is None:
                yield action


def exchange_refusal(state: State, step: StockRound, action: ExchangeMinor) -> Refusal | None:
    """Return why a player may not exchange a minor for a share."""
    company = state.companies.get(action.company)
    if action.minor not in (minor.symbol for minor in minors_of(state, step.player)):
        return refuse(state, "not-your-minor", minor=action.minor)
    if company is None or not company.started:
        return refuse(state, "no-such-stock", company=action.company)
    if company.operated:
        return refuse(state, "has-operated", company=action.company)
    if action.source not in (TREASURY, POOL) or not company.held(action.source):
        return refuse(state, "no-share-there", company=action.company, source=action.source)
    if conventions(state).merger_checked and not connected(state, action.minor, action.company):
        return refuse(state, "minor-not-connected", minor=action.minor, company=action.company)
    return None


def play_exchange(move: Move, player: str, action: ExchangeMinor) -> None:
    """Exchange a minor for a share."""
    exchange(move, player, action.minor, action.company, action.source)


def least_block(state: State, player: str, symbol: str) -> int:
    """Return how many shares a player must sell at once: all above 60% (A-8, G-29)."""
    at_once = conventions(state).excess_sold_at_once and follows(state, EXCESS_SOLD_AT_ONCE)
    return excess_shares(state, player, symbol) if at_once else 1


def counts_to_float(state: State, company: Company) -> int:
    """Return how many shares count towards flotation: those of players, by G-27 also the pool's.

    Shares of a corporation that has not floated come to the pool by a bankruptcy.
    """
    pool = company.held(POOL) if conventions(state).pool_counts_to_float else 0
    return held_by_players(state, company) + pool


def has_minor(state: State, player: str) -> bool:
    """Return whether a player owns a minor."""
    return any(True for _ in minors_of(state, player))


def may_pass(state: State, player: str) -> bool:
    """Return whether a player above a limit may pass: on 18xx.games a minor's owner (G-21)."""
    return conventions(state).minor_owner_may_pass and has_minor(state, player)


def asked(state: State, player: str) -> bool:
    """Return whether a player who can only pass is asked: on 18xx.games a minor's owner (G-22).

    Where no company operates a player is asked to pass, or nobody would ever be asked again.
    """
    if not state.title.order(state):
        return True
    return state.setup.conventions.single_choices_asked and has_minor(state, player)


def finish(move: Move, player: str) -> None:
    """Move the priority deal, raise sold-out prices (A-10), then ask for discards (A-11)."""
    end_round(move, player)
    move.push(*discards_due(move.state))


STOCK = StockRules(
    sources=SOURCES,
    actions=(
        TurnAction(ExchangeMinor, exchanges, exchange_refusal, play_exchange, ends_turn=True),
    ),
    one_block=True,
    least_block=least_block,
    counts_to_float=counts_to_float,
    start=start,
    finish=finish,
    may_pass=may_pass,
    asked=asked,
    start_refusal=start_refusal,
)
