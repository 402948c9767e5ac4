"""Mail: putting messages into the outbox, and handing them to an SMTP server."""

from __future__ import annotations

import hashlib
import secrets
import smtplib
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from typing import Any

from sqlalchemy import Connection

from carril.service.errors import BadRequest
from carril.service.settings import Settings
from carril.service.store.outbox import Outgoing, put

LONGEST_ADDRESS = 254
_SECONDS = 15.0
"""Seconds that the SMTP server may take for each answer."""


class MailRefused(Exception):
    """The SMTP server refused a mail for good, or said that there is no such address."""


def enqueue(
    connection: Connection,
    to: str,
    subject: str,
    body: str,
    link: str = "",
    *,
    key: str = "",
    user: str = "",
) -> bool:
    """Put a mail into the outbox, to be sent once the transaction is committed.

    `link` is the path of a page, such as "/join/abc"; the mail shows it as a full address below the
    text. A mail with a `key` is stored once, however often this is called; return False if it is
    known already.
    """
    content = {"subject": subject, "body": body, "link": link}
    named = key or f"mail:{secrets.token_urlsafe(12)}"
    return put(connection, Outgoing(named, "mail", to, content, user=user))


def clean_address(text: str) -> str:
    """Return a mail address without blanks around it; raise BadRequest if it is not one.

    >>> clean_address(" ana@example.org ")
    'ana@example.org'
    """
    address = text.strip()
    local, at, domain = address.rpartition("@")
    plain = address.isascii() and address.isprintable() and " " not in address
    if not (plain and local and at and "." in domain.strip(".")) or len(address) > LONGEST_ADDRESS:
        raise BadRequest("This is not a mail address such as ana@example.org.")
    if parseaddr(address)[1] != address or any(c in address for c in '<>(),;:\\"[]'):
        raise BadRequest("This is not a mail address such as ana@example.org.")
    return address


def compose(
    settings: Settings, key: str, to: str, content: Mapping[str, Any], stop: str = ""
) -> EmailMessage:
    """Return a mail; its Message-ID is made from the key, so a repeated mail is recognised.

    `stop` is the address of the page that ends such mails.
    """
    mail = EmailMessage()
    _, sender = parseaddr(settings.mail_from)
    domain = sender.rpartition("@")[2] or "localhost"
    mail["Message-ID"] = f"<{hashlib.sha256(key.encode()).hexdigest()[:40]}@{domain}>"
    mail["From"] = settings.mail_from
    mail["To"] = to
    mail["Subject"] = " ".join(str(content["subject"]).split())
    mail["Date"] = formatdate(usegmt=True)
    mail["Auto-Submitted"] = "auto-generated"
    parts = [str(content["body"]).strip()]
    if link := content.get("link"):
        parts.append(full_link(settings, str(link)))
    if stop:
        mail["List-Unsubscribe"] = f"<{stop}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        parts.append(f"--\nNo more mails like this: {stop}")
    mail.set_content("\n\n".join(parts) + "\n", charset="utf-8")
    return mail


def full_link(settings: Settings, path: str) -> str:
    """Return the address of a page, for a mail or another message.

    >>> full_link(Settings(public_url="https://example.org/"), "/join/abc")
    'https://example.org/join/abc'
    """
    base = settings.public_url or f"http://{settings.host}:{settings.port}"
    return base.rstrip("/") + path


def send(settings: Settings, mail: EmailMessage) -> None:
    """Hand a mail to the SMTP server.

    Raise MailRefused if it never will accept it, and OSError or SMTPException if it may later.
    """
    try:
        with _connection(settings) as server:
            if settings.smtp_user:
                server.login(settings.smtp_user, settings.smtp_password)
            server.send_message(mail)
    except smtplib.SMTPRecipientsRefused as error:
        code = max(code for code, _ in error.recipients.values())
        if code >= 500:
            raise MailRefused(f"refused with {code}") from None
        raise
    except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as error:
        if error.smtp_code >= 500:
            raise MailRefused(f"refused with {error.smtp_code}") from None
        raise


def _connection(settings: Settings) -> smtplib.SMTP:
    host, port = settings.smtp_host, settings.smtp_port
    context = ssl.create_default_context()
    if settings.smtp_security == "tls":
        return smtplib.SMTP_SSL(host, port, timeout=_SECONDS, context=context)
    server = smtplib.SMTP(host, port, timeout=_SECONDS)
    if settings.smtp_security == "starttls":
        server.starttls(context=context)
    return server
