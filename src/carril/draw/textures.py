"""Textures of tiles, for people who cannot tell their colours apart."""

from __future__ import annotations

from .svg import tag

# The lines of each colour, on a square of 24 by 24; yellow and white stay plain.
_LINES = {
    "green": "M-6 6L6 -6M-6 30L30 -6M18 30L30 18",
    "brown": "M0 6H24M0 18H24M6 0V24M18 0V24",
    "grey": "M0 6H24M0 18H24",
    "red": "M6 5V8M18 17V20",
    "blue": "M0 12Q6 6 12 12T24 12",
}


def textures() -> str:
    """Return a pattern for each colour, `carril-texture-COLOUR`, in the colour of the palette."""
    return "".join(
        tag(
            "pattern",
            tag("rect", class_=colour, width=24, height=24),
            tag("path", class_="texture", d=lines),
            id=f"carril-texture-{colour}",
            width=24,
            height=24,
            patternUnits="userSpaceOnUse",
        )
        for colour, lines in _LINES.items()
    )
