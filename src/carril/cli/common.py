"""What the commands share: the screen, errors in one line, and finding titles and files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from typer.core import TyperGroup

from carril.engine.refusals import BadSetup, CarrilError
from carril.engine.registry import title_names
from carril.engine.state import State
from carril.notation.files import Record, open_record
from carril.rules.ledger import UnknownRule, UnknownTitle

Item = TypeVar("Item")

WRONG = 2
"""Exit status when something that was given is wrong."""
DIFFERENT = 1
"""Exit status when a check says no: a refused action, a difference, an open rule."""


USAGE = cast(type[Exception], typer.BadParameter.__mro__[1])
"""What the command line itself finds wrong; its class has moved between versions of typer."""

MISTAKES = (CarrilError, UnknownTitle, UnknownRule, OSError)
"""What the user can have done wrong. Any other error is our own, and is shown as it is."""


class OneLine(TyperGroup):
    """Commands whose errors are one line on the error stream, never a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what the user did wrong becomes a line and the exit status 2."""
        try:
            return super().invoke(ctx)
        except (USAGE, *MISTAKES) as error:
            raise _one_line(error) from None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what comes before the command; without anything, show the help."""
        nothing = not args
        try:
            return super().parse_args(ctx, args)
        except USAGE as error:
            if nothing:
                raise
            raise _one_line(error) from None


def _one_line(error: BaseException) -> typer.Exit:
    typer.echo(f"carril: {' '.join(_message(error).split())}", err=True)
    return typer.Exit(WRONG)


def _message(error: BaseException) -> str:
    if isinstance(error, typer.BadParameter):
        return error.format_message()
    if isinstance(error, USAGE):
        return str(getattr(error, "message", error))
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error.args[0]) if error.args else type(error).__name__


app = typer.Typer(
    cls=OneLine,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Play, learn and study 18xx railway games.",
)


@app.callback()
def _begin() -> None:
    """Play, learn and study 18xx railway games."""


class Subjects(TyperGroup):
    """What can be measured; each subject is a command of its own."""

    verb = "measure"

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a subject; BadSetup if there is none."""
        found = super().get_command(ctx, cmd_name)
        if found is None:
            known = ", ".join(self.list_commands(ctx))
            raise BadSetup(f"nothing to {self.verb} called {cmd_name!r}; there is: {known}")
        return found


class Checks(Subjects):
    """What can be checked."""

    verb = "check"


bench = typer.Typer(cls=Subjects, help="Measure how fast things are.", rich_markup_mode=None)
app.add_typer(bench, name="bench")
check = typer.Typer(cls=Checks, help="Check games against themselves.", rich_markup_mode=None)
app.add_typer(check, name="check")


def screen() -> Console:
    """Return the terminal."""
    return Console(highlight=False)


def aside() -> Console:
    """Return the error stream, for progress."""
    return Console(stderr=True, highlight=False)


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yield items with a progress bar next to the output, if a person is watching."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = aside()
    with Progress(
        *columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(what, total=total)
        for one in items:
            yield one
            bar.advance(task)


def print_json(value: object) -> None:
    """Print a value as JSON."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def title_called(name: str) -> str:
    """Return the name of a title however it is typed; BadSetup if there is none."""
    for known in title_names():
        if known.lower() == name.lower():
            return known
    raise BadSetup(f"unknown title {name!r}; known titles: {', '.join(title_names())}")


def record_at(path: Path, at: int | None) -> tuple[Record, State]:
    """Return a record and its position after a number of actions (None: after all).

    Actions after that position are not played.
    """
    record = open_record(path, at)
    return record, position_at(record, path, at)


def position_at(record: Record, path: Path, at: int | None) -> State:
    """Return a position of a record; BadSetup in one line if the record has fewer actions."""
    if at is None:
        return record.last
    try:
        return record.position(at)
    except IndexError:
        known = f"{path} has positions 0 to {record.playable()}"
        why = f"; {record.refused}" if record.refused else ""
        raise BadSetup(f"--at {at}: {known}{why}") from None
