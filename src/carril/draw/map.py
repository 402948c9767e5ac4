"""The map: every hex with its tile and tokens, routes over it, and a legend."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from carril.engine.answers import MapPiece
from carril.engine.board import CLOSED, Board, tile_at
from carril.engine.hexes import coordinates
from carril.engine.tables import Tables

from .colours import style
from .geometry import INNER, RADIUS, Point, centre, corners, polygon_path
from .ground import Face, Homes, Layers, changing, draw_ground, draw_layers
from .links import draw_links, draw_walls
from .map_key import MapKey
from .pieces import Piece, by_hex
from .routes import DASHES, RouteLine, draw_routes
from .svg import group, moved, num, sheet, tag, text, text_width
from .symbols import SYMBOLS, TERRAIN, define
from .textures import textures
from .tile import symbols_of
from .tokens import define_tokens, pattern

_SCALE = 0.45
_MARGIN = 30.0
_RULER = 44.0
_TITLE = 84.0
_LEGEND_ROW = 46.0


class _Shown(NamedTuple):
    """What the hexes show besides tiles and tokens."""

    phase_colour: str
    present: Collection[str]
    pieces: Mapping[str, tuple[Piece, ...]]


class _Frame(NamedTuple):
    """The size of the sheet, and the place of the hex A0 on it."""

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


@lru_cache(maxsize=16)
def _extent(kept: MapKey, regions: tuple[str, ...] = ()) -> tuple[float, float, float, float]:
    """Return how far the hexes go, or those of some regions: left, top, right, bottom."""
    tables = kept.tables
    hexes = (h for h in tables.hexes.values() if not regions or h.region in regions)
    middles = [centre(hex_def.id, tables.orientation) for hex_def in hexes]
    wide, high = (RADIUS, INNER) if tables.orientation == "flat" else (INNER, RADIUS)
    left, top = min(p.x for p in middles) - wide, min(p.y for p in middles) - high
    return left, top, max(p.x for p in middles) + wide, max(p.y for p in middles) + high


def _frame(tables: Tables, coordinates: bool, title: str, legend_rows: int) -> _Frame:
    left, top, right, low = _extent(MapKey(tables))
    margin = _MARGIN + (_RULER if coordinates else 0)
    width = right - left + 2 * margin
    head = margin + (_TITLE if title else 0)
    bottom = low - top + head + margin
    height = bottom + legend_rows * _LEGEND_ROW + (20 if legend_rows else 0)
    return _Frame(width, height, Point(margin - left, head - top), bottom)


def area_boxes(tables: Tables) -> dict[str, tuple[str, ...]]:
    """Return the areas of a map with rulers and without a title: x, y, width, height of each."""
    origin = _frame(tables, True, "", 0).origin
    boxes = {}
    for name, regions in tables.areas.items():
        left, top, right, low = _extent(MapKey(tables), regions)
        box = (left + origin.x, top + origin.y, right - left, low - top)
        boxes[name] = tuple(num(value) for value in box)
    return boxes


def _grounds(tables: Tables, board: Board, notes: Mapping[str, str] | None) -> Iterator[str]:
    """Yield the hexes themselves."""
    kept = MapKey(tables)
    for at in tables.hexes:
        note = None if notes is None else notes.get(at, "")
        yield draw_ground(kept, at, board.laid.get(at), note)


def _goals(tables: Tables, present: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the companies whose destination a hex is."""
    found: dict[str, tuple[str, ...]] = {}
    for company in tables.companies.values():
        if company.destination and company.symbol in present:
            at = company.destination
            found[at] = (*found.get(at, ()), company.symbol)
    return found


def _homes(tables: Tables, board: Board, present: Collection[str]) -> dict[str, Homes]:
    """Return the companies whose home mark still shows, with their city, by hex."""
    found: dict[str, Homes] = {}
    on_map = {c for circles in board.tokens.values() for city in circles for c in city}
    for company in tables.companies.values():
        shows = company.symbol in present and company.symbol not in on_map
        if company.home and company.home.hex not in board.laid and shows:
            at = company.home.hex
            found[at] = (*found.get(at, ()), (max(company.home.city, 0), company.symbol))
    return found


def _faces(tables: Tables, board: Board, shown: _Shown, hexes: Collection[str]) -> Iterator[Face]:
    """Yield what decides how each of these hexes is drawn."""
    homes, goals = _homes(tables, board, shown.present), _goals(tables, shown.present)
    varied = changing(MapKey(tables))
    for at in hexes:
        laid = board.laid.get(at)
        colour = shown.phase_colour if (laid[0] if laid else at) in varied else ""
        circles, home, goal_of = board.tokens.get(at, ()), homes.get(at, ()), goals.get(at, ())
        yield Face(at, laid, circles, home, goal_of, colour, shown.pieces.get(at, ()))


def _layers(tables: Tables, board: Board, shown: _Shown) -> Iterator[Layers]:
    """Yield every hex as it is drawn above the ground."""
    kept = MapKey(tables)
    return (draw_layers(kept, face) for face in _faces(tables, board, shown, tables.hexes))


def draw_hex(
    tables: Tables,
    board: Board,
    hex_id: str,
    *,
    phase_colour: str = "yellow",
    present: Collection[str] = (),
    pieces: Sequence[MapPiece] = (),
) -> str:
    """Return one hex as the map shows it, to be put on the map: a tile before it is laid."""
    kept, shown = MapKey(tables), _Shown(phase_colour, present, by_hex(pieces))
    (face,) = _faces(tables, board, shown, (hex_id,))
    return group(draw_ground(kept, hex_id, face.laid, None), *draw_layers(kept, face))


def _upper_layers(tables: Tables, board: Board, routes: str, shown: _Shown) -> Iterator[str]:
    track, stops, marks = zip(*_layers(tables, board, shown), strict=True)
    yield group(draw_walls(MapKey(tables)), *track, class_="tracks over")
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


@lru_cache(maxsize=64)
def _rulers(kept: MapKey, frame: _Frame) -> str:
    """Return the letters and numbers of the hexes along the border of the sheet."""
    tables = kept.tables
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
    return group(*parts, class_="rulers faint over", aria_hidden="true")


def _edge(tables: Tables, axis: str) -> float:
    """Return the place of the ruler above the map, relative to the hex A0."""
    assert axis == "y"
    reach = INNER if tables.orientation == "flat" else RADIUS
    highest = min(centre(hex_id, tables.orientation).y for hex_id in tables.hexes)
    return highest - reach - _RULER / 2 - 8


def _columns(tables: Tables, coordinates: bool, title: str, routes: Sequence[RouteLine]) -> int:
    """Return how many routes the legend names in a row."""
    widest = max((text_width(route.label, 26) for route in routes), default=0) + 120
    return max(1, int(_frame(tables, coordinates, title, 0).width // max(widest, 260)))


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
                stroke_dasharray=DASHES if route.dashed else None,
            )
        )
        parts.append(text(label, x + 80, y, 26, class_="print start"))
    return group(*parts, class_="legend")


def _symbols(tables: Tables, board: Board) -> set[str]:
    found = {TERRAIN[h.terrain] for h in tables.hexes.values() if h.terrain in TERRAIN}
    for hex_id in tables.hexes:
        found |= symbols_of(tile_at(tables, board, hex_id))
    return found


def _definitions(tables: Tables, board: Board, pieces: Sequence[MapPiece]) -> str:
    shape = tag(
        "path", id=f"carril-{tables.orientation}", d=polygon_path(corners(tables.orientation))
    )
    on_map = {c for circles in board.tokens.values() for city in circles for c in city}
    tokens = define_tokens(tables, on_map - {CLOSED} | {piece.company for piece in pieces})
    symbols = _symbols(tables, board) | {piece.kind for piece in pieces}
    return tag("defs", shape, define(symbols), tokens)


def definitions(tables: Tables) -> str:
    """Return all that embedded pictures of a title refer to: shapes, symbols, tokens, patterns."""
    shape = tag(
        "path", id=f"carril-{tables.orientation}", d=polygon_path(corners(tables.orientation))
    )
    owned = (company for company in tables.companies.values() if company.sole_owner)
    bands = "".join(pattern(tables, company) for company in owned)
    tokens = define_tokens(tables, tables.companies)
    return tag("defs", shape, define(SYMBOLS), tokens, bands, textures())


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
    pieces: Sequence[MapPiece] = (),
) -> str:
    """Return a picture of the map with tiles, tokens and routes.

    `phase_colour` is the newest colour of tiles: the off-board values of that time stand out.
    `embedded` leaves out the style, the definitions and the legend, which the page around it has.
    `notes`, even none, make every hex a button; a note is read after the name of its hex.
    `present` are the companies in play, whose homes and destinations are marked; all if None.
    `pieces` are what the title puts on the map besides tiles and stations.
    ValueError if a tile, a token, a route or a highlight is not on the map.
    """
    _check(tables, board, highlight)
    columns = _columns(tables, coordinates, title, routes)
    frame = _frame(tables, coordinates, title, 0 if embedded else -(-len(routes) // columns))
    companies = tables.companies if present is None else present
    shown = _Shown(phase_colour, companies, by_hex(pieces))
    body = group(
        group(draw_links(MapKey(tables)), class_="over"),
        group(*_grounds(tables, board, notes), class_="ground"),
        _highlight(tables, highlight),
        *_upper_layers(tables, board, draw_routes(tables, board, routes), shown),
        transform=moved(*frame.origin),
    )
    heading = text(title, _MARGIN + 14, _MARGIN + 40, 58, class_="heading") if title else ""
    return sheet(
        frame.width,
        frame.height,
        "" if embedded else style(),
        "" if embedded else _definitions(tables, board, pieces),
        tag("rect", class_="paper", width=frame.width, height=frame.height),
        heading,
        _rulers(MapKey(tables), frame) if coordinates else "",
        body,
        _legend(routes, columns, frame) if routes and not embedded else "",
        scale=_SCALE,
        kind="carril-map",
        label=title or "Map",
        role="img" if notes is None else "group",
    )
