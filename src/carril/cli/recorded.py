"""The runs that a record holds, and the names its file has for companies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from carril.engine.actions import RunTrains
from carril.engine.refusals import BadRecord, BadSetup
from carril.engine.runs.compared import claimed_sums
from carril.engine.state import State
from carril.engine.tables import CompanyDef
from carril.notation.files import Record
from carril.notation.online import OnlineRecord
from carril.notation.save import Game
from carril.notation.words import say


class Claim(NamedTuple):
    """A run on record: what the company said it earned."""

    number: int
    """The number of its action, from 1; the position before it is one less."""
    company: str
    payable: int
    treasury: int


def claims(record: Record, until: int | None = None) -> Iterator[Claim]:
    """Yield every run of a record, or of its first actions."""
    played = record.playable() if until is None else until
    if isinstance(record, OnlineRecord):
        return _online_claims(record, played)
    assert isinstance(record, Game)
    return _own_claims(record, played)


def _own_claims(game: Game, until: int) -> Iterator[Claim]:
    for number, action in enumerate(game.actions[:until], start=1):
        if isinstance(action, RunTrains):
            state = game.position(number - 1)
            yield Claim(number, state.step.subject, *claimed_sums(state, action))


def _online_claims(record: OnlineRecord, until: int) -> Iterator[Claim]:
    """Yield the sums that the file gives, however its routes are read."""
    symbols = _by_symbol(record)
    for number, action in enumerate(record.recorded[:until], start=1):
        if action["type"] == "run_routes":
            entries = action["routes"]
            payable = sum(entry["revenue"] for entry in entries)
            payable += action.get("extra_revenue") or 0
            treasury = sum(entry.get("subsidy") or 0 for entry in entries)
            yield Claim(number, symbols[str(action["entity"])], payable, treasury)


def state_before(record: Record, claim: Claim) -> State:
    """Return the position in which a run was claimed."""
    return record.position(claim.number - 1)


def intact(record: Record, path: Path) -> None:
    """BadRecord in one line if an action of the record is refused."""
    if refused := record.refused:
        raise BadRecord(f"{path}: {refused}: {say(refused.refusal)}")


# --- names ---------------------------------------------------------------------------------


def _definition(record: Record, symbol: str) -> CompanyDef:
    return record.position(0).tables.companies[symbol]


def _by_symbol(record: Record) -> dict[str, str]:
    """Return our symbol by each name that a file may use, its own names first."""
    companies = record.position(0).tables.companies.values()
    ours = {one.symbol: one.symbol for one in companies}
    theirs = {one.import_symbol: one.symbol for one in companies}
    return ours | theirs if isinstance(record, OnlineRecord) else theirs | ours


def company_called(record: Record, name: str) -> str:
    """Return our symbol of a company: as the file calls it, else as the other program does.

    The same symbol may stand for different companies in files of 18xx.games and in ours.
    """
    known = _by_symbol(record)
    found = known.get(name) or {key.lower(): one for key, one in known.items()}.get(name.lower())
    if found is None or found not in record.position(0).companies:
        there = ", ".join(shown(record, one) for one in record.position(0).companies)
        raise BadSetup(f"unknown company {name!r}; there are: {there}")
    return found


def shown(record: Record, symbol: str) -> str:
    """Return the symbol that the file has for a company of ours."""
    one = _definition(record, symbol)
    return one.import_symbol if isinstance(record, OnlineRecord) else one.symbol


def introduced(record: Record, symbol: str) -> str:
    """Return a company with its name, and with our symbol where the file has another."""
    one = _definition(record, symbol)
    ours = f"our {symbol}, " if shown(record, symbol) != symbol else ""
    return f"{shown(record, symbol)} ({ours}{one.name})"
