"""The board: tiles and tokens on the map. They move only through this module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from carril.engine.cache import Cache
from carril.engine.events import TileLaid, TokenPlaced, TokenRemoved, TokensAllotted
from carril.engine.tile import Tile, city_map, turned

if TYPE_CHECKING:
    from carril.engine.move import Move
    from carril.engine.tables import Tables

# For each stop of a tile the companies with a token in it, in the order of their circles.
Circles = tuple[tuple[str, ...], ...]

# Fills every circle of a place that nobody may enter until it is opened, as a token would, so that
# code that looks for free circles or blocked cities needs no case for closed places.
CLOSED = "closed"


class Board(Struct, frozen=True):
    """The laid tiles (number and rotation) and the tokens, by hex."""

    laid: Mapping[str, tuple[str, int]] = {}
    tokens: Mapping[str, Circles] = {}


# The same change of the same board gives the same object: what has been derived from a board when a
# lay was tried is known when it is made.
_laid: Cache[tuple[Board, tuple[str, ...]]] = Cache(2048)
_placed: Cache[Board] = Cache(1024)


def tile_at(tables: Tables, board: Board, hex_id: str) -> Tile:
    """Return the tile on a hex in its rotation, or what the map prints there."""
    laid = board.laid.get(hex_id)
    if laid is None:
        return tables.hexes[hex_id].print
    return turned(tables.tiles[laid[0]], laid[1])


def tokens_in(board: Board, hex_id: str, city: int) -> tuple[str, ...]:
    """Return the companies with a token in a city."""
    circles = board.tokens.get(hex_id)
    return circles[city] if circles and city < len(circles) else ()


def circles_taken(tables: Tables, present: tuple[str, ...]) -> int:
    """Return how many circles these tokens take; some pairs of companies share one."""
    if len(present) < 2:
        return len(present)
    pairs = tables.figures.one_circle
    return len(present) - sum(all(symbol in present for symbol in pair) for pair in pairs)


def open_circles(tables: Tables, board: Board, hex_id: str, city: int) -> int:
    """Return how many circles of a city are free."""
    slots = tile_at(tables, board, hex_id).stops[city].slots
    return slots - circles_taken(tables, tokens_in(board, hex_id, city))


def with_closed(tables: Tables, board: Board, hexes: Iterable[str]) -> Board:
    """Return a board on which every stop of these hexes is closed."""
    tokens = dict(board.tokens)
    for hex_id in hexes:
        stops = tile_at(tables, board, hex_id).stops
        tokens[hex_id] = tuple((CLOSED,) * stop.slots for stop in stops)
    return replace(board, tokens=tokens)


def tokens_of(board: Board, company: str) -> Iterator[tuple[str, int]]:
    """Yield hex and city of each token of a company on the map."""
    for hex_id, circles in board.tokens.items():
        for city, companies in enumerate(circles):
            for _ in range(companies.count(company)):
                yield hex_id, city


def has_token_in(board: Board, company: str, hex_id: str, city: int | None = None) -> bool:
    """Return whether a company has a token in a city, or anywhere in a hex if no city is given."""
    if city is not None:
        return company in tokens_in(board, hex_id, city)
    return any(company in companies for companies in board.tokens.get(hex_id, ()))


def lay_tile(move: Move, company: str, hex_id: str, number: str, turn: int, cost: int) -> None:
    """Put a tile on a hex; the old one returns to the supply, and tokens stay in their city.

    Where cities are joined, a company keeps one token in each; the rest return to its charter.
    """
    state = move.state
    tables, board = state.tables, state.board
    make = partial(_with_tile, tables, board, hex_id, number, turn)
    after, spare = _laid.get((id(tables), hex_id, number, turn), make, owner=board)
    move.set(board=after)
    move.tell(TileLaid(company, hex_id, number, turn, cost))
    for owner in spare:
        _give_back(move, owner, hex_id)
    replaced = board.laid.get(hex_id, ("", 0))[0]
    state.title.track.after_lay(move, hex_id, replaced)


def _with_tile(
    tables: Tables, board: Board, hex_id: str, number: str, turn: int
) -> tuple[Board, tuple[str, ...]]:
    """Return a board with a tile, and the owners of tokens that it has no room for."""
    old, new = tile_at(tables, board, hex_id), turned(tables.tiles[number], turn)
    tokens, spare = dict(board.tokens), list[str]()
    if circles := tokens.get(hex_id):
        tokens[hex_id], spare = _moved_tokens(circles, old, new)
    return Board({**board.laid, hex_id: (number, turn)}, tokens), tuple(spare)


def _moved_tokens(circles: Circles, old: Tile, new: Tile) -> tuple[Circles, list[str]]:
    target = city_map(old, new)
    assert target is not None, "a tile that does not keep the track was let through"
    cities: list[list[str]] = [[] for _ in new.stops]
    spare = []
    for city, companies in enumerate(circles):
        for owner in companies:
            assert target[city] >= 0, "a city with tokens cannot vanish"
            if owner in cities[target[city]]:
                spare.append(owner)
            else:
                cities[target[city]].append(owner)
    return tuple(tuple(companies) for companies in cities), spare


def _give_back(move: Move, owner: str, hex_id: str) -> None:
    company = move.state.companies[owner]
    move.set_company(replace(company, tokens=company.tokens + 1))
    move.tell(TokenRemoved(owner, hex_id))


def place_token(
    move: Move,
    company: str,
    hex_id: str,
    city: int,
    *,
    beside: bool = False,
    circle: int | None = None,
) -> None:
    """Put a spare token of a company into a city: in a free circle, or next to full ones.

    It comes after the tokens in the city, or into `circle` and before those from there on.
    """
    charter = move.state.companies[company]
    tables, board = move.state.tables, move.state.board
    assert charter.tokens > 0, f"{company} has no token left"
    free = open_circles(tables, board, hex_id, city) > 0
    assert free or beside, f"no free circle in {hex_id}.{city}"
    make = partial(_with_token, tables, board, company, hex_id, city, circle)
    key = (id(tables), company, hex_id, city, circle)
    move.set(board=_placed.get(key, make, owner=board))
    move.set_company(replace(charter, tokens=charter.tokens - 1))
    move.tell(TokenPlaced(company, hex_id, city))


def _with_token(
    tables: Tables, board: Board, company: str, hex_id: str, city: int, circle: int | None
) -> Board:
    stops = len(tile_at(tables, board, hex_id).stops)
    circles = list(board.tokens.get(hex_id, ((),) * stops))
    place = len(circles[city]) if circle is None else circle
    circles[city] = (*circles[city][:place], company, *circles[city][place:])
    return replace(board, tokens={**board.tokens, hex_id: tuple(circles)})


def remove_token(move: Move, company: str, hex_id: str, city: int) -> None:
    """Take a token off the map, back to its charter."""
    board = move.state.board
    circles = list(board.tokens[hex_id])
    companies = list(circles[city])
    companies.remove(company)
    circles[city] = tuple(companies)
    tokens = {**board.tokens, hex_id: tuple(circles)}
    if not any(tokens[hex_id]):
        del tokens[hex_id]
    move.set(board=replace(board, tokens=tokens))
    _give_back(move, company, hex_id)


def open_place(move: Move, hex_id: str) -> None:
    """Open a closed place: tokens may be placed in it, and trains may enter."""
    board = move.state.board
    assert all(CLOSED in present for present in board.tokens[hex_id]), f"{hex_id} is not closed"
    tokens = {at: circles for at, circles in board.tokens.items() if at != hex_id}
    move.set(board=replace(board, tokens=tokens))


def allot_tokens(move: Move, company: str, usable: int, locked: int = 0) -> None:
    """Set the tokens on a charter, some of them locked, when a company starts or leaves play."""
    move.change_company(company, tokens=usable, locked=locked)
    move.tell(TokensAllotted(company, usable, locked))


def unlock_tokens(move: Move, company: str, count: int) -> None:
    """Make up to `count` locked tokens of a company usable."""
    charter = move.state.companies[company]
    freed = min(count, charter.locked)
    allot_tokens(move, company, charter.tokens + freed, charter.locked - freed)
