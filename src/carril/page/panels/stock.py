"""A stock round: sell, buy, start, exchange, with what each would do."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import (
    BuyShare,
    ExchangeMinor,
    Pass,
    RepayLoan,
    SellShares,
    StartCompany,
)
from carril.engine.market import price
from carril.engine.shares import percent, share_cost
from carril.engine.state import IPO, POOL, TREASURY, Company
from carril.page.panels.base import Amount, Choice, Panel, Scene, panel
from carril.page.panels.effects import effect

# Where shares lie that nobody holds, in the order in which they are told.
_PLACES = (TREASURY, IPO, "reserved", POOL)


@panel("stock-round")
def stock_round(scene: Scene) -> Panel:
    """Return every stock with what the player may do with it."""
    state, words, player = scene.state, scene.words, scene.actor
    limit = state.tables.setup.certificates
    held = state.title.certificates(state, player)
    acted = scene.step.acted
    return Panel(
        "stock",
        words.say("stock.sentence", player=player),
        {
            "cash": state.players[player].cash,
            "certificates": held,
            "limit": limit,
            "sold": acted,
            "debt": state.players[player].debt,
            "repayments": _repayments(scene),
            "barred": [c for p, c in scene.step.sold if p == player],
            "stocks": [_stock(scene, c) for c in _in_order(scene)],
            "pass": scene.choice(Pass(), "stock.done" if acted else "stock.pass"),
        },
        stage="market",
    )


def _repayments(scene: Scene) -> list[Amount]:
    """A field for paying back a debt, with what it costs in all."""
    found = []
    for option in scene.ranges(RepayLoan):
        outcome = scene.after(option.at(option.most))
        left = outcome.state.players[scene.actor].cash if outcome else 0
        cost = scene.words.money(scene.state.players[scene.actor].cash - left)
        most = scene.words.money(option.most)
        found.append(scene.amount(option, "stock.repay", now=option.most, most=most, cost=cost))
    return found


def _in_order(scene: Scene) -> list[Company]:
    """The stocks in order of price, then those that have not started, minors last.

    A minor that has started is nobody else's to buy.
    """
    listed = [
        c
        for c in scene.state.companies.values()
        if c.shares and not c.closed and not (c.kind == "minor" and c.started)
    ]
    return sorted(
        listed, key=lambda c: (not c.started, c.kind == "minor", -price(scene.state, c.symbol))
    )


def _stock(scene: Scene, company: Company) -> dict[str, Any]:
    state, symbol, player = scene.state, company.symbol, scene.actor
    held = company.held(player)
    return {
        "symbol": symbol,
        "name": state.tables.companies[symbol].name,
        "started": company.started,
        "floated": company.floated,
        "price": price(state, symbol),
        "president": company.owner,
        "held": percent(state, company, held),
        "minor": company.kind == "minor",
        "places": _places(scene, company),
        "buys": _buys(scene, company) if company.started else [],
        "sells": _sells(scene, company) if held else [],
        "starts": [] if company.started else _starts(scene, symbol),
        "exchanges": _exchanges(scene, symbol),
    }


def _places(scene: Scene, company: Company) -> list[str]:
    """Return how much lies where: the treasury or IPO, and the pool even if it is empty."""
    named = [p for p in _PLACES if p in company.shares or p == POOL]
    if not {TREASURY, IPO} & set(named):
        named.insert(0, _source(scene))
    return [
        scene.words.say(f"stock.{p}", percent=percent(scene.state, company, company.held(p)))
        for p in named
    ]


def _source(scene: Scene) -> str:
    """Return where the unsold shares of this title lie."""
    every = scene.state.companies.values()
    return IPO if any(IPO in company.shares for company in every) else TREASURY


def _buys(scene: Scene, company: Company) -> list[Choice]:
    found = []
    for source in (TREASURY, IPO, POOL):
        if company.held(source):
            cost = scene.words.money(share_cost(scene.state, company.symbol, source))
            action = BuyShare(company.symbol, source)
            found.append(
                scene.choice(
                    action, f"stock.buy-{source}", look="buy", company=company.symbol, price=cost
                )
            )
    return found


def _sells(scene: Scene, company: Company) -> list[Choice]:
    """A button for each number of shares that may be sold, and the reason after the last."""
    found = []
    for count in range(1, company.held(scene.actor) + 1):
        action = SellShares(company.symbol, count, by=scene.actor)
        told = effect(scene, action, company.symbol)
        choice = scene.choice(
            action, "stock.sell", look="sell", company=company.symbol, count=count, effect=told
        )
        found.append(choice)
        if not choice.legal:
            break
    return found


def _starts(scene: Scene, symbol: str) -> list[dict[str, Any]]:
    units = scene.state.tables.companies[symbol].start_units
    return [
        {
            "price": par.price,
            "cost": par.price * units,
            "choice": scene.choice(
                StartCompany(symbol, par.price),
                "stock.start",
                look="start",
                company=symbol,
                price=scene.words.money(par.price),
                cost=scene.words.money(par.price * units),
            ),
        }
        for par in sorted(scene.state.tables.pars, key=lambda par: par.price)
    ]


def _exchanges(scene: Scene, symbol: str) -> list[Choice]:
    return [
        scene.choice(
            option,
            f"stock.exchange-{option.source}",
            look="buy",
            minor=option.minor,
            company=symbol,
        )
        for option in scene.of(ExchangeMinor)
        if option.company == symbol
    ]
