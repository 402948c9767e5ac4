"""Companies and players as cards."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from carril.engine.market import price
from carril.engine.shares import certificate_limit, company_def, percent
from carril.engine.state import Company, State
from carril.engine.trains import TRAIN, by_class, train_limit
from carril.engine.worth import liquidity
from carril.page.assets import charter_notes, private_cards
from carril.page.numbers import last_run, missing_to_float, why_no_run
from carril.page.words import Words
from carril.service.values import CompanyRun


def companies(
    state: State, words: Words, runs: Mapping[str, CompanyRun] = MappingProxyType({})
) -> dict[str, list[dict[str, Any]]]:
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

    def one(company: Company) -> dict[str, Any]:
        own = {"last": last_run(words, runs, company.symbol)}
        return _company(state, words, company, place, operating) | own

    return {
        "shared": [
            {"kind": kind, "cards": [one(c) for c in alike]}
            for kind in kinds
            if (alike := [c for c in shared if c.kind == kind])
        ],
        "owned": [one(c) for c in owned],
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
        "missing": missing_to_float(state, company),
        "idle": why_no_run(state, words, company.symbol) if company.floated else "",
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
            "liquid": liquidity(state, name),
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
