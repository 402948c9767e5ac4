"""Numbers that panels and cards show: last runs, shares to float, usual prices, idle trains."""

from __future__ import annotations

from collections.abc import Mapping

from carril.engine.actions import BuyTrain, Range
from carril.engine.launch import shares_to_float
from carril.engine.state import Company, State
from carril.engine.steps.running import can_run
from carril.engine.trains import train_def
from carril.page.words import Words
from carril.service.values import CompanyRun


def last_run(words: Words, runs: Mapping[str, CompanyRun], company: str) -> str:
    """Return what a company earned last and how it was paid, or "" if it has not run yet."""
    run = runs.get(company)
    if run is None:
        return ""
    if not run.total:
        return words.say("run-paid.nothing", round=run.round)
    return words.say(
        "run-paid.last",
        round=run.round,
        sum=words.money(run.total),
        how=words.say(f"run-paid.{run.kind or 'open'}"),
    )


def missing_to_float(state: State, company: Company) -> int:
    """Return how many shares must still be sold before a company floats; 0 if none."""
    if company.floated or not company.started or not company.shares:
        return 0
    sold = state.title.stock.counts_to_float(state, company)
    return max(0, shares_to_float(state, company.symbol) - sold)


def usual_price(state: State, found: Range) -> int:
    """Return the price that a deal between companies or players begins with.

    A train begins at its list price if that much may be paid, and otherwise, like a private
    company, at the lowest price allowed: one click must never move a whole treasury.
    """
    if isinstance(found.action, BuyTrain):
        listed = train_def(state, found.action.train).price
        if found.least <= listed <= found.most:
            return listed
    return found.least


def why_no_run(state: State, words: Words, company: str) -> str:
    """Return why none of a company's trains can run, or "" if one can or it has none."""
    trains = state.title.run.trains(state, company)
    if not trains or can_run(state, company):
        return ""
    if all(cannot_run(state, company, train) for train in trains):
        listed = ", ".join(f"{train} ({gauge(state, words, train)})" for train in trains)
        return words.say("numbers.no-track", company=company, trains=listed)
    return words.say("numbers.no-route", company=company)


def gauge(state: State, words: Words, train: str) -> str:
    """Return the gauge of a train as the title calls it, or "" where trains have none."""
    kind = train_def(state, train).gauge
    return words.name("gauge", kind) if kind else ""


def cannot_run(state: State, company: str, train: str) -> bool:
    """Return whether a train has no track of its gauge to run on for a company."""
    return not state.title.run.may_start(state, company, train)
