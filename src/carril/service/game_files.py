"""Game files: reading 18xx.games records and Carril saves, and writing saves."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from carril.engine.actions import Action
from carril.engine.events import Event
from carril.engine.play import adjourn, apply_recorded
from carril.engine.refusals import BadRecord, CarrilError
from carril.engine.state import State
from carril.notation.online import read_online
from carril.notation.save import DamagedRecord, Game, from_values, is_save, to_text
from carril.service.errors import BadUpload, TooLarge
from carril.service.names import is_visible

MOST_UNPACKED = 32 << 20
MOST_ACTIONS = 20_000
_LONGEST_NAME = 80
_SEEDS = 1 << 63
_GZIP = b"\x1f\x8b"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_MALFORMED = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    IndexError,
    RecursionError,
    AssertionError,
    OverflowError,
)
"""What reading a file raises that has fields of another kind or range."""


class Played(Struct, frozen=True):
    """An action of an imported game, its events, and the position it led to."""

    action: Action | None
    by: str
    events: tuple[Event, ...]
    state: State


class ImportedGame(Struct, frozen=True):
    """A game from a file, with every position replayed."""

    first: State
    played: tuple[Played, ...]
    notes: tuple[str, ...] = ()


def read_game(data: bytes, filename: str, most_bytes: int) -> ImportedGame:
    """Read a file of either kind; raise BadUpload or TooLarge with a clear message."""
    if len(data) > most_bytes:
        facts = {"most": most_bytes, "bytes": len(data)}
        raise TooLarge(f"{filename} is too large.", facts)
    values = _values(data, filename)
    try:
        game = _read_save(values, filename) if is_save(values) else _read_online(values)
        _check_storable(game)
        return game
    except CarrilError as error:
        raise BadUpload(f"{filename}: {error}") from None
    except _MALFORMED as error:
        raise BadUpload(f"{filename} cannot be read ({type(error).__name__}).") from None


def _check_storable(game: ImportedGame) -> None:
    """Raise BadRecord if a name or the seed cannot be stored."""
    for player in game.first.players:
        if len(player) > _LONGEST_NAME or not is_visible(player):
            raise BadRecord(f"a player cannot be called {player[:_LONGEST_NAME]!r}")
    if not 0 <= game.first.setup.seed < _SEEDS:
        raise BadRecord("the seed is too large")


def write_save(first: State, played: list[Action | None]) -> str:
    """Return a game as the text of a Carril save file; None means an end by agreement."""
    game = Game(first, [action for action in played if action])
    game.agreed = None in played
    return to_text(game)


def _values(data: bytes, filename: str) -> Any:
    try:
        if data.startswith(_GZIP):
            with gzip.open(io.BytesIO(data)) as file:
                data = file.read(MOST_UNPACKED + 1)
            if len(data) > MOST_UNPACKED:
                raise TooLarge(f"{filename} is too large when unpacked.", {"most": MOST_UNPACKED})
        text = data.decode("utf-8-sig")
        values = json.loads(text)
        if _SURROGATE.search(text):  # half a character cannot be stored
            json.dumps(values, ensure_ascii=False).encode()
        return values
    except (OSError, EOFError, ValueError, RecursionError, zlib.error):
        raise BadUpload(f"{filename} is not a JSON file, plain or gzipped.") from None


def _read_save(values: Any, filename: str) -> ImportedGame:
    notes: tuple[str, ...] = ()
    try:
        game = from_values(values, name=filename)
    except DamagedRecord as error:
        if error.record is None or not len(error.record):
            raise
        game, notes = error.record, (str(error),)
    if game.refused:
        notes = (*notes, str(game.refused))
    first = game.position(0)
    return ImportedGame(first, _all_played(first, game.actions, game.last), notes)


def _all_played(first: State, actions: Iterable[Action], last: State) -> tuple[Played, ...]:
    """Return all that was played, including an end by agreement, which is not an action."""
    played = tuple(_played(first, actions))
    before = played[-1].state if played else first
    if last.ended and not before.ended:
        return (*played, Played(None, "", adjourn(before).events, last))
    return played


def _played(state: State, actions: Iterable[Action]) -> Iterator[Played]:
    """Play actions from a position; yield each with its events and the new position."""
    for action in actions:
        by = action.by or state.acting or ""
        outcome = apply_recorded(state, action)
        state = outcome.state
        yield Played(action, by, outcome.events, state)


def _read_online(values: Any) -> ImportedGame:
    record = read_online(values)
    if len(record.recorded) > MOST_ACTIONS:
        raise TooLarge(f"The game has more than {MOST_ACTIONS} actions.", {"most": MOST_ACTIONS})
    first = record.position(0)
    notes = list(record.replay.findings)
    if record.refused:
        notes.append(f"stopped: {record.refused}")
    return ImportedGame(first, _all_played(first, record.actions, record.last), tuple(notes))
