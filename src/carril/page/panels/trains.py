"""Buying trains: stack, pool, other companies; what will rust; emergency money; bankruptcy."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import BuyTrain, GoBankrupt, Pass, Range, SellShares
from carril.engine.events import PhaseBegan, TrainsRusted
from carril.engine.market import price
from carril.engine.play import Outcome
from carril.engine.state import POOL
from carril.engine.trains import stack_top, train_def, train_limit
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.panels.effects import effect

STACK = "stack"


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
            "pass": scene.choice(Pass(), "trains.pass"),
        },
        stage="trains",
    )


def _must(scene: Scene) -> bool:
    """Whether the company must buy: the step says so, since passing is refused."""
    return scene.state.refusal(Pass(by=scene.actor)) is not None


def _on_sale(scene: Scene) -> list[Choice]:
    state = scene.state
    top = stack_top(state)
    names = [(top, STACK)] + [(name, POOL) for name in sorted(set(state.depot.pool))]
    return [_offer(scene, name, source) for name, source in names]


def _offer(scene: Scene, train: str, source: str) -> Choice:
    words, cost = scene.words, train_def(scene.state, train).price
    legal = [o for o in scene.of(BuyTrain) if o.train == train and o.source == source]
    action = legal[0] if legal else BuyTrain(train, source, cost, by=scene.actor)
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


def _emergency(scene: Scene) -> dict[str, Any]:
    """Return the sums: the cheapest train, the treasury, the president's cash, what is missing."""
    state, words, step = scene.state, scene.words, scene.step
    company = state.companies[step.company]
    cheapest, cash = step.cheapest(state), state.players[company.owner].cash
    help_ = max(0, cheapest - company.cash)
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
        "note": words.say("trains.emergency-note", player=company.owner),
    }


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
