"""Buying trains: from the bank, from other companies; what will rust; emergency money."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from msgspec.structs import asdict

from carril.engine.actions import (
    BuyTrain,
    CombineTrains,
    GoBankrupt,
    IssueShares,
    Pass,
    Range,
    SellShares,
)
from carril.engine.events import Event, PhaseBegan, TrainsAged, TrainsRusted
from carril.engine.market import price
from carril.engine.play import Outcome
from carril.engine.steps.emergency import Emergency
from carril.engine.steps.train_rules import action_cost
from carril.engine.trains import TRAIN, bank_trains, train_def
from carril.page.cards import trains_by_class
from carril.page.numbers import cannot_run, gauge, usual_price, why_no_run
from carril.page.panels.base import Balance, Choice, Panel, Scene, panel
from carril.page.panels.effects import asked, effect
from carril.page.shelf import supply_name


@panel("trains")
def trains(scene: Scene) -> Panel:
    """Return the trains for sale with their consequences, and the sums where money is short."""
    state, company = scene.state, scene.state.companies[scene.step.company]
    must, shelves = _must(scene), _shelves(scene)
    key = "trains.must" if must else "trains.sentence"
    useless = all(cannot_run(state, company.symbol, train) for train in company.trains)
    first = _first_purchase(shelves, must or useless)
    return Panel(
        "trains",
        scene.words.say(key, company=company.symbol),
        main=(*first, scene.choice(Pass(), "trains.pass", look="" if first else "primary")),
        model={
            "company": company.symbol,
            "cash": company.cash,
            "owned": trains_by_class(state, company),
            "idle": why_no_run(state, scene.words, company.symbol),
            "shelves": [shelf | {"offers": _without(shelf, first)} for shelf in shelves],
            "companies": _from_companies(scene),
            "fixed": _at_fixed_prices(scene),
            "emergency": _emergency(scene),
            "issues": _issues(scene),
            "bankrupt": _bankrupt(scene),
            "combines": combinations(scene),
        },
        stage="trains",
    )


def _first_purchase(shelves: list[dict[str, Any]], wanted: bool) -> tuple[Choice, ...]:
    """Return the cheapest train of the bank as the main choice of a company that needs one."""
    legal = [offer for shelf in shelves for offer in shelf["offers"] if offer.legal]
    useful = [offer for offer in legal if offer.look != "warned"]
    return (replace(useful[0], look="primary"),) if wanted and useful else ()


def _without(shelf: dict[str, Any], shown: tuple[Choice, ...]) -> list[Choice]:
    """Return the offers of a shelf that are not among the main choices."""
    main = {choice.action for choice in shown}
    return [offer for offer in shelf["offers"] if offer.action not in main]


def _must(scene: Scene) -> bool:
    """Return whether the company must buy: it must if passing is refused."""
    return scene.state.refusal(Pass(by=scene.actor)) is not None


def _shelves(scene: Scene) -> list[dict[str, Any]]:
    """Return the trains that the bank shows, by supply."""
    supplies = dict.fromkeys(train.supply for train in scene.state.tables.trains.values())
    offers = _on_sale(scene)
    return [
        {"heading": supply_name(scene.state, scene.words, one), "offers": offers.get(one, [])}
        for one in supplies
        if one in offers
    ]


def _on_sale(scene: Scene) -> dict[str, list[Choice]]:
    """Return a button for each train that the bank shows, and each way to pay or make room."""
    found: dict[str, list[Choice]] = {}
    for name, source in bank_trains(scene.state):
        legal = [o for o in scene.of(BuyTrain) if o.train == name and o.source == source]
        train = train_def(scene.state, name)
        actions = legal or [BuyTrain(name, source, train.price, by=scene.actor)]
        shelf = found.setdefault(train.supply, [])
        shelf += [_offer(scene, action) for action in actions]
    return found


def _offer(scene: Scene, action: BuyTrain) -> Choice:
    words = scene.words
    return scene.choice(
        action,
        f"trains.buy-{action.source}",
        look="warned" if cannot_run(scene.state, scene.step.company, action.train) else "",
        train=train_words(scene, action.train),
        cost=words.money(action.price),
        effect=_consequences(scene, scene.after(action), action),
    )


def train_words(scene: Scene, name: str) -> str:
    """Return a train or a wagon by name."""
    counted_as = train_def(scene.state, name).counted_as or TRAIN
    return f"{name} {scene.words.name('card-noun', counted_as)}"


def _consequences(scene: Scene, outcome: Outcome | None, action: BuyTrain) -> str:
    """Return what a purchase causes: what is given for it, help, a loan, a phase, rust."""
    if outcome is None:
        return ""
    found = [*_warning(scene, action.train), *_given(scene, outcome, action)]
    for event in outcome.events:
        found += _news(scene, event)
    return " · ".join(found)


def _warning(scene: Scene, train: str) -> Iterator[str]:
    """Yield a warning about a train that the company could not run."""
    company = scene.step.company
    if cannot_run(scene.state, company, train):
        facts = {"company": company, "gauge": gauge(scene.state, scene.words, train)}
        yield scene.words.say("numbers.useless", **facts)


def _given(scene: Scene, outcome: Outcome, action: BuyTrain) -> Iterator[str]:
    """Yield what is given for a train besides the company's money."""
    words, owner = scene.words, scene.state.companies[scene.step.company].owner
    helped = scene.state.players[owner].cash - outcome.state.players[owner].cash
    if helped > 0:
        yield words.say("trains.helped", player=owner, sum=words.money(helped))
    if action.trade:
        yield words.say("trains.traded", train=action.trade)
    if action.private:
        yield words.say("trains.discount", private=action.private)
    if action.loan:
        yield words.say("trains.borrows", player=owner, sum=words.money(action.loan))
    if action.discard:
        yield words.say("trains.dropped", train=action.discard)


def _news(scene: Scene, event: Event) -> Iterator[str]:
    """Yield what an event means to the players: a phase, trains that age or rust."""
    words = scene.words
    if isinstance(event, PhaseBegan):
        yield words.say("trains.phase", phase=event.phase)
    elif isinstance(event, TrainsAged):
        yield words.say("trains.ages", train=event.train, becomes=event.becomes)
    elif isinstance(event, TrainsRusted):
        owners = ", ".join(event.owners) or words.say("trains.nobody")
        yield words.say("trains.rusts", train=event.train, owners=owners)


def _from_companies(scene: Scene) -> list[dict[str, Any]]:
    """Return the trains that other companies can sell, those of other players last."""
    found = [_seller(scene, option) for option in scene.ranges(BuyTrain)]
    return sorted(found, key=lambda seller: seller["owner"] != scene.actor)


def _at_fixed_prices(scene: Scene) -> list[Choice]:
    """Return a button for each card that another company can sell at one price only."""
    return [
        scene.choice(
            option,
            "trains.offer-from" if asked(scene, option) else "trains.buy-from",
            train=train_words(scene, option.train),
            seller=option.source,
            cost=scene.words.money(option.price),
        )
        for option in scene.of(BuyTrain)
        if option.source in scene.state.companies
    ]


def _seller(scene: Scene, found: Range) -> dict[str, Any]:
    action = found.action
    assert isinstance(action, BuyTrain)
    owner = scene.state.companies[action.source].owner
    asks = bool(asked(scene, action))
    buyer, seller = (scene.state.companies[c] for c in (scene.step.company, action.source))
    key = "trains.offer" if asks else "trains.buy-own"
    return {
        "seller": action.source,
        "owner": owner,
        "train": action.train,
        "asks": asks,
        "warning": " ".join(_warning(scene, action.train)),
        "amount": scene.amount(
            found,
            key,
            now=usual_price(scene.state, found),
            balances=(
                Balance(buyer.symbol, buyer.cash, -1),
                Balance(seller.symbol, seller.cash, 1),
            ),
            train=action.train,
            seller=action.source,
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


def _issues(scene: Scene) -> list[Choice]:
    """Return a button for each share that the company can issue to pay for a train."""
    company = scene.step.company
    each = scene.words.money(price(scene.state, company))
    return [
        scene.choice(
            option,
            "trains.issue",
            look="sell",
            company=company,
            sum=each,
            effect=effect(scene, option, company),
        )
        for option in scene.of(IssueShares)
    ]


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
        main=(scene.choice(Pass(), "trains.no-combine"),),
        model={"choices": combinations(scene)},
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
