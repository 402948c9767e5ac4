"""Companies and players as cards, and all holdings as one sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carril.engine.market import price
from carril.engine.shares import percent
from carril.engine.state import IPO, POOL, TREASURY, Company, State
from carril.engine.trains import train_limit
from carril.page.assets import notes, privates_of
from carril.page.words import Words

OUTSIDE = (POOL, TREASURY, IPO, "reserved")
"""Where shares lie that nobody holds."""


def companies(state: State, words: Words) -> dict[str, list[dict[str, Any]]]:
    """Return the cards of the companies: corporations in operating order, then the minors."""
    order = state.title.order(state)
    place = {symbol: number for number, symbol in enumerate(order, start=1)}
    operating = state.agenda[-1].subject if state.agenda else ""
    every = state.companies.values()
    majors = [c for c in every if c.kind != "minor" and (c.started or not c.closed)]
    minors = [c for c in every if c.kind == "minor" and not c.closed]
    majors.sort(key=lambda c: (not c.started, place.get(c.symbol, 99)))
    return {
        "majors": [_company(state, words, c, place, operating) for c in majors],
        "minors": [_company(state, words, c, place, operating) for c in minors],
    }


def _company(
    state: State, words: Words, company: Company, place: Mapping[str, int], operating: str
) -> dict[str, Any]:
    plan = state.tables.companies[company.symbol]
    stop = state.tables.hexes[plan.home.hex].name if plan.home else ""
    return {
        "symbol": company.symbol,
        "name": plan.name,
        "english": plan.english,
        "home": stop,
        "owner": company.owner,
        "cash": company.cash,
        "trains": company.trains,
        "limit": train_limit(state, company),
        "tokens": company.tokens,
        "price": price(state, company.symbol),
        "par": company.par,
        "standing": _standing(company),
        "place": place.get(company.symbol, 0),
        "operating": company.symbol == operating,
        "holders": _holders(state, company),
        "notes": notes(state, words, company),
        "privates": privates_of(state, words, company.symbol),
    }


def _standing(company: Company) -> str:
    if company.closed:
        return "closed"
    if company.floated or not company.shares:
        return "floated"
    return "started" if company.started else "waiting"


def _holders(state: State, company: Company) -> list[dict[str, Any]]:
    """Return who holds shares: players first, the president before the others."""
    held = [(name, units) for name, units in company.shares.items() if units]
    held.sort(key=lambda h: (h[0] in OUTSIDE, h[0] != company.owner, -h[1]))
    return [
        {
            "name": name,
            "place": name if name in OUTSIDE else "",
            "percent": percent(state, company, units),
            "president": name == company.owner,
        }
        for name, units in held
    ]


def players(
    state: State, words: Words, mine: tuple[str, ...], bots: frozenset[str]
) -> list[dict[str, Any]]:
    """Return the cards of the players in the order of play."""
    limit = state.tables.setup.certificates
    return [
        {
            "name": name,
            "you": name in mine,
            "bot": name in bots,
            "cash": player.cash,
            "worth": state.title.worth(state, name),
            "certificates": state.title.certificates(state, name),
            "limit": limit,
            "acting": name == state.acting,
            "priority": name == state.priority,
            "bankrupt": player.bankrupt,
            "shares": _shares(state, name),
            "minors": [
                c.symbol
                for c in state.companies.values()
                if c.kind == "minor" and c.owner == name and not c.closed
            ],
            "privates": privates_of(state, words, name),
            "debt": player.debt,
        }
        for name, player in state.players.items()
    ]


def _shares(state: State, player: str) -> list[dict[str, Any]]:
    return [
        {
            "symbol": company.symbol,
            "percent": percent(state, company, company.held(player)),
            "president": company.owner == player,
        }
        for company in state.companies.values()
        if company.held(player) and company.kind != "minor"
    ]


def sheet(state: State) -> dict[str, Any]:
    """Return all holdings: a line for each company, a column for each player."""
    names = list(state.players)
    rows: list[dict[str, Any]] = [
        {
            "symbol": c.symbol,
            "owner": c.owner,
            "cells": [_cell(state, c, name) for name in names],
            "treasury": None if c.kind == "minor" else percent(state, c, _unsold(c)),
            "pool": None if c.kind == "minor" else percent(state, c, c.held(POOL)),
            "price": price(state, c.symbol),
            "par": c.par,
            "cash": c.cash,
            "trains": c.trains,
            "tokens": c.tokens,
        }
        for c in state.companies.values()
        if not c.closed and (c.started or not c.shares)
    ]
    rows.sort(key=lambda row: (row["treasury"] is None, -row["price"]))
    totals = [
        {
            "cash": state.players[name].cash,
            "worth": state.title.worth(state, name),
            "certificates": state.title.certificates(state, name),
        }
        for name in names
    ]
    ipo = any(IPO in c.shares for c in state.companies.values())
    return {"names": names, "rows": rows, "totals": totals, "unsold": IPO if ipo else TREASURY}


def _unsold(company: Company) -> int:
    return sum(company.held(place) for place in OUTSIDE if place != POOL)


def _cell(state: State, company: Company, name: str) -> dict[str, Any]:
    units = company.held(name)
    return {
        "percent": percent(state, company, units) if units else 0,
        "president": company.owner == name,
        "owns": company.kind == "minor" and company.owner == name,
    }
