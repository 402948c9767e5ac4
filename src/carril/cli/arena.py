"""`carril arena`: tournaments of bots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from carril.cli.common import print_json, progress, screen, title_called
from carril.cli.showing import AsJson
from carril.cli.tables import table
from carril.engine.refusals import BadSetup
from carril.lab.arena import Match, Played, schedule
from carril.lab.running import play_here, play_in_processes, play_on_ray
from carril.lab.standings import Report, report


def arena(
    title: Annotated[str, typer.Argument(help="The name of a title.")],
    bots: Annotated[str, typer.Option(help="The bots: a,b,c.")],
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 20,
    players: Annotated[int, typer.Option(min=1, help="Players at a table.")] = 4,
    edition: Annotated[str, typer.Option(help="An edition of the rulebook.")] = "",
    variant: Annotated[list[str] | None, typer.Option(help="A variant; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Games played at once.")] = 1,
    ray: Annotated[str, typer.Option(help="Play on a Ray cluster; local starts one here.")] = "",
    folder: Annotated[Path | None, typer.Option("--save", help="Save the games here.")] = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play each other with rotating seats and common seeds, and rate them."""
    names = [name.strip() for name in bots.split(",") if name.strip()]
    matches = schedule(
        title_called(title),
        names,
        games,
        players,
        edition=edition,
        variants=variant or (),
        seed=seed,
    )
    if folder and folder.is_file():
        raise BadSetup(f"{folder} is a file, not a folder")
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    played = _played(matches, workers, ray, folder)
    found = report(played)
    if as_json:
        print_json(msgspec.to_builtins({"report": found, "games": played}))
    else:
        _show(found)


def _played(
    matches: tuple[Match, ...], workers: int, ray: str, folder: Path | None
) -> list[Played]:
    """Play all matches with a progress bar; return them in the order of their numbers."""
    if ray:
        results: Iterator[Played] = play_on_ray(matches, ray, folder)
    elif workers > 1:
        results = play_in_processes(matches, workers, folder)
    else:
        results = play_here(matches, folder)
    played = list(progress(results, len(matches), "games"))
    return sorted(played, key=lambda one: one.match.number)


def _show(found: Report) -> None:
    made = table("", "bot", "rating#", "±#", "wins#", "95%#", "worth#", "spread#", "place#")
    for one in found.bots:
        made.add_row(
            one.bot,
            f"{one.rating:.1f}",
            f"{one.error:.1f}",
            f"{one.share:.0%}",
            f"{one.low:.0%}-{one.high:.0%}",
            f"{one.worth:,.0f}",
            f"{one.spread:,.0f}",
            f"{one.place:.2f}",
        )
    console = screen()
    console.print(made)
    ends = ", ".join(f"{count} {reason}" for reason, count in found.ends.items())
    console.print(Text(f"{found.games} games of {found.actions:,.0f} actions; ends: {ends}"))
    for fault in found.faults:
        console.print(Text(f"seat lost: {fault}", style="red"))
