"""The clocks of tables in the store: what is counted, and settling it whenever something changes.

Whoever appends a record, changes a seat or pauses a table *settles* its clock in the same
transaction: what has elapsed is charged to the player for whom it was running, and it then runs for
whoever is next. So at every moment the time left follows from one row.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    bindparam,
    insert,
    select,
    update,
)

from carril.engine.state import State
from carril.service.clock import now
from carril.service.errors import Paused, TimeOver
from carril.service.store.tables import Moment, lines, metadata, seats
from carril.service.table_clocks.counting import Count, Span, TimeControl, after, elapsed

clocks = Table(
    "clocks",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("control", Text, nullable=False),
    Column("count", Text, nullable=False),
    Column("player", String(80), nullable=False, default="", server_default=""),
    Column("user", String(32), nullable=False, default="", server_default="", index=True),
    Column("since", Moment, nullable=False),
    Column("expires", Moment, index=True),
    Column("paused", Moment),
    Column("resumes", Moment, index=True),
    Column("lost", String(80), nullable=False, default="", server_default=""),
)

clock_marks = Table(
    "clock_marks",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("count", Text, nullable=False),
)

holidays = Table(
    "holidays",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("user", ForeignKey("users.id"), nullable=False, index=True),
    Column("first", String(10), nullable=False),
    Column("last", String(10), nullable=False),
    Column("begins", Moment, nullable=False),
    Column("ends", Moment, nullable=False),
)

INSTANT = 0.001
"""Seconds that count as none."""
_CLOCK = select(clocks).where(clocks.c.game == bindparam("wanted"))
_SEATS = select(seats).where(seats.c.game == bindparam("wanted"))
_LINE = select(lines.c.acting, lines.c.ended, lines.c.status).where(
    lines.c.id == bindparam("wanted")
)
_HOLIDAYS = select(holidays.c.begins, holidays.c.ends).where(
    holidays.c.user == bindparam("wanted"), holidays.c.ends > bindparam("since")
)


class Clock(Struct, frozen=True):
    """The clock of a table, as it was at the moment `since`."""

    game: str
    control: TimeControl
    count: Count
    player: str
    """The player for whom it runs; "" if it stands still."""
    user: str
    """The id of the user who holds that seat."""
    since: datetime
    expires: datetime | None
    """When that player has no time left, unless something happens before; None if never."""
    paused: datetime | None
    resumes: datetime | None
    """When a pause ends by itself."""
    lost: str
    """The player who has lost the game by using up their time."""


def read_clock(connection: Connection, game: str) -> Clock | None:
    """Return the clock of a table, or None if it has none."""
    row = connection.execute(_CLOCK, {"wanted": game}).one_or_none()
    if row is None:
        return None
    values = row._asdict()
    values["control"] = msgspec.json.decode(values["control"], type=TimeControl)
    values["count"] = msgspec.json.decode(values["count"], type=Count)
    return Clock(**values)


def is_paused(connection: Connection, game: str) -> bool:
    """Return whether the people of a table have paused it."""
    clock = read_clock(connection, game)
    return clock is not None and clock.paused is not None


def begin_clock(connection: Connection, game: str, control: TimeControl, moment: datetime) -> None:
    """Give a new table its clock, unless it chose none."""
    if control.kind == "none":
        return
    values = {"game": game, "control": _json(control), "count": _json(Count()), "since": moment}
    connection.execute(insert(clocks).values(**values))
    connection.execute(insert(clock_marks).values(game=game, version=0, count=_json(Count())))
    settle(connection, game, moment)


def settle(connection: Connection, game: str, moment: datetime | None = None) -> Clock | None:
    """Charge what has elapsed, and let the clock run for whoever is next; None without a clock.

    The table must be locked, and all other changes written.
    """
    clock = read_clock(connection, game)
    return None if clock is None else _run(connection, charged(connection, clock, moment or now()))


def charged(connection: Connection, clock: Clock, moment: datetime) -> Clock:
    """Return a clock after the elapsed time has been charged."""
    moment = max(moment, clock.since)
    count = clock.count
    if clock.player:
        free = free_spans(connection, clock.user, clock.since)
        count = count.charge(clock.player, elapsed(clock.since, moment, free))
    return msgspec.structs.replace(clock, count=count, since=moment)


def free_spans(connection: Connection, user: str, since: datetime) -> list[Span]:
    """Return the holidays of a user that are not over at a moment."""
    found = connection.execute(_HOLIDAYS, {"wanted": user, "since": since})
    return [(row.begins, row.ends) for row in found]


def _run(connection: Connection, clock: Clock) -> Clock:
    """Let a clock run for the player whose turn it is, and store it."""
    player, user = _next(connection, clock)
    count, penalty, expires = clock.count, clock.control.penalty, None
    if player and player != clock.player and penalty == "bot":
        count = count.come_back(clock.control, player)
    left = count.left(clock.control, player)
    if player and (left > INSTANT or penalty != "none"):  # what is used up is noted once
        expires = after(clock.since, left, free_spans(connection, user, clock.since))
    clock = msgspec.structs.replace(clock, player=player, user=user, count=count, expires=expires)
    store_clock(connection, clock)
    return clock


def _next(connection: Connection, clock: Clock) -> tuple[str, str]:
    """Return the player and the user for whom a clock runs, or "" for nobody."""
    line = connection.execute(_LINE, {"wanted": clock.game}).one()
    seated = connection.execute(_SEATS, {"wanted": clock.game}).all()
    if clock.paused or line.ended or line.status != "open" or line.acting is None:
        return "", ""
    if any(seat.kind == "person" and not seat.user for seat in seated):
        return "", ""
    seat = next((one for one in seated if one.player == line.acting), None)
    if seat is None or not seat.user or seat.bot:
        return "", ""
    return seat.player, seat.user


def store_clock(connection: Connection, clock: Clock) -> None:
    """Write a clock."""
    values = msgspec.structs.asdict(clock)
    values |= {"control": _json(clock.control), "count": _json(clock.count)}
    connection.execute(update(clocks).where(clocks.c.game == clock.game).values(**values))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


# --- acting in time --------------------------------------------------------------------------


def check_time(connection: Connection, game: str) -> None:
    """Raise Paused or TimeOver if nobody may act, or not any more, at a table."""
    clock = read_clock(connection, game)
    if clock is None:
        return
    if clock.paused:
        raise Paused("The table is paused. Anybody at the table can resume it.")
    if is_over(clock) and clock.control.penalty != "none":
        raise TimeOver(f"{clock.player} has no time left.", {"player": clock.player})


def is_over(clock: Clock) -> bool:
    """Return whether the player for whom a clock runs has no time left."""
    return clock.expires is not None and clock.expires <= now()


# --- records -------------------------------------------------------------------------------


class Step(Struct, frozen=True):
    """A record that was appended to the main line of a game, as far as its clock is concerned."""

    kind: str
    version: int
    before: str | None
    """The player who was to act."""
    state: State
    events: str
    user: str
    """The user who undid or redid something."""
    base: int | None
    """For an undo or redo, the version of the record that is in force last, if it is known."""
    moment: datetime


def count_step(connection: Connection, game: str, step: Step) -> None:
    """Count the time of a record that was appended to a game."""
    clock = read_clock(connection, game)
    if clock is None:
        return
    clock = charged(connection, clock, step.moment)
    count = clock.count
    if step.base is not None:
        before = _mark(connection, game, step.base)
        undo = step.kind == "undo"
        askers = _players(connection, game, step.user)
        count = count.undone(before, askers) if undo else count.redone(before)
    elif step.kind == "act":
        clock = msgspec.structs.replace(clock, lost="")  # if there was a loss, it is undone
        for player, seconds in earned(clock.control, step.state, step.events):
            count = count.earn(player, seconds)
    if step.kind != "act" or step.state.acting != step.before:
        count = count.begin_turn(clock.control, step.state.acting)
    mark = insert(clock_marks).values(game=game, version=step.version, count=_json(count))
    connection.execute(mark)
    _run(connection, msgspec.structs.replace(clock, count=count))


def _mark(connection: Connection, game: str, version: int) -> Count:
    query = select(clock_marks.c.count).where(
        clock_marks.c.game == game, clock_marks.c.version <= version
    )
    latest = query.order_by(clock_marks.c.version.desc()).limit(1)
    found = connection.execute(latest).scalar_one_or_none()
    return msgspec.json.decode(found, type=Count) if found else Count()


def _players(connection: Connection, game: str, user: str) -> list[str]:
    held = select(seats.c.player).where(seats.c.game == game, seats.c.user == user)
    return list(connection.execute(held).scalars())


def earned(control: TimeControl, state: State, events: str) -> Iterator[tuple[str, int]]:
    """Yield who earns how many seconds by the events of an action."""
    if control.kind != "budget":
        return
    for event in _began(events):
        if event["event"] == "round-began" and str(event["round"]).startswith("SR "):
            yield from ((player, control.per_stock) for player in state.players)
        elif event["event"] == "turn-began":
            company = state.companies.get(event["company"])
            if company is not None and company.owner in state.players:
                yield company.owner, control.per_company


def _began(events: str) -> list[dict[str, Any]]:
    """Return the events with which rounds and turns of companies began."""
    if "-began" not in events:
        return []
    kinds = ("round-began", "turn-began")
    return [one for one in msgspec.json.decode(events) if one["event"] in kinds]
