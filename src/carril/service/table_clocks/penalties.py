"""What is due by the clock of a table: the end of a pause, or the penalty when no time is left."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, select

from carril.engine.play import adjourn
from carril.service.clock import now
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.playing import append_action
from carril.service.seats.assigning import people_changed, set_stand_in
from carril.service.store.clocks import Clock, clocks, is_over, read_clock, settle, store_clock
from carril.service.store.journal import Draft, Line, publish
from carril.service.store.outbox import Outgoing, put
from carril.service.store.snapshots import pack
from carril.service.table_clocks.pauses import end_pause


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
            end_pause(reader.connection, clock, {})
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
