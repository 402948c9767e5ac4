"""Private companies: their auction, the value of a share that comes with one, and buying them."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import (
    Bid,
    BuyPrivate,
    BuyTender,
    ChooseSide,
    Pass,
    Range,
    StartCompany,
)
from carril.page.assets import private, private_owners
from carril.page.panels.base import Panel, Scene, panel
from carril.page.panels.bidders import bidders


def private_auction(scene: Scene) -> Panel:
    """Return the private on sale with what it can do, the bidders, and the other privates."""
    step, words = scene.step, scene.words
    facts = {
        "player": scene.actor,
        "private": step.private,
        "price": words.money(step.bid or step.least),
        "bidder": step.bidder,
    }
    return Panel(
        "private_auction",
        words.say("privates.bidding" if step.bidder else "privates.open", **facts),
        {
            "lot": private(scene.state, words, step.private),
            "price": step.bid or step.least,
            "bidder": step.bidder,
            "bidders": bidders(scene, step.opener),
            "amounts": [
                scene.amount(found, "privates.bid", private=step.private)
                for found in scene.ranges(Bid)
            ],
            "choices": [scene.choice(Pass(), "auction.pass")],
            "lots": [private(scene.state, words, p) for p in private_owners(scene.state)],
        },
    )


@panel("set-par")
def set_par(scene: Scene) -> Panel:
    """Return a button for each starting value."""
    company = scene.step.company
    choices = [
        scene.choice(
            StartCompany(company, par.price), "privates.par", price=scene.words.money(par.price)
        )
        for par in sorted(scene.state.tables.pars, key=lambda par: par.price)
    ]
    return Panel(
        "founding",
        scene.words.say("privates.set-par", player=scene.actor, company=company),
        {"company": company, "choices": choices},
        stage="market",
    )


@panel("private-train")
def side(scene: Scene) -> Panel:
    """Return the sides of the train card that comes with a private."""
    company = scene.step.company
    choices = [
        scene.choice(option, "privates.side", look="primary", train=option.train)
        for option in scene.of(ChooseSide)
    ]
    return Panel(
        "founding",
        scene.words.say("privates.choose-side", company=company),
        {"company": company, "choices": choices},
        stage="trains",
    )


@panel("privates")
def purchases(scene: Scene) -> Panel:
    """Return the pass; what can be bought stands beside every panel of a turn."""
    return Panel(
        "choices",
        scene.words.say("privates.purchases", company=scene.step.company),
        {"choices": [scene.choice(Pass(), "privates.no-purchase")]},
    )


def aside(scene: Scene) -> dict[str, Any]:
    """Return the privates and tenders that the company can buy now."""
    words = scene.words
    found = [_offer(scene, option) for option in scene.ranges(BuyPrivate)]
    costs = getattr(scene.state.tables.figures, "costs", None)
    tender = words.money(costs.tender if costs else 0)
    tender = words.money(costs.tender if costs else 0)
    tenders = [
        scene.choice(
            option,
            f"privates.tender-{option.source}",
            cost=tender,
        )
        for option in scene.of(BuyTender)
    ]
    return {"privates": found, "tenders": tenders} if found or tenders else {}


def _offer(scene: Scene, found: Range) -> dict[str, Any]:
    action = found.action
    assert isinstance(action, BuyPrivate)
    card = private(scene.state, scene.words, action.private)
    same = card["owner"] == scene.actor
    key = "privates.buy" if same else "privates.offer"
    amount = scene.amount(found, key, private=action.private)
    return card | {"asks": not same, "amount": amount}
