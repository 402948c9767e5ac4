"""Services to test, on both databases."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from argon2 import PasswordHasher
from fastapi import FastAPI

from carril.service import accounts
from carril.service.accounts import Accounts
from carril.service.app import make_api
from carril.service.games import Games
from carril.service.server import server_config
from carril.service.settings import Settings
from carril.service.values import User
from tests.service.servers import PostgresServer, postgres_server


@pytest.fixture(autouse=True)
def _quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords with little work: hashing is slow on purpose."""
    monkeypatch.setattr(accounts, "PasswordHasher", partial(PasswordHasher, 1, 8, 1))


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server of our own."""
    with postgres_server() as server:
        if server.reason:
            pytest.skip(f"PostgreSQL cannot be started here: {server.reason}")
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.empty()


OpenGames = Callable[..., Games]


@pytest.fixture
def open_games(database: str) -> Iterator[OpenGames]:
    """Open the games at the database; each call is like another process."""
    opened: list[Games] = []

    def make(**settings: Any) -> Games:
        games = Games.open(database, Settings(**settings))
        opened.append(games)
        return games

    yield make
    for games in opened:
        games.close()


@pytest.fixture
def games(open_games: OpenGames) -> Games:
    """The games at an empty database."""
    return open_games()


@pytest.fixture
def kept() -> Iterator[Games]:
    """Games kept for the moment, where the database does not matter."""
    games = Games.open()
    yield games
    games.close()


@pytest.fixture
def people(games: Games) -> tuple[User, User, User]:
    """Ana, Ben and Cleo."""
    known = Accounts(games.store)
    return known.guest("Ana"), known.guest("Ben"), known.guest("Cleo")


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """Serve an application on a port of its own; yield the address."""
    server = uvicorn.Server(server_config(app, "127.0.0.1", 0))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=10)


@pytest.fixture
def served() -> Iterator[tuple[str, str]]:
    """A service that answers on a port of its own: its address and the token of a user."""
    app = make_api(Settings(database="sqlite://"))
    known: Accounts = app.state.accounts
    user = known.register("Ana", "long enough")
    with serving(app) as address:
        yield address, known.new_bearer(user)
