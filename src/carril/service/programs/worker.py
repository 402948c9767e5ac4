"""Playing programs: the server asks them about each new position and records what they do.

Decisions are made outside of any transaction, in a worker process, never while somebody else's
request is answered; so nobody can measure them. What a program does and how far it is are written
in one transaction, which fails if the line has changed: an action cannot happen twice.
"""

from __future__ import annotations

import logging
from contextlib import suppress

import msgspec
from msgspec import Struct
from sqlalchemy import Connection

from carril.engine.play import Outcome
from carril.engine.state import State
from carril.programs import Act, Decision, Halt, History, Plan, Reason, Wait, decide
from carril.service.account_store import check_may_act
from carril.service.errors import ServiceError
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.playing import action_draft, append_action, bot_of
from carril.service.store.clocks import check_time, read_clock
from carril.service.store.journal import Draft, Line, read_line
from carril.service.store.programs import (
    KEY,
    StoredProgram,
    change_program,
    happened_after,
    lowest_change,
    programs_of,
)
from carril.service.values import User

_log = logging.getLogger("carril.service.programs")
_TRIES = 5
"""How often programs are asked anew if the table changes meanwhile."""


class _Changed(Exception):
    """The table, or its programs, have changed since they were read."""


class _Asked(Struct, frozen=True):
    """A program that is asked about a position, and what has happened since it was asked last."""

    stored: StoredProgram
    since: History
    undone: int | None = None
    """The position to which actions were taken back that the program was based on."""


class _Answer(Struct, frozen=True):
    """What a program decides, with the outcome of its action."""

    stored: StoredProgram
    decision: Decision
    seen: int
    outcome: Outcome | None = None


@operation
def play_programs(store: GameStore, game: str) -> bool:
    """Ask the programs of a table about its position; return whether there may be more to do."""
    for _ in range(_TRIES):
        with suppress(_Changed):
            return _play_once(store, game)
    return True


def _play_once(store: GameStore, game: str) -> bool:
    """Ask the programs once; raise _Changed if the table has changed meanwhile."""
    with store.reading() as reader:
        line = read_line(reader.connection, game)
        if line is None or line.bot or line.status != "open":
            return False
        if (clock := read_clock(reader.connection, game)) and clock.paused:
            return False
        asked = _read(reader, line)
        state = reader.position(line).state
    if not asked:
        return False
    answers = [_ask(state, one, line.head) for one in asked]
    with store.writing(game=game) as reader:
        now = read_line(reader.connection, game)
        due = now and {one.id for one in _due(reader.connection, now)}
        if now is None or now.version != line.version or now.status != "open":
            raise _Changed
        if due != {one.stored.id for one in asked}:
            raise _Changed
        acted = _write(store, reader, now, answers)
    store.changed(acted or line)
    return acted is not None


def _due(connection: Connection, line: Line) -> list[StoredProgram]:
    """Return the programs that have not been asked about this version of a line."""
    found = programs_of(connection, line.id, active=True)
    return [one for one in found if one.asked != line.version]


def _read(reader: Reader, line: Line) -> list[_Asked]:
    """Return the programs that are due, plans first, with what they are told."""
    asked = [_asked(reader.connection, line, one) for one in _due(reader.connection, line)]
    return sorted(asked, key=lambda one: not isinstance(one.stored.program, Plan))


def _asked(connection: Connection, line: Line, one: StoredProgram) -> _Asked:
    """Return a program with what has happened, unless that rests on what was taken back."""
    lowest = lowest_change(connection, line.id, max(one.begun, one.asked))
    if lowest is not None and lowest < max(one.start, one.last):
        return _Asked(one, History(), lowest)
    seen = one.seen if lowest is None else min(one.seen, lowest)
    entries = happened_after(connection, line.id, seen)
    return _Asked(one, History(one.round, one.start, seen, one.done, entries))


def _ask(state: State, asked: _Asked, head: int) -> _Answer:
    """Return what a program decides; one that fails is over."""
    stored = asked.stored
    if asked.undone is not None:
        over = Halt(Reason("undone", {"to": asked.undone}))
        return _Answer(stored, over, min(stored.seen, head))
    try:
        decision = decide(state, stored.player, stored.program, asked.since)
        outcome = state.apply(decision.action) if isinstance(decision, Act) else None
    except Exception:
        _log.exception("program %s of game %s failed", stored.id, stored.game)
        return _Answer(stored, Halt(Reason("failed")), head)
    return _Answer(stored, decision, head, outcome)


def _write(store: GameStore, reader: Reader, line: Line, answers: list[_Answer]) -> Line | None:
    """Record what programs have decided; return the line after the action of one of them."""
    acted: Line | None = None
    for one in answers:
        decision = _allowed(reader, line, one)
        values: dict[str, object] = {"seen": one.seen, "asked": line.version}
        if isinstance(decision, Halt):
            reason = msgspec.json.encode(decision.reason).decode()
            values |= {"active": False, "reason": reason}
        elif isinstance(decision, Act) and acted is None:
            values |= {"last": line.head + 1, "done": one.stored.done + 1}
        kept = change_program(reader.connection, one.stored.id, **values)
        if kept and "last" in values:
            acted = append_action(reader.connection, line, _draft(reader, line, one))
            assert one.outcome is not None
            store.recent.put(acted.tip, one.outcome.state)
    return acted


def _allowed(reader: Reader, line: Line, one: _Answer) -> Decision:
    """Return the decision of a program, or why its user may not act any more."""
    if isinstance(one.decision, Halt):
        return one.decision
    player = one.stored.player
    if isinstance(one.decision, Act):
        player = one.decision.action.by
    seat = reader.info(line.id).seat(player)
    if seat is None or seat.user != one.stored.user:
        return Halt(Reason("seat", {"player": player}))
    if isinstance(one.decision, Wait):
        return one.decision
    try:
        check_may_act(reader.connection, User(one.stored.user, ""))
    except ServiceError:
        return Halt(Reason("blocked"))
    try:
        check_time(reader.connection, line.id)
    except ServiceError:
        return Wait()  # what follows from it changes the line, and the program is asked again
    return one.decision


def _draft(reader: Reader, line: Line, one: _Answer) -> Draft:
    """Return the record of a program's action: that of its user."""
    assert isinstance(one.decision, Act)
    assert one.outcome is not None
    action, outcome = one.decision.action, one.outcome
    bot = bot_of(reader.info(line.id), outcome.state)
    draft = action_draft(line, action.by, action, outcome, bot)
    key = f"{KEY}{one.stored.id}:{one.stored.done}"
    return msgspec.structs.replace(draft, user=one.stored.user, key=key)
