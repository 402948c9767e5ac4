"""Pauses by agreement: the clock of a table stands still, and nobody can act."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Connection, update

from carril.service.clock import now
from carril.service.errors import BadRequest, Forbidden
from carril.service.game_store import GameStore
from carril.service.operations import operation
from carril.service.store.clocks import Clock, read_clock, settle, store_clock
from carril.service.store.journal import Line, publish
from carril.service.store.tables import lines
from carril.service.values import Proposal, User
from carril.service.votes.voting import Case, Kind, check_not_over, register

LONGEST_PAUSE = timedelta(days=180)


def _check_pause(case: Case) -> Proposal:
    check_not_over(case)
    clock = read_clock(case.reader.connection, case.line.game)
    if clock is None:
        raise BadRequest("This table has no clock to pause.")
    if clock.paused:
        raise BadRequest("The table is already paused.")
    until = str(case.proposal.about.get("until", ""))
    if until:
        resumes = _moment(until)
        if not now() < resumes <= now() + LONGEST_PAUSE:
            raise BadRequest("A pause must end in the future, within 180 days.")
    return Proposal("pause", about={"until": until})


def _moment(text: str) -> datetime:
    """Return the moment that a text is, by default in UTC; raise BadRequest if it is none."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise BadRequest(f"{text[:40]!r} is not a date such as 2026-12-24.") from None
    return found if found.tzinfo else found.replace(tzinfo=now().tzinfo)


def _pause(case: Case) -> Line:
    """Let the clock stand still; nobody can act until somebody resumes."""
    connection, game = case.reader.connection, case.line.game
    clock = settle(connection, game)
    assert clock is not None  # it was checked
    until = case.proposal.about["until"]
    resumes = _moment(until) if until else None
    store_clock(connection, msgspec.structs.replace(clock, paused=clock.since, resumes=resumes))
    settle(connection, game)
    publish(connection, game, "pause", {"name": case.user.name, "until": until})
    return case.reader.line(game)


PAUSE = register(Kind("pause", _check_pause, _pause, lapses=False))


@operation
def resume(store: GameStore, game: str, user: User) -> None:
    """Let the clock of a paused table run again."""
    with store.writing(game=game) as reader:
        info, line = reader.info(game), reader.line(game)
        if not info.seats_of(user) and info.owner != user.id:
            raise Forbidden("Only players at this table can do this.")
        clock = read_clock(reader.connection, game)
        if clock is None or not clock.paused:
            raise BadRequest("The table is not paused.")
        end_pause(reader.connection, clock, {"name": user.name})
    store.changed(line)


def end_pause(connection: Connection, clock: Clock, payload: dict[str, str]) -> None:
    """Let a clock run again; the table has not waited for anybody during the pause."""
    store_clock(connection, msgspec.structs.replace(clock, paused=None, resumes=None))
    settle(connection, clock.game)
    touched = update(lines).where(lines.c.id == clock.game)
    connection.execute(touched.values(updated=now()))
    publish(connection, clock.game, "resume", payload)
