"""Small symbols, drawn once in the definitions of a picture and used by name."""

from __future__ import annotations

from collections.abc import Iterable

from .svg import tag

# Each around its own origin, about 40 units wide.
SYMBOLS: dict[str, str] = {
    "anchor": (
        '<g class="anchor" stroke-width="3.4"><circle cy="-12" r="3.6"/>'
        '<path d="M0 -8V14M-7 -3H7M-13 4C-12 11 -6 14 0 14C6 14 12 11 13 4'
        'M-16 7l3 -3l4 2M16 7l-3 -3l-4 2"/></g>'
    ),
    "mountain": (
        '<path class="rock" d="M-24 16L-5 -18L4 -3L9 -11L25 16Z"/>'
        '<path class="marked" d="M-5 -18L-11 -7L-7 -9L-4 -6L-1 -10Z"/>'
    ),
    "rough": '<path class="rock" d="M-22 10L-12 -8L-2 10ZM1 10L11 -8L21 10Z"/>',
    "hill": '<path class="rock" d="M-22 10Q-12 -10 -2 10ZM1 10Q11 -10 21 10Z"/>',
    "river": (
        '<path class="water" stroke-width="5" d="M-22 -5q5.5 -7 11 0t11 0t11 0t11 0'
        'M-22 7q5.5 -7 11 0t11 0t11 0t11 0"/>'
    ),
    "mine": (
        '<g class="anchor" stroke-width="3.4"><path d="M-10 11L9 -8M10 11L-9 -8'
        'M-13 -3Q-11 -12 -2 -12M13 -3Q11 -12 2 -12"/></g>'
    ),
    "mill": (
        '<path class="ink" d="M-12 11V-3L-4 3V-3L4 3V-11H10V11Z"/>'
        '<path class="marked" d="M-8 5h4v3h-4zM0 5h4v3h-4z"/>'
    ),
    "cane": (
        '<g class="stalks" stroke-width="4"><path d="M-6 15V-13M4 15V-15M-6 -4Q-14 -6 -15 -13'
        'M4 -3Q12 -5 14 -13M4 6Q12 4 14 -3"/></g>'
    ),
}

# The symbol for each kind of ground in the tables.
TERRAIN = {
    "mountain": "mountain",
    "rough": "rough",
    "hill": "hill",
    "river": "river",
    "swamp": "river",
    "mine": "mine",
}


def define(names: Iterable[str]) -> str:
    """Return the definitions of these symbols, in the order of the table."""
    wanted = frozenset(names)
    return "".join(
        tag("g", body, id=f"carril-{name}", class_="carril")
        for name, body in SYMBOLS.items()
        if name in wanted
    )
