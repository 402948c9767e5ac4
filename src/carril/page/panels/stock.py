"""A stock round: sell, buy, start, exchange, with what each would do."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import (
    BuyShare,
    ExchangeMinor,
    Pass,
    SellShares,
    StartCompany,
)
from carril.engine.market import price
from carril.engine.shares import percent
from carril.engine.state import POOL, TREASURY, Company
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.panels.effects import effect


@panel("stock-round")
def stock_round(scene: Scene) -> Panel:
    """Return every stock with what the player may do with it."""
    state, words, player = scene.state, scene.words, scene.actor
    limit = state.title.tables.setup["players"][str(len(state.players))]["certificates"]
    held = state.title.certificates(state, player)
    return Panel(
        "stock",
        words.say("stock.sentence", player=player),
        {
            "cash": state.players[player].cash,
            "certificates": held,
            "limit": limit,
            "sold": scene.step.sold_now,
            "barred": [c for p, c in scene.step.sold if p == player],
            "stocks": [_stock(scene, c) for c in _in_order(scene)],
            "pass": scene.choice(Pass(), "stock.done" if scene.step.sold_now else "stock.pass"),
        },
        stage="market",
    )


def _in_order(scene: Scene) -> list[Company]:
    """The stocks in order of price, then those that have not started."""
    majors = [c for c in scene.state.companies.values() if c.shares and not c.closed]
    return sorted(majors, key=lambda c: (not c.started, -price(scene.state, c.symbol)))


def _stock(scene: Scene, company: Company) -> dict[str, Any]:
    state, symbol, player = scene.state, company.symbol, scene.actor
    held = company.held(player)
    return {
        "symbol": symbol,
        "name": state.title.tables.companies[symbol].name,
        "started": company.started,
        "floated": company.floated,
        "price": price(state, symbol),
        "president": company.owner,
        "held": percent(state, company, held),
        "treasury": percent(state, company, company.held(TREASURY)),
        "pool": percent(state, company, company.held(POOL)),
        "buys": _buys(scene, company) if company.started else [],
        "sells": _sells(scene, company) if held else [],
        "starts": [] if company.started else _starts(scene, symbol),
        "exchanges": _exchanges(scene, symbol),
    }


def _buys(scene: Scene, company: Company) -> list[Choice]:
    found = []
    for source in (TREASURY, POOL):
        if company.held(source):
            cost = scene.words.money(price(scene.state, company.symbol))
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
    units = scene.state.title.tables.companies[symbol].president_units
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
        for par in sorted(scene.state.title.tables.pars, key=lambda par: par.price)
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
