"""The ways to lay a tile on a hex: its rotations, with what each costs, connects and looks like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from carril.draw import draw_hex, draw_tile
from carril.engine.actions import Accept, LayTile, PlaceToken
from carril.engine.answers import MapPiece, Note
from carril.engine.board import Board, tokens_of
from carril.engine.network import reach
from carril.engine.state import State
from carril.engine.steps.home import PlaceHome
from carril.engine.tile import STOP, Tile, turned
from carril.engine.trains import phase_def
from carril.page.panels.base import Scene, encode
from carril.page.panels.effects import who_is_asked
from carril.page.places import hex_name, stop_name


def rotations(scene: Scene, lays: Sequence[LayTile]) -> list[dict[str, Any]]:
    """Return the rotations of a tile as models; of those that look the same only the first."""
    found: dict[object, dict[str, Any]] = {}
    numbered = any(_awaited(scene.state, hex_id) for hex_id in {lay.hex for lay in lays})
    for lay in sorted(lays, key=lambda lay: lay.turn):
        after, asks = _laid(scene, lay)
        tile = turned(scene.state.tables.tiles[lay.tile], lay.turn)
        tokens = after.board.tokens.get(lay.hex, ()) if after else ()
        look = _look(tile, tokens, numbered)
        if look not in found:
            found[look] = _rotation(scene, lay, after, asks)
    return list(found.values())


def _awaited(state: State, hex_id: str) -> bool:
    """Return whether a company may still begin in a city of the hex that its number names."""
    return any(
        company.home
        and company.home.hex == hex_id
        and company.home.city >= 0
        and not any(tokens_of(state.board, company.symbol))
        for company in state.tables.companies.values()
    )


def _look(tile: Tile, tokens: Sequence[tuple[str, ...]], numbered: bool) -> object:
    """Return what distinguishes a rotated tile: track, and exits and tokens of its stops.

    The order of the stops counts only if they are `numbered`.
    """
    plain = sorted(
        (min(p.a, p.b), max(p.a, p.b), p.gauge) for p in tile.paths if max(p.a, p.b) < STOP
    )
    stops = []
    for index, stop in enumerate(tile.stops):
        ends = sorted((min(p.a, p.b), p.gauge) for p in tile.paths if STOP + index in (p.a, p.b))
        present = tokens[index] if index < len(tokens) else ()
        stops.append((stop.kind, stop.revenue, stop.slots, present, tuple(ends)))
    return tuple(plain), tuple(stops if numbered else sorted(stops))


def _rotation(scene: Scene, lay: LayTile, after: State | None, asks: str) -> dict[str, Any]:
    state, tables = scene.state, scene.state.tables
    company = state.step.subject
    tile = tables.tiles[lay.tile]
    return {
        "turn": lay.turn,
        "action": encode(lay),
        "cost": state.companies[company].cash - after.companies[company].cash if after else 0,
        "asks": asks,
        "connects": _connects(scene, after, company) if after else "",
        "svg": draw_tile(
            tile, turn=lay.turn, orientation=tables.orientation, size=84, embedded=True
        ),
        "preview": _preview(state, after, lay),
    }


def _laid(scene: Scene, lay: LayTile) -> tuple[State | None, str]:
    """Return the position with the tile laid, and the player whose consent it needs."""
    outcome = scene.after(lay)
    if outcome is None:
        return None, ""
    after = outcome.state
    asks = who_is_asked(scene.state, after)
    return (after.apply(Accept()).state if asks else after), asks


def _preview(before: State, after: State | None, lay: LayTile) -> str:
    """Return the hex with the tile on it as the map would show it."""
    if after is None:
        return ""
    waiting = tuple(
        MapPiece(lay.hex, "token", symbol, Note("token-waits"))
        for symbol in _tokens(before.board, lay.hex)
        if symbol not in _tokens(after.board, lay.hex)
    )
    pieces = tuple(p for p in after.title.answers.map_pieces(after) if p.hex == lay.hex)
    return draw_hex(
        after.tables,
        after.board,
        lay.hex,
        phase_colour=phase_def(after).colour,
        present=frozenset(c.symbol for c in after.companies.values() if not c.closed),
        pieces=(*pieces, *waiting),
    )


def _tokens(board: Board, hex_id: str) -> tuple[str, ...]:
    return tuple(symbol for city in board.tokens.get(hex_id, ()) for symbol in city)


def _connects(scene: Scene, after: State, company: str) -> str:
    """Return what comes within reach; by city where the company's token still has to choose one."""
    before = scene.state
    lists = {
        scene.words.say("hex.by-city", number=city + 1): _news(before, state, company)
        for city, state in _with_home(after, company)
    }
    if len(lists) == 1:
        return ", ".join(*lists.values())
    return "; ".join(f"{city}: {', '.join(names)}" for city, names in lists.items() if names)


def _news(before: State, after: State, company: str) -> list[str]:
    """Return the names of the stops that come within reach, and of the hexes to build on next."""
    tables = before.tables
    old, new = (reach(tables, state.board, company) for state in (before, after))
    stops = new.stops - old.stops - set(tokens_of(after.board, company))
    ahead = set(new.entries) - set(old.entries) - {hex_id for hex_id, _ in new.stops}
    names = [stop_name(after, hex_id, stop) for hex_id, stop in sorted(stops)]
    return [*dict.fromkeys(names), *(f"→ {hex_name(after, hex_id)}" for hex_id in sorted(ahead))]


def _with_home(state: State, company: str) -> Iterator[tuple[int, State]]:
    """Yield each city for a token of the company that waits for one, and the position with it."""
    if not state.agenda or not isinstance(state.step, PlaceHome):
        yield 0, state
        return
    for option in state.options():
        if isinstance(option, PlaceToken):
            for city, after in _with_home(state.apply(option).state, company):
                yield (option.city if state.step.company == company else city), after
