"""Buying trains: stack, pool, other companies; what will rust; emergency money or a loan."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import (
    BuyTrain,
    CombineTrains,
    GoBankrupt,
    Pass,
    Range,
    SellShares,
)
from carril.engine.events import PhaseBegan, TrainsRusted
from carril.engine.market import price
from carril.engine.play import Outcome
from carril.engine.steps.trains import action_cost
from carril.engine.trains import train_def, train_limit
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.panels.effects import effect


@panel("trains")
def trains(scene: Scene) -> Panel:
    """Return what is on sale with its consequences, and the sums where money is short."""
    state, company = scene.state, scene.state.companies[scene.step.company]
    must = _must(scene)
    key = "trains.must" if must else "trains.sentence"
    return Panel(
        "trains",
        scene.words.say(key, company=company.symbol),
        {
            "company": company.symbol,
            "cash": company.cash,
            "owned": company.trains,
            "limit": train_limit(state, company),
            "offers": _on_sale(scene),
            "companies": _from_companies(scene),
            "emergency": _emergency(scene) if must else None,
            "bankrupt": _bankrupt(scene),
            "combines": combinations(scene),
            "pass": scene.choice(Pass(), "trains.pass"),
        },
        stage="trains",
    )


def _must(scene: Scene) -> bool:
    """Return whether the company must buy a train."""
    return bool(scene.step.must_buy(scene.state))


def _on_sale(scene: Scene) -> list[Choice]:
    """Return the bank's trains; where one must be given up for a train, each choice of it."""
    found: list[Choice] = []
    for name, source, cost in scene.step.on_sale(scene.state):
        legal = [o for o in scene.of(BuyTrain) if o.train == name and o.source == source]
        found += [
            _offer(scene, action)
            for action in legal or [BuyTrain(name, source, cost, by=scene.actor)]
        ]
    return found


def _offer(scene: Scene, action: BuyTrain) -> Choice:
    words, train, source = scene.words, action.train, action.source
    cost = train_def(scene.state, train).price
    outcome = scene.after(action)
    facts = {"train": train, "cost": words.money(cost), "effect": _told(scene, outcome, action)}
    return scene.choice(action, f"trains.buy-{source}", look="primary", **facts)


def _told(scene: Scene, outcome: Outcome | None, action: BuyTrain) -> str:
    """Return what a purchase sets going: a phase, rust, the president's money."""
    if outcome is None:
        return ""
    words, told = scene.words, []
    owner = scene.state.companies[scene.step.company].owner
    helped = scene.state.players[owner].cash - outcome.state.players[owner].cash
    if helped > 0:
        told.append(words.say("trains.helped", player=owner, sum=words.money(helped)))
    if action.loan:
        told.append(words.say("trains.borrows", player=owner, sum=words.money(action.loan)))
    if action.discard:
        told.append(words.say("trains.dropped", train=action.discard))
    for event in outcome.events:
        if isinstance(event, PhaseBegan):
            told.append(words.say("trains.phase", phase=event.phase))
        elif isinstance(event, TrainsRusted):
            owners = ", ".join(event.owners) or words.say("trains.nobody")
            told.append(words.say("trains.rusts", train=event.train, owners=owners))
    return " · ".join(told)


def _from_companies(scene: Scene) -> list[dict[str, Any]]:
    return [_seller(scene, found) for found in scene.ranges(BuyTrain)]


def _seller(scene: Scene, found: Range) -> dict[str, Any]:
    action = found.action
    assert isinstance(action, BuyTrain)
    owner = scene.state.companies[action.source].owner
    face = train_def(scene.state, action.train).price
    same = owner == scene.actor
    key = "trains.buy-own" if same else "trains.offer"
    return {
        "seller": action.source,
        "owner": owner,
        "train": action.train,
        "asks": not same,
        "amount": scene.amount(
            found, key, now=min(face, found.most), train=action.train, seller=action.source
        ),
    }


def _emergency(scene: Scene) -> dict[str, Any] | None:
    """Return the sums: the cheapest train, the treasury, the president's cash, what is missing.

    None where the treasury is enough: a train must be bought, and nobody has to help.
    """
    state, words, step = scene.state, scene.words, scene.step
    company = state.companies[step.company]
    cheapest, cash = step.cheapest(state), state.players[company.owner].cash
    help_ = max(0, cheapest - company.cash)
    if not help_ and not scene.ranges(SellShares):
        return None
    return {
        "president": company.owner,
        "cheapest": cheapest,
        "treasury": company.cash,
        "help": help_,
        "cash": cash,
        "missing": max(0, help_ - cash),
        "sales": [
            _sale(scene, found, count)
            for found in scene.ranges(SellShares)
            for count in range(found.least, found.most + 1)
        ],
        "note": words.say(_note(scene), player=company.owner),
    }


def _note(scene: Scene) -> str:
    """Return which way out there is: shares only, or a loan as well."""
    lends = any(option.loan for option in scene.of(BuyTrain))
    return "trains.loan-note" if lends else "trains.emergency-note"


def combinations(scene: Scene) -> list[Choice]:
    """Return a button for each train that can be coupled to a recycled one."""
    return [
        scene.choice(
            option,
            "trains.combine",
            train=option.train,
            recycled=option.recycled,
            cost=scene.words.money(action_cost(scene.state, option)),
        )
        for option in scene.of(CombineTrains)
    ]


@panel("combine")
def combine(scene: Scene) -> Panel:
    """Return the combinations by themselves, where they are a step of their own."""
    return Panel(
        "choices",
        scene.words.say("trains.combine-sentence", company=scene.step.company),
        {"choices": [*combinations(scene), scene.choice(Pass(), "trains.no-combine")]},
        stage="trains",
    )


def _sale(scene: Scene, found: Range, count: int) -> Choice:
    action = found.at(count)
    assert isinstance(action, SellShares)
    words, symbol = scene.words, action.company
    return scene.choice(
        action,
        "trains.sell",
        look="sell",
        count=count,
        company=symbol,
        sum=words.money(count * price(scene.state, symbol)),
        effect=effect(scene, action, symbol),
    )


def _bankrupt(scene: Scene) -> Choice | None:
    if not scene.has(GoBankrupt):
        return None
    return scene.choice(
        GoBankrupt(), "trains.bankrupt", look="danger", confirm="trains.bankrupt-sure"
    )
