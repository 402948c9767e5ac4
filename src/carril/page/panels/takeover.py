"""Taking over minors: which can be asked, at what price, and what comes with them."""

from __future__ import annotations

from carril.engine.actions import Pass, TakeOver
from carril.engine.board import tokens_of
from carril.engine.market import price
from carril.page.hexcards import HexCard, hex_card, hex_panel
from carril.page.numbers import last_run
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.panels.effects import asked
from carril.page.places import hex_name


@panel("takeover")
def takeover(scene: Scene) -> Panel:
    """Return a button for each minor in play, disabled where it cannot be taken over."""
    company = scene.step.company
    choices = _choices(scene, "")
    return Panel(
        "founding",
        scene.words.say("takeover.sentence", company=company),
        main=(scene.choice(Pass(), "takeover.pass"),),
        model={"company": company, "choices": choices},
        lit={
            _place(scene, option.minor): scene.words.say("takeover.lit", minor=option.minor)
            for option in scene.of(TakeOver)
        },
    )


def _place(scene: Scene, minor: str) -> str:
    home = scene.state.tables.companies[minor].home
    assert home is not None
    return next((at for at, _ in tokens_of(scene.state.board, minor)), home.hex)


def _choices(scene: Scene, hex_id: str) -> list[Choice]:
    found = []
    for minor in scene.state.companies.values():
        if minor.closed or not scene.state.tables.companies[minor.symbol].sole_owner:
            continue
        at = _place(scene, minor.symbol)
        if hex_id not in ("", at):
            continue
        words, symbol = scene.words, minor.symbol
        facts = {
            "minor": symbol,
            "hex": hex_name(scene.state, at),
            "price": words.money(price(scene.state, symbol)),
            "last": last_run(words, scene.last_runs, symbol) or words.say("run-paid.never"),
            "cash": words.money(minor.cash),
            "trains": " ".join(minor.trains) or scene.words.say("trains.none"),
            "owner": minor.owner or words.say("card.nobody"),
        }
        key = "takeover.ask" if asked(scene, TakeOver(symbol)) else "takeover.take"
        found.append(scene.choice(TakeOver(symbol), key, place=at, **facts))
    return found


@hex_panel("takeover")
def minors_here(scene: Scene, hex_id: str) -> HexCard:
    """Offer the minor whose token is on a hex."""
    return hex_card(scene, hex_id, choices=_choices(scene, hex_id))
