"""`carril tune`: better parameters for the planner."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from carril.bots import bot_named
from carril.cli.common import progress, screen, title_called
from carril.lab.tuning import Settings, as_table, continued, tuned


def tune(
    title: Annotated[str, typer.Argument(help="The name of a title.")],
    path: Annotated[Path, typer.Option("--study", help="The file of the study.")],
    field: Annotated[str, typer.Option(help="The bot that it plays against.")] = "greedy",
    trials: Annotated[int, typer.Option(min=1, help="Trials in all.")] = 20,
    games: Annotated[int, typer.Option(min=2, help="Games of each trial.")] = 8,
    edition: Annotated[str, typer.Option(help="An edition of the rulebook.")] = "",
    seed: Annotated[int, typer.Option(help="The first seed.")] = 1,
) -> None:
    """Look for better parameters of the planner; a study that was interrupted goes on."""
    bot_named(field)
    settings = Settings(title_called(title), field, games, seed, edition)
    study = continued(path, settings)
    left = max(0, trials - len(study.trials))
    for found in progress(tuned(study, trials, path), left, "trials"):
        study = found
    first, best = study.trials[0], study.best
    console = screen()
    console.print(Text(as_table(best)))
    compared = f"{best.score:+.1%} of the worth, {first.score:+.1%} before"
    console.print(Text(f"# {len(study.trials)} trials of {games} games: {compared}"))
