"""Building in one step: track, a station, a mountain pass, in any order."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import LayTile, OpenPass, Pass, PlaceToken, ReachDestination
from carril.engine.board import CLOSED, tile_at, tokens_in
from carril.engine.state import Company
from carril.engine.steps.station import station_cost
from carril.page.assets import charter_notes
from carril.page.hexcards import HexCard, hex_panel
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.panels.effects import cost
from carril.page.panels.track import lays_lit, tiles_of
from carril.page.places import hex_name


@panel("build")
def build(scene: Scene) -> Panel:
    """Return the hexes to build on, the stations and passes within reach, and the goals."""
    company = scene.state.companies[scene.step.company]
    if not scene.mine:  # nobody else sees where it could build, so the options are not computed
        return _panel(scene, company, {})
    lays = lays_lit(scene)
    lit = dict(lays)
    spots = [(option.hex, "station.lit") for option in scene.of(PlaceToken)]
    spots += [(option.hex, "build.pass-lit") for option in scene.of(OpenPass)]
    for hex_id, word in dict.fromkeys(spots):
        note = scene.words.say(word)
        lit[hex_id] = f"{lit[hex_id]}, {note}" if hex_id in lit else note
    return _panel(
        scene,
        company,
        {
            "hexes": [
                {"id": hex_id, "name": hex_name(scene.state, hex_id), "note": note}
                for hex_id, note in lays.items()
            ],
            "passes": _passes(scene, ""),
            "places": _places(scene, ""),
        },
        lit,
        (*_goals(scene), scene.choice(Pass(), "build.pass")),
    )


def _goals(scene: Scene) -> list[Choice]:
    """Return a button for each destination that has been reached."""
    return [
        scene.choice(one, "build.destination", look="primary") for one in scene.of(ReachDestination)
    ]


def _panel(
    scene: Scene,
    company: Company,
    offers: dict[str, Any],
    lit: dict[str, str] | None = None,
    main: tuple[Choice, ...] = (),
) -> Panel:
    """Return the panel: what everybody sees of the company, and what its president may do."""
    return Panel(
        "build",
        scene.words.say("build.sentence", company=company.symbol),
        {
            "company": company.symbol,
            "cash": company.cash,
            "tokens": company.tokens,
            "notes": charter_notes(scene.state, scene.words, company),
            **offers,
        },
        lit=lit or {},
        main=main,
    )


def _passes(scene: Scene, hex_id: str) -> list[Choice]:
    """Return a button for each way to open a pass within reach, also with a private's help."""
    return [
        scene.choice(
            option,
            "build.open-with" if option.private else "build.open",
            hex=hex_name(scene.state, option.hex),
            cost=scene.words.money(cost(scene, option, scene.step.company)),
            private=option.private,
        )
        for option in scene.of(OpenPass)
        if hex_id in ("", option.hex)
    ]


def _places(scene: Scene, hex_id: str) -> list[Choice]:
    """Return a button for each city within reach; of a chosen hex every city, with reasons."""
    options = scene.of(PlaceToken)
    if hex_id:
        tile = tile_at(scene.state.tables, scene.state.board, hex_id)
        options = [PlaceToken(hex_id, city, by=scene.actor) for city in tile.cities]
    price = station_cost(scene.state, scene.step.company)
    return [
        scene.choice(
            option,
            "build.station",
            hex=hex_name(scene.state, option.hex),
            number=option.city + 1,
            cost=scene.words.money(price),
        )
        for option in options
    ]


@hex_panel("build")
def build_here(scene: Scene, hex_id: str) -> HexCard:
    """Offer the tiles that fit a hex, its cities for a station, and its pass to be opened."""
    choices = _passes(scene, hex_id) + _places(scene, hex_id)
    if not any(isinstance(o, LayTile) and o.hex == hex_id for o in scene.options) and not choices:
        choices = _closed(scene, hex_id)
    return tiles_of(scene, hex_id, choices)


def _closed(scene: Scene, hex_id: str) -> list[Choice]:
    """Return why a closed pass cannot be opened, as a disabled button."""
    if CLOSED not in tokens_in(scene.state.board, hex_id, 0):
        return []
    price = scene.words.money(scene.state.tables.hexes[hex_id].cost)
    name = hex_name(scene.state, hex_id)
    return [scene.choice(OpenPass(hex_id), "build.open", hex=name, cost=price)]
