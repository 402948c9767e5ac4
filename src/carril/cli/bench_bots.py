"""`carril bench bots`: how long bots take to decide. Figures are printed, never judged."""

from __future__ import annotations

from statistics import fmean
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from carril.cli.common import print_json, progress, screen, title_called
from carril.cli.showing import AsJson
from carril.cli.tables import table
from carril.engine.registry import title_named, title_names
from carril.lab.arena import Match, schedule
from carril.lab.timing import Timed, summaries, timed


def bench_bots(
    bots: Annotated[str, typer.Option(help="The bots at the table.")] = "planner,greedy",
    title: Annotated[
        list[str] | None, typer.Option(help="Only this title; may be repeated.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games of each title and edition.")] = 2,
    players: Annotated[int, typer.Option(min=1, help="Players at a table.")] = 4,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Measure the processor time of every decision in games of bots, by title and edition."""
    names = [title_called(name) for name in title or ()] or list(title_names())
    plans = {
        f"{name} {edition}".strip(): schedule(
            name, bots.split(","), games, players, edition=edition, seed=seed
        )
        for name in names
        for edition in title_named(name).editions or ("",)
    }
    matches = [(label, match) for label, plan in plans.items() for match in plan]
    found: dict[str, list[Timed]] = {}
    for label, game in progress(map(_measured, matches), len(matches), "games"):
        found.setdefault(label, []).append(game)
    if as_json:
        figures = {label: summaries(played) for label, played in found.items()}
        print_json(msgspec.to_builtins(figures))
        return
    _show(found)


def _measured(labelled: tuple[str, Match]) -> tuple[str, Timed]:
    label, match = labelled
    return label, timed(match)


def _show(found: dict[str, list[Timed]]) -> None:
    columns = ("title", "bot", "decisions#", "median ms#", "99% ms#", "most ms#", "slowest")
    made = table("", *columns)
    for label, games in found.items():
        for one in summaries(games):
            where = f"{one.slowest.action}, {one.slowest.round}"
            figures = (one.median, one.percentile_99, one.most)
            shown = [f"{figure:.1f}" for figure in figures]
            made.add_row(label, one.bot, str(one.count), *shown, where)
    screen().print(made)
    for label, games in found.items():
        seconds = fmean(game.seconds for game in games)
        screen().print(Text(f"{label}: {seconds:.1f} s of processor time for a game"))
