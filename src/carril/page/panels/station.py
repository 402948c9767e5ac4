"""Placing a token in a city within reach."""

from __future__ import annotations

from carril.engine.actions import Pass, PlaceToken
from carril.engine.board import tile_at
from carril.page.assets import charter_notes
from carril.page.hexcards import HexCard, hex_card, hex_panel
from carril.page.panels.base import Panel, Scene, panel
from carril.page.panels.effects import cost
from carril.page.places import hex_name, key_name


@panel("station", action=PlaceToken)
def station(scene: Scene) -> Panel:
    """Return the cities where a token may be placed, lit on the map and as a list."""
    company = scene.state.companies[scene.step.company]
    free = scene.has(Pass)
    places = [
        scene.choice(
            option,
            _key(scene, option),
            hex=hex_name(scene.state, option.hex),
            number=option.city + 1,
            **_price(scene, option),
        )
        for option in scene.of(PlaceToken)
    ]
    key = "station.sentence" if free else "station.home-sentence"
    return Panel(
        "station",
        scene.words.say(key, company=company.symbol, count=company.tokens),
        {
            "company": company.symbol,
            "notes": charter_notes(scene.state, scene.words, company) if free else [],
            "places": places,
        },
        main=(scene.choice(Pass(), "station.pass"),) if free else (),
        lit={option.hex: scene.words.say("station.lit") for option in scene.of(PlaceToken)},
    )


def _key(scene: Scene, option: PlaceToken) -> str:
    """Return the key of the label: a city has a number where the hex has several."""
    several = len(tile_at(scene.state.tables, scene.state.board, option.hex).cities) > 1
    key = "station.place-city" if several else "station.place"
    return f"{key}-passing" if option.passes else key


def _price(scene: Scene, option: PlaceToken) -> dict[str, str]:
    """Return what a token costs ("" if nothing), and the cities that are passed for a fee."""
    price = cost(scene, option, scene.step.company)
    passed = ", ".join(key_name(scene.state, one) for one in option.passes)
    return {"cost": scene.words.money(price) if price else "", "passes": passed}


@hex_panel("station")
def cities_here(scene: Scene, hex_id: str) -> HexCard:
    """Return a button for each city of a hex, disabled where no token may be placed."""
    cities = tile_at(scene.state.tables, scene.state.board, hex_id).cities
    name = hex_name(scene.state, hex_id)
    choices = []
    for number, city in enumerate(cities, start=1):
        legal = [o for o in scene.of(PlaceToken) if (o.hex, o.city) == (hex_id, city)]
        choices += [
            scene.choice(
                one,
                _key(scene, one),
                look="primary",
                hex=name,
                number=number,
                **_price(scene, one),
            )
            for one in legal or [PlaceToken(hex_id, city, by=scene.actor)]
        ]
    return hex_card(scene, hex_id, choices=choices)
