"""A sale of companies one after the other: choose, bid, or take a falling price."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import Accept, Bid, ChooseLot, Pass
from carril.engine.state import Company
from carril.page.hexcards import HexCard, hex_card, hex_panel
from carril.page.panels.base import Panel, Scene, panel
from carril.page.panels.bidders import bidders
from carril.page.panels.privates import private_auction
from carril.page.places import hex_name


@panel("auction")
def auction(scene: Scene) -> Panel:
    """Return the lot on sale with the bidders, or the lots to choose from."""
    return private_auction(scene) if scene.step.private else _sale(scene)


def _sale(scene: Scene) -> Panel:
    step, words = scene.step, scene.words
    facts = {
        "player": scene.actor,
        "lot": step.lot,
        "price": words.money(step.bid or step.price),
        "bidder": step.bidder,
        "auctioneer": step.opener,
    }
    choosing = step.stage == "choose"
    return Panel(
        "auction",
        words.say(f"auction.{step.stage}", **facts),
        {
            "stage": step.stage,
            "lot": None if choosing else _lot(scene, scene.state.companies[step.lot]),
            "price": step.bid or step.price,
            "bidder": step.bidder,
            "auctioneer": step.opener,
            "bidders": bidders(scene, step.opener),
            "falling": scene.state.tables.figures.auction.falling_prices,
            "lots": _lots(scene),
            "amounts": [
                scene.amount(found, "auction.bid", lot=step.lot) for found in scene.ranges(Bid)
            ],
            "choices": _choices(scene, facts),
        },
        lit=_lit(scene),
    )


def _choices(scene: Scene, facts: dict[str, Any]) -> list[Any]:
    found = []
    if scene.has(Accept):
        found.append(scene.choice(Accept(), "auction.take", look="primary", **facts))
    if scene.has(Pass):
        found.append(scene.choice(Pass(), "auction.pass", **facts))
    return found


def _lit(scene: Scene) -> dict[str, str]:
    step = scene.step
    if step.stage != "choose":
        home = scene.state.tables.companies[step.lot].home
        return {home.hex: scene.words.say("auction.home", lot=step.lot)} if home else {}
    found: dict[str, str] = {}
    for option in scene.of(ChooseLot):
        home = scene.state.tables.companies[option.lot].home
        if home:
            note = scene.words.say("auction.home", lot=option.lot)
            found[home.hex] = f"{found[home.hex]}, {note}" if home.hex in found else note
    return found


def _lots(scene: Scene) -> list[dict[str, Any]]:
    minors = (c for c in scene.state.companies.values() if c.kind == "minor" and not c.closed)
    return [_lot(scene, company) for company in minors]


def _lot(scene: Scene, company: Company) -> dict[str, Any]:
    tables = scene.state.tables
    plan = tables.companies[company.symbol]
    action = ChooseLot(company.symbol, by=scene.actor)
    offered = action in scene.options
    return {
        "symbol": company.symbol,
        "name": plan.name,
        "english": plan.english,
        "home": hex_name(scene.state, plan.home.hex) if plan.home else "",
        "hex": plan.home.hex if plan.home else "",
        "owner": company.owner,
        "consent": ", ".join(
            hex_name(scene.state, one.id)
            for one in tables.hexes.values()
            if one.consent_of == company.symbol
        ),
        "choice": scene.choice(action, "auction.choose-lot", lot=company.symbol)
        if offered
        else None,
    }


@hex_panel("auction")
def lots_here(scene: Scene, hex_id: str) -> HexCard:
    """Offer the minors whose home a hex is."""
    choices = [
        scene.choice(option, "auction.choose-lot", look="primary", lot=option.lot)
        for option in scene.of(ChooseLot)
        if (home := scene.state.tables.companies[option.lot].home) and home.hex == hex_id
    ]
    return hex_card(scene, hex_id, choices=choices)
