"""Pictures of a game as SVG: pure functions from a position to a string."""

from __future__ import annotations

from .charter import draw_charter
from .colours import stylesheet
from .map import area_boxes, definitions, draw_hex, draw_map
from .market import draw_market
from .picture import Picture
from .routes import RouteLine
from .tile import draw_tile

__all__ = [
    "Picture",
    "RouteLine",
    "area_boxes",
    "definitions",
    "draw_charter",
    "draw_hex",
    "draw_map",
    "draw_market",
    "draw_tile",
    "stylesheet",
]
