"""Chat at a table, apart from the log."""

from __future__ import annotations

import msgspec
from sqlalchemy import func, insert, select

from carril.service.errors import BadRequest, Forbidden
from carril.service.game_store import Desk
from carril.service.store.journal import lock_line, now, tell
from carril.service.store.tables import remarks
from carril.service.values import Remark, User

MOST_LETTERS = 1000


def chat(desk: Desk, game: str, since: int) -> list[Remark]:
    """Return what was said with numbers above `since`."""
    wanted = (remarks.c[name] for name in ("number", "name", "user", "text", "created"))
    query = select(*wanted).where(remarks.c.game == game, remarks.c.number > since)
    with desk.database.reading() as connection:
        desk.line(connection, game)
        return [Remark(*row) for row in connection.execute(query.order_by(remarks.c.number))]


def say(desk: Desk, game: str, user: User, text: str) -> Remark:
    """Say something; those who sit at the table may."""
    text = text.strip()
    if not 0 < len(text) <= MOST_LETTERS:
        raise BadRequest(f"a remark has 1 to {MOST_LETTERS} letters", {"most": MOST_LETTERS})
    with desk.database.writing() as connection:
        info = desk.info(connection, game)
        if not info.seats_of(user) and info.owner != user.id:
            raise Forbidden("only those who sit at the table may speak")
        line = desk.line(connection, game)
        lock_line(connection, game)
        last = select(func.max(remarks.c.number)).where(remarks.c.game == game)
        number = (connection.execute(last).scalar() or 0) + 1
        remark = Remark(number, user.name, user.id, text, now())
        values = {"game": game, "number": number, "user": user.id, "name": user.name}
        connection.execute(insert(remarks).values(**values, text=text, created=remark.when))
        tell(connection, game, "chat", msgspec.to_builtins(remark))
    desk.changed(line)
    return remark
