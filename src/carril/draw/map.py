"""The map: every hex with what lies on it, routes over it, and a legend."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from carril.engine.board import Board, tile_at, tokens_in
from carril.engine.hexes import coordinates
from carril.engine.network import CLOSED
from carril.engine.tables import HexDef, Tables
from carril.engine.tile import Tile

from .colours import style
from .geometry import INNER, RADIUS, Point, centre, corners, polygon_path
from .links import draw_links, draw_walls
from .marks import Ground, draw_marks, upgrades_due
from .routes import RouteLine, draw_routes
from .stops import draw_stops, slot_points
from .svg import group, moved, num, sheet, tag, text, text_width, title
from .symbols import SYMBOLS, TERRAIN, define
from .tile import symbols_of, tile_words
from .tokens import define_tokens, draw_closed, draw_token, pattern
from .track import draw_track, places

_SCALE = 0.45
_MARGIN = 30.0
_RULER = 44.0
_TITLE = 84.0
_LEGEND_ROW = 46.0


class _Frame(NamedTuple):
    """The size of the sheet, and where the hex A0 lies on it."""

    width: float
    height: float
    origin: Point
    map_bottom: float


def _check(tables: Tables, board: Board, highlight: Collection[str]) -> None:
    for what, hexes in (("tile", board.laid), ("token", board.tokens), ("highlight", highlight)):
        for hex_id in hexes:
            if hex_id not in tables.hexes:
                raise ValueError(f"{what} on {hex_id!r}, but the map has no such hex")
    for hex_id, (number, _) in board.laid.items():
        if number not in tables.tiles:
            raise ValueError(f"tile {number!r} on {hex_id}, but the tables have no such tile")


def _frame(tables: Tables, coordinates: bool, title: str, legend_rows: int) -> _Frame:
    middles = [centre(hex_id, tables.orientation) for hex_id in tables.hexes]
    wide, high = (RADIUS, INNER) if tables.orientation == "flat" else (INNER, RADIUS)
    margin = _MARGIN + (_RULER if coordinates else 0)
    left, top = min(p.x for p in middles) - wide, min(p.y for p in middles) - high
    width = max(p.x for p in middles) + wide - left + 2 * margin
    head = margin + (_TITLE if title else 0)
    bottom = max(p.y for p in middles) + high - top + head + margin
    height = bottom + legend_rows * _LEGEND_ROW + (20 if legend_rows else 0)
    return _Frame(width, height, Point(margin - left, head - top), bottom)


def _ground(hex_def: HexDef, tile: Tile, laid: bool, goal_of: tuple[str, ...]) -> Ground:
    return Ground(
        name=hex_def.name,
        terrain=hex_def.terrain,
        cost=0 if laid else hex_def.cost,
        upgrade_cost=upgrades_due(tile, hex_def.upgrade_cost),
        consent_of="" if laid else hex_def.consent_of,
        goal_of=goal_of,
    )


def _hex_words(hex_def: HexDef, board: Board, tile: Tile) -> str:
    words = f"{hex_def.id} {hex_def.name}".strip()
    if laid := board.laid.get(hex_def.id):
        return f"{words}: {tile_words(tile, laid[1])}"
    return words


def _ground_layer(tables: Tables, board: Board, notes: Mapping[str, str] | None) -> Iterator[str]:
    """Yield the hexes themselves: what a hand points at, and a key goes to where notes are."""
    for hex_def in tables.hexes.values():
        tile = tile_at(tables, board, hex_def.id)
        x, y = centre(hex_def.id, tables.orientation)
        laid = board.laid.get(hex_def.id)
        words = _hex_words(hex_def, board, tile)
        if notes and hex_def.id in notes:
            words = f"{words} – {notes[hex_def.id]}"  # noqa: RUF001
        yield tag(
            "g",
            title(words),
            tag("use", href=f"#carril-{tables.orientation}", x=x, y=y),
            class_=f"hex {tile.colour}",
            data_hex=hex_def.id,
            data_tile=laid[0] if laid else None,
            data_turn=num(laid[1]) if laid else None,
            role=None if notes is None else "button",
            tabindex=None if notes is None else "-1",
        )


def _at(tables: Tables, hex_id: str, *parts: str) -> str:
    return group(*parts, transform=moved(*centre(hex_id, tables.orientation)))


def _goals(tables: Tables, present: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the companies whose destination a hex is."""
    found: dict[str, tuple[str, ...]] = {}
    for company in tables.companies.values():
        if company.destination and company.symbol in present:
            at = company.destination
            found[at] = (*found.get(at, ()), company.symbol)
    return found


def _homes(
    tables: Tables, board: Board, present: Collection[str]
) -> dict[tuple[str, int], list[str]]:
    """Return the companies whose home mark still shows, by hex and city."""
    found: dict[tuple[str, int], list[str]] = {}
    on_map = {c for circles in board.tokens.values() for city in circles for c in city}
    for company in tables.companies.values():
        shows = company.symbol in present and company.symbol not in on_map
        if company.home and company.home.hex not in board.laid and shows:
            city = max(company.home.city, 0)
            found.setdefault((company.home.hex, city), []).append(company.symbol)
    return found


def _in_circles(
    tables: Tables, board: Board, hex_id: str, homes: dict[tuple[str, int], list[str]]
) -> Iterator[str]:
    """Yield tokens and home marks in the circles of a hex."""
    tile = tile_at(tables, board, hex_id)
    for index, (stop, place) in enumerate(
        zip(tile.stops, places(tile, tables.orientation), strict=True)
    ):
        spots = slot_points(stop, place)
        tokens = tokens_in(board, hex_id, index)
        for slot, symbol in enumerate(tokens):
            extra = max(slot - len(spots) + 1, 0)
            x, y = spots[min(slot, len(spots) - 1)]
            where = f"{hex_id}.{index}"
            if symbol == CLOSED:
                yield draw_closed(x, y)
            else:
                yield draw_token(tables, symbol, x + 10 * extra, y + 10 * extra, where)
        for symbol, spot in zip(homes.get((hex_id, index), ()), spots[len(tokens) :], strict=False):
            size = min(25, 40 / text_width(symbol, 1))
            yield text(symbol, spot.x, spot.y, size, class_="home", data_home=symbol)


def _upper_layers(
    tables: Tables, board: Board, routes: str, phase_colour: str, present: Collection[str]
) -> Iterator[str]:
    homes, goals = _homes(tables, board, present), _goals(tables, present)
    track, stops, marks = [], [], []
    for hex_def in tables.hexes.values():
        at, tile = hex_def.id, tile_at(tables, board, hex_def.id)
        ground = _ground(hex_def, tile, at in board.laid, goals.get(at, ()))
        circles = _in_circles(tables, board, at, homes)
        drawn_stops = draw_stops(tile, tables.orientation, at, hex_def.name)
        track.append(_at(tables, at, draw_track(tile, tables.orientation)))
        stops.append(_at(tables, at, drawn_stops, *circles))
        marks.append(
            _at(tables, at, draw_marks(tile, tables.orientation, ground, at, phase_colour))
        )
    yield group(draw_walls(tables), *track, class_="tracks over")
    yield group(routes, class_="over")
    yield group(*stops, class_="stops")
    yield group(*marks, class_="marks over")


def _highlight(tables: Tables, highlight: Collection[str]) -> str:
    d = polygon_path(corners(tables.orientation, RADIUS - 5))
    return group(
        *(
            tag(
                "path",
                class_="lit",
                d=d,
                transform=moved(*centre(hex_id, tables.orientation)),
                data_highlight=hex_id,
            )
            for hex_id in dict.fromkeys(highlight)
        ),
        class_="over",
    )


def _rulers(tables: Tables, frame: _Frame) -> str:
    """Return the letters and numbers of the hexes along the border of the sheet."""
    letters, numbers = set(), set()
    for hex_id in tables.hexes:
        letter, number = coordinates(hex_id)
        letters.add((letter, hex_id[0]))
        numbers.add(number)
    flat = tables.orientation == "flat"
    across = [(1.5 * RADIUS * i, c) for i, c in sorted(letters)]
    down = [(INNER * n, str(n)) for n in sorted(numbers)]
    if not flat:
        across, down = down, across
    top, bottom = frame.origin.y + _edge(tables, "y"), frame.map_bottom - _MARGIN - _RULER / 2
    sides = (_MARGIN + _RULER / 2 - 8, frame.width - _MARGIN - _RULER / 2 + 8)
    parts = [text(c, frame.origin.x + x, y, 24) for x, c in across for y in (top, bottom + 8)]
    parts += [text(c, x, frame.origin.y + y, 24) for y, c in down for x in sides]
    return group(*parts, class_="faint over", aria_hidden="true")


def _edge(tables: Tables, axis: str) -> float:
    """Return where the ruler above the map lies, from the hex A0."""
    assert axis == "y"
    reach = INNER if tables.orientation == "flat" else RADIUS
    highest = min(centre(hex_id, tables.orientation).y for hex_id in tables.hexes)
    return highest - reach - _RULER / 2 - 8


def _legend(routes: Sequence[RouteLine], columns: int, frame: _Frame) -> str:
    step = (frame.width - 2 * _MARGIN) / columns
    parts = []
    for index, route in enumerate(routes):
        x = _MARGIN + step * (index % columns)
        y = frame.map_bottom + _LEGEND_ROW * (index // columns + 0.5)
        label = route.label or f"Route {index + 1}"
        parts.append(
            tag(
                "path",
                class_="route",
                d=f"M{num(x + 10)} {num(y)}h50",
                stroke=route.colour,
                stroke_width=14,
            )
        )
        parts.append(text(label, x + 80, y, 26, class_="print start"))
    return group(*parts, class_="legend")


def _symbols(tables: Tables, board: Board) -> set[str]:
    found = {TERRAIN[h.terrain] for h in tables.hexes.values() if h.terrain in TERRAIN}
    for hex_id in tables.hexes:
        found |= symbols_of(tile_at(tables, board, hex_id))
    return found


def _definitions(tables: Tables, board: Board) -> str:
    shape = tag(
        "path", id=f"carril-{tables.orientation}", d=polygon_path(corners(tables.orientation))
    )
    on_map = {c for circles in board.tokens.values() for city in circles for c in city}
    tokens = define_tokens(tables, on_map - {CLOSED})
    return tag("defs", shape, define(_symbols(tables, board)), tokens)


def definitions(tables: Tables) -> str:
    """Return all that embedded pictures of a title refer to: shapes, symbols, tokens, patterns."""
    shape = tag(
        "path", id=f"carril-{tables.orientation}", d=polygon_path(corners(tables.orientation))
    )
    minors = "".join(pattern(tables, company) for company in tables.of_kind("minor"))
    return tag("defs", shape, define(SYMBOLS), define_tokens(tables, tables.companies), minors)


def draw_map(
    tables: Tables,
    board: Board,
    *,
    phase_colour: str = "yellow",
    routes: Sequence[RouteLine] = (),
    highlight: Collection[str] = (),
    coordinates: bool = True,
    title: str = "",
    embedded: bool = False,
    notes: Mapping[str, str] | None = None,
    present: Collection[str] | None = None,
) -> str:
    """Return a picture of the map with tiles, tokens and routes.

    `phase_colour` is the newest colour of tiles: the off-board values of that time stand out.
    `embedded` leaves out the style and the definitions, which the page around it has once.
    `notes`, even none, make every hex a button; a note is read after the name of its hex.
    `present` are the companies in play, whose homes and destinations are marked; all if None.
    ValueError if a tile, a token, a route or a highlight is not on the map.
    """
    _check(tables, board, highlight)
    widest = max((text_width(route.label, 26) for route in routes), default=0) + 120
    columns = max(1, int(_frame(tables, coordinates, title, 0).width // max(widest, 260)))
    frame = _frame(tables, coordinates, title, -(-len(routes) // columns))
    shown = tables.companies if present is None else present
    body = group(
        group(draw_links(tables), class_="over"),
        group(*_ground_layer(tables, board, notes), class_="ground"),
        _highlight(tables, highlight),
        *_upper_layers(tables, board, draw_routes(tables, board, routes), phase_colour, shown),
        transform=moved(*frame.origin),
    )
    heading = text(title, _MARGIN + 14, _MARGIN + 40, 58, class_="heading") if title else ""
    return sheet(
        frame.width,
        frame.height,
        "" if embedded else style(),
        "" if embedded else _definitions(tables, board),
        tag("rect", class_="paper", width=frame.width, height=frame.height),
        heading,
        _rulers(tables, frame) if coordinates else "",
        body,
        _legend(routes, columns, frame) if routes else "",
        scale=_SCALE,
        kind="carril-map",
        label=title or "Map",
        role="img" if notes is None else "group",
    )
