"""`carril bench page`: the server time of the page at random positions of games of bots."""

from __future__ import annotations

from typing import Annotated

import typer

from carril.cli.bench_service import serve_benchmark
from carril.cli.benching import setup_name
from carril.cli.common import print_json, screen, title_called
from carril.cli.showing import AsJson
from carril.cli.tables import table
from carril.engine.refusals import BadSetup
from carril.engine.registry import title_named, title_names
from carril.service.bench_pages import Subject, bench_pages

_ROWS = {
    "page": "page",
    "page_cpu": "page, processor time",
    "run_after_page": "search for the best run after it",
}


def bench_page(
    title: Annotated[
        list[str] | None, typer.Option(help="Only this title; may be repeated.")
    ] = None,
    games: Annotated[int, typer.Option(help="Games of bots for each set-up.")] = 1,
    samples: Annotated[int, typer.Option(help="Positions of each game.")] = 100,
    bot: Annotated[str, typer.Option(help="Who plays.")] = "greedy",
    setups: Annotated[bool, typer.Option("--setups", help="Each set-up by itself.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how long the server takes for the page of any position, for each title or set-up."""
    if games < 1 or samples < 1:
        raise BadSetup(f"{games} games with {samples} positions each cannot be measured")
    wanted = [title_called(name) for name in title or ()] or list(title_names())
    found = bench_pages(serve_benchmark, _subjects(wanted, setups), games, samples, bot)
    if as_json:
        print_json(found)
        return
    columns = ("median ms#", "90th ms#", "99th percentile ms#", "most ms#")
    shown = table("Pages of random positions", "title", "what", "count#", *columns)
    for one in found:
        for what, words in _ROWS.items():
            row = one[what]
            times = [f"{row.get(f'{key}_ms', 0):g}" for key in ("median", "p90", "p99", "max")]
            name = ", ".join(filter(None, (one["title"], one["setup"])))
            shown.add_row(name, words, str(row.get("count", one["positions"])), *times)
    screen().print(shown)


def _subjects(titles: list[str], apart: bool) -> list[Subject]:
    """Return the titles with all their set-ups, or each set-up `apart`."""
    found = []
    for name in titles:
        every = title_named(name).tables.setups
        if apart:
            found += [Subject(name, (one,), setup_name(one)) for one in every]
        else:
            found.append(Subject(name, every))
    return found
