"""`carril show` and `carril options`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from carril.cli import tables
from carril.cli.common import print_json, record_at, screen, title_called
from carril.draw import Picture
from carril.engine.actions import Option, Range
from carril.engine.board import Board
from carril.engine.refusals import BadSetup
from carril.engine.registry import title_named, title_names
from carril.engine.trains import phase_def
from carril.notation.text import write
from carril.notation.words import say

At = Annotated[int | None, typer.Option("--at", help="After so many actions; else after all.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON only.")]


def show(
    what: Annotated[str, typer.Argument(metavar="TITLE|FILE", help="A title or a recorded game.")],
    at: At = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the map as a picture.")] = None,
) -> None:
    """Show a title, or a position of a recorded game."""
    if Path(what).is_file() or _looks_like_file(what):
        _show_record(Path(what), at, svg)
        return
    if at is not None:
        raise BadSetup("--at is for files")
    name = title_called(what)
    found = title_named(name).tables
    screen().print(tables.title(name, found))
    if svg:
        Picture.of_map(found, Board(), title=name).save(svg)


def _looks_like_file(what: str) -> bool:
    known = [name.lower() for name in title_names()]
    return what.lower() not in known and ("." in what or "/" in what)


def _show_record(path: Path, at: int | None, svg: Path | None) -> None:
    record, state = record_at(path, at)
    screen().print(tables.position(state))
    if svg:
        number = record.playable() if at is None else at
        heading = f"{state.setup.title}, {state.round}, after {number} actions"
        colour = phase_def(state).colour
        pieces = state.title.answers.map_pieces(state)
        picture = Picture.of_map(
            state.tables, state.board, phase_colour=colour, title=heading, pieces=pieces
        )
        picture.save(svg)


def list_options(
    file: Annotated[Path, typer.Argument(help="A recorded game.")],
    at: At = None,
    as_json: AsJson = False,
) -> None:
    """List every legal action of a position."""
    _, state = record_at(file, at)
    options = state.options()
    if as_json:
        due = say(state.step) if state.agenda else ""
        listed = [_plain(option) for option in options]
        print_json({"acting": state.acting, "due": due, "options": listed})
        return
    console = screen()
    console.print(tables.headline(state))
    for option in options:
        console.print("  " + option_text(option), markup=False)


def option_text(option: Option) -> str:
    """Return an option as it would be typed, with the bounds of an amount."""
    if not isinstance(option, Range):
        return write(option)
    step = f" step {option.step}" if option.step > 1 else ""
    bounds = f"{option.least}..{option.most}{step}"
    return f"{write(option.action)}   ({option.field} {bounds})"


def _plain(option: Option) -> dict[str, Any]:
    if not isinstance(option, Range):
        return {"text": write(option), "action": msgspec.to_builtins(option)}
    span = {"field": option.field, "least": option.least, "most": option.most, "step": option.step}
    action = msgspec.to_builtins(option.action)
    return {"text": write(option.action), "action": action, "range": span}
