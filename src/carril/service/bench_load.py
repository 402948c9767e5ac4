"""Benchmark under load: many tables at which somebody acts, and many browsers that watch them.

Players go on with games of bots from the middle. They act in a browser, which gets the parts of the
page that have changed, or through the API. Browsers do what the page does: they listen to a table,
and a change is seen when they have all parts that it has changed.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import httpx

from carril.bots import Dice, bot_named
from carril.engine.registry import title_named, title_names
from carril.notation.save import Game, to_text
from carril.service.bench import figures, signed_in
from carril.service.bench_clients import Browser, Connection, Processor

_FREE = "1000000/1000000"
_MANY = "20000"
_OPTIONS = (
    *(f"--{name}={_FREE}" for name in ("sign-ins", "actions", "imports", "reads")),
    *(f"--{name}={_MANY}" for name in ("connections", "address-connections")),
    *(f"--{name}={_MANY}" for name in ("streams", "address-streams")),
    "--stored-positions=100000000",
)
_ACTIONS = 600
"""The length of the game that the players go on with."""
_ROOM = 150
"""Actions left at the position where a table begins."""


@dataclass(frozen=True)
class Load:
    """How many act and watch, and for how long."""

    tables: int = 100
    watchers: int = 500
    seconds: float = 20.0
    think: float = 1.0
    """Seconds between an answer and the next action, on average."""
    workers: int = 1
    database: str = ""
    api: bool = False
    """Whether players act through the API, and not in a browser."""
    python: str = sys.executable
    """The interpreter whose Carril serves, to measure another version."""


@dataclass
class _Table:
    """A table with its next actions, and when each was sent."""

    game: str
    heard: int
    head: int
    version: int
    actions: list[Any]
    sent: dict[int, float] = field(default_factory=dict)
    """The moments of actions, by the number of the message that reports them."""


@dataclass
class _Found:
    """What the clients have measured, in milliseconds."""

    begin: float = 0.0
    end: float = 0.0
    acted: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    received: int = 0
    refused: int = 0
    cores: dict[str, float] = field(default_factory=dict)
    """Cores that the server and the clients kept busy."""


@dataclass(frozen=True)
class _Player:
    """How the player of all tables is recognized."""

    token: str
    cookie: str
    csrf: str


def bench_load(load: Load) -> dict[str, Any]:
    """Return the times of actions, and until watching browsers show them."""
    with TemporaryDirectory(prefix="carril-bench-") as folder:
        database = load.database or f"{folder}/bench.db"
        with (
            serving(database, load.workers, load.python) as (address, pid),
            signed_in(address) as client,
        ):
            player = _player(client)
            tables = _open_tables(client, load.tables)
            found = asyncio.run(_run(address, player, tables, load, Processor(pid)))
    shown = {"tables": load.tables, "watchers": load.watchers, "workers": load.workers}
    return shown | {
        "act_by": "api" if load.api else "page",
        "actions_per_second": round(len(found.acted) / load.seconds, 1),
        "refused": found.refused,
        "action": figures(found.acted),
        "seen": {"count": len(found.seen), **figures(found.seen)} if found.seen else {},
        "bytes_per_change": found.received // max(1, len(found.seen)),
        "cores": found.cores,
    }


# --- the server and its tables -------------------------------------------------------------


@contextmanager
def serving(database: str, workers: int, python: str = sys.executable) -> Iterator[tuple[str, int]]:
    """Run `carril serve` without limits; yield its address and the id of its process."""
    command = [python, "-m", "carril", "serve", "--port=0", f"--workers={workers}"]
    running = subprocess.Popen(
        [*command, f"--database={database}", *_OPTIONS], stdout=subprocess.PIPE, text=True
    )
    try:
        assert running.stdout
        line = running.stdout.readline()
        address = re.search(r"http://[\d.]+:\d+", line)
        if not address:
            raise RuntimeError(f"the service did not start: {line!r}")
        yield address[0], running.pid
    finally:
        running.terminate()
        with suppress(subprocess.TimeoutExpired):
            running.wait(timeout=20)
        running.kill()


def _player(client: httpx.Client) -> _Player:
    made = client.post("/api/tokens", json={"label": "bench", "scope": "play"}).raise_for_status()
    csrf = client.headers["X-CSRF-Token"]
    return _Player(str(made.json()["token"]), client.cookies["carril"], csrf)


def _open_tables(client: httpx.Client, count: int) -> list[_Table]:
    """Open tables that begin at different positions of a game of bots."""
    title = title_named(title_names()[0])
    setup = title.tables.setups[0]
    names = [f"Player {number}" for number in range(1, setup.players + 1)]
    game, bot, dice = Game.begin(title.name, names, 1, variants=setup.variants), "random", Dice(1)
    while not game.last.finished and len(game) < _ACTIONS:
        game.add(bot_named(bot).choose(game.last, dice).action)
    file = {"file": ("bots.json", to_text(game).encode())}
    record = client.post("/api/import", files=file).raise_for_status().json()
    log = client.get(f"/api/games/{record['id']}/log").raise_for_status().json()
    actions = [entry["action"] for entry in log]
    last = max(1, len(actions) - _ROOM)
    places = [round(last * (number + 1) / (count + 1)) for number in range(count)]
    return [_open_table(client, record, place, actions) for place in places]


def _open_table(client: httpx.Client, record: Any, place: int, actions: list[Any]) -> _Table:
    seats = [{"kind": "me", "name": seat["player"]} for seat in record["seats"]]
    url = f"/api/games/{record['id']}/continue"
    made = client.post(url, json={"at": place, "seats": seats}).raise_for_status().json()
    here = client.get(f"/api/games/{made['id']}/state").raise_for_status().json()
    return _Table(made["id"], here["heard"], place, here["version"], actions[place:])


# --- the clients ---------------------------------------------------------------------------


async def _run(
    address: str, player: _Player, tables: list[_Table], load: Load, processor: Processor
) -> _Found:
    """Let everybody watch and act for a while; the first seconds do not count."""
    found, chance = _Found(), random.Random(18)
    chosen = [tables[number % len(tables)] for number in range(load.watchers)]
    watching = [asyncio.create_task(_watch(address, table, found)) for table in chosen]
    await asyncio.sleep(min(10.0, 1 + load.watchers / 100))
    found.begin = time.perf_counter() + 2 * load.think
    found.end = found.begin + load.seconds
    acting = [
        asyncio.create_task(_act(address, player, table, found, load, chance)) for table in tables
    ]
    await asyncio.sleep(2 * load.think)
    processor.begin()
    await asyncio.gather(*acting)
    found.cores = processor.cores()
    await asyncio.sleep(1)
    for task in watching:
        task.cancel()
    ended = await asyncio.gather(*watching, return_exceptions=True)
    if faults := [one for one in ended if isinstance(one, Exception)]:
        raise faults[0]
    return found


async def _act(
    address: str,
    player: _Player,
    table: _Table,
    found: _Found,
    load: Load,
    chance: random.Random,
) -> None:
    """Take the next actions of a table, with pauses to think."""
    connection, shown = Connection(address), dict[bytes, bytes]()
    await asyncio.sleep(chance.uniform(0, load.think))
    while (begun := time.perf_counter()) < found.end:
        table.sent[table.heard + 1] = begun
        if load.api:
            status = await _act_by_api(connection, player, table)
        else:
            status = await _act_by_page(connection, player, table, shown)
        if status == 200:
            table.head += 1
            table.version += 1
            table.heard += 1
            table.actions = table.actions[1:]
            if begun > found.begin:
                found.acted.append((time.perf_counter() - begun) * 1000)
        else:
            found.refused += 1
        if status != 200 or not table.actions:  # another game from here on
            table.actions = await _options(connection, table)
            if not table.actions:
                return  # the game is over
        await asyncio.sleep(chance.uniform(0.5, 1.5) * load.think)


async def _act_by_api(connection: Connection, player: _Player, table: _Table) -> int:
    headers = (f"Authorization: Bearer {player.token}", "Content-Type: application/json")
    body = json.dumps({"action": table.actions[0], "head": table.head}).encode()
    return (await connection.ask("POST", f"/api/games/{table.game}/actions", headers, body))[0]


async def _act_by_page(
    connection: Connection, player: _Player, table: _Table, shown: dict[bytes, bytes]
) -> int:
    """Act as the page does; note the revisions of the parts that it then shows."""
    action = json.dumps(table.actions[0])
    form = {"action": action, "head": table.head, "version": table.version}
    headers = (
        f"Cookie: carril={player.cookie}",
        f"X-CSRF-Token: {player.csrf}",
        "Content-Type: application/x-www-form-urlencoded",
    )
    path = f"/table/{table.game}/act"
    return (await connection.ask_parts("POST", path, shown, headers, urlencode(form)))[0]


async def _options(connection: Connection, table: _Table) -> list[Any]:
    """Return the first action that is offered."""
    _, body = await connection.ask("GET", f"/api/games/{table.game}/options?wait=5")
    return [option["action"] for option in json.loads(body)["options"][:1]]


async def _watch(address: str, table: _Table, found: _Found) -> None:
    """Watch a table; note when each change is seen."""
    browser = Browser(address, table.game, table.heard)
    noted = table.heard
    async for shown, size in browser.changes():
        now = time.perf_counter()
        for number in range(noted + 1, shown + 1):
            sent = table.sent.get(number)
            if sent and sent > found.begin > 0:
                found.seen.append((now - sent) * 1000)
        noted = max(noted, shown)
        if now > found.begin > 0:
            found.received += size
