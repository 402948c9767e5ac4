"""The clock of a table in play: what is shown, pauses, and the penalty when no time is left."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Connection, select

from carril.engine.play import adjourn
from carril.service.clock import now
from carril.service.errors import BadRequest, Forbidden
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.playing import append_action
from carril.service.seats.assigning import people_changed, set_stand_in
from carril.service.store.clocks import (
    Clock,
    charged,
    clocks,
    is_over,
    read_clock,
    settle,
    store_clock,
)
from carril.service.store.journal import Draft, Line, publish
from carril.service.store.outbox import Outgoing, put
from carril.service.store.snapshots import pack
from carril.service.table_clocks.counting import ClockView as ClockView
from carril.service.values import GameInfo, User, Wish
from carril.service.votes.voting import Case, check_not_over, register
from carril.service.votes.voting import Kind as WishKind

LONGEST_PAUSE = timedelta(days=180)


def view_clock(connection: Connection, info: GameInfo) -> ClockView | None:
    """Return the clock of a table as it is now, or None if it has none."""
    clock = read_clock(connection, info.id)
    if clock is None:
        return None
    moment = now()
    later = charged(connection, clock, moment)
    people = [seat.player for seat in info.seats if seat.kind == "person"]
    standing = charged(connection, clock, moment - timedelta(seconds=1)).count == later.count
    return ClockView(
        control=clock.control,
        now=moment,
        left={player: later.count.left(clock.control, player) for player in people},
        running=clock.player,
        expires=clock.expires,
        holiday=bool(clock.player) and standing and moment - clock.since > timedelta(seconds=1),
        paused=clock.paused,
        resumes=clock.resumes,
        lost=clock.lost,
    )


# --- penalties ---------------------------------------------------------------------------------


def overdue(connection: Connection) -> list[str]:
    """Return the tables at which a time has run out, or a pause ends."""
    moment = now()
    query = select(clocks.c.game).where((clocks.c.expires <= moment) | (clocks.c.resumes <= moment))
    return list(connection.execute(query).scalars())


@operation
def tick(store: GameStore, game: str) -> bool:
    """Do what is due at a table: end a pause, or carry out the penalty for a time that ran out.

    The table is locked and looked at again, so this happens once, whoever tries it.
    """
    with store.writing(game=game) as reader:
        clock = read_clock(reader.connection, game)
        if clock is None:
            return False
        line = reader.line(game)
        if clock.resumes is not None and clock.resumes <= now():
            _resume(reader.connection, clock, {})
        elif is_over(clock):
            line = _punish(reader, line, clock)
        else:
            return False
    store.changed(line)
    return True


def _punish(reader: Reader, line: Line, clock: Clock) -> Line:
    """Carry out the penalty that the table chose, and tell the table and the player."""
    connection, game, player = reader.connection, line.id, clock.player
    about = {"about": "time", "penalty": clock.control.penalty}
    key = f"time:{game}:{line.version}"
    put(connection, Outgoing(key, "turn", player, about, clock.user, game, line.version))
    payload: dict[str, object] = {"player": player, "penalty": clock.control.penalty}
    publish(connection, game, "time", payload)
    match clock.control.penalty:
        case "bot":
            set_stand_in(connection, game, player, clock.control.bot)
            return people_changed(
                reader, reader.line(game), "seat", {"player": player, "bot": clock.control.bot}
            )
        case "loss":
            return _lose(reader, reader.line(game), clock)
    settle(connection, game)
    return reader.line(game)


def _lose(reader: Reader, line: Line, clock: Clock) -> Line:
    """End the game by agreement: everybody accepted this penalty by joining."""
    lost = msgspec.structs.replace(clock, lost=clock.player)
    store_clock(reader.connection, lost)
    outcome = adjourn(reader.position(line).state)
    draft = Draft(
        kind="end",
        number=line.head + 1,
        state=outcome.state,
        snapshot=pack(outcome.state),
        events=msgspec.json.encode(outcome.events).decode(),
        reason=f"{clock.player} had no time left.",
    )
    return append_action(reader.connection, line, draft)


# --- pauses ------------------------------------------------------------------------------------


def _check_pause(case: Case) -> Wish:
    check_not_over(case)
    clock = read_clock(case.reader.connection, case.line.game)
    if clock is None:
        raise BadRequest("This table has no clock to pause.")
    if clock.paused:
        raise BadRequest("The table is already paused.")
    until = str(case.wish.about.get("until", ""))
    if until:
        resumes = _moment(until)
        if not now() < resumes <= now() + LONGEST_PAUSE:
            raise BadRequest("A pause must end in the future, within 180 days.")
    return Wish("pause", about={"until": until})


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
    until = case.wish.about["until"]
    resumes = _moment(until) if until else None
    store_clock(connection, msgspec.structs.replace(clock, paused=clock.since, resumes=resumes))
    settle(connection, game)
    publish(connection, game, "pause", {"name": case.user.name, "until": until})
    return case.reader.line(game)


PAUSE = register(WishKind("pause", _check_pause, _pause, lapses=False))


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
        _resume(reader.connection, clock, {"name": user.name})
    store.changed(line)


def _resume(connection: Connection, clock: Clock, payload: dict[str, str]) -> None:
    store_clock(connection, msgspec.structs.replace(clock, paused=None, resumes=None))
    settle(connection, clock.game)
    publish(connection, clock.game, "resume", payload)
