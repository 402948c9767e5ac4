"""Positions as tables for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from carril.engine.market import price
from carril.engine.state import POOL, TREASURY, Company, State
from carril.engine.tables import Tables
from carril.engine.trains import stack_top
from carril.notation.words import say


def table(heading: str, *columns: str) -> Table:
    """Return an empty table; a column whose name ends in # is of numbers."""
    made = Table(
        title=heading or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for column in columns:
        number = column.endswith("#")
        made.add_column(column.rstrip("#"), justify="right" if number else "left")
    return made


def position(state: State) -> RenderableType:
    """Return everything on the table: players, companies, market, trains."""
    parts: list[RenderableType] = [headline(state), players(state), corporations(state)]
    if any(not one.shares and not one.closed for one in state.companies.values()):
        parts.append(minors(state))
    parts += [market(state), depot(state)]
    return Group(*parts)


def headline(state: State) -> Text:
    """Return where the game stands, in a line or two."""
    line = Text.assemble(
        (state.setup.title, "bold"),
        f"  {state.round}  phase {state.phase}  bank {state.bank}",
    )
    if state.ended:
        return line.append(f"\nThe game is over ({state.ended}).")
    return line.append(f"\nTo decide: {state.acting}. {say(state.step)}.")


def players(state: State) -> Table:
    """Return the players: money, worth, certificates, holdings."""
    made = table("Players", "player", "cash#", "worth#", "certificates#", "shares", "minors")
    for player in state.players.values():
        shares = [
            f"{one.symbol}{'*' if one.owner == player.name else ''} {one.held(player.name)}"
            for one in state.companies.values()
            if one.held(player.name)
        ]
        own = [
            one.symbol
            for one in state.companies.values()
            if not one.shares and one.owner == player.name and not one.closed
        ]
        mark = " (priority)" if player.name == state.priority else ""
        made.add_row(
            player.name + (" (bankrupt)" if player.bankrupt else mark),
            str(player.cash),
            str(state.title.worth(state, player.name)),
            str(state.title.certificates(state, player.name)),
            ", ".join(shares),
            ", ".join(own),
            style="dim" if player.bankrupt else "",
        )
    return made


def corporations(state: State) -> Table:
    """Return the companies with shares."""
    made = table(
        "Corporations",
        *("company", "price#", "president", "cash#", "trains", "tokens#", "treasury#", "pool#"),
    )
    for one in state.companies.values():
        if one.shares:
            made.add_row(
                Text(one.symbol, style="bold" if one.floated else "dim"),
                str(price(state, one.symbol) or ""),
                one.owner or "not started",
                str(one.cash) if one.started else "",
                trains(one),
                str(one.tokens),
                str(one.held(TREASURY)),
                str(one.held(POOL)),
                style="" if one.started else "dim",
            )
    return made


def minors(state: State) -> Table:
    """Return the minors that are in play."""
    made = table("Minors", "minor", "owner", "cash#", "trains")
    for one in state.companies.values():
        if not one.shares and not one.closed:
            made.add_row(one.symbol, one.owner or "not sold", str(one.cash), trains(one))
    return made


def trains(company: Company) -> str:
    """Return a company's trains in short."""
    return " ".join(company.trains) or "-"


def market(state: State) -> Table:
    """Return the prices, highest first, in the order in which companies operate."""
    made = table("Market", "price#", "companies")
    rows: dict[int, list[str]] = {}
    for marker in state.markers:
        rows.setdefault(price(state, marker.company), []).append(marker.company)
    for value in sorted(rows, reverse=True):
        made.add_row(str(value), ", ".join(rows[value]))
    return made


def depot(state: State) -> Table:
    """Return the trains that nobody owns."""
    made = table("Trains", "train", "price#", "in the stack#", "in the pool#")
    pool = Counter(state.depot.pool)
    for train in state.tables.trains.values():
        left = state.depot.left.get(train.name, 0)
        if left or pool[train.name]:
            made.add_row(
                train.name + (" (next)" if train.name == stack_top(state) else ""),
                str(train.price),
                "any number" if left < 0 else str(left),
                str(pool[train.name]),
            )
    return made


def title(name: str, tables: Tables) -> RenderableType:
    """Return what the tables of a title say."""
    return Group(
        Text(name, style="bold"),
        _rows("Players", ("players", "cash#", "certificates#"), _seats(tables)),
        _rows(
            "Companies",
            ("company", "kind", "name"),
            ((one.symbol, one.kind, one.name) for one in tables.companies.values()),
        ),
        _rows(
            "Trains",
            ("train", "price#", "count#", "rusted by"),
            (
                (one.name, one.price, one.count if one.count >= 0 else "any", one.rusted_by)
                for one in tables.trains.values()
            ),
        ),
        _rows(
            "Phases",
            ("phase", "tiles", "operating rounds#"),
            ((one.name, ", ".join(one.tiles), one.operating_rounds) for one in tables.phases),
        ),
        Text("Market", style="bold"),
        *(Text(" ".join(f"{value:>4}" for value in row)) for row in tables.rows),
    )


def _seats(tables: Tables) -> Iterable[Sequence[object]]:
    for setup in tables.setups:
        variants = f" {' '.join(setup.variants)}" if setup.variants else ""
        yield f"{setup.players}{variants}", setup.cash, setup.certificates


def _rows(heading: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    made = table(heading, *columns)
    for row in rows:
        made.add_row(*(str(value) for value in row))
    return made
