"""The share market: a grid of prices with the markers of the companies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, sqrt
from typing import TYPE_CHECKING

from carril.engine.tables import Tables

from .colours import style
from .map_key import MapKey
from .svg import group, moved, sheet, tag, text, title
from .tokens import TOKEN, define_tokens, draw_token

if TYPE_CHECKING:
    from carril.engine.state import Marker

Rows = Sequence[Sequence[int]]

_CELL = 92.0
_HIGH = 104.0
_MARGIN = 24.0


def _shift(tables: Tables, row: int) -> float:
    """Return how far a row is moved to the right: half a space in each second row of a zigzag."""
    return _CELL / 2 if tables.market.get("shape") == "zigzag" and row % 2 else 0.0


def _folded(tables: Tables) -> bool:
    """Whether the market is one line of prices that is printed as two rows."""
    return tables.market.get("shape") == "zigzag" and len(tables.rows) == 1


def _corner(tables: Tables, row: int, column: int) -> tuple[float, float]:
    """Return the place of a space; in a zigzag every second price is in the upper row."""
    if _folded(tables):
        upper = column % 2
        return _MARGIN + _CELL * column / 2, _MARGIN + (0 if upper else _HIGH)
    return _MARGIN + _CELL * column + _shift(tables, row), _MARGIN + _HIGH * row


def _space(tables: Tables, row: int, column: int, price: int, par: bool) -> str:
    x, y = _corner(tables, row, column)
    place = f"space {column + 1}" if _folded(tables) else f"row {row + 1}, column {column + 1}"
    words = f"{price}, {place}" + (", par" if par else "")
    return group(
        title(words),
        tag("rect", class_="card", width=_CELL, height=_HIGH, stroke_width=2),
        tag("rect", class_="par", x=3, y=3, width=_CELL - 6, height=_HIGH - 6, rx=6) if par else "",
        text(str(price), 10, 18, 22, class_="price print start"),
        text("par", _CELL - 11, 18, 17, class_="end par-word") if par else "",
        transform=moved(x, y),
        data_space=f"{row}.{column}",
        data_par=str(price) if par else None,
    )


@lru_cache(maxsize=64)
def _spaces(kept: MapKey, prices: tuple[tuple[int, ...], ...]) -> str:
    """Return all spaces; only the markers on them change from one position to the next."""
    tables = kept.tables
    pars = {(par.row, par.column) for par in tables.pars}
    spaces = (
        _space(tables, row, column, price, (row, column) in pars)
        for row, line in enumerate(prices)
        for column, price in enumerate(line)
    )
    return group(*spaces, class_="spaces")


def _check(rows: Rows, markers: Sequence[Marker]) -> None:
    for marker in markers:
        inside = 0 <= marker.row < len(rows) and 0 <= marker.column < len(rows[marker.row])
        if not inside:
            raise ValueError(
                f"{marker.company} stands in row {marker.row}, column {marker.column}, "
                "but the market has no such space"
            )


def _in_space(tables: Tables, companies: Sequence[str], row: int, column: int) -> list[str]:
    """Return the markers of one space, smaller the more there are, so that each can be read."""
    wide = ceil(sqrt(len(companies)))
    high = ceil(len(companies) / wide)
    step = min(2 * TOKEN + 6, (_CELL - 6) / wide, (_HIGH - 40) / high)
    x, y = _corner(tables, row, column)
    parts = []
    for index, company in enumerate(companies):
        left = x + _CELL / 2 + step * (index % wide - (wide - 1) / 2)
        top = y + 32 + (_HIGH - 38) / 2 + step * (index // wide - (high - 1) / 2)
        shape = f"{moved(left, top)}scale({step / (2 * TOKEN + 4):.2f})"
        token = draw_token(tables, company, 0, 0, f"{row}.{column}")
        parts.append(tag("g", token, transform=shape))
    return parts


def _markers(tables: Tables, markers: Sequence[Marker]) -> list[str]:
    """Return the markers; those of one space in reading order from the top of the stack down."""
    spaces: dict[tuple[int, int], list[str]] = {}
    for marker in markers:
        spaces.setdefault((marker.row, marker.column), []).append(marker.company)
    parts = []
    for (row, column), companies in spaces.items():
        parts += _in_space(tables, companies, row, column)
    return parts


def draw_market(
    tables: Tables,
    markers: Sequence[Marker],
    *,
    rows: Rows | None = None,
    embedded: bool = False,
) -> str:
    """Return a picture of the market; `rows` takes the place of the prices of the tables.

    `embedded` leaves out the style and the definitions, which the page around it has once.

    Several markers in one space are read like text: the first is the top of the stack.
    ValueError if a marker is off the grid or of no company.
    """
    prices = tuple(map(tuple, tables.rows if rows is None else rows))
    _check(prices, markers)
    ends = (_corner(tables, row, len(line))[0] for row, line in enumerate(prices))
    high = 2 if _folded(tables) else len(prices)
    width, height = max(ends, default=0) + _MARGIN, _HIGH * high + 2 * _MARGIN
    if _folded(tables):
        width += _CELL / 2
    return sheet(
        width,
        height,
        "" if embedded else style(),
        "" if embedded else tag("defs", define_tokens(tables, (m.company for m in markers))),
        tag("rect", class_="paper", width=width, height=height),
        _spaces(MapKey(tables), prices),
        group(*_markers(tables, markers), class_="markers"),
        scale=0.6,
        kind="carril-market",
        label="Share market",
    )
