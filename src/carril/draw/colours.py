"""Colours and the style sheet. Each colour is a CSS variable with its value as the default.

A page changes the theme by setting ``--carril-...`` variables, or ``data-theme="dark"`` on the
picture or anything around it; without that the reader's own preference decides.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Light and, where it differs, dark.
VARIABLES: dict[str, tuple[str, str]] = {
    "paper": ("#fbf8f0", "#1d2125"),
    "print": ("#4a463d", "#cfcabd"),
    "faint": ("#948d7d", "#8c8778"),
    "line": ("#d8d0bd", "#3d4248"),
    "card": ("#ffffff", "#292e33"),
    "white": ("#f3ecd8", "#d9d1ba"),
    "yellow": ("#fadb5f", "#e8c94f"),
    "green": ("#8dc573", "#7fb666"),
    "brown": ("#c98f5b", "#b9824f"),
    "grey": ("#c3c2bf", "#adaca9"),
    "red": ("#e58a78", "#d67a68"),
    "blue": ("#a5d0e8", "#7fb2cf"),
    "orange": ("#f0b676", "#dca262"),
    "darkgreen": ("#5d9a63", "#4c8653"),
    "cane": ("#2c6e2f", "#2c6e2f"),
    "border": ("#8b8371", "#6b6454"),
    "ink": ("#1c1a17", "#1c1a17"),
    "track": ("#1c1a17", "#1c1a17"),
    "casing": ("#fffdf5", "#fffdf5"),
    "disc": ("#fffefa", "#fffefa"),
    "rock": ("#8a6242", "#8a6242"),
    "water": ("#3e7ea8", "#3e7ea8"),
    "flag": ("#1f5f8b", "#1f5f8b"),
    "mark": ("#77736b", "#77736b"),
    "label": ("#9c1c14", "#9c1c14"),
    "light": ("#e0218a", "#e0218a"),
}

_RULES = """
.carril{font-family:"Source Sans 3","Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif;
text-anchor:middle;font-weight:600}
.carril .paper{fill:@paper}
.carril .card{fill:@card;stroke:@line}
.carril .line{stroke:@line}
.carril .print{fill:@print}
.carril .faint{fill:@faint;font-weight:400}
.carril .start{text-anchor:start}
.carril .end{text-anchor:end}
.carril .heading{font-family:"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif;
fill:@print;text-anchor:start}
.carril .hex{stroke:@border;stroke-width:2;stroke-linejoin:round}
.carril .white{fill:@white}.carril .yellow{fill:@yellow}.carril .green{fill:@green}
.carril .brown{fill:@brown}.carril .grey{fill:@grey}.carril .red{fill:@red}
.carril .blue{fill:@blue}.carril .orange{fill:@orange}.carril .darkgreen{fill:@darkgreen}
.carril .casing,.carril .track,.carril .gap{fill:none;stroke-linejoin:round}
.carril .casing{stroke:@casing;stroke-width:18;stroke-opacity:.8}
.carril .track{stroke:@track;stroke-width:11}
.carril .gap{stroke:@casing;stroke-width:6;stroke-dasharray:9 8}
.carril .scenery{fill:none;stroke:@orange;stroke-width:96;stroke-opacity:.42;stroke-linecap:butt}
.carril .wall{stroke:@water;stroke-width:13;stroke-linecap:round}
.carril .flag{fill:@flag}
.carril .goal{fill:@disc;font-weight:700}
.carril .side{fill:@ink;font-weight:800}
.carril .gap.dual{stroke-width:3;stroke-dasharray:none}
.carril .arrow,.carril .ink{fill:@ink}
.carril .head{stroke:@casing;stroke-width:3;stroke-linejoin:round;paint-order:stroke}
.carril .rim{stroke:@ink;fill:none;stroke-linejoin:round;stroke-linecap:round}
.carril .city{stroke:@disc;fill:none;stroke-linejoin:round;stroke-linecap:round}
.carril .slot{fill:@disc;stroke:@ink;stroke-width:2.5}
.carril .town{fill:@ink;stroke:@casing;stroke-width:3}
.carril .disc{fill:@disc;stroke:@ink;stroke-width:2}
.carril .home{fill:@mark;font-weight:600}
.carril .name{fill:@ink;paint-order:stroke;stroke-width:7;stroke-linejoin:round}
.carril .on-white{stroke:@white}.carril .on-yellow{stroke:@yellow}.carril .on-green{stroke:@green}
.carril .on-brown{stroke:@brown}.carril .on-grey{stroke:@grey}.carril .on-red{stroke:@red}
.carril .on-blue{stroke:@blue}.carril .on-orange{stroke:@orange}
.carril .on-darkgreen{stroke:@darkgreen}
.carril .stalks{fill:none;stroke:@cane;stroke-linecap:round;stroke-linejoin:round}
.carril .waiting{fill:@casing;stroke:@ink;stroke-width:3;stroke-dasharray:7 6}
.carril .cube{fill:@disc;stroke:@ink;stroke-width:2.4}
.carril .label{fill:@label;font-weight:800;paint-order:stroke;stroke:@casing;stroke-opacity:.55;
stroke-width:4}
.carril .rock{fill:@rock}
.carril .water{fill:none;stroke:@water;stroke-linecap:round}
.carril .anchor{fill:none;stroke:@ink;stroke-linecap:round;stroke-linejoin:round}
.carril .mark{fill:@mark}
.carril .marked{fill:@disc}
.carril .box{stroke:@ink;stroke-width:1}
.carril .now{fill:none;stroke:@ink;stroke-width:4}
.carril .later{opacity:.62}
.carril .route{fill:none;stroke-linecap:round;stroke-linejoin:round}
.carril .lit{fill:@light;fill-opacity:.16;stroke:@light;stroke-width:6;stroke-linejoin:round}
.carril .par{fill:@yellow;fill-opacity:.55;stroke:@label;stroke-width:3}
.carril .par-word{fill:@label}
.carril .chip{fill:@yellow;stroke:@border;stroke-width:1.5}
.carril .texture{fill:none;stroke:@ink;stroke-opacity:.42;stroke-width:3;stroke-linecap:round}
.carril .over{pointer-events:none}
"""

# Rings of companies whose table names no colour.
RINGS = (
    "#c0392b",
    "#1f6fb5",
    "#2e8b57",
    "#d9822b",
    "#7d3c98",
    "#b5920b",
    "#0e8c8c",
    "#c2277f",
    "#5b4a3f",
    "#4f74c9",
    "#6a9a1f",
    "#a04d18",
    "#3b3f46",
    "#9a5fb0",
    "#a5303f",
)


def _variables(index: int) -> str:
    return ";".join(
        f"--carril-{name}:{pair[index]}" for name, pair in VARIABLES.items() if pair[0] != pair[1]
    )


def _twice(found: re.Match[str]) -> str:
    """Name a colour twice: plainly for programs that know no variables, then as a variable."""
    name, key = found.groups()
    value = VARIABLES[key][0]
    return f"{name}:{value};{name}:var(--carril-{key},{value})"


def style() -> str:
    """Return the style element that every picture carries."""
    return f"<style>{stylesheet()}</style>"


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """Return the style sheet by itself, for a page that links it once for all its pictures."""
    rules = re.sub(r"(fill|stroke):@([a-z]+)", _twice, _RULES.strip())
    dark = (
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{_variables(1)}}}}}\n"
        f"[data-theme=dark]{{{_variables(1)}}}\n[data-theme=light]{{{_variables(0)}}}"
    )
    return f"{rules}\n{dark}"


def brightness(colour: str) -> float:
    """Return how light a colour ``#rrggbb`` appears, from 0 to 1; 0.5 for any other text.

    >>> brightness("#ffffff"), brightness("#000000")
    (1.0, 0.0)
    """
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        return 0.5
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return round((299 * red + 587 * green + 114 * blue) / 255000, 3)
