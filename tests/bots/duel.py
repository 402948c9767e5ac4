"""How well the greedy bot plays, and how fast: `python -m tests.bots.duel --games N`.

One greedy seat against random ones, the seat moving round; then games of greedy bots alone. A
set-up is a number of players with its variants, such as `4` or `2:easy+east`. Times are CPU time of
one answer, options included.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from carril import start
from carril.bots import Dice, bot_named
from carril.engine.actions import GoBankrupt
from carril.engine.state import State

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fay")
MOST_ACTIONS = 6000


@dataclass(slots=True)
class Played:
    """A game that is over, and what was noted on the way."""

    last: State
    seats: dict[str, str]
    actions: int = 0
    answers: list[float] = field(default_factory=list)
    """Milliseconds of each answer of the greedy bot."""
    reasons: list[str] = field(default_factory=list)
    avoidable: int = 0
    """Bankruptcies that the greedy bot chose although something else was legal."""

    @property
    def winner(self) -> str:
        """The bot that won, "" if the game did not end."""
        return self.seats[next(iter(self.last.result))] if self.last.result else ""

    @property
    def broke(self) -> int:
        """How many greedy players are bankrupt."""
        players = self.last.players.values()
        return sum(p.bankrupt and self.seats[p.name] == "greedy" for p in players)


def duel(
    title: str,
    bots: Sequence[str],
    seed: int,
    most: int = MOST_ACTIONS,
    variants: Sequence[str] = (),
) -> Played:
    """Play a game of bots to its end, the first bot in the first named seat."""
    names = NAMES[: len(bots)]
    state, dice = start(title, names, seed=seed, variants=variants), Dice(seed)
    game = Played(state, dict(zip(names, bots, strict=True)))
    while not state.finished and game.actions < most:
        bot = bot_named(game.seats[state.acting or ""])
        began = time.process_time()
        decision = bot.choose(state, dice)
        if bot.name == "greedy":
            game.answers.append((time.process_time() - began) * 1000)
            game.reasons.append(decision.reason)
            given_up = isinstance(decision.action, GoBankrupt)
            game.avoidable += given_up and len(state.options()) > 1
        state = state.apply(decision.action).state
        game.actions += 1
    game.last = state
    return game


def seating(number: int, players: int) -> list[str]:
    """Return the bots of a game: one of them greedy, in a seat that moves round."""
    bots = ["random"] * players
    bots[number % players] = "greedy"
    return bots


def read_setup(text: str) -> tuple[int, tuple[str, ...]]:
    """Return players and variants of a set-up.

    >>> read_setup("2:easy+east")
    (2, ('easy', 'east'))
    """
    players, _, variants = text.partition(":")
    return int(players), tuple(variants.split("+")) if variants else ()


def at(values: Sequence[float], part: float) -> float:
    """Return the value below which this part of all values lies."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(len(ranked) * part))] if ranked else 0.0


def report(label: str, games: Sequence[Played]) -> None:
    """Print what became of some games."""
    answers = [answer for game in games for answer in game.answers]
    won = sum(game.winner == "greedy" for game in games)
    ends = Counter(game.last.ended or "unfinished" for game in games)
    print(f"{label}: {len(games)} games, greedy won {won} ({won / len(games):.0%})")
    print(
        f"  ended by {dict(ends)}; greedy bankrupt {sum(game.broke for game in games)}, "
        f"by choice {sum(game.avoidable for game in games)}"
    )
    print(
        f"  actions: median {at([game.actions for game in games], 0.5):.0f}, "
        f"most {max(game.actions for game in games)}"
    )
    print(
        f"  answers: {len(answers)}, median {at(answers, 0.5):.2f} ms, "
        f"99th percentile {at(answers, 0.99):.1f} ms, most {max(answers):.1f} ms, "
        f"over 50 ms {sum(a > 50 for a in answers) / len(answers):.2%}"
    )


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="games against random bots")
    parser.add_argument("--alone", type=int, default=3, help="games of greedy bots, each title")
    parser.add_argument("--titles", nargs="+", default=["18EU", "18ESP"])
    parser.add_argument("--setups", nargs="+", default=["3", "4"])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for title, setup in product(given.titles, given.setups):
        players, variants = read_setup(setup)
        if given.games:
            games = [
                duel(title, seating(number, players), given.seed + number, variants=variants)
                for number in range(given.games)
            ]
            report(f"{title} {setup}, greedy against random", games)
        if given.alone:
            seeds = range(given.seed, given.seed + given.alone)
            games = [duel(title, ["greedy"] * players, seed, variants=variants) for seed in seeds]
            report(f"{title} {setup}, greedy alone", games)


if __name__ == "__main__":
    main()
