"""Placing a token in a city within reach."""

from __future__ import annotations

from carril.engine.actions import Pass, PlaceToken
from carril.engine.board import tile_at
from carril.page.hexcards import HexCard, hex_card, hex_panel
from carril.page.panels.base import Panel, Scene, panel
from carril.page.places import hex_name


@panel("station", action=PlaceToken)
def station(scene: Scene) -> Panel:
    """Return the cities where a token may be placed, lit on the map and as a list."""
    company = scene.state.companies[scene.step.company]
    free = scene.has(Pass)
    places = [
        scene.choice(
            option,
            "station.place" if free else "station.place-city",
            hex=hex_name(scene.state, option.hex),
            number=option.city + 1,
        )
        for option in scene.of(PlaceToken)
    ]
    key = "station.sentence" if free else "station.home-sentence"
    return Panel(
        "station",
        scene.words.say(key, company=company.symbol, count=company.tokens),
        {
            "company": company.symbol,
            "places": places,
            "pass": scene.choice(Pass(), "station.pass") if free else None,
        },
        lit={option.hex: scene.words.say("station.lit") for option in scene.of(PlaceToken)},
    )


@hex_panel("station")
def cities_here(scene: Scene, hex_id: str) -> HexCard:
    """Return a button for each city of a hex, disabled where no token may be placed."""
    cities = tile_at(scene.state.tables, scene.state.board, hex_id).cities
    name = hex_name(scene.state, hex_id)
    key = "station.place" if len(cities) == 1 else "station.place-city"
    choices = [
        scene.choice(PlaceToken(hex_id, city), key, look="primary", hex=name, number=number)
        for number, city in enumerate(cities, start=1)
    ]
    return hex_card(scene, hex_id, choices=choices)
