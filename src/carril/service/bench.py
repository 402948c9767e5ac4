"""Benchmark of the service: pages and positions of a long game, actions, and many spectators.

Everything goes over HTTP to a server in a separate process. The server times requests, from the
first byte received to the first byte sent; the spectators time their own delays.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from carril.bots import Dice, bot_named
from carril.engine.registry import title_named, title_names
from carril.notation.save import Game, to_text
from carril.service.settings import Rate, Settings

SPECTATORS = 200
SAMPLES = 400
WATCHED_ACTIONS = 20
_UNLIMITED = Rate(1_000_000, 1_000_000)
_MANY = 20_000
_LATER = 'data-later="1"'
_PASSWORD = "only for measuring"


Serve = Callable[[str, "Queue[str]"], None]
"""Serves a database, with `bench_settings`, and puts the address into the queue."""


def bench_settings(database: str) -> Settings:
    """Return settings without limits: all clients have the same address."""
    free, many = _UNLIMITED, _MANY
    return Settings(
        database,
        sign_ins=free,
        actions=free,
        imports=free,
        reads=free,
        connections=many,
        address_connections=many,
        streams=many,
        address_streams=many,
    )


def bench_service(
    serve: Serve, record: Path | None = None, database: str = "", spectators: int = SPECTATORS
) -> dict[str, Any]:
    """Measure a server in a new process on a recorded game, or on one played by bots."""
    content = record.read_bytes() if record else _played().encode()
    with (
        TemporaryDirectory(prefix="carril-bench-") as folder,
        running_server(serve, database or f"{folder}/bench.db") as address,
    ):
        return _measure(address, content, record.name if record else "bots.json", spectators)


@contextmanager
def signed_in(address: str) -> Iterator[httpx.Client]:
    """Yield a client with a new account on a server."""
    with httpx.Client(base_url=address, timeout=60) as client:
        account = {"name": "Bench", "password": _PASSWORD}
        made = client.post("/api/accounts", json=account).raise_for_status().json()
        client.headers["X-CSRF-Token"] = made["csrf"]
        yield client


def _measure(address: str, content: bytes, name: str, spectators: int) -> dict[str, Any]:
    with signed_in(address) as client:
        begun = time.perf_counter()
        game = client.post("/api/import", files={"file": (name, content)}).raise_for_status().json()
        took = time.perf_counter() - begun
        chance = random.Random(18)
        return {
            "actions": game["head"],
            "import_ms": round(took * 1000, 1),
            **_pages(client, game, chance),
            "position": _positions(client, game, chance),
            "options": _positions(client, game, chance, "options"),
            "action": _actions(client, game, chance),
            "spectators": asyncio.run(_spectators(client, address, game, spectators)),
        }


# --- the server ----------------------------------------------------------------------------


@contextmanager
def running_server(serve: Serve, database: str) -> Iterator[str]:
    """Run a server in a separate process and yield its address."""
    spawn = get_context("spawn")
    addresses: Queue[str] = spawn.Queue()
    process = spawn.Process(target=serve, args=(database, addresses))
    process.start()
    try:
        yield addresses.get(timeout=60)
    finally:
        process.terminate()
        process.join(timeout=10)


def _played() -> str:
    """Return a save of a long game between random bots."""
    title = title_named(title_names()[0])
    setup = title.tables.setups[0]
    names = [f"Player {number}" for number in range(1, setup.players + 1)]
    best = Game.begin(title.name, names, 1, variants=setup.variants)
    bot, dice = bot_named("random"), Dice(1)
    while not best.last.finished and len(best) < 1500:
        best.add(bot.choose(best.last, dice).action)
    return to_text(best)


# --- one client ----------------------------------------------------------------------------


def _timed(requests: list[Callable[[], httpx.Response]]) -> dict[str, float]:
    return figures([server_ms(send().raise_for_status()) for send in requests])


def server_ms(response: httpx.Response, what: str = "total") -> float:
    """Return the time the server reports in milliseconds; "cpu" is its processor time."""
    reported = dict(
        part.strip().split(";dur=") for part in response.headers["Server-Timing"].split(",")
    )
    return float(reported[what])


def figures(times: list[float]) -> dict[str, float]:
    """Return the median, the 90th and 99th percentiles and the maximum of some times.

    A percentile is the least time that so many percent of all do not exceed.

    >>> figures([float(number) for number in range(1, 101)])["p99_ms"]
    99.0
    >>> figures([1.0, 2.0, 3.0])
    {'median_ms': 2.0, 'p90_ms': 3.0, 'p99_ms': 3.0, 'max_ms': 3.0}
    """
    ranked = sorted(times)

    def percentile(share: float) -> float:
        return round(ranked[max(0, ceil(len(ranked) * share) - 1)], 2)

    return {
        "median_ms": round(median(ranked), 2),
        "p90_ms": percentile(0.9),
        "p99_ms": percentile(0.99),
        "max_ms": round(ranked[-1], 2),
    }


def open_pages(
    client: httpx.Client, game: dict[str, Any], chance: random.Random, samples: int = SAMPLES
) -> tuple[list[httpx.Response], list[httpx.Response]]:
    """Open the page of random positions, each once; return the pages and the searches after them.

    If a page defers the search for the best run, request it as a browser would.
    """
    url, every = f"/table/{game['id']}", range(game["head"] + 1)
    seen, followed = [], []
    for at in chance.sample(every, min(samples, len(every))):
        seen.append(client.get(url, params={"at": at}).raise_for_status())
        if _LATER in seen[-1].text:
            then = client.get(f"{url}/parts", params={"at": at, "search": 1})
            followed.append(then.raise_for_status())
    return seen, followed


def _pages(client: httpx.Client, game: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return the times of pages of random positions."""
    seen, followed = open_pages(client, game, chance)
    return {
        "first_page_cpu_ms": server_ms(seen[0], "cpu"),
        "page": figures([server_ms(page) for page in seen]),
        "page_cpu": figures([server_ms(page, "cpu") for page in seen]),
        "run_after_page": {"count": len(followed)}
        | (figures([server_ms(page) for page in followed]) if followed else {}),
    }


def _positions(
    client: httpx.Client, game: dict[str, Any], chance: random.Random, what: str = "state"
) -> dict[str, float]:
    """Request random positions, most of them for the first time."""
    url = f"/api/games/{game['id']}/{what}"

    def show(at: int) -> Callable[[], httpx.Response]:
        return lambda: client.get(url, params={"at": at})

    return _timed([show(chance.randint(0, game["head"])) for _ in range(SAMPLES)])


def _actions(client: httpx.Client, game: dict[str, Any], chance: random.Random) -> dict[str, float]:
    """Replay recorded actions, each on a fork that starts just before it."""
    url = f"/api/games/{game['id']}"
    entries = [one for one in client.get(f"{url}/log").json() if one["action"]]
    times: list[float] = []
    for entry in chance.sample(entries, min(len(entries), SAMPLES)):
        head = entry["number"] - 1
        fork = client.post(f"{url}/forks", json={"at": head}).raise_for_status().json()["id"]
        body = {"action": entry["action"], "head": head, "fork": fork}
        times.append(server_ms(client.post(f"{url}/actions", json=body).raise_for_status()))
        client.delete(f"{url}/forks/{fork}").raise_for_status()
    return figures(times)


# --- spectators ----------------------------------------------------------------------------


async def _spectators(
    client: httpx.Client, address: str, record: dict[str, Any], count: int
) -> dict[str, Any]:
    """Act at a table with many spectators, and measure when each of them receives the action."""
    seats = [
        {"kind": "me", "name": f"Seat {number}"} for number in range(1, len(record["seats"]) + 1)
    ]
    new = {"title": record["title"], "seats": seats, "seed": 1}
    game = client.post("/api/games", json=new).raise_for_status().json()["id"]
    heard: dict[int, list[float]] = {}
    host, port = address.removeprefix("http://").split(":")
    watching = [asyncio.create_task(_watch(host, int(port), game, heard)) for _ in range(count)]
    await asyncio.sleep(2)
    sent: dict[int, float] = {}
    for number in range(1, WATCHED_ACTIONS + 1):
        options = (await asyncio.to_thread(client.get, f"/api/games/{game}/options")).json()
        body = {"action": options["options"][0]["action"], "head": options["head"]}
        sent[number] = time.perf_counter()
        await asyncio.to_thread(client.post, f"/api/games/{game}/actions", json=body)
        await _all_heard(heard, number, count)
    for task in watching:
        task.cancel()
    delays = [(moment - sent[n]) * 1000 for n in sent for moment in heard.get(n, [])]
    missed = WATCHED_ACTIONS * count - len(delays)
    return {"count": count, "missed": missed} | figures(delays)


async def _all_heard(heard: dict[int, list[float]], number: int, count: int) -> None:
    end = time.perf_counter() + 10
    while len(heard.get(number, [])) < count and time.perf_counter() < end:
        await asyncio.sleep(0.01)


async def _watch(host: str, port: int, game: str, heard: dict[int, list[float]]) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    request = f"GET /api/games/{game}/live?after=0 HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n"
    writer.write(request.encode())
    try:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                heard.setdefault(int(line[4:]), []).append(time.perf_counter())
    finally:
        writer.close()
