"""`carril replay`: a recorded game played again, with every check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carril.cli import tables
from carril.cli.common import DIFFERENT, position_at, print_json, screen
from carril.cli.results import result_table
from carril.cli.showing import AsJson, At
from carril.engine.refusals import BadRecord
from carril.engine.state import State
from carril.notation.files import Record, open_record
from carril.notation.online import OnlineRecord
from carril.notation.trace import check_trace, read_trace, write_trace
from carril.notation.words import say


def replay(
    file: Annotated[Path, typer.Argument(help="A save file, or a file of 18xx.games.")],
    at: At = None,
    trace: Annotated[Path | None, typer.Option("--trace", help="Write a trace.")] = None,
    check: Annotated[Path | None, typer.Option("--check", help="Compare with a trace.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a recorded game again; exits 1 if an action is refused or a check fails."""
    record = open_record(file)
    state = position_at(record, file, at)
    difference = _traced(record, trace, check)
    if as_json:
        print_json(_summary(record, state, record.playable() if at is None else at))
    else:
        _tell(record, state, at)
    if difference:
        typer.echo(f"carril: {check}: {difference}", err=True)
    if record.refused and not as_json:
        typer.echo(f"carril: {file}: {_refused_line(record)}", err=True)
    if difference or record.refused:
        raise typer.Exit(DIFFERENT)


def _traced(record: Record, trace: Path | None, check: Path | None) -> str | None:
    """Write a trace and compare with one; return the first difference."""
    if not (trace or check):
        return None
    if not isinstance(record, OnlineRecord):
        raise BadRecord("traces are made from files of 18xx.games, which name players by number")
    if trace:
        write_trace(record, trace)
    return check_trace(record, read_trace(check)) if check else None


def _summary(record: Record, state: State, actions: int) -> dict[str, Any]:
    return {
        "title": record.title,
        "players": list(record.players),
        "actions": actions,
        "finished": state.finished,
        "result": state.result or {},
        "refused": _refused(record),
    }


def _refused(record: Record) -> dict[str, Any] | None:
    if record.refused is None:
        return None
    refusal = record.refused.refusal
    return {
        "index": record.refused.index,
        "action": record.refused.action,
        "code": refusal.code,
        "rule": refusal.rule,
        "message": say(refusal),
    }


def _refused_line(record: Record) -> str:
    assert record.refused is not None
    return f"{record.refused}: {say(record.refused.refusal)}"


def _tell(record: Record, state: State, at: int | None) -> None:
    console = screen()
    if at is not None or not state.finished:
        console.print(tables.position(state))
    console.print(result_table(state, record.playable() if at is None else at))
