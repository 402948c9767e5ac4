"""A stock round: sell, buy, start, exchange, each with its effect."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import (
    Action,
    BuyShare,
    ConvertConcession,
    ExchangeMinor,
    Pass,
    RepayLoan,
    SellShares,
    StartCompany,
)
from carril.engine.launch import start_cost
from carril.engine.market import price
from carril.engine.shares import certificate_limit, company_def, percent, share_cost
from carril.engine.state import POOL, Company
from carril.engine.steps.stock import StockRound
from carril.engine.worth import liquidity
from carril.page.numbers import last_run, missing_to_float
from carril.page.panels.base import Amount, Choice, Panel, Scene, encode, panel
from carril.page.panels.effects import effect
from carril.page.panels.stock_sentence import stock_sentence


@panel("stock-round")
def stock_round(scene: Scene) -> Panel:
    """Return every stock with what the player may do with it."""
    state, player = scene.state, scene.actor
    step: StockRound = scene.step
    return Panel(
        "stock",
        stock_sentence(scene),
        main=(scene.choice(Pass(), "stock.done" if step.acted else "stock.pass"),),
        model={
            "cash": state.players[player].cash,
            "liquid": liquidity(state, player),
            "certificates": state.title.certificates(state, player),
            "limit": certificate_limit(state),
            "sold": step.acted,
            "debt": state.players[player].debt,
            "repayments": _repayments(scene),
            "barred": [c for p, c in step.sold if p == player],
            "stocks": [_stock(scene, c) for c in _in_order(scene)],
        },
        stage="market",
    )


def _repayments(scene: Scene) -> list[Amount]:
    """Return a field for repaying a debt, with what that costs."""
    found = []
    for option in scene.ranges(RepayLoan):
        cost = scene.words.money(_paid_for(scene, option.at(option.most)))
        most = scene.words.money(option.most)
        note = scene.words.say("stock.repay-cost", most=most, cost=cost)
        found.append(
            scene.amount(option, "stock.repay", now=option.most, note=note, most=most, cost=cost)
        )
    return found


def _paid_for(scene: Scene, action: Action) -> int:
    """Return what the player pays for an action; 0 if it is refused."""
    outcome = scene.after(action)
    before = scene.state.players[scene.actor].cash
    return before - outcome.state.players[scene.actor].cash if outcome else 0


def _in_order(scene: Scene) -> list[Company]:
    """Return the stocks in order of price, then those that have not started, minors last.

    A company with a sole owner is listed until it has started: then nobody else can buy it.
    """

    def listed(company: Company) -> bool:
        taken = company.started and _sole_owner(scene, company)
        return bool(company.shares) and not company.closed and not taken

    def rank(company: Company) -> tuple[bool, bool, int]:
        worth = price(scene.state, company.symbol)
        return not company.started, _sole_owner(scene, company), -worth

    return sorted(filter(listed, scene.state.companies.values()), key=rank)


def _sole_owner(scene: Scene, company: Company) -> bool:
    return company_def(scene.state, company.symbol).sole_owner


def _stock(scene: Scene, company: Company) -> dict[str, Any]:
    state, symbol, player = scene.state, company.symbol, scene.actor
    held = company.held(player)
    conversions = _conversions(scene, symbol)
    choices = [
        *(_buys(scene, company) if company.started else []),
        *_exchanges(scene, symbol),
        *(_sells(scene, company) if held else []),
    ]
    starts = [] if company.started or conversions else _starts(scene, company)
    opens = [start for start in starts if start["choice"].legal]
    refused = [one for one in choices if not one.legal]
    refused += [start["choice"] for start in starts if not start["choice"].legal][:1]
    return {
        "symbol": symbol,
        "name": state.tables.companies[symbol].name,
        "started": company.started,
        "floated": company.floated,
        "price": price(state, symbol),
        "president": company.owner,
        "held": percent(state, company, held),
        "minor": _sole_owner(scene, company),
        "places": _places(scene, company),
        "missing": missing_to_float(state, company),
        "last": last_run(scene.words, scene.last_runs, symbol),
        "choices": [one for one in choices if one.legal],
        "starts": opens,
        "conversions": conversions,
        "refused": refused,
        "open": bool(opens or conversions or len(refused) < len(choices)),
    }


def _places(scene: Scene, company: Company) -> list[str]:
    """Return how much is where: unsold shares, then the pool even if it is empty."""
    unsold = [p for p in company.shares if p not in (*scene.state.players, POOL)]
    named = [*(unsold or _open_sources(scene, company)[:1]), POOL]
    return [
        scene.words.say(f"stock.{p}", percent=percent(scene.state, company, company.held(p)))
        for p in named
    ]


def _open_sources(scene: Scene, company: Company) -> list[str]:
    """Return the places where shares of a company can be bought."""
    sources, symbol = scene.state.title.stock.sources, company.symbol
    return [source.place for source in sources if not source.closed(scene.state, symbol)]


def _buys(scene: Scene, company: Company) -> list[Choice]:
    words, symbol = scene.words, company.symbol
    return [
        scene.choice(
            BuyShare(symbol, source),
            f"stock.buy-{source}",
            look="buy",
            company=symbol,
            price=words.money(share_cost(scene.state, symbol, source)),
        )
        for source in _open_sources(scene, company)
        if company.held(source)
    ]


def _sells(scene: Scene, company: Company) -> list[Choice]:
    """Return a button for each number of shares that may be sold, then a disabled one."""
    symbol, held = company.symbol, company.held(scene.actor)
    counts = [
        count
        for option in scene.ranges(SellShares)
        if isinstance(option.action, SellShares) and option.action.company == symbol
        for count in range(option.least, option.most + 1)
    ]
    refused = max(counts, default=0) + 1
    return [_sale(scene, symbol, n) for n in (*counts, refused) if n <= held]


def _sale(scene: Scene, symbol: str, count: int) -> Choice:
    """Return the sale of a number of shares, with what it brings in and does."""
    action = SellShares(symbol, count, by=scene.actor)
    return scene.choice(
        action,
        "stock.sell",
        look="sell",
        company=symbol,
        count=count,
        sum=scene.words.money(count * price(scene.state, symbol)),
        effect=effect(scene, action, symbol),
    )


def _starts(scene: Scene, company: Company) -> list[dict[str, Any]]:
    """Return the starting values, each with its cost and a button."""
    found = []
    for par in sorted(scene.state.tables.pars, key=lambda par: par.price):
        cost = start_cost(scene.state, company.symbol, par.price)
        choice = scene.choice(
            StartCompany(company.symbol, par.price),
            "stock.start",
            look="start",
            company=company.symbol,
            price=scene.words.money(par.price),
            cost=scene.words.money(cost),
        )
        found.append({"price": par.price, "cost": cost, "choice": choice})
    return found


def _conversions(scene: Scene, symbol: str) -> list[dict[str, Any]]:
    """Return the player's concessions that can open a company, each with prices and their cost."""
    found: dict[str, list[dict[str, Any]]] = {}
    for option in scene.of(ConvertConcession):
        if option.company == symbol:
            found.setdefault(option.concession, []).append(_opening(scene, option))
    return [{"concession": one, "prices": prices} for one, prices in found.items()]


def _opening(scene: Scene, option: ConvertConcession) -> dict[str, Any]:
    """Return a starting price: what the player pays, and the money that the company gets."""
    outcome = scene.after(option)
    assert outcome is not None, option
    after, player = outcome.state, scene.actor
    return {
        "price": option.price,
        "action": encode(option),
        "cost": scene.state.players[player].cash - after.players[player].cash,
        "capital": after.companies[option.company].cash,
    }


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
