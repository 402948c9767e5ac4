"""Traces: the state after every action in the form that records carry, and their comparison."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from carril.engine.board import tokens_of
from carril.engine.market import grid, marker
from carril.engine.refusals import BadRecord
from carril.engine.state import IPO, POOL, TREASURY, Company, State
from carril.engine.worth import standing
from carril.notation.online import OnlineRecord, Replay
from carril.titles.online import Reader

Line = dict[str, Any]


def _company(state: State, company: Company, names: Mapping[str, str], trains: list[str]) -> Line:
    """Return the part of a trace line about a corporation."""
    place = marker(state, company.symbol)
    where = [grid(state).price(place.row, place.column), place.row, place.column] if place else None
    units = state.tables.companies[company.symbol].units
    return {
        "cash": company.cash,
        "floated": company.floated,
        "operated": company.operated,
        "trains": trains,
        "tokens": [f"{hex_id}.{city}" for hex_id, city in tokens_of(state.board, company.symbol)],
        "tokens_free": company.tokens,
        "price": where,
        "president": names.get(company.owner),
        "market": company.held(POOL) * 100 // units,
        "treasury": (company.held(TREASURY) + company.held(IPO)) * 100 // units,
    }


def _minor(state: State, company: Company, names: Mapping[str, str], trains: list[str]) -> Line:
    return {
        "cash": company.cash,
        "owner": names.get(company.owner),
        "trains": trains,
        "tokens": [f"{hex_id}.{city}" for hex_id, city in tokens_of(state.board, company.symbol)],
    }


def _player(state: State, name: str) -> Line:
    definitions = state.tables.companies
    shares = {
        definitions[c.symbol].import_symbol: c.held(name) * 100 // definitions[c.symbol].units
        for c in state.companies.values()
        if c.held(name)
    }
    player = state.players[name]
    return {
        "cash": player.cash,
        "value": state.title.worth(state, name),
        "shares": shares,
        "bankrupt": player.bankrupt,
    }


def state_line(reader: Reader, ids: Mapping[str, Any]) -> Line:
    """Return the state as a trace shows it; `ids` gives the file's id of each player."""
    state = reader.state
    definitions = state.tables.companies
    live = [c for c in state.companies.values() if not c.closed]
    majors = [c for c in live if c.shares]
    minors = [c for c in live if not c.shares]
    return {
        "bank": state.bank,
        "bank_broken": state.broken,
        "players": {str(ids[name]): _player(state, name) for name in state.players},
        "corps": {
            definitions[c.symbol].import_symbol: _company(
                state, c, ids, reader.shown_trains(c.symbol)
            )
            for c in majors
        },
        "minors": {
            definitions[c.symbol].import_symbol: _minor(
                state, c, ids, reader.shown_trains(c.symbol)
            )
            for c in minors
        },
        "tiles": {hex_id: [tile, turn] for hex_id, (tile, turn) in state.board.laid.items()},
        "phase": state.phase,
    }


def trace_lines(record: OnlineRecord) -> Iterator[Line]:
    """Yield the line before the first action and one after each live action."""
    ids = dict(zip(record.names, record.ids, strict=True))
    replay = Replay(record)
    yield _line(0, None, replay.reader, ids)
    while replay.advance():
        yield _line(replay.done, record.recorded[replay.done - 1], replay.reader, ids)
    if replay.refused:
        raise BadRecord(str(replay.refused))


def _line(number: int, action: Any, reader: Reader, ids: Mapping[str, Any]) -> Line:
    state = reader.state
    line: Line = {"i": number}
    if action is not None:
        line["action"] = action
    line["pos"] = {"round": str(state.round), "finished": state.finished}
    line["state"] = state_line(reader, ids)
    if state.finished:
        line["result"] = {str(ids[name]): worth for name, worth in standing(state).items()}
    return line


def write_trace(record: OnlineRecord, path: Path) -> int:
    """Write a trace, gzipped if the name ends in ".gz"; return the number of lines."""
    count = 0
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "wt", encoding="utf-8") as out:
        for line in trace_lines(record):
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
    return count


def read_trace(path: Path) -> Iterator[Line]:
    """Yield the lines of a trace, plain or gzipped; BadRecord in one line if it is damaged."""
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, text in enumerate(lines):
                yield _read_line(f"{path}: line {number}", text)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path}: {error}") from None


def _read_line(where: str, text: str) -> Line:
    try:
        line = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadRecord(f"{where} is not JSON: {error}") from None
    if not isinstance(line, dict) or not isinstance(line.get("state"), dict):
        raise BadRecord(f"{where} has no state")
    return line


def first_difference(ours: Line, theirs: Line) -> str | None:
    """Return where two lines differ, as a path and both values, or None.

    The trace may hold more than we write, and may lack what is empty, 0 or false. The order of
    trains and tokens does not matter.
    """
    if theirs.get("i", ours["i"]) != ours["i"]:
        return f"the trace has line {theirs['i']} here"
    for path, mine in _leaves(ours["state"], ()):
        other = _look_up(theirs["state"], path)
        if other is _MISSING and mine:
            return f"{'.'.join(path)} is {mine!r}, but not in the trace"
        if other is not _MISSING and _alike(mine) != _alike(other):
            return f"{'.'.join(path)} is {mine!r}, but {other!r} in the trace"
    return _missing_name(ours["state"], theirs["state"]) or _ending_difference(ours, theirs)


def _missing_name(ours: Line, theirs: Line) -> str | None:
    """Return a player, company or tile that only the trace has."""
    for key in ("players", "corps", "minors", "tiles"):
        if missing := theirs.get(key, {}).keys() - ours[key].keys():
            return f"{key}: {', '.join(sorted(missing))} only in the trace"
    return None


def _ending_difference(ours: Line, theirs: Line) -> str | None:
    finished = theirs.get("pos", {}).get("finished")
    if finished is not None and finished != ours["pos"]["finished"]:
        return f"finished is {ours['pos']['finished']}, but {finished} in the trace"
    if theirs.get("result") and ours.get("result") != theirs["result"]:
        return f"result is {ours.get('result')}, but {theirs['result']} in the trace"
    return None


_MISSING = object()


def _look_up(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return _MISSING
        value = value[key]
    return value


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict) and not (path and path[-1] == "shares"):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    else:
        yield path, value


def _alike(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return sorted(value)
    return value


def check_trace(record: OnlineRecord, lines: Iterable[Line]) -> str | None:
    """Replay a record beside a trace; return the first difference, or None."""
    theirs = iter(lines)
    for ours in trace_lines(record):
        other = next(theirs, None)
        if other is None:
            return f"line {ours['i']}: the trace ends here"
        if difference := first_difference(ours, other):
            return f"line {ours['i']}: {difference}"
    rest = next(theirs, None)
    return f"line {rest.get('i')}: only in the trace" if rest is not None else None
