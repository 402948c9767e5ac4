"""A picture that notebooks show and that can be kept in a file."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from carril.engine.answers import MapPiece
from carril.engine.board import Board
from carril.engine.tables import Tables
from carril.engine.tile import Tile

from .charter import ENGLISH, draw_charter
from .map import draw_map
from .market import Rows, draw_market
from .routes import RouteLine
from .tile import draw_tile

if TYPE_CHECKING:
    from carril.engine.state import Marker, State


class Picture:
    """An SVG picture: shown by notebooks, saved by `save`, read as text by `str`.

    >>> Picture("<svg/>")._repr_svg_()
    '<svg/>'
    """

    __slots__ = ("svg",)

    def __init__(self, svg: str) -> None:
        """Wrap the text of a picture."""
        self.svg = svg

    def __str__(self) -> str:
        """Return the text of the picture."""
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> Path:
        """Write the picture to a file and return its path."""
        target = Path(path)
        target.write_text(self.svg, encoding="utf-8")
        return target

    @classmethod
    def of_map(
        cls,
        tables: Tables,
        board: Board,
        *,
        phase_colour: str = "yellow",
        routes: Sequence[RouteLine] = (),
        highlight: Collection[str] = (),
        coordinates: bool = True,
        title: str = "",
        pieces: Sequence[MapPiece] = (),
    ) -> Picture:
        """Return the map as a picture; see `draw_map`."""
        return cls(
            draw_map(
                tables,
                board,
                phase_colour=phase_colour,
                routes=routes,
                highlight=highlight,
                coordinates=coordinates,
                title=title,
                pieces=pieces,
            )
        )

    @classmethod
    def of_tile(cls, tile: Tile, *, turn: int = 0, orientation: str = "flat") -> Picture:
        """Return a tile as a picture; see `draw_tile`."""
        return cls(draw_tile(tile, turn=turn, orientation=orientation))

    @classmethod
    def of_market(
        cls, tables: Tables, markers: Sequence[Marker], *, rows: Rows | None = None
    ) -> Picture:
        """Return the market as a picture; see `draw_market`."""
        return cls(draw_market(tables, markers, rows=rows))

    @classmethod
    def of_charter(
        cls,
        state: State,
        symbol: str,
        *,
        rows: Rows | None = None,
        words: Mapping[str, str] = ENGLISH,
        language: str = "en",
    ) -> Picture:
        """Return a charter as a picture; see `draw_charter`."""
        return cls(draw_charter(state, symbol, rows=rows, words=words, language=language))
