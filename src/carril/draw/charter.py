"""The charter of a company: its owner, its assets, its price and its shareholders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from carril.engine.answers import Note
from carril.engine.tables import CompanyDef, Tables
from carril.engine.trains import by_class
from carril.notation.words import say

from .colours import style
from .svg import group, sheet, tag, text, text_width, title
from .tokens import TOKEN, define_tokens, draw_token, pattern, pattern_id

if TYPE_CHECKING:
    from carril.engine.state import Company, State

_WIDTH = 560.0
_EDGE = 24.0
_HEAD = 116.0
_ROW = 34.0
_ROOM = _WIDTH - 2 * _EDGE - 140
_CARDS = "trains"

ENGLISH: Mapping[str, str] = {
    "bank": "Bank",
    "cash": "Cash",
    "closed": "closed",
    "floated": "floated",
    "holds": "{holder} holds {percent}%",
    "ipo": "IPO",
    "no-trains": "none",
    "nobody": "nobody",
    "operated": "operated",
    "owner": "Owner",
    "par": "Par",
    "pool": "Pool",
    "president": "President",
    "price": "Price",
    "reserved": "Reserved",
    "standing": "Standing",
    "started": "started",
    "tokens": "Spare tokens",
    "trains": "Trains",
    "treasury": "Treasury",
    "waiting": "not started",
    "wagons": "Wagons",
}
"""The words on a charter; a word that is missing is written as its key."""
_MARKS = {None: "", True: "✓ ", False: "○ "}


class _Sheet(NamedTuple):
    """A charter to be drawn: the position, the company, the prices and the words."""

    state: State
    company: Company
    rows: Sequence[Sequence[int]]
    words: Mapping[str, str]
    language: str

    @property
    def tables(self) -> Tables:
        return self.state.tables

    @property
    def plan(self) -> CompanyDef:
        return self.tables.companies[self.company.symbol]

    def word(self, key: str) -> str:
        return self.words.get(key, key)

    def name(self, holder: str) -> str:
        player = self.state.players.get(holder)
        return player.name if player else self.word(holder)


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


def _price(charter: _Sheet) -> int | None:
    for marker in charter.state.markers:
        if marker.company == charter.company.symbol:
            return charter.rows[marker.row][marker.column]
    return None


def _standing(charter: _Sheet) -> str:
    company = charter.company
    marks = [
        charter.word(word)
        for word, holds in (
            ("closed", company.closed),
            ("started", company.started and not company.floated),
            ("floated", company.floated),
            ("operated", company.operated),
        )
        if holds
    ]
    return " · ".join(marks) or charter.word("waiting")


def _facts(charter: _Sheet) -> Iterator[tuple[str, str, str]]:
    """Yield key, word and value of each line of the charter."""
    tables, company, word = charter.tables, charter.company, charter.word
    if charter.plan.has_president:
        owner = charter.name(company.owner) if company.owner else word("nobody")
        yield "owner", word("owner" if charter.plan.sole_owner else "president"), owner
    yield "cash", word("cash"), _money(tables, company.cash)
    yield from _card_lines(charter)
    yield "tokens", word("tokens"), str(company.tokens)
    if charter.plan.has_shares:
        price = _price(charter)
        yield "price", word("price"), "–" if price is None else _money(tables, price)  # noqa: RUF001
    if charter.plan.has_president and charter.plan.has_shares:
        yield "par", word("par"), _money(tables, company.par) if company.par else "–"  # noqa: RUF001
    yield "standing", word("standing"), _standing(charter)
    yield from _notes(charter)


def _card_lines(charter: _Sheet) -> Iterator[tuple[str, str, str]]:
    """Yield the trains, and then what else counts separately, in as many lines as they need."""
    for kind, cards in by_class(charter.tables, charter.company.trains).items():
        for index, line in enumerate(_lines(cards, " ", _chips_width)):
            yield _CARDS, "" if index else charter.word(f"{kind}s"), line


def _chip_width(name: str) -> float:
    return max(34.0, text_width(name, 20) + 16)


def _chips_width(names: str) -> float:
    return sum(_chip_width(name) + 8 for name in names.split())


def _notes(charter: _Sheet) -> Iterator[tuple[str, str, str]]:
    """Yield the notes that the title adds by heading, in as many lines as they need."""
    found: dict[str, list[str]] = {}
    for note in charter.state.title.answers.charter_notes(charter.state, charter.company):
        text_ = f"{_MARKS[note.done]}{say(note, charter.language)}"
        found.setdefault(note.heading, []).append(text_)
    for heading, texts in found.items():
        word = say(Note(heading), charter.language)
        for index, line in enumerate(_lines(texts, "  ", _note_width)):
            yield heading, "" if index else word, line


def _note_width(line: str) -> float:
    return text_width(line, 22)


def _lines(texts: Sequence[str], gap: str, width: Callable[[str], float]) -> Iterator[str]:
    """Yield texts side by side as long as they fit on a line; one empty line if there are none."""
    line = texts[0] if texts else ""
    for text_ in texts[1:]:
        longer = f"{line}{gap}{text_}"
        if width(longer) > _ROOM:
            yield line
            line = text_
        else:
            line = longer
    yield line


def _chips(names: Sequence[str], y: float, none: str) -> str:
    """Return the trains as small cards in a row, or a word if there are none."""
    parts, x = [], _EDGE + 140
    for name in names:
        wide = _chip_width(name)
        parts.append(tag("rect", class_="chip", x=x, y=y - 14, width=wide, height=28, rx=5))
        parts.append(text(name, x + wide / 2, y, 20, class_="ink", data_train=name))
        x += wide + 8
    return "".join(parts) or text(none, x, y, 22, class_="print start")


def _fact_lines(facts: Sequence[tuple[str, str, str]], no_trains: str) -> str:
    parts = []
    for index, (key, word, value) in enumerate(facts):
        y = _HEAD + _ROW * (index + 0.5)
        parts.append(
            tag(
                "g",
                text(word, _EDGE, y, 20, class_="faint start"),
                _chips(value.split(), y, no_trains)
                if key == _CARDS
                else _fitted(value, _EDGE + 140, y, 22, _ROOM),
                data_fact=key,
            )
        )
    return group(*parts, class_="facts")


def _share_bars(charter: _Sheet, top: float) -> str:
    """Return a line for each holder, with a bar as long as its part of the company."""
    plan = charter.plan
    room = _WIDTH - 2 * _EDGE - 140 - 70
    fill = f"url(#{pattern_id(charter.tables, plan)})"
    parts = []
    for index, (holder, units) in enumerate(_holders(charter)):
        y = top + _ROW * (index + 0.5)
        percent, name = units * 100 // plan.units, charter.name(holder)
        bar = room * min(units / plan.units, 1)
        parts.append(
            tag(
                "g",
                title(charter.word("holds").format(holder=name, percent=percent)),
                _fitted(name, _EDGE, y, 20, 130),
                tag("rect", x=_EDGE + 140, y=y - 10, width=bar, height=20, rx=3, fill=fill),
                text(f"{percent}%", _EDGE + 150 + bar, y, 20, class_="print start"),
                data_holder=holder,
            )
        )
    return group(*parts, class_="shares")


def _holders(charter: _Sheet) -> list[tuple[str, int]]:
    """Return the shareholders: the president first, then by size; pool and treasury last."""
    company, players = charter.company, charter.state.players
    held = [(holder, units) for holder, units in company.shares.items() if units]
    held.sort(key=lambda h: (h[0] not in players, h[0] != company.owner, -h[1], h[0]))
    return held


def draw_charter(
    state: State,
    symbol: str,
    *,
    rows: Sequence[Sequence[int]] | None = None,
    words: Mapping[str, str] = ENGLISH,
    language: str = "en",
) -> str:
    """Return a picture of a company's charter; raise ValueError if the game has no such company.

    `rows` replaces the prices of the market table; `words` replaces the words on the charter, and
    `language` chooses the language of the notes that the title adds.
    """
    if symbol not in state.companies:
        raise ValueError(f"no company {symbol!r} in this game")
    tables = state.tables
    prices = tables.rows if rows is None else rows
    charter = _Sheet(state, state.companies[symbol], prices, words, language)
    facts = list(_facts(charter))
    top = _HEAD + _ROW * len(facts) + 18
    lines = len(_holders(charter))
    height = top + _ROW * lines + (_EDGE if lines else 0)
    patterned = pattern(tables, charter.plan) if charter.plan.sole_owner else ""
    rule = f"M{_EDGE:.0f} {top - 9:.0f}H{_WIDTH - _EDGE:.0f}"
    return sheet(
        _WIDTH,
        height,
        style(),
        tag("defs", patterned, define_tokens(tables, (symbol,))),
        tag("rect", class_="card", x=1, y=1, width=_WIDTH - 2, height=height - 2, rx=8),
        _head(tables, charter.plan),
        _fact_lines(facts, charter.word("no-trains")),
        tag("path", class_="line", d=rule) if lines else "",
        _share_bars(charter, top),
        scale=0.75,
        kind="carril-charter",
        label=f"{symbol} {charter.plan.name}",
    )
