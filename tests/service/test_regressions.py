"""Defects that were found once: sessions, connections after an error, imports, what-if lines."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from msgspec.structs import replace
from sqlalchemy import func, select

from carril.cli.serving import make_application
from carril.service.accounts import Accounts
from carril.service.errors import BadUpload
from carril.service.game_files import read_game
from carril.service.games import Games
from carril.service.new_games import add_imported
from carril.service.settings import Settings
from carril.service.store.tables import lines, messages, records, standing
from tests.service.conftest import serving
from tests.service.table import own_table, step
from tests.service.test_api import PLENTY, browser, error


@pytest.fixture
def app(database: str) -> Iterator[FastAPI]:
    settings = Settings(database=database, sign_ins=PLENTY, actions=PLENTY, imports=PLENTY)
    made = make_application(settings)
    yield made
    made.state.games.close()


@pytest.mark.parametrize("path", ["/sign-in", "/sign-up", "/guest"])
def test_signing_in_on_a_page_ends_the_former_session(app: FastAPI, path: str) -> None:
    ana = browser(app, "Ana")
    former = TestClient(app, cookies=dict(ana.cookies))
    assert former.get("/api/games").status_code == 200
    name = "Ana" if path == "/sign-in" else "Somebody"
    form = {"name": name, "password": "long enough"}
    assert ana.post(path, data=form, follow_redirects=False).status_code == 303
    error(former.get("/api/games"), 401, "not-signed-in")
    assert ana.get("/api/games").status_code == 200


def _response(connection: socket.socket, path: str) -> str:
    """Send a request on an open connection and return the status line of the response."""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    reader = connection.makefile("rb")
    status = reader.readline().decode()
    length = 0
    while (line := reader.readline().strip().lower()) != b"":
        assert line != b"connection: close"
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    assert len(reader.read(length)) == length
    return status


@pytest.mark.parametrize("path", ["/join/x", "/api/invitations/x"])
def test_a_connection_goes_on_after_an_error(
    app: FastAPI, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(app.state.games, "invitation", fail)
    with serving(app) as address:
        host, _, port = address.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            assert " 500 " in _response(connection, path)
            assert " 200 " in _response(connection, "/api/titles")
            assert " 500 " in _response(connection, path)


PLAYERS = [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)]


def _upload(**more: Any) -> dict[str, Any]:
    content = {"title": "18EU", "id": 5, "players": PLAYERS, "actions": []} | more
    return {"file": ("game.json", json.dumps(content).encode(), "application/json")}


@pytest.mark.parametrize("name", ["x" * 81, "a\x00b", "a\nb", "\u202eana", "\ud800"])
def test_imported_names_that_cannot_be_stored_are_refused(app: FastAPI, name: str) -> None:
    ana = browser(app, "Ana")
    players = [PLAYERS[0] | {"name": name}, *PLAYERS[1:]]
    error(ana.post("/api/import", files=_upload(players=players)), 422, "bad-file")
    assert ana.post("/api/import", files=_upload()).status_code == 201


@pytest.mark.parametrize("seed", [10**20, 1 << 63, -1])
def test_imported_seeds_that_cannot_be_stored_are_refused(app: FastAPI, seed: int) -> None:
    ana = browser(app, "Ana")
    refused = ana.post("/api/import", files=_upload(settings={"seed": seed}))
    error(refused, 422, "bad-file")


def test_imported_sums_that_cannot_be_stored_are_refused(games: Games) -> None:
    """A record may claim any earnings, and 2^64 was answered with 500."""
    ana = Accounts(games.store).guest("Ana")
    imported = read_game(_upload()["file"][1], "x.json", 1 << 20)
    huge = replace(imported.first, bank=1 << 64)
    with pytest.raises(BadUpload, match="too large"):
        add_imported(games.store, ana, "x.json", replace(imported, first=huge))
    assert add_imported(games.store, ana, "x.json", imported).head == len(imported.played)


def test_what_if_lines_that_are_thrown_away_leave_nothing(games: Games) -> None:
    ana = Accounts(games.store).guest("Ana")
    game = own_table(games, ana).id
    for _ in range(3):
        step(games, game, ana)

    def count() -> list[int]:
        with games.store.database.reading() as connection:
            tables = (lines, records, standing, messages)
            return [connection.execute(select(func.count(t.c[0]))).scalar_one() for t in tables]

    before = count()
    for _ in range(3):
        fork = games.fork(game, ana, 2)
        step(games, game, ana, fork)
        games.discard_fork(game, ana, fork)
    assert count() == before
