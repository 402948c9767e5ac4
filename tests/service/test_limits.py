"""Limits: connections, headers, streams, sign-ins by account, addresses behind a proxy, storage."""

from __future__ import annotations

import socket
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from carril.service.app import make_api
from carril.service.errors import TooMany
from carril.service.limits import Limits
from carril.service.server import server_config
from carril.service.settings import Rate, Settings
from carril.service.store.database import Database
from tests.service.conftest import serving
from tests.service.table import until
from tests.service.test_api import PLENTY, browser, error, table

WRONG = {"name": "Ana", "password": "not this one"}


@contextmanager
def application(**settings: Any) -> Iterator[FastAPI]:
    app = make_api(Settings(database="sqlite://", **settings))
    yield app
    app.state.games.close()


def _connect(address: str, data: bytes) -> socket.socket:
    host, _, port = address.removeprefix("http://").partition(":")
    connection = socket.create_connection((host, int(port)), timeout=60)
    connection.sendall(data)
    return connection


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def test_unfinished_headers_are_closed() -> None:
    with application(header_seconds=0.3) as app, serving(app) as address:
        begun = time.monotonic()
        half = _connect(address, b"GET /api/titles HTTP/1.1\r\nHost: x\r\n")
        first = _connect(address, b"GET /api/titles HTTP/1.1\r\nHost: x\r\n\r\n")
        assert first.recv(12) == b"HTTP/1.1 200"
        first.sendall(b"GET ")
        assert _is_closed(half)
        while first.recv(1 << 16):
            pass
        assert time.monotonic() - begun < 60


def test_connections_of_one_address_are_limited() -> None:
    with application(address_connections=5) as app, serving(app) as address, ExitStack() as stack:
        held = [stack.enter_context(_connect(address, b"GET ")) for _ in range(5)]
        assert _is_closed(_connect(address, b""))
        held[0].close()
        until(lambda: _answers(address), 60)


def _answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/api/titles", timeout=60).status_code == 200
    except httpx.HTTPError:
        return False


def test_slow_bodies_are_refused() -> None:
    with application(body_seconds=0.3) as app, serving(app) as address:
        head = b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        slow = _connect(address, head + b"Content-Length: 50\r\n\r\n{")
        assert slow.recv(12) == b"HTTP/1.1 408"


def _refused_early(address: str, length: int) -> socket.socket:
    """Send the header of a body that is too large, and wait for the answer to it."""
    head = f"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
    connection = _connect(address, head.encode())
    answer = b""
    while b"\r\n\r\n{" not in answer or not answer.endswith(b"}"):
        answer += connection.recv(1 << 16)
    assert answer.startswith(b"HTTP/1.1 413")
    return connection


def test_an_answer_before_the_body_is_not_lost() -> None:
    """The connection was closed while clients still sent, so that some saw a reset instead."""
    with (
        application() as app,
        serving(app) as address,
        _refused_early(address, 1 << 20) as connection,
    ):
        connection.sendall(bytes(1 << 20) + b"GET /api/titles HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(12) == b"HTTP/1.1 200"


def test_nobody_can_send_for_ever_what_is_not_read() -> None:
    with (
        application(upload_bytes=1024, body_bytes=1024) as app,
        serving(app) as address,
        _refused_early(address, 1 << 40) as connection,
        pytest.raises(ConnectionError),
    ):
        _send(connection, 10_000)


def _send(connection: socket.socket, times: int) -> None:
    for _ in range(times):
        connection.sendall(bytes(1 << 14))


def test_connections_stay_open_longer_than_those_of_clients() -> None:
    """Where both ends wait for the same time, a request can meet a closing connection."""
    with application() as app:
        config = server_config(app, "127.0.0.1", 0)
    client = httpx.Limits().keepalive_expiry
    assert client is not None
    assert config.timeout_keep_alive > client + 1
    assert Settings().header_seconds > config.timeout_keep_alive


def test_streams_of_one_address_are_limited() -> None:
    with application(address_streams=2) as app, serving(app) as address:
        user = app.state.accounts.register("Ana", "long enough")
        bearer = {"Authorization": f"Bearer {app.state.accounts.new_bearer(user)}"}
        with (
            httpx.Client(base_url=address, headers=bearer, timeout=60) as client,
            ExitStack() as stack,
        ):
            seats = [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]
            game = client.post("/api/games", json={"title": "18EU", "seats": seats}).json()["id"]
            url = f"/api/games/{game}/live"
            for _ in range(2):
                assert stack.enter_context(client.stream("GET", url)).status_code == 200
            assert client.get(url).status_code == 429
            stack.close()
            until(lambda: _opens(client, url), 60)


def _opens(client: httpx.Client, url: str) -> bool:
    with client.stream("GET", url) as response:
        return response.status_code == 200


# --- sign-ins ------------------------------------------------------------------------------


def test_wrong_passwords_are_limited_by_account() -> None:
    limits = {"sign_ins": PLENTY, "account_sign_ins": Rate(3, 1)}
    with application(**limits) as app:
        browser(app, "Ana")
        codes = [browser(app).post("/api/session", json=WRONG).status_code for _ in range(5)]
        assert codes == [401, 401, 401, 429, 429]
        other = {"name": "Ben", "password": "long enough"}
        assert browser(app).post("/api/accounts", json=other).status_code == 201
        assert browser(app).post("/api/session", json=other).status_code == 200


def _attempts(address: str) -> list[int]:
    return [
        httpx.post(
            f"{address}/api/session",
            json=WRONG,
            headers={"X-Forwarded-For": f"192.0.2.{number}"},
            timeout=60,
        ).status_code
        for number in range(3)
    ]


@pytest.mark.parametrize(("proxies", "last"), [("", 429), ("127.0.0.1", 401)])
def test_only_a_known_proxy_says_where_requests_come_from(proxies: str, last: int) -> None:
    with application(proxies=proxies, sign_ins=Rate(2, 1)) as app, serving(app) as address:
        assert _attempts(address) == [401, 401, last]


def test_many_clients_do_not_empty_the_limits() -> None:
    limits = Limits(clock=lambda: 0.0)
    limits.take("sign-in", "here", Rate(1, 1))
    for number in range(19_999):
        limits.take("sign-in", str(number), Rate(1, 1))
    with pytest.raises(TooMany):
        limits.take("sign-in", "here", Rate(1, 1))


# --- the machine ---------------------------------------------------------------------------


def test_the_database_is_private(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/games.db")
    with database.writing():
        modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("games.db*")}
    database.close()
    assert modes == {0o600}


def test_https_by_configuration() -> None:
    with application(hsts_days=2, secure_cookies=True) as app:
        made = TestClient(app).post(
            "/api/accounts", json={"name": "Ana", "password": "long enough"}
        )
        assert made.headers["Strict-Transport-Security"] == "max-age=172800"
        assert "Secure" in made.headers["Set-Cookie"]
    with application() as app:
        plain = TestClient(app).get("/api/titles").headers
        assert "Strict-Transport-Security" not in plain


def test_storage_is_limited_by_user() -> None:
    with application(stored_positions=10, actions=PLENTY) as app:
        ana, ben = browser(app, "Ana"), browser(app, "Ben")
        game = table(ana)["id"]
        for _ in range(33):
            made = ana.post(f"/api/games/{game}/forks", json={"at": 0})
            if made.status_code != 201:
                break
        error(made, 403, "storage-full")
        another = {"title": "18EU", "seats": [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]}
        error(ana.post("/api/games", json=another), 403, "storage-full")
        assert table(ben)
        for fork in ana.get(f"/api/games/{game}/forks").json():
            assert ana.delete(f"/api/games/{game}/forks/{fork['id']}").status_code == 204
        assert table(ana)
