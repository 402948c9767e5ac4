"""Invitations, and taking the seat that one offers."""

from __future__ import annotations

from sqlalchemy import update

from carril.service.account_store import check_may_act
from carril.service.errors import NotFound, Taken
from carril.service.game_store import GameStore
from carril.service.operations import operation
from carril.service.store.clocks import settle
from carril.service.store.infos import find_invitation
from carril.service.store.journal import publish
from carril.service.store.tables import seats
from carril.service.values import GameInfo, Invitation, User
from carril.service.votes.voting import ask_newcomer


def invitation(store: GameStore, token: str) -> Invitation:
    """Return the seat that an invitation offers; raise NotFound if there is none."""
    with store.reading() as reader:
        found = find_invitation(reader.connection, token)
    if found is None:
        raise NotFound("There is no such invitation.")
    return found


@operation
def join(store: GameStore, token: str, user: User) -> GameInfo:
    """Take the seat that an invitation offers; of two users who try, one gets it."""
    found = invitation(store, token)
    free = update(seats).where(seats.c.invitation == token, seats.c.user.is_(None))
    with store.writing(user=user.id, game=found.game) as reader:
        check_may_act(reader.connection, user)
        changed = reader.connection.execute(free.values(user=user.id))
        info = reader.info(found.game, user)
        if changed.rowcount != 1:
            if found.player in info.seats_of(user):
                return info
            raise Taken("Somebody else has taken this seat.", {"player": found.player})
        line = reader.line(found.game)
        ask_newcomer(reader.connection, line, user.id)
        settle(reader.connection, line.game)
        payload = {"player": found.player, "name": user.name}
        publish(reader.connection, line.id, "join", payload)
    store.changed(line)
    return info
