"""The chat at a table, separate from the log."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, Integer, bindparam, func, insert, select

from carril.service.errors import BadRequest, Forbidden
from carril.service.fields import is_storable
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.store.journal import now, publish
from carril.service.store.tables import remarks
from carril.service.values import Remark, User

LONGEST = 1000
"""Characters in a remark at most."""

_REMARKS = select(*(remarks.c[name] for name in ("number", "name", "user", "text", "created")))

_NEWEST = (
    _REMARKS.where(remarks.c.game == bindparam("wanted"))
    .order_by(remarks.c.number.desc())
    .limit(bindparam("most", type_=Integer))
)


def chat(reader: Reader, game: str, since: int) -> list[Remark]:
    """Return the remarks with numbers above `since`; raise NotFound if there is no such game."""
    reader.line(game)
    query = _REMARKS.where(remarks.c.game == game, remarks.c.number > since)
    return [Remark(*row) for row in reader.connection.execute(query.order_by(remarks.c.number))]


def last_remarks(connection: Connection, game: str, count: int) -> list[Remark]:
    """Return the last remarks at a table, oldest first."""
    rows = connection.execute(_NEWEST, {"wanted": game, "most": count}).all()
    return [Remark(*row) for row in reversed(rows)]


@operation
def post_remark(store: GameStore, game: str, user: User, text: str) -> Remark:
    """Add a remark; only the players and the owner of the table may."""
    text = text.strip()
    if not 0 < len(text) <= LONGEST or not is_storable(text):
        raise BadRequest(f"A remark must have 1 to {LONGEST} characters.", {"most": LONGEST})
    with store.writing(game=game) as reader:
        info, line = reader.info(game), reader.line(game)
        if not info.seats_of(user) and info.owner != user.id:
            raise Forbidden("Only players at this table can use its chat.")
        remark = _add(reader.connection, game, user, text)
    store.changed(line)
    return remark


def _add(connection: Connection, game: str, user: User, text: str) -> Remark:
    last = select(func.max(remarks.c.number)).where(remarks.c.game == game)
    number = (connection.execute(last).scalar() or 0) + 1
    remark = Remark(number, user.name, user.id, text, now())
    values = {"game": game, "number": number, "user": user.id, "name": user.name}
    connection.execute(insert(remarks).values(**values, text=text, created=remark.when))
    publish(connection, game, "chat", msgspec.to_builtins(remark))
    return remark
