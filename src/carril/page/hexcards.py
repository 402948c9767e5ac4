"""The card that opens when a hex is chosen: what is there, and what can be done.

A mechanism that uses the map registers a function with `@hex_panel("mechanism")`. In all other
steps the card offers the tiles and tokens among the options.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from carril.engine.actions import LayTile, PlaceToken
from carril.engine.board import CLOSED, tile_at, tokens_in
from carril.engine.trains import phase_def
from carril.page.panels.base import Choice, Scene
from carril.page.places import hex_name


@dataclass(frozen=True, slots=True)
class HexCard:
    """A hex: its name and stops, the tiles and choices it offers, and why others are refused."""

    id: str
    name: str
    facts: tuple[str, ...]
    stops: tuple[dict[str, Any], ...]
    tiles: tuple[dict[str, Any], ...] = ()
    choices: tuple[Choice, ...] = ()
    refused: tuple[dict[str, Any], ...] = ()


Maker = Callable[[Scene, str], HexCard]
_CARDS: dict[str, Maker] = {}


def hex_panel(*mechanisms: str) -> Callable[[Maker], Maker]:
    """Register a function that makes the hex card in steps of these mechanisms."""

    def register(make: Maker) -> Maker:
        for mechanism in mechanisms:
            _CARDS[mechanism] = make
        return make

    return register


def hex_card(
    scene: Scene,
    hex_id: str,
    *,
    tiles: list[dict[str, Any]] | None = None,
    choices: list[Choice] | None = None,
    refused: list[dict[str, Any]] | None = None,
) -> HexCard:
    """Return the card of a hex, with the additions of a mechanism."""
    return HexCard(
        id=hex_id,
        name=hex_name(scene.state, hex_id),
        facts=tuple(_facts(scene, hex_id)),
        stops=tuple(_stops(scene, hex_id)),
        tiles=tuple(tiles or ()),
        choices=tuple(choices or ()),
        refused=tuple(refused or ()),
    )


def card_for(scene: Scene, hex_id: str) -> HexCard:
    """Return the card of a hex; only the player who decides gets choices."""
    if not scene.state.agenda or not scene.mine:
        return hex_card(scene, hex_id)
    make = _CARDS.get(scene.state.step.mechanism) or _by_action(scene, hex_id)
    return make(scene, hex_id) if make else hex_card(scene, hex_id)


def _by_action(scene: Scene, hex_id: str) -> Maker | None:
    """Return the maker of a hex card in a step without one of its own, by the options there."""
    if any(lay.hex == hex_id for lay in scene.of(LayTile)):
        return _CARDS["track"]
    if any(place.hex == hex_id for place in scene.of(PlaceToken)):
        return _CARDS["station"]
    return None


def _facts(scene: Scene, hex_id: str) -> list[str]:
    tables, board, words = scene.state.tables, scene.state.board, scene.words
    hex_def = tables.hexes[hex_id]
    facts = []
    if laid := board.laid.get(hex_id):
        facts.append(words.say("hex.tile", tile=laid[0]))
    elif hex_def.cost:
        terrain = words.name("terrain", hex_def.terrain)
        facts.append(words.say("hex.cost", cost=words.money(hex_def.cost), terrain=terrain))
    if hex_def.consent_of and not laid:
        facts.append(words.say("hex.consent", minor=hex_def.consent_of))
    return facts


def _stops(scene: Scene, hex_id: str) -> list[dict[str, Any]]:
    tables, board = scene.state.tables, scene.state.board
    colour = phase_def(scene.state).colour
    found = []
    for index, stop in enumerate(tile_at(tables, board, hex_id).stops):
        present = tokens_in(board, hex_id, index)
        tokens = [symbol for symbol in present if symbol != CLOSED]
        found.append(
            {
                "kind": scene.words.name("stop", stop.kind),
                "value": stop.value(colour),
                "tokens": tokens,
                "closed": CLOSED in present,
                "free": 0 if CLOSED in present else stop.slots - len(tokens),
            }
        )
    return found
