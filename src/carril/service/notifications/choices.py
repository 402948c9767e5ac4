"""Changing how people are told that it is their turn: choices, web-hooks, browsers."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from carril.service.account_store import check_may_act
from carril.service.clock import now
from carril.service.errors import BadRequest, Forbidden, NotFound
from carril.service.game_store import GameStore
from carril.service.names import new_id
from carril.service.notifications.web_push import is_key, new_key, unb64
from carril.service.operations import operation
from carril.service.store.notices import (
    Hook,
    HookKind,
    Notices,
    Push,
    hooks,
    notices,
    notices_of,
    pushes,
    service_key,
)
from carril.service.values import User

MOST_HOOKS, MOST_PUSHES = 10, 20
_LONGEST_DELAY = 3600


@operation
def set_notices(store: GameStore, user: User, chosen: Notices) -> Notices:
    """Store how a user wants to be told."""
    _check(chosen)
    with store.writing(user=user.id) as reader:
        check_may_act(reader.connection, user)
        _store(reader.connection, user.id, chosen)
    return chosen


def _store(connection: Connection, user: str, chosen: Notices) -> None:
    connection.execute(delete(notices).where(notices.c.user == user))
    connection.execute(insert(notices).values(user=user, **msgspec.structs.asdict(chosen)))


def _check(chosen: Notices) -> None:
    try:
        ZoneInfo(chosen.zone)
    except (KeyError, ValueError, OSError):
        raise BadRequest(f"There is no time zone {chosen.zone[:40]!r}.") from None
    hours = (chosen.digest_hour, chosen.quiet_from, chosen.quiet_to)
    if any(hour is not None and not 0 <= hour < 24 for hour in hours):
        raise BadRequest("An hour is a number from 0 to 23.")
    if (chosen.quiet_from is None) != (chosen.quiet_to is None):
        raise BadRequest("Quiet hours need a beginning and an end.")
    if not 0 <= chosen.delay <= _LONGEST_DELAY:
        raise BadRequest("A delay is at most an hour.")


@operation
def add_hook(
    store: GameStore, user: User, hook_kind: HookKind, url: str, hook_game: str | None
) -> Hook:
    """Add an address, which `check_address` has checked, for my turns or for those at a table."""
    made = Hook(new_id(), user.id, hook_game, hook_kind, url, secrets.token_urlsafe(24), now())
    with store.writing(user=user.id, game=hook_game or "") as reader:
        connection = reader.connection
        check_may_act(connection, user)
        if hook_game and reader.info(hook_game).owner != user.id:
            raise Forbidden("Only the user who created a table can add a web-hook to it.")
        count = select(func.count()).select_from(hooks).where(hooks.c.user == user.id)
        if connection.execute(count).scalar_one() >= MOST_HOOKS:
            raise Forbidden(f"You can have {MOST_HOOKS} web-hooks.", {"most": MOST_HOOKS})
        connection.execute(insert(hooks).values(**msgspec.structs.asdict(made)))
    return made


@operation
def remove_hook(store: GameStore, user: User, hook_id: str) -> None:
    """Remove an address."""
    mine = delete(hooks).where(hooks.c.id == hook_id, hooks.c.user == user.id)
    with store.writing(user=user.id) as reader:
        if reader.connection.execute(mine).rowcount != 1:
            raise NotFound("There is no such web-hook.")


@operation
def add_push(store: GameStore, user: User, endpoint: str, push_key: str, auth: str) -> Push:
    """Subscribe a browser; one that is known already gets its new keys."""
    if not is_key(push_key) or len(auth) > 100 or len(_secret(auth)) != 16:
        raise BadRequest("These are not the keys of a push subscription.")
    number = hashlib.sha256(endpoint.encode()).hexdigest()[:32]
    made = Push(number, user.id, endpoint, push_key, auth, now())
    with store.writing(user=user.id) as reader:
        connection = reader.connection
        check_may_act(connection, user)
        connection.execute(delete(pushes).where(pushes.c.id == number))
        count = select(func.count()).select_from(pushes).where(pushes.c.user == user.id)
        if connection.execute(count).scalar_one() >= MOST_PUSHES:
            raise Forbidden(f"You can subscribe {MOST_PUSHES} browsers.", {"most": MOST_PUSHES})
        connection.execute(insert(pushes).values(**msgspec.structs.asdict(made)))
    return made


def _secret(auth: str) -> bytes:
    try:
        return unb64(auth)
    except ValueError:
        return b""


@operation
def remove_push(store: GameStore, user: User, push_id: str) -> None:
    """End the subscription of a browser."""
    mine = delete(pushes).where(pushes.c.id == push_id, pushes.c.user == user.id)
    with store.writing(user=user.id) as reader:
        if reader.connection.execute(mine).rowcount != 1:
            raise NotFound("This browser is not subscribed.")


# --- keys and links ------------------------------------------------------------------------


def push_private_key(store: GameStore) -> str:
    """Return the key that identifies the service at push services; it is made once."""
    with store.database.writing() as connection:
        return service_key(connection, "push", new_key())


def stop_token(store: GameStore, user: str) -> str:
    """Return what a link needs to end the mails of a user, without signing in."""
    with store.database.writing() as connection:
        key = service_key(connection, "stop")
    return f"{user}.{hmac.new(key.encode(), user.encode(), hashlib.sha256).hexdigest()[:40]}"


@operation
def stop_mails(store: GameStore, stop: str) -> None:
    """End the mails about turns of the user whose link this is."""
    user = stop.partition(".")[0]
    if not hmac.compare_digest(stop.encode(), stop_token(store, user).encode()):
        raise NotFound("This link is not valid.")
    with store.writing(user=user) as reader:
        chosen = notices_of(reader.connection, user)
        _store(reader.connection, user, msgspec.structs.replace(chosen, mails="off"))
