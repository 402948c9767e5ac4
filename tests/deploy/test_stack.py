"""What the compose file starts works together: PostgreSQL, web processes, HTTPS in front."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.deploy.stack import NGINX, proxy, trusting, web
from tests.service.conftest import postgres as postgres
from tests.service.servers import PostgresServer

pytestmark = [
    pytest.mark.skipif(not NGINX, reason="nginx is not installed (on Debian: nginx-light)"),
    pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed"),
]
SEATS = [{"kind": "me"}, {"kind": "person", "name": "Second"}]


class Stack:
    """The addresses of a running stack."""

    def __init__(self, secure: str, plain: str, folder: Path) -> None:
        self.secure, self.plain, self.folder = secure, plain, folder

    def client(self, **more: Any) -> httpx.Client:
        """Return a browser."""
        trusted = trusting(self.folder)
        return httpx.Client(base_url=self.secure, verify=trusted, timeout=60, **more)

    @contextmanager
    def player(self, name: str) -> Iterator[httpx.Client]:
        """Open a browser in which somebody has signed up."""
        account = {"name": name, "password": "long enough"}
        with self.client(headers={"Origin": self.secure}) as client:
            made = client.post("/api/accounts", json=account)
            assert made.status_code == 201, made.text
            client.headers["X-CSRF-Token"] = made.json()["csrf"]
            yield client


@pytest.fixture(scope="module")
def stack(postgres: PostgresServer) -> Iterator[Stack]:
    with tempfile.TemporaryDirectory(prefix="carril-stack-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the processes of nginx may have another user
        url = postgres.empty("stack").replace("+psycopg", "")
        with (
            web(url, folder / "web.log") as upstream,
            proxy(upstream, folder) as (secure, plain),
        ):
            yield Stack(secure, plain, folder)


def test_http_leads_to_https(stack: Stack) -> None:
    answer = httpx.get(f"{stack.plain}/rules/18EU?q=par", follow_redirects=False)
    assert answer.status_code == 301
    assert answer.headers["Location"].startswith("https://127.0.0.1")
    assert answer.headers["Location"].endswith("/rules/18EU?q=par")


def test_pages_and_cookies_are_for_https_only(stack: Stack) -> None:
    with stack.client() as client:
        page = client.get("/")
        assert page.status_code == 200
        assert page.headers["Strict-Transport-Security"] == f"max-age={365 * 86400}"
        form = {"name": "Visitor", "password": "long enough"}
        signed = client.post("/sign-up", data=form, headers={"Origin": stack.secure})
        assert signed.status_code == 303
        assert {"Secure", "HttpOnly"} <= set(signed.headers["Set-Cookie"].split("; "))


def test_links_to_the_table_use_https(stack: Stack) -> None:
    with stack.player("Linker") as client:
        made = client.post("/api/games", json={"title": "18EU", "seats": SEATS, "seed": 3})
        assert made.status_code == 201
        links = re.findall(r"\w+://[^\"'< ]*/join/[\w-]+", client.get("/").text)
        assert links
        assert all(link.startswith(f"{stack.secure}/join/") for link in links)


def test_pages_of_other_sites_change_nothing(stack: Stack) -> None:
    with stack.player("Careful") as client:
        foreign = {"Origin": "https://example.org"}
        made = client.post("/api/games", json={"title": "18EU", "seats": SEATS}, headers=foreign)
        assert made.status_code == 403


def test_live_updates_arrive_at_once(stack: Stack) -> None:
    with stack.player("Player") as client, stack.client() as watcher:
        seats = [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]
        game = client.post("/api/games", json={"title": "18EU", "seats": seats, "seed": 3}).json()
        url = f"/api/games/{game['id']}"
        with watcher.stream("GET", f"{url}/live") as stream:
            lines = stream.iter_lines()
            next(lines)  # the stream is open
            offered = client.get(f"{url}/options").json()
            body = {"action": offered["options"][0]["action"], "head": 0}
            assert client.post(f"{url}/actions", json=body).status_code == 200
            assert "event: action" in (line.strip() for line in lines)


def test_uploads_up_to_the_limit_arrive(stack: Stack) -> None:
    with stack.player("Importer") as client:
        large = client.post("/api/import", files={"file": ("x.json", b" " * (4 << 20))})
        assert large.status_code == 422, large.text
        larger = client.post("/api/import", files={"file": ("x.json", b" " * (6 << 20))})
        assert larger.status_code == 413


def test_nobody_can_pretend_to_have_another_address(stack: Stack) -> None:
    """Sign-ins are limited by address, whatever addresses a visitor claims to come from."""
    wrong = {"name": "Nobody", "password": "not this one"}
    with stack.client() as client:
        codes = [
            client.post(
                "/api/session", json=wrong, headers={"X-Forwarded-For": f"192.0.2.{number}"}
            ).status_code
            for number in range(40)
        ]
    assert 429 in codes
