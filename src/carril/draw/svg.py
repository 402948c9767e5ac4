"""Elements of SVG as strings: escaping, numbers, text."""

from __future__ import annotations

from functools import lru_cache
from xml.sax.saxutils import escape

Attribute = str | float | None

_NARROW = frozenset("iIjlftr.,:;'|/!()[]- ")
_WIDE = frozenset("mwMW%@→")


def num(value: float) -> str:
    """Return a number with at most one decimal, as short as can be.

    >>> num(12.04), num(-0.01), num(3.25)
    ('12', '0', '3.2')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


@lru_cache(maxsize=1 << 14)
def _attribute(name: str, value: str | float) -> str:
    """Return an attribute; the same few thousand stand on every map, so they are kept."""
    text = value if isinstance(value, str) else num(value)
    name = name.rstrip("_").replace("_", "-")
    return f' {name}="{escape(text, {chr(34): "&quot;"})}"'


def tag(name: str, *children: str, **attributes: Attribute) -> str:
    """Return an element; children are markup, attribute values are escaped, None leaves one out.

    >>> tag("circle", r=3, class_="slot", data_stop="A10.0")
    '<circle r="3" class="slot" data-stop="A10.0"/>'
    """
    inside = "".join(children)
    head = name + "".join(_attribute(k, v) for k, v in attributes.items() if v is not None)
    return f"<{head}>{inside}</{name}>" if inside else f"<{head}/>"


def title(text: str) -> str:
    """Return the title of an element: shown on hovering, read aloud by screen readers."""
    return f"<title>{escape(text)}</title>"


def group(*children: str, **attributes: Attribute) -> str:
    """Return a group, or nothing where there is nothing to group."""
    return tag("g", *children, **attributes) if any(children) else ""


def moved(x: float, y: float, angle: float = 0) -> str | None:
    """Return the value of `transform` for a shift and then a turn; None if it does nothing."""
    parts = []
    if num(x) != "0" or num(y) != "0":
        parts.append(f"translate({num(x)} {num(y)})")
    if num(angle) != "0":
        parts.append(f"rotate({num(angle)})")
    return "".join(parts) or None


def text(content: str, x: float, y: float, size: float, **attributes: Attribute) -> str:
    """Return text whose middle line is at `y`; centred unless `text_anchor` says otherwise."""
    return tag("text", escape(content), x=x, y=y + size * 0.36, font_size=size, **attributes)


@lru_cache(maxsize=4096)
def text_width(content: str, size: float) -> float:
    """Return about how wide a text is in a usual bold sans serif."""
    ems = 0.0
    for char in content:
        if char in _NARROW:
            ems += 0.34
        elif char in _WIDE:
            ems += 0.9
        else:
            ems += 0.7 if char.isupper() else 0.58
    return ems * size


def sheet(
    width: float,
    height: float,
    *children: str,
    scale: float = 1.0,
    kind: str = "",
    label: str = "",
    role: str = "img",
) -> str:
    """Return a whole picture of this size in its own units, shown at `scale` pixels a unit."""
    return tag(
        "svg",
        title(label) if label and role == "img" else "",
        *children,
        xmlns="http://www.w3.org/2000/svg",
        class_=f"carril {kind}".strip(),
        role=role,
        aria_label=label if label and role != "img" else None,
        viewBox=f"0 0 {num(width)} {num(height)}",
        width=round(width * scale),
        height=round(height * scale),
    )
