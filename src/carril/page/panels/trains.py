"""Buying trains: from the bank, from other companies; what will rust; emergency money."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

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
from carril.engine.steps.emergency import Emergency
from carril.engine.steps.train_rules import action_cost
from carril.engine.trains import bank_trains, train_def, train_limit
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.panels.effects import asked, effect


@panel("trains")
def trains(scene: Scene) -> Panel:
    """Return the trains for sale with their consequences, and the sums where money is short."""
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
            "emergency": _emergency(scene),
            "bankrupt": _bankrupt(scene),
            "combines": combinations(scene),
            "pass": scene.choice(Pass(), "trains.pass"),
        },
        stage="trains",
    )


def _must(scene: Scene) -> bool:
    """Return whether the company must buy: it must if passing is refused."""
    return scene.state.refusal(Pass(by=scene.actor)) is not None


def _on_sale(scene: Scene) -> list[Choice]:
    """Return a button for each train that the bank shows; for each way to make room for it."""
    found: list[Choice] = []
    for name, source in bank_trains(scene.state):
        legal = [o for o in scene.of(BuyTrain) if o.train == name and o.source == source]
        face = train_def(scene.state, name).price
        actions = legal or [BuyTrain(name, source, face, by=scene.actor)]
        found += [_offer(scene, action) for action in actions]
    return found


def _offer(scene: Scene, action: BuyTrain) -> Choice:
    words = scene.words
    return scene.choice(
        action,
        f"trains.buy-{action.source}",
        look="primary",
        train=action.train,
        cost=words.money(action.price),
        effect=_consequences(scene, scene.after(action), action),
    )


def _consequences(scene: Scene, outcome: Outcome | None, action: BuyTrain) -> str:
    """Return what a purchase causes: the president's help, a loan, a phase, rust."""
    if outcome is None:
        return ""
    words, found = scene.words, []
    owner = scene.state.companies[scene.step.company].owner
    helped = scene.state.players[owner].cash - outcome.state.players[owner].cash
    if helped > 0:
        found.append(words.say("trains.helped", player=owner, sum=words.money(helped)))
    if action.loan:
        found.append(words.say("trains.borrows", player=owner, sum=words.money(action.loan)))
    if action.discard:
        found.append(words.say("trains.dropped", train=action.discard))
    for event in outcome.events:
        if isinstance(event, PhaseBegan):
            found.append(words.say("trains.phase", phase=event.phase))
        elif isinstance(event, TrainsRusted):
            owners = ", ".join(event.owners) or words.say("trains.nobody")
            found.append(words.say("trains.rusts", train=event.train, owners=owners))
    return " · ".join(found)


def _from_companies(scene: Scene) -> list[dict[str, Any]]:
    return [_seller(scene, found) for found in scene.ranges(BuyTrain)]


def _seller(scene: Scene, found: Range) -> dict[str, Any]:
    action = found.action
    assert isinstance(action, BuyTrain)
    owner = scene.state.companies[action.source].owner
    face = train_def(scene.state, action.train).price
    asks = bool(asked(scene, action))
    key = "trains.offer" if asks else "trains.buy-own"
    return {
        "seller": action.source,
        "owner": owner,
        "train": action.train,
        "asks": asks,
        "amount": scene.amount(
            found, key, now=min(face, found.most), train=action.train, seller=action.source
        ),
    }


def _emergency(scene: Scene) -> dict[str, Any] | None:
    """Return the sums where the president must help, and the shares that can be sold for it."""
    sums: Emergency | None = scene.step.emergency(scene.state)
    if sums is None:
        return None
    return asdict(sums) | {
        "sales": [
            _sale(scene, found, count)
            for found in scene.ranges(SellShares)
            for count in range(found.least, found.most + 1)
        ],
        "note": scene.words.say(_note(scene), player=sums.president),
    }


def _note(scene: Scene) -> str:
    """Return the key of the explanation: shares only, or a loan as well."""
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
    """Return the combinations, where combining is a step of its own."""
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
