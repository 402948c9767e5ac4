"""`carril perft`: counts of sequences of decisions, checked against files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

from carril.cli.common import DIFFERENT, aside
from carril.engine.refusals import BadSetup
from carril.notation.perft_files import (
    DEEPEST,
    CountedGame,
    counts_text,
    differences,
    read_counts,
    recounted,
)


def perft(
    files: Annotated[list[Path], typer.Argument(help="Files of counts, or folders of them.")],
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=DEEPEST, help="The most decisions to count.")
    ] = DEEPEST,
    write: Annotated[bool, typer.Option("--write", help="Count again and write.")] = False,
) -> None:
    """Count the sequences of decisions from fixed positions; exits 1 if a count differs."""
    paths = list(_counted_files(files))
    if write:
        for path in paths:
            games = _with_progress(path, read_counts(path))
            path.write_text(counts_text([recounted(game, depth) for game in games]), "utf-8")
        return
    found = [different for path in paths for different in _checked(path, depth)]
    typer.echo(f"{len(found)} positions counted, {sum(found)} of them differ")
    if any(found):
        raise typer.Exit(DIFFERENT)


def _checked(path: Path, depth: int) -> Iterator[bool]:
    """Yield for each position of a file whether it differs; print a line about each that does."""
    for game in _with_progress(path, read_counts(path)):
        for counted, difference in differences(game, depth):
            if difference:
                where = f"{game.label}, after {counted.after} ({counted.name})"
                typer.echo(f"carril: {path}: {where}: {difference}", err=True)
            yield bool(difference)


def _counted_files(given: list[Path]) -> Iterator[Path]:
    """Yield the files that were named, and those of named folders."""
    for path in given:
        found = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not found:
            raise BadSetup(f"{path}: no files of counts (*.toml) in this folder")
        yield from found


def _with_progress(path: Path, games: tuple[CountedGame, ...]) -> Iterator[CountedGame]:
    console = aside()
    hidden = not console.is_terminal
    yield from track(games, path.name, console=console, transient=True, disable=hidden)
