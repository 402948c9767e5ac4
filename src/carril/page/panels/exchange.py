"""The final exchange: each minor goes into a corporation, or closes."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import CloseMinor, ExchangeMinor, Pass
from carril.engine.board import tokens_of
from carril.engine.market import price
from carril.engine.state import TREASURY
from carril.page.numbers import last_run
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.places import hex_name


@panel("final-exchange")
def final_exchange(scene: Scene) -> Panel:
    """Return the player's minors with the corporations that each can join."""
    minors = [
        company
        for company in scene.state.companies.values()
        if company.owner == scene.actor and not company.shares and not company.closed
    ]
    lit = {}
    for company in minors:
        for hex_id, _ in tokens_of(scene.state.board, company.symbol):
            lit[hex_id] = scene.words.say("exchange.lit", minor=company.symbol)
    return Panel(
        "exchange",
        scene.words.say("exchange.sentence", player=scene.actor),
        {
            "minors": [_minor(scene, company.symbol) for company in minors],
        },
        main=tuple(scene.choice(one, "exchange.pass") for one in scene.of(Pass)),
        lit=lit,
    )


def _minor(scene: Scene, minor: str) -> dict[str, Any]:
    charter = scene.state.companies[minor]
    at = next(iter(tokens_of(scene.state.board, minor)), ("", 0))[0]
    return {
        "symbol": minor,
        "hex": hex_name(scene.state, at) if at else "",
        "cash": charter.cash,
        "last": last_run(scene.words, scene.last_runs, minor),
        "trains": charter.trains,
        "choices": _choices(scene, minor, at),
    }


def _choices(scene: Scene, minor: str, at: str) -> list[Choice]:
    """Return a button for each corporation, disabled where the minor cannot join; and to close."""
    found = [
        scene.choice(
            option,
            f"exchange.{option.source}",
            place=at,
            minor=minor,
            company=option.company,
            price=scene.words.money(price(scene.state, option.company)),
        )
        for option in scene.of(ExchangeMinor)
        if option.minor == minor
    ]
    offered = {one.company for one in scene.of(ExchangeMinor) if one.minor == minor}
    others = [c.symbol for c in scene.state.companies.values() if c.shares and c.started]
    found += [
        scene.choice(
            ExchangeMinor(minor, symbol, TREASURY), "exchange.into", place=at, company=symbol
        )
        for symbol in others
        if symbol not in offered
    ]
    close = CloseMinor(minor)
    found.append(scene.choice(close, "exchange.close", look="danger", place=at, minor=minor))
    return found
