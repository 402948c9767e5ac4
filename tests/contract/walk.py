"""A game of bots in which every position is held to the contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

from carril.bots import Bot, Dice, bot_named
from carril.engine.state import State
from carril.notation.position import describe, digest
from carril.notation.save import Game
from carril.notation.text import write
from tests.contract import probes
from tests.contract.invariants import Beginning, check
from tests.contract.watches import Watch, watch_for

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gil", "Hugo")


@dataclass(frozen=True, slots=True)
class Depth:
    """How much is tried in each position: options applied, texts read, actions probed."""

    applied: int = 2
    texts: int = 4
    probed: int = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """A game to play: enough to play it again."""

    title: str
    players: int
    seed: int
    bot: str = "random"
    """The bot of every seat, or bots that alternate: "random+greedy"."""
    variants: tuple[str, ...] = ()
    conventions: str = "rulebook"
    edition: str = ""

    def begin(self) -> Game:
        """Return the game before its first action."""
        return Game.begin(
            self.title,
            NAMES[: self.players],
            self.seed,
            variants=self.variants,
            conventions=self.conventions,
            edition=self.edition,
        )

    def dice(self) -> Dice:
        """Return the bots' dice."""
        return Dice(self.seed * 7919 + self.players)

    def seats(self) -> dict[str, Bot]:
        """Return the bot of each player."""
        bots = cycle(map(bot_named, self.bot.split("+")))
        return dict(zip(NAMES[: self.players], bots, strict=False))


def walk(
    plan: Plan, most: int = 20_000, depth: Depth | None = None, watch: Watch | None = None
) -> Game:
    """Play a game to its end, or so many actions of it; check every position if asked to.

    An error names the game, the action and the position.
    """
    game, dice, trying = plan.begin(), plan.dice(), Dice(plan.seed)
    seats, beginning = plan.seats(), Beginning.of(game.last)
    watch = watch or watch_for(plan.title)
    while not game.last.finished and len(game) < most:
        before = game.last
        action = seats[before.acting or NAMES[0]].choose(before, dice).action
        try:
            events = game.add_told(action)
            if depth:
                watch.see(before, action, events, game.last)
                examine(game.last, beginning, trying, depth, plan.conventions == "rulebook")
        except AssertionError as error:
            where = f"{plan}, action {len(game)} ({write(action)})"
            raise AssertionError(f"{where}: {error}\n{describe(game.last)}") from error
    return game


def examine(
    state: State, beginning: Beginning, dice: Dice, depth: Depth, by_the_book: bool
) -> None:
    """Hold one position to the contract."""
    check(state, beginning)
    if state.finished or not depth.texts:
        return
    options = state.options()
    assert options == state.options(), "options change when asked again"
    probes.options_are_well_formed(state, options)
    probes.options_apply(state, options, dice, depth.applied)
    probes.texts_read_back(options, dice, depth.texts)
    probes.other_seats_are_refused(state, options)
    if by_the_book:
        # A convention of another program may let more through than it would ever offer.
        probes.refusals_and_options_agree(state, options, dice, depth.probed)


def digests(game: Game, numbers: Sequence[int]) -> list[str]:
    """Return the fingerprints of some positions of a game."""
    return [digest(game.position(number)) for number in numbers]
