"""The programs of players in the store."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from carril.programs import AnyProgram, Happened, Reason, decode_program
from carril.service.store.clocks import clocks
from carril.service.store.infos import read_action, read_events
from carril.service.store.tables import IS_CHANGE, lines, programs, records, standing

KEY = "program:"
"""How the keys of records begin that a program has made."""
NEVER = -1


class StoredProgram(Struct, frozen=True):
    """A program, and how far it is; the fields are those of the table."""

    id: str
    game: str
    user: str
    player: str
    body: str
    active: bool
    reason: str
    """Why it has stopped, as JSON; "" while it is active."""
    round: str
    """The round in which it was given."""
    start: int
    """The position at which it was given; for a plan, at which its line begins."""
    begun: int
    """The version of the line when it was given."""
    seen: int
    """The position up to which it has been asked."""
    asked: int
    """The version of the line for which it was asked last."""
    last: int
    """The number of its last action, 0 if it has not acted."""
    done: int
    """How many actions it has taken."""
    created: datetime

    @property
    def program(self) -> AnyProgram:
        """What it does."""
        return decode_program(self.body)

    @property
    def why(self) -> Reason | None:
        """Why it has stopped."""
        return msgspec.json.decode(self.reason, type=Reason) if self.reason else None


_COLUMNS = [programs.c[name] for name in StoredProgram.__struct_fields__]


def programs_of(
    connection: Connection, game: str, user: str = "", *, active: bool = False
) -> list[StoredProgram]:
    """Return the programs at a table, of one user or of all, the oldest first."""
    wanted = {"in_game": game} | ({"of_user": user} if user else {})
    rows = connection.execute(_programs(bool(user), active), wanted)
    return [StoredProgram(*row) for row in rows]


@cache
def _programs(of_user: bool, active: bool) -> Select[Any]:
    query = select(*_COLUMNS).where(programs.c.game == bindparam("in_game"))
    if of_user:
        query = query.where(programs.c.user == bindparam("of_user"))
    if active:
        query = query.where(programs.c.active.is_(True))
    return query.order_by(programs.c.created, programs.c.id)


def are_due() -> ColumnElement[bool]:
    """Return the condition that programs must be asked about the position of a main line.

    While a table is paused, nobody acts.
    """
    waiting = select(programs.c.id).where(
        programs.c.game == lines.c.id,
        programs.c.active.is_(True),
        programs.c.asked != lines.c.version,
    )
    paused = select(clocks.c.game).where(clocks.c.game == lines.c.id, clocks.c.paused.is_not(None))
    return and_(waiting.exists(), ~paused.exists())


def add_program(connection: Connection, program: StoredProgram) -> None:
    """Store a program."""
    connection.execute(insert(programs).values(**msgspec.structs.asdict(program)))


def change_program(connection: Connection, program: str, **values: object) -> bool:
    """Change an active program; return whether there is one."""
    chosen = update(programs).where(programs.c.id == program, programs.c.active.is_(True))
    return connection.execute(chosen.values(**values)).rowcount == 1


def remove_programs(
    connection: Connection, game: str = "", user: str = "", program: str = ""
) -> int:
    """Delete the programs of a game, of a user, or one of these; return how many there were."""
    chosen = {"game": game, "user": user, "id": program}
    wanted = [programs.c[name] == value for name, value in chosen.items() if value]
    assert wanted  # never all programs of all games
    return connection.execute(delete(programs).where(*wanted)).rowcount


def happened_after(connection: Connection, line: str, number: int) -> tuple[Happened, ...]:
    """Return the actions in force on a line after a position."""
    query = (
        select(standing.c.number, records.c.by, records.c.action, records.c.events, records.c.key)
        .join(standing, standing.c.record == records.c.id)
        .where(standing.c.line == line, standing.c.number > max(0, number))
        .order_by(standing.c.number)
    )
    return tuple(
        Happened(
            row.number,
            row.by,
            read_action(row.action),
            read_events(row.events),
            (row.key or "").startswith(KEY),
        )
        for row in connection.execute(query)
    )


def lowest_change(connection: Connection, line: str, version: int) -> int | None:
    """Return the lowest position to which the line was taken back after a version, or None."""
    query = select(records.c.action, records.c.number).where(
        records.c.line == line, records.c.version > version, IS_CHANGE
    )
    found = connection.execute(query)
    bases = (msgspec.json.decode(row.action)["base"] if row.action else row.number for row in found)
    return min(bases, default=None)
