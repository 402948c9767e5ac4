"""How messages of the outbox are sent, by channel."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from email.utils import parseaddr
from typing import Any

import msgspec
from sqlalchemy import delete, select

from carril.service.clock import now
from carril.service.game_store import GameStore
from carril.service.notifications.choices import push_private_key, stop_token
from carril.service.notifications.mail import MailRefused, compose, full_link, send
from carril.service.notifications.safe_post import Forbidden, post
from carril.service.notifications.sender import Deliver, Dropped, Refused
from carril.service.notifications.turns import digest, is_current, tell
from carril.service.notifications.web_push import authorization, encrypt
from carril.service.settings import Settings
from carril.service.store.notices import Hook, Push, hooks, pushes
from carril.service.store.outbox import Stored

_GONE = (404, 410)
_LATER = (408, 425, 429)


class Deliveries:
    """Sends messages with the settings of a service."""

    def __init__(self, store: GameStore, settings: Settings) -> None:
        """Send from this service."""
        self._store = store
        self._settings = settings

    def by_channel(self) -> dict[str, Deliver]:
        """Return what sends the messages of each channel."""
        return {"turn": self.turn, "mail": self.mail, "hook": self.hook, "push": self.push}

    def turn(self, message: Stored) -> None:
        """Store the messages that a turn causes, all of them or none."""
        with self._store.database.writing() as connection:
            if not message.content.get("about") and not is_current(connection, message):
                raise Dropped("the turn is over")
            tell(connection, message)

    def _check_current(self, message: Stored) -> None:
        """Raise Dropped if a message about a turn is of no use any more."""
        if not message.version:
            return
        with self._store.database.reading() as connection:
            if not is_current(connection, message):
                raise Dropped("the turn is over")

    def mail(self, message: Stored) -> None:
        """Send a mail."""
        if not self._settings.smtp_host:
            raise Dropped("there is no SMTP server")
        self._check_current(message)
        content: Mapping[str, Any] = message.content
        if content.get("digest"):
            content = self._digest(message)
        about_turns = bool(message.game) or "digest" in message.content
        stop = f"/mails/stop/{stop_token(self._store, message.user)}" if about_turns else ""
        address = full_link(self._settings, stop) if stop else ""
        made = compose(self._settings, message.key, message.target, content, address)
        try:
            send(self._settings, made)
        except MailRefused as why:
            raise Refused(str(why)) from None

    def _digest(self, message: Stored) -> Mapping[str, Any]:
        with self._store.database.reading() as connection:
            found = digest(connection, message.user)
        if found is None:
            raise Dropped("no table waits")
        base = full_link(self._settings, "")
        return found | {"body": found["body"].replace("{base}", base)}

    def hook(self, message: Stored) -> None:
        """Post a message to a web-hook."""
        self._check_current(message)
        with self._store.database.reading() as connection:
            row = connection.execute(select(hooks).where(hooks.c.id == message.target)).first()
        if row is None:
            raise Dropped("the web-hook was removed")
        one = Hook(*row)
        body = msgspec.json.encode(self._hook_body(one, message))
        self._post(one.url, body, _hook_headers(one, message, body))

    def _hook_body(self, hook: Hook, message: Stored) -> dict[str, Any]:
        content = message.content
        link = full_link(self._settings, content["link"])
        text = f"{content['body']} {link}"
        if hook.kind == "discord":
            return {"content": text, "allowed_mentions": {"parse": []}}
        if hook.kind == "slack":
            return {"text": text}
        named = {name: content[name] for name in ("subject", "body", "table", "title", "player")}
        return {"event": "turn", "key": message.key, "game": message.game, "link": link} | named

    def push(self, message: Stored) -> None:
        """Send a push message to a browser."""
        self._check_current(message)
        with self._store.database.reading() as connection:
            row = connection.execute(select(pushes).where(pushes.c.id == message.target)).first()
        if row is None:
            raise Dropped("the browser is not subscribed any more")
        one, content = Push(*row), message.content
        said = {"title": content["subject"], "body": content["body"], "link": content["link"]}
        body = encrypt(msgspec.json.encode(said | {"tag": message.game}), one.key, one.auth)
        contact = f"mailto:{parseaddr(self._settings.mail_from)[1]}"
        key = push_private_key(self._store)
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": "86400",
            "Topic": _short(message.key),
            "Authorization": authorization(key, one.endpoint, contact),
        }
        try:
            self._post(one.endpoint, body, headers)
        except _Gone:
            with self._store.database.writing() as connection:
                connection.execute(delete(pushes).where(pushes.c.id == one.id))
            raise Dropped("the browser is not subscribed any more") from None

    def _post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        try:
            status = post(url, body, headers, private=self._settings.private_hooks)
        except Forbidden as why:
            raise Refused(str(why)) from None
        if 200 <= status < 300:
            return
        if status in _GONE:
            raise _Gone(f"answered {status}")
        if status >= 500 or status in _LATER:
            raise OSError(f"answered {status}")
        raise Refused(f"answered {status}")


class _Gone(Refused):
    """There is nobody at an address any more."""


def _short(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def _hook_headers(hook: Hook, message: Stored, body: bytes) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "Idempotency-Key": _short(message.key)}
    if hook.kind != "json":
        return headers
    moment = str(int(now().timestamp()))
    signed = hmac.new(hook.secret.encode(), f"{moment}.".encode() + body, hashlib.sha256)
    return headers | {
        "X-Carril-Timestamp": moment,
        "X-Carril-Signature": f"sha256={signed.hexdigest()}",
    }
