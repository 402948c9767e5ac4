"""A real SMTP server for tests, and the mails it has received."""

from __future__ import annotations

import email
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from msgspec.structs import replace

from carril.service.settings import Settings


class Mailbox:
    """Receives mails; `answer` decides what the server says to each."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.answer: Callable[[EmailMessage], str] = lambda _: "250 OK"
        self.port = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep a mail; called by the server."""
        mail = email.message_from_bytes(envelope.content, policy=default)
        assert isinstance(mail, EmailMessage)
        answer = self.answer(mail)
        if answer.startswith("2"):
            self.mails.append(mail)
        return answer

    def to(self, address: str) -> list[EmailMessage]:
        """Return the mails to an address."""
        return [mail for mail in self.mails if mail["To"] == address]

    def settings(self, **more: Any) -> Settings:
        """Return settings with which a service sends its mails here."""
        known = {"smtp_host": "127.0.0.1", "smtp_port": self.port, "smtp_security": "none"}
        return replace(Settings(database="sqlite://"), **known, **more)


@contextmanager
def smtp_server() -> Iterator[Mailbox]:
    """Run an SMTP server on a free port."""
    box = Mailbox()
    with socket.create_server(("127.0.0.1", 0)) as free:
        box.port = free.getsockname()[1]
    server = Controller(box, hostname="127.0.0.1", port=box.port, ready_timeout=20)
    server.start()
    try:
        yield box
    finally:
        server.stop()
