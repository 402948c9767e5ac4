"""Files that people bring: 18xx.games records and Carril saves, as a list of played actions."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from carril.engine.actions import Action
from carril.engine.events import Event
from carril.engine.play import adjourn, apply
from carril.engine.refusals import CarrilError
from carril.engine.state import State
from carril.notation.online import read_online
from carril.notation.save import DamagedRecord, Game, from_values, is_save, to_text
from carril.service.errors import BadUpload, TooLarge

MOST_BYTES = 4 << 20
MOST_UNPACKED = 32 << 20
MOST_ACTIONS = 20_000
_GZIP = b"\x1f\x8b"


class Played(Struct, frozen=True):
    """An action of a record, its events, and the position it led to."""

    action: Action | None
    by: str
    events: tuple[Event, ...]
    state: State


class Record(Struct, frozen=True):
    """A recorded game, played through."""

    first: State
    played: tuple[Played, ...]
    notes: tuple[str, ...] = ()


def read_record(data: bytes, filename: str) -> Record:
    """Read a file of either kind; a bad one gives one clear error."""
    values = _values(data, filename)
    try:
        if is_save(values):
            return _carril(values, filename)
        return _online(values)
    except CarrilError as error:
        raise BadUpload(f"{filename}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise BadUpload(f"{filename}: cannot be read ({type(error).__name__})") from None


def write_save(first: State, played: list[Action | None]) -> str:
    """Return a game as the text of a Carril save file; None stands for an end by agreement."""
    game = Game(first, [action for action in played if action])
    game.agreed = None in played
    return to_text(game)


def _values(data: bytes, filename: str) -> Any:
    if len(data) > MOST_BYTES:
        raise TooLarge(f"{filename} is too large", {"most": MOST_BYTES, "bytes": len(data)})
    try:
        if data.startswith(_GZIP):
            with gzip.open(io.BytesIO(data)) as file:
                data = file.read(MOST_UNPACKED + 1)
            if len(data) > MOST_UNPACKED:
                raise TooLarge(f"{filename} is too large when unpacked", {"most": MOST_UNPACKED})
        return json.loads(data.decode("utf-8-sig"))
    except (OSError, EOFError, ValueError, RecursionError):
        raise BadUpload(f"{filename} is not a JSON file, plain or gzipped") from None


def _carril(values: Any, filename: str) -> Record:
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
    return Record(first, _whole(first, game.actions, game.last), notes)


def _whole(first: State, actions: Iterable[Action], last: State) -> tuple[Played, ...]:
    """Return all that was played, with an end by agreement, which is no action."""
    played = tuple(_played(first, actions))
    before = played[-1].state if played else first
    if last.ended and not before.ended:
        return (*played, Played(None, "", adjourn(before).events, last))
    return played


def _played(state: State, actions: Iterable[Action]) -> Iterator[Played]:
    """Play actions from a position, with what each makes happen."""
    for action in actions:
        by = action.by or state.acting or ""
        outcome = apply(state, action)
        state = outcome.state
        yield Played(action, by, outcome.events, state)


def _online(values: Any) -> Record:
    record = read_online(values)
    if len(record.recorded) > MOST_ACTIONS:
        raise TooLarge("the record has too many actions", {"most": MOST_ACTIONS})
    first = record.position(0)
    notes = list(record.replay.findings)
    if record.refused:
        notes.append(f"stopped: {record.refused}")
    return Record(first, _whole(first, record.actions, record.last), tuple(notes))
