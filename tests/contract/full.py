"""The full run: many random games of every title and player count, each position checked.

    python -m tests.contract.full --games 100 [--title 18EU] [--quick] [--log FILE]

Every game is played with every invariant and every promise of its title checked after every
action, half of them with all variants, each edition by itself. The bots of `TABLES` take turns;
careless ones reach emergencies and odd corners. The table at the end shows how often a game came to
where a promise could be broken. Options and refusals are probed as well, unless it must be quick.
A log keeps what was played: a run that was broken off goes on where it stopped.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from carril.engine.registry import title_named, title_names
from carril.engine.setups import all_setups
from tests.contract.walk import Depth, Plan, walk
from tests.contract.watches import watch_for

TABLES = ("random", "careless", "greedy", "random+careless+greedy", "greedy+careless")
"""Who plays: one bot for all seats, or several that alternate."""


class Outcome(NamedTuple):
    """A game: how many actions it took, how it ended, what went wrong, and what was seen."""

    plan: Plan
    actions: int
    ended: str
    wrong: str
    seen: dict[str, int]


def plans(
    games: int, first: int, titles: tuple[str, ...], tables: tuple[str, ...] = TABLES
) -> Iterator[Plan]:
    """Yield the games to play: seeds first, so that all counts come along together."""
    for seed in range(first, first + games):
        bot = tables[seed % len(tables)]
        for title in titles:
            found = title_named(title)
            every = product(all_setups(found), found.editions or ("",))
            for (players, variants), edition in every:
                yield Plan(title, players, seed, bot, variants, edition=edition)


def outcome(plan: Plan, depth: Depth) -> Outcome:
    """Play one game."""
    watch = watch_for(plan.title)
    try:
        game = walk(plan, depth=depth, watch=watch)
    except Exception as error:  # any error at all is what this run looks for
        return Outcome(plan, 0, "", f"{type(error).__name__}: {error}", watch.seen)
    wrong = "" if game.last.finished else f"{plan}: not over after {len(game)} actions"
    return Outcome(plan, len(game), game.last.ended, wrong, watch.seen)


class Log:
    """Outcomes of games as lines of JSON, kept over several runs."""

    def __init__(self, path: Path | None) -> None:
        """Read what an earlier run left there."""
        self.path = path
        lines = path.read_text("utf-8").splitlines() if path and path.exists() else []
        self.results = [msgspec.json.decode(line, type=Outcome) for line in lines]

    def add(self, result: Outcome) -> None:
        """Note one game more."""
        self.results.append(result)
        if self.path:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(result) + b"\n")


def run(
    games: Annotated[int, typer.Option(help="Games for each player count, twice.")] = 100,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 0,
    jobs: Annotated[int, typer.Option(help="Games played at once.")] = os.cpu_count() or 1,
    title: Annotated[str, typer.Option(help="Only this title.")] = "",
    bots: Annotated[str, typer.Option(help="Only these bots, such as random+greedy.")] = "",
    quick: Annotated[bool, typer.Option("--quick", help="Invariants only, no probes.")] = False,
    log: Annotated[Path | None, typer.Option(help="Keep outcomes here, and go on.")] = None,
) -> None:
    """Play them all; exit 1 if one breaks the contract."""
    console = Console()
    kept = Log(log)
    titles = (title,) if title else title_names()
    wanted = list(plans(games, seed, titles, (bots,) if bots else TABLES))
    played = {result.plan for result in kept.results}
    todo = [plan for plan in wanted if plan not in played]
    depth = Depth(0, 0, 0) if quick else Depth()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor(jobs) as pool:
        task = progress.add_task("games", total=len(wanted), completed=len(wanted) - len(todo))
        for done in as_completed([pool.submit(outcome, plan, depth) for plan in todo]):
            kept.add(done.result())
            if wrong := done.result().wrong:
                console.print(wrong, style="red", markup=False)
            progress.advance(task)
    chosen = set(wanted)
    results = [result for result in kept.results if result.plan in chosen]
    console.print(summary(results))
    raise typer.Exit(any(result.wrong for result in results))


def summary(results: list[Outcome]) -> Table:
    """Return how the games of each player count ended."""
    names = ("title", "edition", "players", "games", "actions", "ends", "seen", "errors")
    table = Table(*names)
    groups: dict[tuple[str, str, int], list[Outcome]] = {}
    for result in results:
        key = (result.plan.title, result.plan.edition, result.plan.players)
        groups.setdefault(key, []).append(result)
    for (title, edition, players), found in sorted(groups.items()):
        ends = Counter(result.ended or "-" for result in found)
        seen = sum((Counter(result.seen) for result in found), Counter[str]())
        table.add_row(
            title,
            edition,
            str(players),
            str(len(found)),
            str(sum(result.actions for result in found)),
            _counted(ends),
            _counted(seen),
            str(sum(bool(result.wrong) for result in found)),
        )
    return table


def _counted(things: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in things.most_common())


if __name__ == "__main__":
    typer.run(run)
