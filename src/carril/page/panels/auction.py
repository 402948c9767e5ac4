"""An auction of companies or private companies: choose a lot, bid, or take a falling price."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import Accept, Bid, ChooseLot, Pass
from carril.engine.state import Company
from carril.engine.steps.auction import Auction
from carril.page.assets import private_card
from carril.page.hexcards import HexCard, hex_card, hex_panel
from carril.page.panels.base import Amount, Balance, Choice, Panel, Scene, panel
from carril.page.places import hex_name


@panel("auction")
def auction(scene: Scene) -> Panel:
    """Return the lot on sale with the bidders, or the lots to choose from."""
    step: Auction = scene.step
    if step.lot and step.lot not in scene.state.companies:
        return _of_privates(scene, step)
    return _of_companies(scene, step)


def _price(step: Auction) -> int:
    """Return the highest bid, or the price at which the lot is offered."""
    return step.bid or step.price


def _facts(scene: Scene, step: Auction) -> dict[str, Any]:
    return {
        "player": scene.actor,
        "lot": step.lot,
        "private": step.lot,
        "price": scene.words.money(_price(step)),
        "bidder": step.bidder,
        "auctioneer": step.opener,
    }


def _choices(scene: Scene, facts: dict[str, Any]) -> list[Choice]:
    found = []
    if scene.has(Accept):
        found.append(scene.choice(Accept(), "auction.take", look="primary", **facts))
    if scene.has(Pass):
        found.append(scene.choice(Pass(), "auction.pass", **facts))
    return found


def _bids(scene: Scene, key: str, facts: dict[str, Any]) -> list[Amount]:
    """Return a field for a bid, with what the bidder has left if they win."""
    cash = scene.state.players[scene.actor].cash
    balances = (Balance(scene.actor, cash, -1),)
    return [
        scene.amount(option, key, look="primary", balances=balances, **facts)
        for option in scene.ranges(Bid)
    ]


def _bidders(scene: Scene, step: Auction) -> list[dict[str, Any]]:
    """Return the players with their cash: who leads, who is asked, who is out."""
    return [
        {
            "player": name,
            "cash": player.cash,
            "out": name in step.out,
            "leads": name == step.bidder,
            "asked": name == step.turn,
            "auctioneer": name == step.opener,
        }
        for name, player in scene.state.players.items()
    ]


# --- private companies -------------------------------------------------------------------


def _of_privates(scene: Scene, step: Auction) -> Panel:
    """Return the private on sale and what it can do, the bidders, and the other privates."""
    words, price = scene.words, step.bid if step.bidder else step.price or step.least
    facts = _facts(scene, step) | {"price": words.money(price)}
    opening = "privates.open" if scene.has(Pass) else "privates.must-open"
    return Panel(
        "private_auction",
        words.say("privates.bidding" if step.bidder else opening, **facts),
        main=(*_bids(scene, "privates.bid", facts), *_choices(scene, facts)),
        model={
            "lot": private_card(scene.state, words, step.lot),
            "price": price,
            "bidder": step.bidder,
            "bidders": _bidders(scene, step),
            "kind": step.kind,
            "lots": [
                private_card(scene.state, words, plan.symbol)
                for plan in scene.state.tables.figures.private
            ],
        },
    )


# --- companies ---------------------------------------------------------------------------


def _of_companies(scene: Scene, step: Auction) -> Panel:
    """Return the company on sale with the bidders, and the companies still to be sold."""
    words, facts, state = scene.words, _facts(scene, step), scene.state
    return Panel(
        "auction",
        words.say(f"auction.{step.stage}", **facts),
        main=(*_bids(scene, "auction.bid", facts), *_choices(scene, facts)),
        model={
            "stage": step.stage,
            "lot": _lot(scene, state.companies[step.lot]) if step.lot else None,
            "price": _price(step),
            "bidder": step.bidder,
            "auctioneer": step.opener,
            "bidders": _bidders(scene, step),
            "falling": state.tables.figures.auction.falling_prices,
            "lots": _lots(scene, step),
        },
        lit=_homes(scene, [step.lot] if step.lot else _offered(scene)),
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


def _lots(scene: Scene, step: Auction) -> list[dict[str, Any]]:
    """Return the companies of the kind that is auctioned, sold ones included."""
    lots = [step.lot] if step.lot else _offered(scene)
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
        "consent": ", ".join(
            hex_name(scene.state, one.id)
            for one in scene.state.tables.hexes.values()
            if one.consent_of == company.symbol
        ),
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
