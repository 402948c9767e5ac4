"""An auction of companies or private companies: choose a lot, bid, or take a falling price."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import Accept, Bid, ChooseLot, Pass
from carril.engine.answers import Auction
from carril.engine.state import Company
from carril.page.assets import private_card, private_cards
from carril.page.hexcards import HexCard, hex_card, hex_panel
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.places import hex_name


@panel("auction")
def auction(scene: Scene) -> Panel:
    """Return the lot on sale with the bidders, or the lots to choose from."""
    found = scene.answers.auction(scene.state)
    assert found is not None
    if found.lot in scene.answers.privates(scene.state):
        return _of_privates(scene, found)
    return _of_companies(scene, found)


def _facts(scene: Scene, found: Auction) -> dict[str, Any]:
    return {
        "player": scene.actor,
        "lot": found.lot,
        "private": found.lot,
        "price": scene.words.money(found.price),
        "bidder": found.bidder,
        "auctioneer": found.opener,
    }


def _choices(scene: Scene, facts: dict[str, Any]) -> list[Choice]:
    found = []
    if scene.has(Accept):
        found.append(scene.choice(Accept(), "auction.take", look="primary", **facts))
    if scene.has(Pass):
        found.append(scene.choice(Pass(), "auction.pass", **facts))
    return found


def _bidders(scene: Scene, found: Auction) -> list[dict[str, Any]]:
    """Return the players with their cash: who leads, who is asked, who is out."""
    return [
        {
            "player": name,
            "cash": player.cash,
            "out": name in found.out,
            "leads": name == found.bidder,
            "asked": name == found.asked,
            "auctioneer": name == found.opener,
        }
        for name, player in scene.state.players.items()
    ]


# --- private companies -------------------------------------------------------------------


def _of_privates(scene: Scene, found: Auction) -> Panel:
    """Return the private on sale and what it can do, the bidders, and the other privates."""
    words, facts = scene.words, _facts(scene, found)
    return Panel(
        "private_auction",
        words.say("privates.bidding" if found.bidder else "privates.open", **facts),
        {
            "lot": private_card(scene.state, words, found.lot),
            "price": found.price,
            "bidder": found.bidder,
            "bidders": _bidders(scene, found),
            "amounts": [scene.amount(o, "privates.bid", **facts) for o in scene.ranges(Bid)],
            "choices": _choices(scene, facts),
            "lots": private_cards(scene.state, words),
        },
    )


# --- companies ---------------------------------------------------------------------------


def _of_companies(scene: Scene, found: Auction) -> Panel:
    """Return the company on sale with the bidders, and the companies still to be sold."""
    words, facts, state = scene.words, _facts(scene, found), scene.state
    return Panel(
        "auction",
        words.say(f"auction.{found.stage}", **facts),
        {
            "stage": found.stage,
            "lot": _lot(scene, state.companies[found.lot]) if found.lot else None,
            "price": found.price,
            "bidder": found.bidder,
            "auctioneer": found.opener,
            "bidders": _bidders(scene, found),
            "falling": state.tables.figures.auction.falling_prices,
            "lots": _lots(scene, found),
            "amounts": [scene.amount(o, "auction.bid", **facts) for o in scene.ranges(Bid)],
            "choices": _choices(scene, facts),
        },
        lit=_homes(scene, [found.lot] if found.lot else _offered(scene)),
    )


def _offered(scene: Scene) -> list[str]:
    return [option.lot for option in scene.of(ChooseLot)]


def _homes(scene: Scene, lots: list[str]) -> dict[str, str]:
    """Return the homes of companies, to be lit on the map."""
    found: dict[str, str] = {}
    for lot in lots:
        if home := scene.state.tables.companies[lot].home:
            note = scene.words.say("auction.home", lot=lot)
            found[home.hex] = f"{found[home.hex]}, {note}" if home.hex in found else note
    return found


def _lots(scene: Scene, found: Auction) -> list[dict[str, Any]]:
    """Return the companies of the kind that is auctioned, sold ones included."""
    lots = [found.lot] if found.lot else _offered(scene)
    kinds = {scene.state.companies[lot].kind for lot in lots}
    every = scene.state.companies.values()
    return [_lot(scene, c) for c in every if c.kind in kinds and not c.closed]


def _lot(scene: Scene, company: Company) -> dict[str, Any]:
    plan = scene.state.tables.companies[company.symbol]
    action = ChooseLot(company.symbol, by=scene.actor)
    offered = action in scene.options
    return {
        "symbol": company.symbol,
        "name": plan.name,
        "english": plan.english,
        "home": hex_name(scene.state, plan.home.hex) if plan.home else "",
        "hex": plan.home.hex if plan.home else "",
        "owner": company.owner,
        "consent": ", ".join(hex_name(scene.state, one) for one in plan.consent),
        "choice": scene.choice(action, "auction.choose-lot", lot=company.symbol)
        if offered
        else None,
    }


@hex_panel("auction")
def lots_here(scene: Scene, hex_id: str) -> HexCard:
    """Offer the companies whose home a hex is."""
    choices = [
        scene.choice(option, "auction.choose-lot", look="primary", lot=option.lot)
        for option in scene.of(ChooseLot)
        if (home := scene.state.tables.companies[option.lot].home) and home.hex == hex_id
    ]
    return hex_card(scene, hex_id, choices=choices)
