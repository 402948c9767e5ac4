"""`carril bench service`: the response times of the web table."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Annotated, Any

import typer

from carril.cli.common import print_json, screen
from carril.cli.serving import make_application
from carril.cli.showing import AsJson
from carril.cli.tables import table
from carril.service.bench import SPECTATORS, bench_settings
from carril.service.bench import bench_service as measure
from carril.service.bench_load import Load, bench_load
from carril.service.bench_plot import note_point, plot_load, read_points
from carril.service.server import run_server


def bench_service(
    file: Annotated[Path | None, typer.Argument(help="A record; else bots play one.")] = None,
    database: Annotated[str, typer.Option(help="The URL of a database; else SQLite.")] = "",
    spectators: Annotated[int, typer.Option(help="How many watch one table.")] = SPECTATORS,
    tables: Annotated[int, typer.Option(help="Acting tables under load; 0 for none.")] = 100,
    watchers: Annotated[int, typer.Option(help="Browsers that watch these.")] = 500,
    workers: Annotated[int, typer.Option(help="Processes that answer.")] = 1,
    seconds: Annotated[float, typer.Option(help="How long the load lasts.")] = 20,
    api: Annotated[bool, typer.Option("--api", help="Act through the API.")] = False,
    python: Annotated[str, typer.Option(help="A Python whose Carril serves the load.")] = "",
    record: Annotated[Path | None, typer.Option(help="Add the load to this file.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw all loads of the record.")] = None,
    only_load: Annotated[bool, typer.Option("--only-load", help="Only the load.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure pages, positions, options and actions of a server, spectators, and a load.

    With --plot, nothing is measured if there are no --tables.
    """
    figures = {} if only_load else measure(serve_benchmark, file, database, spectators)
    if tables:
        load = Load(tables, watchers, seconds, workers=workers, database=database, api=api)
        load = replace(load, python=python) if python else load
        figures |= {"load": bench_load(load)}
        if record:
            note_point(record, figures["load"])
    if record and plot:
        plot.write_text(plot_load(read_points(record)), "utf-8")
    if as_json:
        print_json(figures)
        return
    shown = table("Service", "what", "figures")
    for name, value in {**figures, **figures.pop("load", {})}.items():
        shown.add_row(name, _words(value))
    screen().print(shown)


def serve_benchmark(database: str, addresses: Queue[str]) -> None:
    """Serve a database without rate limits; put the address into the queue."""
    app = make_application(bench_settings(database))
    app.state.measures_cpu = True
    run_server(app, "127.0.0.1", 0, addresses.put)


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {figure}" for name, figure in value.items())
    return str(value)
