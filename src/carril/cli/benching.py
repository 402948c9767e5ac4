"""`carril bench engine`: how fast the engine is. Figures are printed, never judged."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Annotated, Any

import typer
from msgspec.structs import replace
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from carril.bots import Dice
from carril.cli.common import aside, print_json, screen
from carril.cli.playing import begin, play_out
from carril.cli.showing import AsJson
from carril.cli.tables import table
from carril.engine import runs
from carril.engine.registry import title_named, title_names
from carril.engine.state import State
from carril.notation.files import Record, open_record
from carril.notation.position import decode, encode
from carril.notation.save import Game

SEED = 1
Figures = dict[str, Any]
Clock = Callable[[], float]
Cpu = Annotated[bool, typer.Option("--cpu", help="Count processor time: for a busy machine.")]


def bench_engine(
    files: Annotated[list[Path] | None, typer.Argument(help="Recorded games to replay.")] = None,
    games: Annotated[int, typer.Option(help="Games for each player count, without files.")] = 1,
    cpu: Cpu = False,
    as_json: AsJson = False,
) -> None:
    """Measure replay, options, random play, snapshots."""
    records = [open_record(path) for path in files or ()]
    figures = engine_figures(records, games, time.process_time if cpu else time.perf_counter)
    if as_json:
        print_json(figures)
    else:
        _show(figures)


def engine_figures(records: list[Record], games: int, clock: Clock = time.perf_counter) -> Figures:
    """Measure the engine on records, or on games of bots where there are none."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=aside(), transient=True) as progress:
        task = progress.add_task("random play", total=4)
        played, speed = _random_play(games, clock)
        progress.update(task, advance=1, description="replay")
        wanted: list[Record] = list(records) or list(played)
        replay = _replay(wanted, clock)
        progress.update(task, advance=1, description="options")
        options = _options(wanted, clock)
        progress.update(task, advance=1, description="snapshots")
        snapshots = _snapshots(wanted, clock)
        progress.update(task, advance=1)
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "games": len(wanted),
        "actions": sum(len(record) for record in wanted),
        "random_play": speed,
        "replay": replay,
        "options": options,
        "snapshot": snapshots,
    }


def _random_play(games: int, clock: Clock) -> tuple[list[Game], Figures]:
    """Play whole games; the bot lists all options before each action."""
    played = []
    begun = clock()
    for title in title_names():
        counts = sorted(int(count) for count in title_named(title).tables.setup["players"])
        for players in counts[::2]:
            for number in range(games):
                game, seats = begin(title, players, "random", SEED + number, [])
                play_out(game, seats, Dice(SEED + number))
                played.append(game)
    seconds = clock() - begun
    actions = sum(len(game) for game in played)
    return played, {"actions": actions, "per_second": round(actions / seconds)}


def _states(record: Record) -> list[State]:
    return [record.position(number) for number in range(len(record) + 1)]


def _replay(records: list[Record], clock: Clock) -> Figures:
    """Time every action, checked and applied; the solver has forgotten its answers."""
    times = []
    for record in records:
        actions = getattr(record, "actions", ())
        state = record.position(0)
        runs.forget()
        for action in actions:
            begun = clock()
            state = state.apply(action).state
            times.append(clock() - begun)
    return _milliseconds(times)


def _options(records: list[Record], clock: Clock) -> Figures:
    """Time all options of every position."""
    times, counts = [], []
    for record in records:
        runs.forget()
        for state in _states(record):
            begun = clock()
            options = state.options()
            times.append(clock() - begun)
            counts.append(len(options))
    found = _milliseconds(times)
    found |= {"per_position_median": median(counts), "per_position_max": max(counts)}
    return found


def _snapshots(records: list[Record], clock: Clock) -> Figures:
    """Time a copy, an encode and a decode of every tenth position."""
    states = [state for record in records for state in _states(record)[::10]]
    snapshots = [encode(state) for state in states]
    return {
        "bytes_median": median(len(data) for data in snapshots),
        "copy": _milliseconds([_timed(clock, replace, state) for state in states]),
        "encode": _milliseconds([_timed(clock, encode, state) for state in states]),
        "decode": _milliseconds([_timed(clock, decode, data) for data in snapshots]),
    }


def _timed(clock: Clock, work: Callable[[Any], object], on: object) -> float:
    begun = clock()
    work(on)
    return clock() - begun


def _milliseconds(times: list[float]) -> Figures:
    if len(times) < 2:
        times = [*times, 0.0, 0.0]
    return {
        "median_ms": round(median(times) * 1000, 4),
        "p99_ms": round(quantiles(times, n=100)[98] * 1000, 4),
        "max_ms": round(max(times) * 1000, 4),
        "total_s": round(sum(times), 3),
    }


def _show(figures: Figures) -> None:
    made = table("", "what", "median ms#", "99th percentile ms#", "most ms#", "all s#")
    snapshot = figures["snapshot"]
    for name, row in (
        ("an action, checked and applied", figures["replay"]),
        ("all options of a position", figures["options"]),
        ("a copy of a state", snapshot["copy"]),
        ("a snapshot encoded", snapshot["encode"]),
        ("a snapshot decoded", snapshot["decode"]),
    ):
        made.add_row(
            name,
            *(f"{row[key]:g}" for key in ("median_ms", "p99_ms", "max_ms")),
            f"{row['total_s']:g}",
        )
    console = screen()
    console.print(
        f"Python {figures['python']}, {figures['machine']}: "
        f"{figures['games']} games, {figures['actions']} actions"
    )
    console.print(made)
    options, play = figures["options"], figures["random_play"]
    console.print(
        f"options per position: median {options['per_position_median']:g}, "
        f"most {options['per_position_max']}; "
        f"random play: {play['per_second']} actions a second; "
        f"snapshot: {snapshot['bytes_median']:g} bytes"
    )
