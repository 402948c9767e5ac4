"""Files of perft counts: games as a set-up and a list of actions, and counts of their positions.

A file is TOML. It holds no position as the engine stores it, only what leads there in the text
notation, so that its counts remain valid when the engine is rewritten.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from carril.engine.refusals import BadRecord, CarrilError
from carril.engine.state import State
from carril.notation.perft import Perft, options_digest
from carril.notation.save import Game
from carril.notation.text import parse

DEEPEST = 4
"""The number of decisions to which counts are made."""
MOST_EXPANDED = 5_000
"""A depth is left out of a file if the depth before it has more sequences than this."""


class Counted(Struct, frozen=True, forbid_unknown_fields=True):
    """A position of a game, and its counts for 1, 2, 3... decisions."""

    after: int
    """The number of actions that lead to it."""
    name: str
    counts: tuple[int, ...] = ()
    options: str = ""
    """The fingerprint of its options; see `options_digest`."""


class CountedGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game to reach positions by: its set-up, its actions as text, one to a line."""

    title: str
    players: tuple[str, ...]
    seed: int
    position: tuple[Counted, ...]
    edition: str = ""
    conventions: str = "rulebook"
    variants: tuple[str, ...] = ()
    actions: str = ""

    def states(self) -> Iterator[State]:
        """Yield the counted positions; BadRecord if an action on the way is refused."""
        game = Game.begin(
            self.title,
            self.players,
            self.seed,
            edition=self.edition,
            conventions=self.conventions,
            variants=self.variants,
        )
        texts = self.actions.splitlines()
        for counted in self.position:
            if not 0 <= counted.after <= len(texts):
                raise BadRecord(f"there are {len(texts)} actions, not {counted.after}")
            for text in texts[len(game) : counted.after]:
                _play(game, text)
            yield game.position(counted.after)

    @property
    def label(self) -> str:
        """The set-up in a few words."""
        parts = [self.title, self.edition, f"{len(self.players)} players", f"seed {self.seed}"]
        if self.conventions != "rulebook":
            parts.append(self.conventions)
        return ", ".join([*filter(None, parts), *self.variants])


def _play(game: Game, text: str) -> None:
    try:
        game.add(parse(text))
    except CarrilError as error:
        raise BadRecord(f"action {len(game) + 1} ({text}): {error}") from None


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    game: tuple[CountedGame, ...]


def read_counts(path: Path) -> tuple[CountedGame, ...]:
    """Read a file of counts; BadRecord in one line if it is not one."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_File).game
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path}: not a file of perft counts: {error}") from None


def differences(game: CountedGame, depth: int = DEEPEST) -> Iterator[tuple[Counted, str]]:
    """Yield each counted position with what differs there, or "".

    The first position that cannot be reached is the last.
    """
    states = game.states()
    for counted in game.position:
        try:
            state = next(states)
        except BadRecord as error:
            yield counted, f"not reached: {error}"
            return
        yield counted, _difference(counted, state, depth)


def _difference(counted: Counted, state: State, depth: int) -> str:
    perft = Perft()
    for number, expected in enumerate(counted.counts[:depth], start=1):
        found = perft.count(state, number)
        if found != expected:
            return f"depth {number}: {found} sequences, expected {expected}"
    if counted.options and (found_digest := options_digest(state)) != counted.options:
        return f"the options differ: {found_digest}, expected {counted.options}"
    return ""


def recounted(game: CountedGame, depth: int = DEEPEST) -> CountedGame:
    """Return the game with its positions counted again, up to a depth."""
    fresh = tuple(
        replace(counted, counts=_counts(state, depth), options=options_digest(state))
        for counted, state in zip(game.position, game.states(), strict=True)
    )
    return replace(game, position=fresh)


def _counts(state: State, depth: int) -> tuple[int, ...]:
    perft, counts = Perft(), [1]
    while len(counts) <= depth and counts[-1] <= MOST_EXPANDED:
        counts.append(perft.count(state, len(counts)))
    return tuple(counts[1:])


# --- writing -------------------------------------------------------------------------------

_HEAD = """\
# Perft counts: sequences of 1, 2, 3 and 4 decisions from each position. `carril perft` checks
# them, `carril perft --write` counts again. A depth is left out where the one before it has more
# than {most} sequences. What is counted is defined in carril.notation.perft.
"""


def counts_text(games: Sequence[CountedGame]) -> str:
    """Return the text of a file of counts."""
    head = _HEAD.format(most=f"{MOST_EXPANDED:,}")
    return "\n".join([head, *map(_game_text, games)])


def _game_text(game: CountedGame) -> str:
    lines = ["[[game]]", *(_line(game, field) for field in ("title", "players", "seed"))]
    chosen = [field for field in ("edition", "conventions", "variants") if getattr(game, field)]
    lines += [_line(game, field) for field in chosen]
    if game.actions:
        lines.append(f"actions = '''\n{game.actions}'''")
    for position in game.position:
        lines += ["", "[[game.position]]"]
        lines += [_line(position, field) for field in position.__struct_fields__]
    return "\n".join([*lines, ""])


def _line(struct: Struct, field: str) -> str:
    return (
        f"{field} = {json.dumps(msgspec.to_builtins(getattr(struct, field)), ensure_ascii=False)}"
    )
