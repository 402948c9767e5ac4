"""Laying track: the hexes within reach, and the ring of tiles that fit one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from carril.engine.actions import LayTile, Pass
from carril.engine.board import tile_at
from carril.engine.network import supply
from carril.engine.refusals import Refusal
from carril.engine.tile import next_colour
from carril.page.assets import private_card
from carril.page.hexcards import HexCard, hex_card, hex_panel
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.panels.lays import rotations
from carril.page.places import hex_name, key_name
from carril.page.words import Words

# Reasons that say only that a tile is of another kind; they would hide the informative ones.
_DULL = ("wrong-colour", "wrong-tile", "no-such-tile")


@panel("track")
def track(scene: Scene) -> Panel:
    """Return where a tile may be laid, and how many more."""
    step, words = scene.step, scene.words
    lit = lays_lit(scene) if scene.mine else {}
    company = scene.state.companies[step.company]
    return Panel(
        "track",
        words.say("track.sentence", company=step.company),
        {
            "company": step.company,
            "cash": company.cash,
            "left": _left(words, step.yellow, step.upgrades, step.together),
            "helpers": _helpers(scene) if scene.mine else [],
            "hexes": [
                {"id": hex_id, "name": hex_name(scene.state, hex_id), "note": note}
                for hex_id, note in lit.items()
            ],
        },
        lit=lit,
        main=(scene.choice(Pass(), "track.pass"),),
    )


def _left(words: Words, yellow: int, upgrades: int, together: int) -> str:
    """Return how many tiles may still be laid, without what is 0 or goes without saying."""
    facts = {"yellow": min(yellow, together), "upgrades": min(upgrades, together)}
    if not facts["upgrades"]:
        return words.say("track.left-yellow", **facts)
    if not facts["yellow"]:
        return words.say("track.left-upgrades", **facts)
    if together == 1:
        return words.say("track.left-either")
    key = "track.left-both" if sum(facts.values()) <= together else "track.left"
    return words.say(key, together=together, **facts)


def _helpers(scene: Scene) -> list[dict[str, Any]]:
    """Return the private companies with which a tile can be laid now."""
    names = dict.fromkeys(lay.private for lay in scene.of(LayTile) if lay.private)
    return [private_card(scene.state, scene.words, name) for name in names]


def lays_lit(scene: Scene) -> dict[str, str]:
    """Return the hexes where a tile may be laid, each with how many kinds fit."""
    tiles: dict[str, set[str]] = {}
    for lay in scene.of(LayTile):
        tiles.setdefault(lay.hex, set()).add(lay.tile)
    return {at: scene.words.say("track.lit", count=len(fit)) for at, fit in tiles.items()}


@hex_panel("track")
def tiles_here(scene: Scene, hex_id: str) -> HexCard:
    """Offer the tiles that fit a hex in each rotation, and the reasons why others do not."""
    return tiles_of(scene, hex_id, [])


def tiles_of(scene: Scene, hex_id: str, choices: list[Choice]) -> HexCard:
    """Return the card of a hex with its tiles and other choices.

    The same tile laid with the help of a private company, or past cities for a fee, is listed
    separately.
    """
    lays: dict[tuple[str, str, tuple[str, ...]], list[LayTile]] = {}
    for option in scene.of(LayTile):
        if option.hex == hex_id:
            lays.setdefault((option.tile, option.private, option.passes), []).append(option)
    left, words = supply(scene.state.tables, scene.state.board), scene.words
    tiles = [
        {
            "number": number,
            "left": left[number],
            "help": private,
            "power": words.describe(scene.answers.private_note(scene.state, private))
            if private
            else "",
            "passes": ", ".join(key_name(scene.state, one) for one in passes),
            "turns": rotations(scene, turns),
        }
        for (number, private, passes), turns in lays.items()
    ]
    legal = {number for number, *_ in lays}
    refused = [] if choices and not legal else _refused(scene, hex_id, legal)
    return hex_card(scene, hex_id, tiles=tiles, choices=choices, refused=refused)


def _refused(scene: Scene, hex_id: str, legal: set[str]) -> list[dict[str, Any]]:
    """Return the reasons why the other tiles of the next colour cannot be laid here."""
    groups: dict[tuple[str, str], list[str]] = {}
    for number, why in _reasons(scene, hex_id, legal):
        groups.setdefault((scene.words.describe(why), why.rule), []).append(number)
    return [
        {"why": sentence, "rule": rule, "tiles": tiles}
        for (sentence, rule), tiles in list(groups.items())[:6]
    ]


def _reasons(scene: Scene, hex_id: str, legal: set[str]) -> Iterator[tuple[str, Refusal]]:
    tables = scene.state.tables
    current = tile_at(tables, scene.state.board, hex_id)
    wanted = next_colour(current.colour)
    found_any = False
    for number, tile in tables.tiles.items():
        if tile.colour != wanted or number in legal:
            continue
        refusals = (scene.state.refusal(LayTile(hex_id, number, turn)) for turn in range(6))
        found = [why for why in refusals if why and why.code not in _DULL]
        if found:
            found_any = True
            yield number, min(found, key=lambda why: why.code == "drops-track")
    if not found_any and not legal:
        number = next(iter(tables.tiles))
        if why := scene.state.refusal(LayTile(hex_id, number, 0)):
            yield number, why
