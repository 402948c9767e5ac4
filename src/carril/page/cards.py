"""Companies and players as cards, and all holdings as one sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carril.engine.market import price
from carril.engine.shares import certificate_limit, company_def, percent
from carril.engine.state import IPO, POOL, TREASURY, Company, State
from carril.engine.trains import TRAIN, by_class, train_limit
from carril.page.assets import charter_notes, private_cards
from carril.page.words import Words


def companies(state: State, words: Words) -> dict[str, list[dict[str, Any]]]:
    """Return the cards of the companies: those with shares by kind, then those with one owner.

    Within a kind they are in operating order.
    """
    order = state.title.order(state)
    place = {symbol: number for number, symbol in enumerate(order, start=1)}
    operating = state.agenda[-1].subject if state.agenda else ""
    every = state.companies.values()
    shared = [c for c in every if not _sole_owner(state, c) and (c.started or not c.closed)]
    owned = [c for c in every if _sole_owner(state, c) and not c.closed]
    shared.sort(key=lambda c: (not c.started, place.get(c.symbol, 99)))
    kinds = dict.fromkeys(plan.kind for plan in state.tables.companies.values())
    return {
        "shared": [
            {
                "kind": kind,
                "cards": [_company(state, words, c, place, operating) for c in alike],
            }
            for kind in kinds
            if (alike := [c for c in shared if c.kind == kind])
        ],
        "owned": [_company(state, words, c, place, operating) for c in owned],
    }


def _sole_owner(state: State, company: Company) -> bool:
    return company_def(state, company.symbol).sole_owner


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
        "led": plan.has_president,
        "owner": company.owner,
        "cash": company.cash,
        "trains": company.trains,
        "cards": trains_by_class(state, company),
        "tokens": company.tokens,
        "price": price(state, company.symbol),
        "par": company.par,
        "standing": _standing(company),
        "place": place.get(company.symbol, 0),
        "operating": company.symbol == operating,
        "holders": _holders(state, company),
        "notes": charter_notes(state, words, company),
        "privates": private_cards(state, words, company.symbol),
    }


def trains_by_class(state: State, company: Company) -> list[dict[str, Any]]:
    """Return the trains of each class that the company has or may have, with their limit."""
    classes = dict.fromkeys(train.counted_as or TRAIN for train in state.tables.trains.values())
    owned = by_class(state.tables, company.trains)
    unlimited = company_def(state, company.symbol).keeps_trains
    found = []
    for name in classes:
        limit = None if unlimited else train_limit(state, company, name)
        if name == TRAIN or name in owned or limit:
            found.append({"class": name, "names": owned.get(name, ()), "limit": limit})
    return found


def _standing(company: Company) -> str:
    if company.closed:
        return "closed"
    if company.floated or not company.shares:
        return "floated"
    return "started" if company.started else "waiting"


def _holders(state: State, company: Company) -> list[dict[str, Any]]:
    """Return the holders of shares: players first, the president before the others."""
    held = [(name, units) for name, units in company.shares.items() if units]
    held.sort(key=lambda h: (h[0] not in state.players, h[0] != company.owner, -h[1]))
    return [
        {
            "name": name,
            "place": "" if name in state.players else name,
            "percent": percent(state, company, units),
            "president": name == company.owner,
        }
        for name, units in held
    ]


def players(
    state: State, words: Words, mine: tuple[str, ...], bots: frozenset[str]
) -> list[dict[str, Any]]:
    """Return the cards of the players in the order of play."""
    limit = certificate_limit(state)
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
                if _sole_owner(state, c) and c.owner == name and not c.closed
            ],
            "privates": private_cards(state, words, name),
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
        if company.held(player) and not _sole_owner(state, company)
    ]


def sheet(state: State) -> dict[str, Any]:
    """Return all holdings: a line for each company, a column for each player."""
    names = list(state.players)
    held = {place for c in state.companies.values() for place in c.shares}
    places = [place for place in (IPO, TREASURY) if place in held] or [TREASURY]
    rows: list[dict[str, Any]] = [
        {
            "symbol": c.symbol,
            "owner": c.owner,
            "cells": [_cell(state, c, name) for name in names],
            "unsold": _unsold(state, c, places),
            "pool": None if _sole_owner(state, c) else percent(state, c, c.held(POOL)),
            "price": price(state, c.symbol),
            "par": c.par,
            "cash": c.cash,
            "trains": c.trains,
            "tokens": c.tokens,
        }
        for c in state.companies.values()
        if not c.closed and (c.started or not c.shares)
    ]
    rows.sort(key=lambda row: (row["pool"] is None, -row["price"]))
    totals = [
        {
            "cash": state.players[name].cash,
            "worth": state.title.worth(state, name),
            "certificates": state.title.certificates(state, name),
        }
        for name in names
    ]
    return {"names": names, "rows": rows, "totals": totals, "places": places}


def _unsold(state: State, company: Company, places: list[str]) -> list[int | None]:
    """Return the percentage in each place of unsold shares; what is elsewhere is with the first."""
    if _sole_owner(state, company):
        return [None for _ in places]
    known = (*state.players, POOL, *places[1:])
    first = sum(units for holder, units in company.shares.items() if holder not in known)
    units = [first, *(company.held(place) for place in places[1:])]
    return [percent(state, company, count) for count in units]


def _cell(state: State, company: Company, name: str) -> dict[str, Any]:
    units = company.held(name)
    return {
        "percent": percent(state, company, units) if units else 0,
        "president": company.owner == name,
        "owns": _sole_owner(state, company) and company.owner == name,
    }
