"""Makes a file of perft positions: every opening, and one position of each situation.

    python -m tests.perft.make TITLE [--edition NAME] [--conventions NAME] [--games 3] > FILE

A situation is a kind of round and the step that is due, with either the kinds of action that it
offers or the phase. Of many games of bots those are taken that show the most situations not seen
yet.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import product

from carril.engine.actions import Range
from carril.engine.registry import title_named
from carril.engine.setups import optional_variants
from carril.engine.state import State
from carril.notation.perft_files import Counted, CountedGame, counts_text, recounted
from carril.notation.save import Game
from carril.notation.text import write
from tests.contract.walk import NAMES, Plan, walk

Situation = tuple[str, str, str]
BOTS = ("random", "greedy")


def kinds(state: State) -> str:
    """Return the kinds of action that a position offers."""
    offered = [one.action if isinstance(one, Range) else one for one in state.options()]
    return ", ".join(sorted({str(type(action).__struct_config__.tag) for action in offered}))


def situations(state: State) -> Iterator[Situation]:
    """Yield what kind of position this is: by what it offers, and by its phase."""
    step = type(state.step).__name__
    yield state.round.kind, step, kinds(state)
    yield state.round.kind, step, f"phase {state.phase}"


def openings(given: argparse.Namespace) -> Iterator[CountedGame]:
    """Yield every set-up: each number of players, without variants and with each of them."""
    title = title_named(given.title)
    for setup in title.tables.setups:
        for added in ((), *((one,) for one in optional_variants(title, setup.players))):
            variants = (*setup.variants, *added)
            yield CountedGame(
                title=given.title,
                players=NAMES[: setup.players],
                seed=1,
                edition=given.edition,
                conventions=given.conventions,
                variants=variants,
                position=(Counted(0, "opening"),),
            )


def candidates(given: argparse.Namespace) -> Iterator[tuple[Plan, Game, dict[Situation, int]]]:
    """Yield games of bots, each with the first position of every situation in it."""
    title = title_named(given.title)
    seeds = range(1, given.seeds + 1)
    for setup, bot, seed in product(title.tables.setups, BOTS, seeds):
        added = optional_variants(title) if seed % 3 == 0 else ()
        plan = Plan(
            given.title,
            setup.players,
            seed,
            bot=bot,
            variants=(*setup.variants, *added),
            conventions=given.conventions,
            edition=given.edition,
        )
        game = walk(plan)
        found: dict[Situation, int] = {}
        for number in range(len(game)):
            for situation in situations(game.position(number)):
                found.setdefault(situation, number)
        yield plan, game, found


def counted(plan: Plan, game: Game, found: dict[Situation, int]) -> CountedGame:
    """Return a game with positions to be counted, cut off after the last of them."""
    numbers = sorted(set(found.values()))
    positions = tuple(Counted(number, _name(game.position(number))) for number in numbers)
    return CountedGame(
        title=plan.title,
        players=NAMES[: plan.players],
        seed=plan.seed,
        edition=plan.edition,
        conventions=plan.conventions,
        variants=plan.variants,
        actions="".join(f"{write(action)}\n" for action in game.actions[: numbers[-1]]),
        position=positions,
    )


def _name(state: State) -> str:
    return f"{state.round}, phase {state.phase}: {kinds(state)}"


def chosen(given: argparse.Namespace) -> Iterator[CountedGame]:
    """Yield the games with the most situations that are new."""
    pool, seen = list(candidates(given)), set[Situation]()
    for _ in range(given.games):
        plan, game, found = max(pool, key=lambda one: len(one[2].keys() - seen))
        fresh = {key: number for key, number in found.items() if key not in seen}
        seen |= fresh.keys()
        if fresh:
            yield counted(plan, game, fresh)


def main() -> None:
    """Write the file to the standard output."""
    parser = argparse.ArgumentParser()
    parser.add_argument("title")
    parser.add_argument("--edition", default="")
    parser.add_argument("--conventions", default="rulebook")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    games = [recounted(game) for game in (*openings(given), *chosen(given))]
    sys.stdout.write(counts_text(games))


if __name__ == "__main__":
    main()
