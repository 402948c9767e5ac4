"""`carril play`: a whole game of bots in the terminal, round by round."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from carril.bots import Bot, Dice, bot_named
from carril.cli.chronicle import Chronicle
from carril.cli.common import print_json, screen, title_called
from carril.cli.results import result_table
from carril.cli.showing import AsJson
from carril.engine.refusals import BadSetup
from carril.notation.save import Game, save

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gil", "Hugo", "Ines", "Jan")
MOST_ACTIONS = 20_000


def play(
    title: Annotated[str, typer.Argument(help="The name of a title.")],
    players: Annotated[int, typer.Option(help="How many players.")] = 4,
    bots: Annotated[str, typer.Option(help="One bot for all, or one for each: a,b,c.")] = "random",
    seed: Annotated[int, typer.Option(help="The same seed gives the same game.")] = 1,
    variant: Annotated[list[str] | None, typer.Option(help="A variant; may be repeated.")] = None,
    file: Annotated[Path | None, typer.Option("--save", help="Write a save file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a whole game of bots."""
    game, seats = begin(title, players, bots, seed, variant or [])
    if file and not file.parent.is_dir():
        raise BadSetup(f"{file}: there is no folder {file.parent}")
    if as_json:
        play_out(game, seats, Dice(seed))
    else:
        _watch(game, seats, Dice(seed), screen())
    if file:
        save(game, file)
    if as_json:
        print_json(_summary(game, seats, seed))
    elif file:
        screen().print(f"saved to {file}", markup=False)


def begin(
    title: str, players: int, bots: str, seed: int, variants: list[str]
) -> tuple[Game, dict[str, Bot]]:
    """Start a game and seat the bots; BadSetup if one of the words is wrong."""
    if players < 0:
        raise BadSetup(f"there cannot be {players} players")
    names = [*NAMES, *(f"P{number}" for number in range(len(NAMES), players))][:players]
    game = Game.begin(title_called(title), names, seed, variants=variants)
    given = [bot_named(name.strip()) for name in bots.split(",")]
    if len(given) not in (1, players):
        raise BadSetup(f"{len(given)} bots for {players} players: name one bot, or one for each")
    seated = given if len(given) > 1 else given * players
    return game, dict(zip(names, seated, strict=True))


def play_out(game: Game, seats: dict[str, Bot], dice: Dice) -> None:
    """Play a game to its end without a word."""
    while not game.last.finished and len(game) < MOST_ACTIONS:
        step(game, seats, dice)


def step(game: Game, seats: dict[str, Bot], dice: Dice) -> None:
    """Let the bot whose turn it is act once."""
    acting = game.last.acting
    assert acting is not None
    game.add(seats[acting].choose(game.last, dice).action)


def _watch(game: Game, seats: dict[str, Bot], dice: Dice, console: Console) -> None:
    """Play and tell the game round by round, with a line of progress below."""
    chronicle = Chronicle(game.last)
    progress = Progress(
        SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=console
    )
    task = progress.add_task("")
    with Live(progress, console=console, transient=True):
        while not game.last.finished and len(game) < MOST_ACTIONS:
            before = game.last
            acting = before.acting or ""
            action = seats[acting].choose(before, dice).action
            for report in chronicle.after(game.add_told(action), game.last):
                console.print(report)
            state = game.last
            progress.update(task, description=f"{state.round}, action {len(game)}")
    console.print(result_table(game.last, len(game)))


def _summary(game: Game, seats: dict[str, Bot], seed: int) -> dict[str, Any]:
    state = game.last
    return {
        "title": game.title,
        "players": list(game.players),
        "bots": {name: seats[name].name for name in game.players},
        "seed": seed,
        "variants": list(game.setup.variants),
        "actions": len(game),
        "finished": state.finished,
        "ended": state.ended,
        "round": str(state.round),
        "result": state.result or {},
    }
