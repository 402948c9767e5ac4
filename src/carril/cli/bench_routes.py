"""`carril bench routes`: how long the best runs take, and how many nodes."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Annotated, NamedTuple

import typer
from rich.console import RenderableType
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from carril.bots import Dice
from carril.cli.bench_boards import LADDER, ladder
from carril.cli.benching import SEED, Clock, Cpu, Figures, setup_name
from carril.cli.common import aside, print_json, screen, title_called
from carril.cli.playing import begin, play_out
from carril.cli.recorded import claims, intact, state_before
from carril.cli.showing import AsJson
from carril.cli.tables import table
from carril.draw.chart import Chart, Curve, draw_charts
from carril.engine import runs
from carril.engine.refusals import BadSetup
from carril.engine.registry import title_named, title_names
from carril.engine.runs import RunProblem
from carril.notation.files import Record, open_record
from carril.routes.diagram import exact

PARTS = (("median", 50), ("p90", 90), ("p99", 99), ("max", 100))


class Measure(NamedTuple):
    """One question to the solver."""

    ms: float
    nodes: int
    proven: bool


Ask = Callable[[RunProblem], Measure]
Play = Callable[[], tuple[str, Record]]
"""Plays a game of bots; returns it with its name."""


def bench_routes(
    files: Annotated[list[Path] | None, typer.Argument(help="Recorded games.")] = None,
    games: Annotated[int, typer.Option(help="Games of bots, over all titles.")] = 20,
    title: Annotated[
        list[str] | None, typer.Option(help="Bots play only this title; may be repeated.")
    ] = None,
    setups: Annotated[bool, typer.Option("--setups", help="Each set-up by itself.")] = False,
    boards: Annotated[int, typer.Option(help="Boards for each step of the ladder.")] = 1,
    budget: Annotated[int | None, typer.Option(min=1, help="Nodes at most for a run.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Write the curves as SVG.")] = None,
    cpu: Cpu = False,
    as_json: AsJson = False,
) -> None:
    """Measure the best runs of records, of games of bots, and of boards that grow."""
    if games < 0 or boards < 0:
        raise BadSetup(f"{min(games, boards)} games or boards cannot be measured")
    if plot and not plot.parent.is_dir():
        raise BadSetup(f"{plot}: there is no folder {plot.parent}")
    records = [(open_record(path), path) for path in files or ()]
    for record, path in records:
        intact(record, path)
    clock = time.process_time if cpu else time.perf_counter
    ask = partial(measure, clock=clock, budget=budget)
    wanted = [title_called(name) for name in title or ()] or list(title_names())
    played = [partial(_played, number, wanted, setups) for number in range(games)]
    measured = _measured([record for record, _ in records], played, boards, ask)
    figures = _figures(measured, len(records), games)
    if plot:
        plot.write_text(draw_charts(_charts(measured, figures), "Route solver"), "utf-8")
    print_json(figures) if as_json else _show(figures)


# --- measuring -----------------------------------------------------------------------------


class Measured(NamedTuple):
    """All that was measured; the ladder by step."""

    recorded: list[Measure]
    bots: list[tuple[str, Measure]]
    """Each with the title of its game, or with title and set-up."""
    ladder: list[list[Measure]]


def _measured(records: Sequence[Record], played: Sequence[Play], boards: int, ask: Ask) -> Measured:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=aside(), transient=True) as progress:
        recorded = [
            ask(problem)
            for record in progress.track(records, description="recorded games")
            for problem in problems(record)
        ]
        bots = [
            (name, ask(problem))
            for play in progress.track(played, description="games of bots")
            for name, record in [play()]
            for problem in problems(record)
        ]
        steps = range(LADDER if boards else 0)
        rungs = [
            [ask(ladder(step, seed)) for seed in range(boards)]
            for step in progress.track(steps, description="ladder")
        ]
    return Measured(recorded, bots, rungs)


def measure(problem: RunProblem, clock: Clock, budget: int | None = None) -> Measure:
    """Ask the solver, which has forgotten all answers."""
    runs.forget()
    begun = clock()
    answer = runs.best(problem, budget)
    seconds = clock() - begun
    return Measure(seconds * 1000, answer.nodes, answer.optimal)


def problems(record: Record) -> Iterator[RunProblem]:
    """Yield what each run of a record could be made of."""
    for claim in claims(record):
        state = state_before(record, claim)
        yield state.title.run_problem(state, claim.company)


def _played(number: int, titles: Sequence[str], apart: bool) -> tuple[str, Record]:
    """Play a game of bots and name it; titles and set-ups take turns."""
    title = titles[number % len(titles)]
    setups = title_named(title).tables.setups
    setup = setups[number // len(titles) % len(setups)]
    game, seats = begin(title, setup.players, "random", SEED + number, list(setup.variants))
    play_out(game, seats, Dice(SEED + number))
    return f"{title}, {setup_name(setup)}" if apart else title, game


# --- figures -------------------------------------------------------------------------------


def percentile(values: Iterable[float], percent: int) -> float:
    """Return the least value that so many percent of all do not exceed.

    >>> percentile([5, 1, 3, 2, 4], 50), percentile([1, 2], 99), percentile([], 50)
    (3, 2, 0.0)
    """
    ordered = sorted(values)
    if not ordered:
        return 0.0
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def _distribution(found: Sequence[Measure]) -> Figures:
    times, nodes = [one.ms for one in found], [one.nodes for one in found]
    return {
        "runs": len(found),
        "proven": sum(one.proven for one in found),
        "ms": {name: round(percentile(times, part), 3) for name, part in PARTS},
        "nodes": {name: int(percentile(nodes, part)) for name, part in PARTS},
        "total_s": round(sum(times) / 1000, 3),
    }


def _figures(measured: Measured, records: int, games: int) -> Figures:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "compiled": not str(exact.__file__).endswith(".py"),
        "recorded": {"games": records} | _distribution(measured.recorded),
        "bots": {"games": games} | _distribution([one for _, one in measured.bots]),
        "titles": _by_title(measured.bots),
        "ladder": [_rung(step, found) for step, found in enumerate(measured.ladder)],
    }


def _by_title(found: Sequence[tuple[str, Measure]]) -> Figures:
    """Return the figures of the games of bots for each title or set-up by itself."""
    return {
        title: _distribution([one for name, one in found if name == title])
        for title in dict.fromkeys(name for name, _ in found)
    }


def _rung(step: int, found: Sequence[Measure]) -> Figures:
    problem = ladder(step)
    return {
        "step": step,
        "pieces": len(problem.pieces),
        "stations": sum(stop.token for stop in problem.stops),
        "trains": [train.name for train in problem.trains],
        "boards": len(found),
        "proven": sum(one.proven for one in found),
        "ms": {
            "median": round(median(one.ms for one in found), 3),
            "max": round(max(one.ms for one in found), 3),
        },
        "nodes": {
            "median": round(median(one.nodes for one in found)),
            "max": max(one.nodes for one in found),
        },
    }


# --- showing -------------------------------------------------------------------------------


def _show(figures: Figures) -> None:
    made = table(
        "",
        "runs of",
        "proven",
        "",
        "median#",
        "90th percentile#",
        "99th percentile#",
        "most#",
        "all#",
    )
    rows = [
        (f"{figures['recorded']['games']} recorded games", figures["recorded"]),
        (f"{figures['bots']['games']} bots' games", figures["bots"]),
        *((f"of these, {title}", row) for title, row in figures["titles"].items()),
    ]
    for name, row in rows:
        made.add_row(
            name,
            f"{row['proven']} of {row['runs']}",
            "ms",
            *(f"{row['ms'][part]:.2f}" for part, _ in PARTS),
            f"{row['total_s']:.2f} s",
        )
        made.add_row("", "", "nodes", *(str(row["nodes"][part]) for part, _ in PARTS), "")
    console = screen()
    form = "compiled" if figures["compiled"] else "interpreted"
    console.print(f"Python {figures['python']}, {figures['machine']}, search {form}")
    console.print(made)
    if figures["ladder"]:
        console.print(_ladder_table(figures["ladder"]))


def _ladder_table(rows: Sequence[Figures]) -> RenderableType:
    made = table(
        "Ladder",
        *("step#", "track#", "stations#", "trains", "proven"),
        *("median ms#", "most ms#", "median nodes#", "most nodes#"),
    )
    for row in rows:
        made.add_row(
            *(str(row[key]) for key in ("step", "pieces", "stations")),
            " ".join(row["trains"]),
            f"{row['proven']} of {row['boards']}",
            *(f"{row['ms'][part]:.2f}" for part in ("median", "max")),
            *(str(row["nodes"][part]) for part in ("median", "max")),
        )
    return made


def _charts(measured: Measured, figures: Figures) -> list[Chart]:
    """Return how times are spread, and how time and nodes grow over the ladder."""
    spread = []
    bots = [one for _, one in measured.bots]
    for name, found in (("recorded", measured.recorded), ("bots", bots)):
        if times := sorted(one.ms for one in found):
            points = tuple((percent, percentile(times, percent)) for percent in range(1, 101))
            spread.append(Curve(name, points))
    rows = figures["ladder"]
    growth = [
        Curve("median ms", tuple((row["step"], row["ms"]["median"]) for row in rows)),
        Curve("most ms", tuple((row["step"], row["ms"]["max"]) for row in rows)),
        Curve("median nodes", tuple((row["step"], row["nodes"]["median"]) for row in rows)),
    ]
    charts = [Chart("Time of a run", "percent of all runs", "ms", tuple(spread))]
    charts.append(Chart("Growth over the ladder", "step", "", tuple(growth)))
    return [chart for chart in charts if any(curve.points for curve in chart.curves)]
