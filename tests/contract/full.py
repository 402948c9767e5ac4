"""The full run: many random games of every title and player count, each position checked.

    python -m tests.contract.full --games 100 [--title 18EU] [--quick] [--log FILE]

Every game is played with every invariant checked after every action, half of them with all
variants, each edition by itself. One game in ten is of the careless bot, which reaches
bankruptcies and odd corners. Options and refusals are probed as well, unless it must be quick.
A log keeps what was played: a run that was broken off goes on where it stopped.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from carril.engine.registry import title_named, title_names
from carril.engine.setups import all_setups
from tests.contract.walk import Depth, Plan, walk

Outcome = tuple[Plan, int, str, str]


def plans(games: int, first: int, titles: tuple[str, ...]) -> Iterator[Plan]:
    """Yield the games to play: seeds first, so that all counts come along together."""
    for seed in range(first, first + games):
        bot = "careless" if seed % 10 == 9 else "random"
        for title in titles:
            found = title_named(title)
            every = product(all_setups(found), found.editions or ("",))
            for (players, variants), edition in every:
                yield Plan(title, players, seed, bot, variants, edition=edition)


def outcome(plan: Plan, depth: Depth) -> Outcome:
    """Play one game; return how many actions it took, how it ended, and what went wrong."""
    try:
        game = walk(plan, depth=depth)
    except Exception as error:  # any error at all is what this run looks for
        return plan, 0, "", f"{type(error).__name__}: {error}"
    wrong = "" if game.last.finished else f"{plan}: not over after {len(game)} actions"
    return plan, len(game), game.last.ended, wrong


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
    quick: Annotated[bool, typer.Option("--quick", help="Invariants only, no probes.")] = False,
    log: Annotated[Path | None, typer.Option(help="Keep outcomes here, and go on.")] = None,
) -> None:
    """Play them all; exit 1 if one breaks the contract."""
    console = Console()
    kept = Log(log)
    wanted = list(plans(games, seed, (title,) if title else title_names()))
    played = {result[0] for result in kept.results}
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
            if wrong := done.result()[3]:
                console.print(wrong, style="red", markup=False)
            progress.advance(task)
    results = [result for result in kept.results if result[0] in set(wanted)]
    console.print(summary(results))
    raise typer.Exit(any(wrong for *_, wrong in results))


def summary(results: list[Outcome]) -> Table:
    """Return how the games of each player count ended."""
    names = ("title", "edition", "players", "variants", "games", "actions", "ends", "errors")
    table = Table(*names)
    groups: dict[tuple[str, str, int, bool], list[Outcome]] = {}
    for result in results:
        plan = result[0]
        key = (plan.title, plan.edition, plan.players, bool(plan.variants))
        groups.setdefault(key, []).append(result)
    for (title, edition, players, variants), found in sorted(groups.items()):
        ends = Counter(ended or "-" for _, _, ended, _ in found)
        actions = sum(count for _, count, _, _ in found)
        wrong = sum(bool(text) for *_, text in found)
        table.add_row(
            title,
            edition,
            str(players),
            "all" if variants else "none",
            str(len(found)),
            str(actions),
            ", ".join(f"{reason} {count}" for reason, count in ends.most_common()),
            str(wrong),
        )
    return table


if __name__ == "__main__":
    typer.run(run)
