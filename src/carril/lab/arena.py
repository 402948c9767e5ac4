"""Tournaments of bots: common seeds, rotating seats, and games that can be played again.

Each seed is played once with every rotation of the bots over the seats, so that no bot profits from
its place or its luck. A match says everything about a game; the same match gives the same game on
every machine, so games can be played anywhere and in any order.

>>> plan = schedule("18EU", ("random", "careless"), games=4, players=2)
>>> [(match.seed, match.bots) for match in plan][:3]
[(1, ('random', 'careless')), (1, ('careless', 'random')), (2, ('random', 'careless'))]
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from carril.bots import Dice, bot_named
from carril.bots.guard import guarded_choice
from carril.engine.play import start
from carril.engine.refusals import BadSetup
from carril.engine.state import State
from carril.engine.worth import standing, winners
from carril.notation.save import Game, save

MOST_ACTIONS = 20_000
SECONDS = 60.0
"""How long a bot may think about one decision before it loses its seat to the random bot."""


class Match(Struct, frozen=True):
    """A game to play: its set-up and the bot at each seat."""

    number: int
    title: str
    bots: tuple[str, ...]
    seed: int
    edition: str = ""
    variants: tuple[str, ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """The players by seat, named after their bots."""
        return tuple(f"{bot} {seat}" for seat, bot in enumerate(self.bots, start=1))

    @property
    def filename(self) -> str:
        """The name of its save file."""
        return f"{self.number:05}.json"


class Played(Struct, frozen=True):
    """How a match went; worth, places and wins are by seat."""

    match: Match
    worth: tuple[int, ...]
    places: tuple[int, ...]
    wins: tuple[float, ...]
    """1 for the winner; a part of it for each of several."""
    actions: int
    ended: str
    """The reason for the end; "" if the game was stopped after very many actions."""
    round: str
    faults: tuple[str, ...] = ()
    """Bots that lost their seats to the random bot, and why."""


def schedule(
    title: str,
    bots: Sequence[str],
    games: int,
    players: int,
    *,
    edition: str = "",
    variants: Sequence[str] = (),
    seed: int = 1,
) -> tuple[Match, ...]:
    """Return the matches of a tournament; the bots are repeated until all seats are taken."""
    if not bots or players < 1:
        raise BadSetup("a tournament needs bots and players")
    for bot in bots:
        bot_named(bot)
    seats = tuple(bots[place % len(bots)] for place in range(players))
    rotations = tuple(dict.fromkeys(seats[turn:] + seats[:turn] for turn in range(players)))
    if len(bots) > players:  # each takes part equally often
        many = tuple(bots) * 2
        rotations = tuple(many[first : first + players] for first in range(len(bots)))
    found = tuple(
        Match(
            number=number + 1,
            title=title,
            bots=rotations[number % len(rotations)],
            seed=seed + number // len(rotations),
            edition=edition,
            variants=tuple(variants),
        )
        for number in range(games)
    )
    if found:
        first_position(found[0])
    return found


def first_position(match: Match) -> State:
    """Return the position in which a match begins."""
    return start(
        match.title,
        match.players,
        match.seed,
        edition=match.edition,
        variants=match.variants,
        seated=True,
    )


def play_match(match: Match, folder: Path | None = None, seconds: float = SECONDS) -> Played:
    """Play a match to its end, and save it in a folder.

    A bot that raises, hangs or answers nonsense loses its seat to the random bot.
    """
    game = Game(first_position(match))
    bots = dict(zip(match.players, map(bot_named, match.bots), strict=True))
    dice = Dice(match.seed * 1_000_003 + sum(map(ord, "".join(match.bots))))
    state, faults = game.last, []
    while not state.finished and len(game) < MOST_ACTIONS:
        acting = state.acting or ""
        choice = guarded_choice(bots[acting], state, dice, seconds)
        if choice.fault:
            bots[acting] = bot_named("random")
            faults.append(f"{acting}, action {len(game) + 1}: {choice.fault}")
        game.add(choice.decision.action)
        state = game.last
    if folder:
        save(game, folder / match.filename)
    return _result(match, state, len(game), tuple(faults))


def _result(match: Match, state: State, actions: int, faults: tuple[str, ...]) -> Played:
    worth = standing(state)
    best = winners(state)
    order = list(worth)
    return Played(
        match=match,
        worth=tuple(worth[player] for player in match.players),
        places=tuple(1 if player in best else order.index(player) + 1 for player in match.players),
        wins=tuple(1 / len(best) if player in best else 0.0 for player in match.players),
        actions=actions,
        ended=state.ended,
        round=str(state.round),
        faults=faults,
    )
