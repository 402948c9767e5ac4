"""`carril check records` and `carril check ledger`: games of bots, held to a second bookkeeping."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from carril.bots import Bot, Dice, bot_named
from carril.cli.common import DIFFERENT, aside, screen, title_called
from carril.cli.playing import MOST_ACTIONS, NAMES
from carril.cli.tables import table
from carril.engine.actions import Action
from carril.engine.play import start
from carril.engine.refusals import BadSetup
from carril.engine.registry import title_named, title_names
from carril.engine.setups import all_setups
from carril.lab.running import in_processes
from carril.notation.ledger import Ledger
from carril.notation.text import write
from carril.notation.written import WrittenGame

_CARELESS = 4
"""One game in so many is played by the careless bot, which reaches rare positions."""
_TRIES = 500
"""How often a bot is asked again for an action that a record can express."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One game to play: enough to play it again."""

    title: str
    edition: str
    players: int
    variants: tuple[str, ...]
    seed: int

    @property
    def names(self) -> tuple[str, ...]:
        """The players."""
        return NAMES[: self.players]

    @property
    def bot(self) -> Bot:
        """The bot that plays for all."""
        return bot_named("random" if self.seed % _CARELESS else "careless")

    def dice(self) -> Dice:
        """Return the bot's dice; they depend on all of the plan."""
        place = sum(map(ord, f"{self.edition}{self.variants}"))
        return Dice((self.seed * 7919 + self.players) * 104_729 + place)

    def __str__(self) -> str:
        """Return what is needed to play it again."""
        named = " ".join(filter(None, (self.title, self.edition)))
        with_variants = f" with {', '.join(self.variants)}" if self.variants else ""
        return f"{named}, {self.players} players{with_variants}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game went: its actions, and what is wrong with it, or ""."""

    plan: Plan
    actions: int
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop, and how many games are played at once."""

    actions: int
    """Stop after this many actions; 0 if all games are played."""
    jobs: int


class Log:
    """Outcomes as lines of JSON, kept over several runs."""

    def __init__(self, path: Path | None) -> None:
        """Read what an earlier run left there."""
        self.path = path
        lines = path.read_text("utf-8").splitlines() if path and path.exists() else []
        self.outcomes = [msgspec.json.decode(line, type=Outcome) for line in lines]

    def add(self, outcome: Outcome) -> None:
        """Note one more game."""
        self.outcomes.append(outcome)
        if self.path:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(outcome) + b"\n")


Check = Callable[[Plan], Outcome]

Games = Annotated[int, typer.Option(min=1, help="Games for each number of players and variant.")]
Actions = Annotated[int, typer.Option(min=0, help="Stop after this many actions; 0: play all.")]
TitleName = Annotated[str, typer.Option(help="Only this title.")]
Seed = Annotated[int, typer.Option(help="The first seed.")]
Jobs = Annotated[int, typer.Option(min=1, help="Games played at once.")]
LogFile = Annotated[
    Path | None, typer.Option("--log", help="Keep outcomes here; games in it are not repeated.")
]


def check_records(
    games: Games = 1,
    actions: Actions = 0,
    title: TitleName = "",
    seed: Seed = 1,
    jobs: Jobs = 1,
    log: LogFile = None,
) -> None:
    """Play under the conventions of 18xx.games, write its files, read them back and compare."""
    names = [name for name in _titles(title) if title_named(name).export]
    if not names:
        raise BadSetup(f"games of {title} cannot be written as files of 18xx.games")
    wanted = plans(names, games, seed, editions=False)
    _run(record_outcome, wanted, Limits(actions, jobs), Log(log))


def check_ledger(
    games: Games = 1,
    actions: Actions = 0,
    title: TitleName = "",
    seed: Seed = 1,
    jobs: Jobs = 1,
    log: LogFile = None,
) -> None:
    """Play under the rulebooks, and compare each position with accounts made from events alone."""
    wanted = plans(_titles(title), games, seed, editions=True)
    _run(ledger_outcome, wanted, Limits(actions, jobs), Log(log))


def _titles(title: str) -> list[str]:
    return [title_called(title)] if title else list(title_names())


def plans(titles: Iterable[str], games: int, first: int, *, editions: bool) -> Iterator[Plan]:
    """Yield the games to play, seed by seed, so that all set-ups come along together."""
    setups = [
        (title, edition, *setup)
        for title in titles
        for setup in all_setups(title_named(title))
        for edition in (title_named(title).editions if editions else ()) or ("",)
    ]
    for seed in range(first, first + games):
        yield from (Plan(*setup, seed) for setup in setups)


# --- one game ----------------------------------------------------------------------------


def ledger_outcome(plan: Plan, most: int = MOST_ACTIONS) -> Outcome:
    """Play a game under the rulebook; stop where the ledger and the position disagree."""
    state = start(plan.title, plan.names, plan.seed, edition=plan.edition, variants=plan.variants)
    ledger, bot, dice = Ledger(state), plan.bot, plan.dice()
    for number in range(1, most + 1):
        if state.finished:
            return Outcome(plan, number - 1)
        action = bot.choose(state, dice).action
        outcome = state.apply(action)
        state = outcome.state
        ledger.enter_all(outcome.events)
        if difference := ledger.difference(state):
            return Outcome(plan, number, f"action {number} ({write(action)}): {difference}")
    return Outcome(plan, most)


def record_outcome(plan: Plan) -> Outcome:
    """Play and write a game, then read it back."""
    game = WrittenGame(plan.title, plan.names, plan.seed, plan.variants)
    bot, dice = plan.bot, plan.dice()
    while not game.state.finished and game.played < MOST_ACTIONS:
        game.play(_recordable(game, bot, dice))
    return Outcome(plan, game.played, game.difference())


def _recordable(game: WrittenGame, bot: Bot, dice: Dice) -> Action:
    """Return an action of the bot that a record can express."""
    for _ in range(_TRIES):
        action = bot.choose(game.state, dice).action
        if game.can_play(action):
            return action
    raise AssertionError(f"no action that can be recorded in {game.state.step}")


# --- all games ---------------------------------------------------------------------------


def _run(game_check: Check, wanted: Iterator[Plan], limits: Limits, log: Log) -> None:
    """Play the games, print a line for each that fails and a table; exit 1 if one fails."""
    known = {outcome.plan for outcome in log.outcomes}
    todo = (plan for plan in wanted if plan not in known)
    played, console = sum(outcome.actions for outcome in log.outcomes), aside()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("")
        for outcome in _outcomes(game_check, todo, limits.jobs):
            log.add(outcome)
            played += outcome.actions
            if outcome.wrong:
                typer.echo(f"carril: {outcome.plan}: {outcome.wrong}", err=True)
            progress.update(task, description=f"{len(log.outcomes)} games, {played:,} actions")
            if limits.actions and played >= limits.actions:
                break
    _show(log.outcomes)
    if any(outcome.wrong for outcome in log.outcomes):
        raise typer.Exit(DIFFERENT)


def _outcomes(game_check: Check, wanted: Iterator[Plan], jobs: int) -> Iterator[Outcome]:
    """Yield the outcomes, with as many games at once as there are jobs."""
    if jobs == 1:
        yield from (_guarded(game_check, plan) for plan in wanted)
        return
    yield from in_processes(partial(_guarded, game_check), wanted, jobs)


def _guarded(game_check: Check, plan: Plan) -> Outcome:
    """Return the outcome of a game; any error at all is something that is wrong with it."""
    try:
        return game_check(plan)
    except Exception as error:
        return Outcome(plan, 0, f"{type(error).__name__}: {' '.join(str(error).split())}")


def _show(outcomes: list[Outcome]) -> None:
    made = table("", "title", "edition", "players", "games#", "actions#", "different#")
    groups: dict[tuple[str, str, int], list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault((one.plan.title, one.plan.edition, one.plan.players), []).append(one)
    for (title, edition, players), found in sorted(groups.items()):
        made.add_row(title, edition, str(players), *_sums(found))
    made.add_row("all", "", "", *_sums(outcomes))
    screen().print(made)


def _sums(outcomes: list[Outcome]) -> tuple[str, str, str]:
    """Return games, actions and games that differ, as text."""
    actions = sum(one.actions for one in outcomes)
    wrong = sum(bool(one.wrong) for one in outcomes)
    return str(len(outcomes)), f"{actions:,}", str(wrong)
