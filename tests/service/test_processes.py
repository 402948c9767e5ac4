"""Several processes on one database: bots act once, events reach all, the dead are replaced."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from carril.service.games import Games
from carril.service.settings import Settings
from carril.service.values import NewGame, Seat, User
from carril.service.workers import bind
from tests.service.conftest import OpenGames
from tests.service.servers import PostgresServer
from tests.service.table import BOT, until
from tests.service.test_live import sent

SRC = Path(__file__).parents[2] / "src"
BOTS = (Seat("bot", bot=BOT), Seat("bot", bot=BOT))
Start = Callable[..., tuple[subprocess.Popen[str], str]]


def test_one_process_plays_the_bots_of_a_game(
    games: Games, people: tuple[User, User, User], open_games: OpenGames
) -> None:
    other = open_games()
    made = [games.create(people[0], NewGame("18EU", BOTS, seed=seed)).id for seed in range(3)]
    until(lambda: all(games.info(game).head > 15 for game in made), 60)
    assert other.jobs.counts["asked"] == 0
    games.begin_closing()
    games._bots.close()  # type: ignore[union-attr]
    games.store.claims.close()
    stopped = {game: other.info(game).head for game in made}
    until(lambda: all(other.info(game).head > stopped[game] for game in made), 60)
    assert all(other.verify(game).sound for game in made)


@pytest.fixture
def start() -> Iterator[Start]:
    """Start `carril serve` without pages in a process; return it and its address."""
    started: list[subprocess.Popen[str]] = []

    def run(database: str, *options: str) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-m", "carril", "serve", "--port", "0", "--api-only"]
        process = subprocess.Popen(
            [*command, "--database", database, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(SRC), "COLUMNS": "200"},
        )
        started.append(process)
        assert process.stdout
        words = process.stdout.readline().split()
        return process, next(word for word in words if word.startswith("http"))

    yield run
    for process in started:
        process.kill()
        process.communicate()


def _signed_in(address: str) -> httpx.Client:
    client = httpx.Client(base_url=address, timeout=60)
    account = {"name": "Owner", "password": "long enough"}
    client.headers["X-CSRF-Token"] = client.post("/api/accounts", json=account).json()["csrf"]
    return client


def test_a_process_takes_over_from_one_that_is_killed(
    postgres: PostgresServer, start: Start
) -> None:
    database = postgres.empty()
    first, one = start(database)
    _, two = start(database)
    owner = _signed_in(one)
    seats = [{"kind": "bot", "bot": BOT, "name": name} for name in ("A", "B")]
    new = {"title": "18EU", "seats": seats, "seed": 4}
    game = owner.post("/api/games", json=new).json()["id"]
    with httpx.stream("GET", f"{two}/api/games/{game}/live?after=0", timeout=60) as stream:
        lines = stream.iter_lines()
        assert [event["id"] for event in sent(lines, 10)] == [str(n) for n in range(1, 11)]
        first.send_signal(signal.SIGKILL)
        first.wait()
        head = httpx.get(f"{two}/api/games/{game}", timeout=60).json()["head"]
        later = sent(lines, head + 20)
    assert [int(event["id"]) for event in later] == list(range(11, head + 31))
    known = Games.open(database, Settings(bots=False))
    try:
        assert known.verify(game).sound
    finally:
        known.close()


def _watch(address: str, game: str, found: list[str]) -> None:
    with httpx.stream("GET", f"{address}/api/games/{game}/live?after=0", timeout=60) as stream:
        found.append("open")
        found += list(stream.iter_lines())
    found.append("complete")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_answers_everybody_before_it_stops(
    start: Start, tmp_path: Path, workers: str
) -> None:
    process, address = start(str(tmp_path / "games.db"), "--workers", workers)
    owner = _signed_in(address)
    seats = [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]
    game = owner.post("/api/games", json={"title": "18EU", "seats": seats}).json()["id"]
    found: list[Any] = []
    watching = threading.Thread(target=_watch, args=(address, game, found))
    watching.start()
    until(lambda: "open" in found, 60)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    watching.join(60)
    assert found[-1] == "complete"
    assert "ASGI" not in errors
    assert "Traceback" not in errors


def test_a_worker_that_dies_is_replaced(start: Start, tmp_path: Path) -> None:
    process, address = start(str(tmp_path / "games.db"), "--workers", "2")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        pytest.skip("the system does not list the children of a process")
    before = _web_processes(children)
    assert len(before) == 2
    for child in before:
        os.kill(child, signal.SIGKILL)
    until(lambda: len(_web_processes(children) - before) == 2, 60)
    assert httpx.get(f"{address}/api/health", timeout=60).status_code == 200


def _web_processes(children: Path) -> set[int]:
    """Return the processes that were started to serve requests."""
    found = {int(child) for child in children.read_text().split()}
    return {child for child in found if "spawn_main" in _command(child)}


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


@pytest.fixture
def listeners() -> Iterator[list[socket.socket]]:
    """The sockets of two processes with one address."""
    found = bind("127.0.0.1", 0, 2)
    yield found
    for one in found:
        one.close()


def test_an_address_that_is_in_use_is_refused(listeners: list[socket.socket]) -> None:
    """Sockets that share an address must not hide that another server has it."""
    host, port = listeners[0].getsockname()
    assert [one.getsockname() for one in listeners] == [(host, port)] * 2
    with pytest.raises(OSError, match="in use"):
        bind(host, port, 2)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes share a socket")
def test_connections_are_shared_out_among_processes(listeners: list[socket.socket]) -> None:
    """One socket for all gave most connections to the process that was quicker to accept."""
    clients = [socket.create_connection(listeners[0].getsockname()) for _ in range(60)]
    counts = [_accepted(one) for one in listeners]
    for client in clients:
        client.close()
    assert sum(counts) == 60
    assert min(counts) >= 10


def _accepted(listener: socket.socket) -> int:
    """Accept all connections that wait; return how many there were."""
    listener.settimeout(0.2)
    count = 0
    with suppress(TimeoutError):
        while True:
            listener.accept()[0].close()
            count += 1
    return count
