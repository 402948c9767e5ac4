"""The charter of a company: who owns it, what it has, where its price stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from carril.engine.tables import CompanyDef, Tables

from .colours import style
from .svg import group, sheet, tag, text, text_width, title
from .tokens import TOKEN, define_tokens, draw_token, pattern, pattern_id

if TYPE_CHECKING:
    from carril.engine.state import Company, State

_WIDTH = 560.0
_EDGE = 24.0
_HEAD = 116.0
_ROW = 34.0
_NOBODY = {
    "pool": "Pool",
    "treasury": "Treasury",
    "ipo": "IPO",
    "reserved": "Reserved",
    "bank": "Bank",
}


def _money(tables: Tables, amount: int) -> str:
    currency = tables.figures.currency
    return f"{amount} {currency}" if currency.isalpha() else f"{currency}{amount}"


def _fitted(words: str, x: float, y: float, most: float, room: float, **attributes: str) -> str:
    """Return text from `x` on, made smaller where the room is too small for it."""
    size = min(most, most * room / max(text_width(words, most), 1))
    return text(words, x, y, size, class_=attributes.get("class_", "print start"))


def _head(tables: Tables, company: CompanyDef) -> str:
    fill = f"url(#{pattern_id(tables, company)})"
    x = _EDGE + 2 * TOKEN + 30
    return group(
        tag("rect", class_="band", x=2, y=2, width=_WIDTH - 4, height=16, rx=7, fill=fill),
        tag("rect", x=2, y=12, width=_WIDTH - 4, height=10, fill=fill),
        tag(
            "g",
            draw_token(tables, company.symbol, 0, 0),
            transform=f"translate({_EDGE + TOKEN + 6:.0f} 70)scale(1.3)",
        ),
        _fitted(company.name, x, 58, 28, _WIDTH - x - _EDGE),
        _fitted(company.english, x, 88, 19, _WIDTH - x - _EDGE, class_="faint start"),
    )


def _price(state: State, symbol: str, rows: Sequence[Sequence[int]]) -> int | None:
    for marker in state.markers:
        if marker.company == symbol:
            return rows[marker.row][marker.column]
    return None


def _name(state: State, holder: str) -> str:
    player = state.players.get(holder)
    return player.name if player else _NOBODY.get(holder, holder)


def _standing(company: Company) -> str:
    marks = [
        word
        for word, holds in (
            ("closed", company.closed),
            ("started", company.started and not company.floated),
            ("floated", company.floated),
            ("operated", company.operated),
        )
        if holds
    ]
    return " · ".join(marks) or "not started"


def _facts(
    state: State, tables: Tables, company: Company, rows: Sequence[Sequence[int]]
) -> Iterator[tuple[str, str, str]]:
    """Yield key, word and value of each line of the charter."""
    shared = bool(company.shares) or company.kind != "minor"
    owner = _name(state, company.owner) if company.owner else "nobody"
    yield "owner", "President" if shared else "Owner", owner
    yield "cash", "Cash", _money(tables, company.cash)
    yield "trains", "Trains", " ".join(company.trains)
    aims = bool(tables.companies[company.symbol].destination)
    locked = f" and {company.locked} locked" if aims and company.locked else ""
    yield "tokens", "Spare tokens", f"{company.tokens}{locked}"
    if aims:
        yield "goals", "Goals", _goals(state, company, state.title.goals(state, company.symbol))
    if shared:
        price = _price(state, company.symbol, rows)
        yield "price", "Price", "–" if price is None else _money(tables, price)  # noqa: RUF001
        yield "par", "Par", _money(tables, company.par) if company.par else "–"  # noqa: RUF001
    yield "standing", "Standing", _standing(company)


def _goals(state: State, company: Company, goals: Mapping[str, str]) -> str:
    """Return the goals of a company, each reached or not."""
    reached = getattr(state.extra, "goals", {}).get(company.symbol, ())
    destination = state.tables.companies[company.symbol].destination
    words = {"destination": destination} if destination else {}
    return "  ".join(
        f"{'✓' if goal in reached else '○'} {words.get(goal, what.replace('-', ' + '))}"
        for goal, what in goals.items()
    )


def _chips(names: Sequence[str], y: float) -> str:
    """Return the trains as small cards in a row."""
    parts, x = [], _EDGE + 140
    for name in names:
        wide = max(34.0, text_width(name, 20) + 16)
        parts.append(tag("rect", class_="chip", x=x, y=y - 14, width=wide, height=28, rx=5))
        parts.append(text(name, x + wide / 2, y, 20, class_="ink", data_train=name))
        x += wide + 8
    return "".join(parts) or text("none", x, y, 22, class_="print start")


def _fact_lines(facts: Sequence[tuple[str, str, str]]) -> str:
    parts = []
    for index, (key, word, value) in enumerate(facts):
        y = _HEAD + _ROW * (index + 0.5)
        parts.append(
            tag(
                "g",
                text(word, _EDGE, y, 20, class_="faint start"),
                _chips(value.split(), y)
                if key == "trains"
                else _fitted(value, _EDGE + 140, y, 22, _WIDTH - 2 * _EDGE - 140),
                data_fact=key,
            )
        )
    return group(*parts, class_="facts")


def _share_bars(state: State, tables: Tables, company: Company, top: float) -> str:
    """Return a line for each holder, with a bar as long as its part of the company."""
    plan = tables.companies[company.symbol]
    room = _WIDTH - 2 * _EDGE - 140 - 70
    parts = []
    for index, (holder, units) in enumerate(_holders(company)):
        y = top + _ROW * (index + 0.5)
        percent = units * 100 // plan.units
        fill = f"url(#{pattern_id(tables, plan)})"
        bar = room * min(units / plan.units, 1)
        parts.append(
            tag(
                "g",
                title(f"{_name(state, holder)} holds {percent}%"),
                _fitted(_name(state, holder), _EDGE, y, 20, 130),
                tag("rect", x=_EDGE + 140, y=y - 10, width=bar, height=20, rx=3, fill=fill),
                text(f"{percent}%", _EDGE + 150 + bar, y, 20, class_="print start"),
                data_holder=holder,
            )
        )
    return group(*parts, class_="shares")


def _holders(company: Company) -> list[tuple[str, int]]:
    """Return who holds shares: the president first, then by size; pool and treasury last."""
    held = [(holder, units) for holder, units in company.shares.items() if units]
    held.sort(key=lambda h: (h[0] in _NOBODY, h[0] != company.owner, -h[1], h[0]))
    return held


def draw_charter(state: State, symbol: str, *, rows: Sequence[Sequence[int]] | None = None) -> str:
    """Return a picture of a company's charter; `rows` takes the place of the market's prices.

    ValueError if the game has no such company.
    """
    if symbol not in state.companies:
        raise ValueError(f"no company {symbol!r} in this game")
    company, tables = state.companies[symbol], state.tables
    plan = tables.companies[symbol]
    facts = list(_facts(state, tables, company, tables.rows if rows is None else rows))
    top = _HEAD + _ROW * len(facts) + 18
    lines = len(_holders(company))
    height = top + _ROW * lines + (_EDGE if lines else 0)
    patterned = pattern(tables, plan) if plan.kind == "minor" else ""
    rule = f"M{_EDGE:.0f} {top - 9:.0f}H{_WIDTH - _EDGE:.0f}"
    return sheet(
        _WIDTH,
        height,
        style(),
        tag("defs", patterned, define_tokens(tables, (symbol,))),
        tag("rect", class_="card", x=1, y=1, width=_WIDTH - 2, height=height - 2, rx=8),
        _head(tables, plan),
        _fact_lines(facts),
        tag("path", class_="line", d=rule) if lines else "",
        _share_bars(state, tables, company, top),
        scale=0.75,
        kind="carril-charter",
        label=f"{symbol} {plan.name}",
    )
