"""Posting to addresses that users gave: never to this machine or a private network.

The name is resolved once, every address it has must be public, and the connection goes to that
very address, so that a name cannot change its meaning in between. Redirects are not followed; time
and size of the answer are limited.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from carril.service.errors import BadRequest

_SECONDS = 10.0
_MOST = 64 << 10
_PORTS = {"https": 443, "http": 80}


class Forbidden(Exception):
    """An address to which nothing is posted."""


def check_address(url: str, *, private: bool = False) -> str:
    """Return an address; raise BadRequest if it cannot be one of a hook."""
    try:
        parts = urlsplit(url.strip())
        port_ok = parts.port is None or 0 < parts.port < 65536
    except ValueError:
        raise BadRequest("This is not an address such as https://example.org/hook.") from None
    schemes = ("https", "http") if private else ("https",)
    plain = url.strip().isascii() and url.strip().isprintable() and len(url) <= 1000
    if parts.scheme not in schemes or not parts.hostname or parts.username or not port_ok:
        raise BadRequest("A web-hook needs an address such as https://example.org/hook.")
    if not plain or (not private and _is_literal(parts.hostname) and _inside(parts.hostname)):
        raise BadRequest("This address cannot be used for messages.")
    return url.strip()


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _inside(address: str) -> bool:
    """Return whether an address is not a public one."""
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None)
    return not found.is_global or found.is_multicast or bool(mapped and not mapped.is_global)


def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool = False) -> int:
    """Post to an address and return the status; raise Forbidden, or OSError if nobody answers."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 443)
    if parts.scheme != "https" and not private:
        raise Forbidden("only HTTPS is allowed")
    chosen = _resolve(host, port, private)
    connection = _Pinned(host, port, chosen, secure=parts.scheme == "https")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    end = time.monotonic() + _SECONDS
    try:
        connection.request("POST", path, body, {"User-Agent": "Carril"} | dict(headers))
        answer = connection.getresponse()
        read = 0
        while (part := answer.read1(4096)) and read < _MOST and time.monotonic() < end:
            read += len(part)
        return answer.status
    except http.client.HTTPException as error:
        raise OSError(f"{type(error).__name__}: {error}") from None
    finally:
        connection.close()


def _resolve(host: str, port: int, private: bool) -> str:
    """Return the address of a host; raise Forbidden if any of its addresses is not public."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not private and any(_inside(address) for address in addresses):
        raise Forbidden(f"{host} is not a public address")
    return addresses[0]


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that was checked, with the certificate of its host."""

    def __init__(self, host: str, port: int, address: str, *, secure: bool) -> None:
        super().__init__(host, port, timeout=_SECONDS)
        self._address = address
        self._secure = secure

    def connect(self) -> None:
        """Connect to the checked address, without resolving the name again."""
        plain = socket.create_connection((self._address, self.port), self.timeout)
        if self._secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(plain, server_hostname=self.host)
        else:
            self.sock = plain
