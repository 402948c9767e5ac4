"""The spreadsheet: all holdings, values, limits, and the revenue of each operating round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carril.engine.market import price
from carril.engine.shares import certificate_limit, company_def, percent
from carril.engine.state import IPO, POOL, TREASURY, Company, State
from carril.engine.worth import liquidity, share_worth
from carril.page.cards import trains_by_class
from carril.service.values import CompanyRun


def sheet(state: State, runs: Sequence[CompanyRun] = ()) -> dict[str, Any]:
    """Return a line for each company, and a column for each player and each operating round."""
    rounds = list(dict.fromkeys(run.round for run in runs))
    places = _places(state)
    rows = [
        _row(state, company, places) | {"runs": _by_round(company.symbol, rounds, runs)}
        for company in state.companies.values()
        if not company.closed
    ]
    rows.sort(key=lambda row: (not row["started"], row["pool"] is None, -row["price"]))
    order = list(state.title.order(state))
    for row in rows:
        row["order"] = order.index(row["symbol"]) + 1 if row["symbol"] in order else None
    return {
        "names": list(state.players),
        "priority": state.priority,
        "rounds": rounds,
        "rows": rows,
        "totals": [_totals(state, name) for name in state.players],
        "places": places,
    }


def _places(state: State) -> list[str]:
    """Return the places of unsold shares in this title."""
    held = {place for company in state.companies.values() for place in company.shares}
    return [place for place in (IPO, TREASURY) if place in held] or [TREASURY]


def _row(state: State, company: Company, places: list[str]) -> dict[str, Any]:
    alone = company_def(state, company.symbol).sole_owner
    return {
        "symbol": company.symbol,
        "started": company.started or not company.shares,
        "owner": company.owner,
        "cells": [_cell(state, company, name) for name in state.players],
        "unsold": _unsold(state, company, places),
        "pool": None if alone else percent(state, company, company.held(POOL)),
        "price": price(state, company.symbol),
        "par": company.par,
        "cash": company.cash,
        "trains": company.trains,
        "limits": [x["limit"] for x in trains_by_class(state, company) if x["limit"] is not None],
        "tokens": company.tokens,
    }


def _totals(state: State, name: str) -> dict[str, Any]:
    """Return what a player has and is worth."""
    return {
        "cash": state.players[name].cash,
        "debt": state.players[name].debt,
        "value": share_worth(state, name),
        "liquid": liquidity(state, name),
        "worth": state.title.worth(state, name),
        "certificates": f"{state.title.certificates(state, name)}/{certificate_limit(state)}",
    }


def _by_round(
    company: str, rounds: Sequence[str], runs: Sequence[CompanyRun]
) -> list[CompanyRun | None]:
    """Return the run of a company in each round, None where it did not run."""
    own = {run.round: run for run in runs if run.company == company}
    return [own.get(name) for name in rounds]


def _unsold(state: State, company: Company, places: list[str]) -> list[int | None]:
    """Return the percentage in each place of unsold shares; what is elsewhere is with the first."""
    if company_def(state, company.symbol).sole_owner:
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
        "owns": company_def(state, company.symbol).sole_owner and company.owner == name,
    }
