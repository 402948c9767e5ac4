"""`carril bench service`: how long the table's server takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carril.cli.common import print_json, screen
from carril.cli.showing import AsJson
from carril.cli.tables import table
from carril.service.bench import SPECTATORS
from carril.service.bench import bench_service as measure


def bench_service(
    file: Annotated[Path | None, typer.Argument(help="A record; else bots play one.")] = None,
    database: Annotated[str, typer.Option(help="The URL of a database; else SQLite.")] = "",
    spectators: Annotated[int, typer.Option(help="How many watch one table.")] = SPECTATORS,
    as_json: AsJson = False,
) -> None:
    """Measure pages, positions, options and actions of a server, and what spectators get."""
    figures = measure(file, database, spectators)
    if as_json:
        print_json(figures)
        return
    shown = table("Service", "what", "figures")
    for name, value in figures.items():
        shown.add_row(name, _words(value))
    screen().print(shown)


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {figure}" for name, figure in value.items())
    return str(value)
