"""Tokens of companies: never distinguished by colour alone, but by symbol and pattern too."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.board import CLOSED
from carril.engine.tables import CompanyDef, Tables

from .colours import RINGS, brightness
from .svg import tag, text, text_width, title

TOKEN = 24.0
_DEFAULT_COLOUR = CompanyDef.__struct_defaults__[0]

_BAND = "M-22 -9.5H22A24 24 0 0 1 22 9.5H-22A24 24 0 0 1 -22 -9.5Z"

# The shapes of the patterns, on a square of 12 by 12.
_PATTERNS = (
    '<path d="M3 0V12M9 0V12" stroke-width="2.6"/>',
    '<circle cx="3" cy="3" r="2"/><circle cx="9" cy="9" r="2"/>',
    '<path d="M-3 3L3 -3M-3 15L15 -3M9 15L15 9" stroke-width="3"/>',
    '<path d="M0 3H12M0 9H12" stroke-width="2.6"/>',
    '<path d="M0 0h6v6h6v6h-6v-6h-6z" stroke="none"/>',
    '<path d="M-3 -3L15 15M9 -3L15 3M-3 9L3 15" stroke-width="3"/>',
    '<path d="M0 0L12 12M12 0L0 12" stroke-width="1.8"/>',
    '<path d="M0 9L6 3L12 9" fill="none" stroke-width="2.6"/>',
    '<path d="M6 2V10M2 6H10" stroke-width="2.6"/>',
    '<circle cx="6" cy="6" r="3.6" fill="none" stroke-width="2"/>',
    '<path d="M0 6Q3 1 6 6T12 6" fill="none" stroke-width="2.6"/>',
    '<path d="M6 1L11 6L6 11L1 6Z" stroke="none"/>',
)


def colour_of(tables: Tables, company: CompanyDef) -> str:
    """Return a company's colour; one from the list of rings where its table names none."""
    if company.colour != _DEFAULT_COLOUR:
        return company.colour
    alike = [other.symbol for other in tables.of_kind(company.kind)]
    return RINGS[alike.index(company.symbol) % len(RINGS)]


def company_named(tables: Tables, symbol: str) -> CompanyDef:
    """Return a company of the tables; ValueError if there is none of this symbol."""
    company = tables.companies.get(symbol)
    if company is None:
        raise ValueError(f"no company {symbol!r}: the tables know {', '.join(tables.companies)}")
    return company


def _key(tables: Tables, company: CompanyDef) -> str:
    """Return a short name that is safe as an id: the place of the company in the table."""
    return str(list(tables.companies).index(company.symbol))


def pattern_id(tables: Tables, company: CompanyDef) -> str:
    """Return the id of a company's pattern."""
    return f"carril-pattern-{_key(tables, company)}"


def pattern(tables: Tables, company: CompanyDef) -> str:
    """Return the definition of a company's pattern: its colour with a shape."""
    alike = [other.symbol for other in tables.of_kind(company.kind)]
    shape = _PATTERNS[alike.index(company.symbol) % len(_PATTERNS)]
    colour = colour_of(tables, company)
    over = "#000" if brightness(colour) > 0.35 else "#fff"
    opacity = ".38" if over == "#000" else ".5"
    return tag(
        "pattern",
        tag("rect", width=12, height=12, fill=colour),
        f'<g fill="{over}" stroke="{over}" opacity="{opacity}">{shape}</g>',
        id=pattern_id(tables, company),
        width=12,
        height=12,
        patternUnits="userSpaceOnUse",
    )


def _fitting(symbol: str, room: float, most: float) -> float:
    return min(most, room / text_width(symbol, 1))


def _ringed(tables: Tables, company: CompanyDef) -> str:
    size, ring = _fitting(company.symbol, 30, 25), colour_of(tables, company)
    return (
        tag("circle", class_="disc", r=TOKEN)
        + tag("circle", r=TOKEN - 3.5, fill="none", stroke=ring, stroke_width=5)
        + text(company.symbol, 0, 0, size, class_="ink")
    )


def _patterned(tables: Tables, company: CompanyDef) -> str:
    size = _fitting(company.symbol, 43, 20)
    return (
        tag("circle", r=TOKEN, fill=f"url(#{pattern_id(tables, company)})")
        + tag("path", class_="marked", d=_BAND)
        + tag("circle", r=TOKEN, fill="none", stroke="#1c1a17", stroke_width=2)
        + text(company.symbol, 0, 0, size, class_="ink", font_weight="800")
    )


def draw_closed(x: float, y: float) -> str:
    """Return a circle that is closed to tokens."""
    return tag(
        "g",
        title("closed"),
        tag("circle", class_="disc", r=TOKEN - 3),
        tag("path", class_="anchor", d="M-11 -11L11 11M11 -11L-11 11", stroke_width=5),
        class_="token shut",
        transform=f"translate({x:.1f} {y:.1f})",
    )


def define_tokens(tables: Tables, symbols: Iterable[str]) -> str:
    """Return the definitions of the tokens of these companies, in the order of the table."""
    wanted = {company_named(tables, symbol).symbol for symbol in symbols if symbol != CLOSED}
    parts = []
    for company in tables.companies.values():
        if company.symbol not in wanted:
            continue
        if company.sole_owner:
            body = _ringed(tables, company)
        else:
            parts.append(pattern(tables, company))
            body = _patterned(tables, company)
        # The class goes with it: styles find no ancestor of what `use` copies.
        parts.append(tag("g", body, id=f"carril-token-{_key(tables, company)}", class_="carril"))
    return "".join(parts)


def draw_token(tables: Tables, symbol: str, x: float, y: float, where: str = "") -> str:
    """Return a token at a place; its definition must be in the picture."""
    company = company_named(tables, symbol)
    return tag(
        "g",
        title(f"{symbol} {company.name}"),
        tag("use", href=f"#carril-token-{_key(tables, company)}", x=x, y=y),
        class_=f"token {company.kind}",
        data_company=symbol,
        data_token=where or None,
    )
