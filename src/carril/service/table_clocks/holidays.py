"""Holidays: days on which the clocks of a user stand still at all tables."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select, update

from carril.service.account_store import check_may_act
from carril.service.clock import now
from carril.service.errors import BadRequest, NotFound
from carril.service.game_store import GameStore
from carril.service.operations import operation
from carril.service.store.clocks import clocks, holidays, settle
from carril.service.store.locks import lock_lines
from carril.service.values import User

DAYS_A_YEAR = 40
"""Days of holiday that a user may take in a calendar year."""
_AHEAD = timedelta(days=400)


class Holiday(Struct, frozen=True):
    """Days on which a user's clocks stand still, the last one included."""

    id: int
    first: date
    last: date
    begins: datetime
    ends: datetime


def holidays_of(connection: Connection, user: str) -> list[Holiday]:
    """Return all holidays of a user, also those that are over, in order."""
    query = select(holidays).where(holidays.c.user == user).order_by(holidays.c.begins)
    return [
        Holiday(
            row.id,
            date.fromisoformat(row.first),
            date.fromisoformat(row.last),
            row.begins,
            row.ends,
        )
        for row in connection.execute(query)
    ]


def days_taken(found: list[Holiday]) -> Counter[int]:
    """Return how many days of each year are holidays."""
    days = {
        one.first + timedelta(days=number)
        for one in found
        for number in range((one.last - one.first).days + 1)
    }
    return Counter(day.year for day in days)


@operation
def add_holiday(store: GameStore, user: User, first: date, last: date, zone: str) -> None:
    """Take days off, from today on; all clocks of the user stand still then.

    The past cannot be changed, so a holiday that begins today begins now.
    """
    moment = now()
    begins, ends = _midnight(first, zone), _midnight(last + timedelta(days=1), zone)
    if not moment < ends or begins >= ends or ends > moment + _AHEAD:
        raise BadRequest("Holidays begin today or later, within a year, and end after that.")
    begins = max(begins, moment)
    with store.writing(user=user.id) as reader:
        connection = reader.connection
        check_may_act(connection, user)
        found = holidays_of(connection, user.id)
        _check_year([*found, Holiday(0, first, last, begins, ends)])
        values = {"user": user.id, "first": first.isoformat(), "last": last.isoformat()}
        connection.execute(insert(holidays).values(**values, begins=begins, ends=ends))
        _settle_all(connection, user)


@operation
def remove_holiday(store: GameStore, user: User, holiday: int) -> None:
    """Cancel a holiday, or end it now if it has begun."""
    with store.writing(user=user.id) as reader:
        connection, moment = reader.connection, now()  # once nobody else can end it
        found = (one for one in holidays_of(connection, user.id) if one.id == holiday)
        one = next(found, None)
        if one is None or one.ends <= moment:
            raise NotFound("There is no such holiday, or it is over.")
        mine = holidays.c.id == holiday
        if one.begins >= moment:
            connection.execute(delete(holidays).where(mine))
        else:
            last = max(one.first, min(one.last, moment.date())).isoformat()
            connection.execute(update(holidays).where(mine).values(ends=moment, last=last))
        _settle_all(connection, user)


def _check_year(found: list[Holiday]) -> None:
    for year, days in days_taken(found).items():
        if days > DAYS_A_YEAR:
            facts = {"year": year, "days": days, "most": DAYS_A_YEAR}
            raise BadRequest(f"At most {DAYS_A_YEAR} days of a year can be holidays.", facts)


def _settle_all(connection: Connection, user: User) -> None:
    """Settle the clocks that run for a user; they then run out at another moment."""
    query = select(clocks.c.game).where(clocks.c.user == user.id)
    lock_lines(connection, connection.execute(query).scalars().all())
    for game in connection.execute(query).scalars().all():
        settle(connection, game)


def _midnight(day: date, zone: str) -> datetime:
    """Return the moment at which a day begins in a time zone."""
    try:
        return datetime.combine(day, time(), ZoneInfo(zone or "UTC")).astimezone(UTC)
    except (KeyError, ValueError, OSError, OverflowError):
        raise BadRequest(f"There is no time zone {zone[:40]!r}.") from None
