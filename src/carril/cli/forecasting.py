"""`carril forecast`: how far the forecasts of the bots are from what happens."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, median
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from carril.cli.common import print_json, progress, screen, title_called
from carril.cli.showing import AsJson
from carril.cli.tables import table
from carril.lab.arena import schedule
from carril.lab.forecasting import Sample, by_tenth, observe, plot, second_half
from carril.lab.running import in_processes


def forecasting(
    title: Annotated[str, typer.Argument(help="The name of a title.")],
    bot: Annotated[str, typer.Option(help="The bot that plays all seats.")] = "greedy",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 10,
    players: Annotated[int, typer.Option(min=1, help="Players at a table.")] = 4,
    edition: Annotated[str, typer.Option(help="An edition of the rulebook.")] = "",
    seed: Annotated[int, typer.Option(help="The first seed.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Games played at once.")] = 1,
    picture: Annotated[Path | None, typer.Option("--plot", help="Plot the errors (SVG).")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare forecasts before every round of games of bots with what the players end up with."""
    name = title_called(title)
    matches = schedule(name, (bot,), games, players, edition=edition, seed=seed)
    played = in_processes(observe, matches, workers) if workers > 1 else map(observe, matches)
    samples = [one for found in progress(played, len(matches), "games") for one in found]
    tenths = by_tenth(samples)
    if picture:
        heading = f"{name}: error of the forecast of the final worth, by part of the game played"
        picture.write_text(plot(tenths, heading))
    if as_json:
        half = second_half(samples)
        found = {"second_half": half, "tenths": tenths, "samples": samples}
        print_json(msgspec.to_builtins(found))
        return
    made = table("", "played#", "forecasts#", "error#", "too high#")
    for row in tenths:
        made.add_row(f"{row.begin:.0%}", str(row.samples), f"{row.error:.1%}", f"{row.bias:+.1%}")
    screen().print(made)
    screen().print(Text(_summary(samples)))


def _summary(samples: list[Sample]) -> str:
    """Return the errors in the second half, of the length of the game, and the time needed."""
    late = [one for one in samples if one.progress >= 0.5]
    rounds = fmean([abs(one.rounds - one.left) for one in late] or [0.0])
    times = sorted(one.milliseconds for one in samples)
    slow = times[int(len(times) * 0.99)] if times else 0.0
    return (
        f"second half: error {second_half(samples):.1%}, operating rounds off by {rounds:.1f}; "
        f"{median(times):.1f} ms a forecast (99%: {slow:.1f} ms)"
    )
