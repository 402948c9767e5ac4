"""Part three: requests made up from the API's own description, and damaged files."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import httpx

from carril.bots import Dice, bot_named
from carril.engine.registry import title_named, title_names
from carril.notation.save import Game, to_text
from carril.notation.written import WrittenGame
from tests.service.siege.people import Person
from tests.service.siege.positions import damaged
from tests.service.siege.processes import processes

SLOW = 5.0
"""Seconds that no request may take."""
AT_ONCE = 8
ACTIONS = 400
"""The length of the games whose files are damaged."""
NO_LIMITS = (
    *("--imports", "1000000/1000000"),
    *("--actions", "1000000/1000000"),
    *("--reads", "1000000/1000000"),
    *("--stored-positions", "100000000"),
)


@dataclass
class Findings:
    """How requests were answered, and which of them badly."""

    answers: Counter[int] = field(default_factory=Counter)
    slowest: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def note(self, what: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self.answers[status] += 1
        self.slowest = max(self.slowest, seconds)
        if status >= 500 or seconds > SLOW:
            self.wrong.append(f"{what}: {status} after {seconds:.1f} s")

    def __str__(self) -> str:
        """Say it in a line."""
        counts = ", ".join(f"{status} x{n}" for status, n in sorted(self.answers.items()))
        return f"{self.answers.total()} requests, slowest {self.slowest:.2f} s: {counts}"


# --- requests ------------------------------------------------------------------------------


def _scalar(schema: dict[str, Any], chance: random.Random) -> Any:
    """Return a value for a parameter or a field, which fits it more or less."""
    odd: tuple[Any, ...] = (None, -1, 0, 1, 1 << 31, 1 << 63, 10**30, 1.5, True, "", "0", "x")
    more = ("\x00", "\u202e", "é" * 300, "../..", "'; --", "²", [], {}, [1], {"a": 1})
    if "enum" in schema and chance.random() < 0.7:
        return chance.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "integer" and chance.random() < 0.6:
        return chance.randint(0, 40)
    if kind == "boolean" and chance.random() < 0.7:
        return chance.random() < 0.5
    if kind == "string" and chance.random() < 0.5:
        return "".join(chance.choices("abcxyz ÄßЖ漢0123-_.", k=chance.randint(0, 40)))
    return chance.choice((*odd, *more))


def _value(
    schema: dict[str, Any], known: dict[str, Any], chance: random.Random, deep: int = 0
) -> Any:
    if "$ref" in schema:
        schema = known[schema["$ref"].rsplit("/", 1)[1]]
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return _value(chance.choice(schema[choice]), known, chance, deep)
    if schema.get("type") == "object" and deep < 4 and chance.random() < 0.95:
        fields = schema.get("properties", {})
        kept = {name: one for name, one in fields.items() if chance.random() < 0.85}
        return {name: _value(one, known, chance, deep + 1) for name, one in kept.items()}
    if schema.get("type") == "array" and deep < 4 and chance.random() < 0.9:
        items = schema.get("items", {})
        return [_value(items, known, chance, deep + 1) for _ in range(chance.randint(0, 4))]
    return _scalar(schema, chance)


@dataclass
class Fuzzer:
    """Makes requests up from an OpenAPI description."""

    described: dict[str, Any]
    person: Person
    chance: random.Random

    def request(self) -> tuple[str, str, dict[str, Any]]:
        """Return a method, a path and the rest of a request."""
        chance = self.chance
        paths = self.described["paths"]
        path = chance.choice(sorted(one for one in paths if not one.endswith("/live")))
        method = chance.choice(sorted(paths[path]))
        operation = paths[path][method]
        query: dict[str, Any] = {}
        for parameter in operation.get("parameters", []):
            value = _value(parameter.get("schema", {}), self._schemas, chance)
            if parameter["in"] == "path":
                path = path.replace(
                    f"{{{parameter['name']}}}", self._path_value(parameter["name"], value)
                )
            elif parameter["in"] == "query" and chance.random() < 0.6:
                query[parameter["name"]] = value
        more: dict[str, Any] = {"params": {k: str(v) for k, v in query.items()}}
        return method.upper(), path, more | self._body(operation)

    @property
    def _schemas(self) -> dict[str, Any]:
        found: dict[str, Any] = self.described["components"]["schemas"]
        return found

    def _path_value(self, name: str, value: Any) -> str:
        if name == "game" and self.chance.random() < 0.8:
            return self.person.game
        text = str(value).replace("/", "").replace("\x00", "") or "x"
        return text[:100]

    def _body(self, operation: dict[str, Any]) -> dict[str, Any]:
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" in content:
            schema = content["application/json"]["schema"]
            return {"json": _value(schema, self._schemas, self.chance)}
        if "multipart/form-data" in content:
            return {"files": {"file": ("x.json", b'{"a": 1}')}}
        return {}


async def fuzz_requests(database: str, count: int) -> Findings:
    """Send requests made up from the description, signed in or not."""
    findings, chance = Findings(), random.Random(18)
    with processes(1, database, *NO_LIMITS) as (process,):
        person = Person("Fuzzer", "198.51.100.1", lambda: process.address)
        await person.sit_down()
        described = (await person.send("GET", "/api/openapi.json")).json()
        fuzzer = Fuzzer(described, person, chance)
        spared = {"/api/account", "/api/sessions", "/api/password", "/api/session"}

        async def send(_: int) -> None:
            method, path, more = fuzzer.request()
            if path in spared or (method == "DELETE" and path.count("/") == 3):
                return  # these would only end the session of the fuzzer, or its game
            headers = {"X-Forwarded-For": "198.51.100.1"}
            if chance.random() < 0.8:
                headers["Authorization"] = f"Bearer {person.token}"
            await _timed(person.client, method, process.address + path, findings, headers, more)

        await _all(send, count)
    return findings


# --- files ---------------------------------------------------------------------------------


def seed_files() -> list[bytes]:
    """Return games of bots, as saves and, where a title has a writer, as files of 18xx.games."""
    found = []
    for name in title_names():
        title = title_named(name)
        setup = title.tables.setups[0]
        players = tuple(f"Player {number}" for number in range(1, setup.players + 1))
        found.append(to_text(_save(name, players, setup.variants)).encode())
        if title.export:
            found.append(json.dumps(_written(name, players, setup.variants).file()).encode())
    return found


def _save(title: str, players: tuple[str, ...], variants: tuple[str, ...]) -> Game:
    game, bot, dice = Game.begin(title, players, 5, variants=variants), bot_named("random"), Dice(5)
    while not game.last.finished and len(game) < ACTIONS:
        game.add(bot.choose(game.last, dice).action)
    return game


def _written(title: str, players: tuple[str, ...], variants: tuple[str, ...]) -> WrittenGame:
    game, bot, dice = WrittenGame(title, players, 5, variants), bot_named("random"), Dice(5)
    while not game.state.finished and game.played < ACTIONS:
        action = bot.choose(game.state, dice).action
        if game.can_play(action):
            game.play(action)
    return game


async def fuzz_files(database: str, files: list[bytes], count: int) -> Findings:
    """Upload damaged files."""
    findings, source = Findings(), damaged(files, random.Random(19))
    with processes(1, database, *NO_LIMITS) as (process,):
        person = Person("Fuzzer", "198.51.100.1", lambda: process.address)
        await person.sit_down()
        headers = {"X-Forwarded-For": "198.51.100.1", "Authorization": f"Bearer {person.token}"}

        async def send(_: int) -> None:
            more = {"files": {"file": ("game.json", next(source))}}
            url = f"{process.address}/api/import"
            await _timed(person.client, "POST", url, findings, headers, more)

        await _all(send, count)
    return findings


# --- sending -------------------------------------------------------------------------------


async def _timed(
    client: httpx.AsyncClient,
    method: str,
    url: str,
    findings: Findings,
    headers: dict[str, str],
    more: dict[str, Any],
) -> None:
    begun = time.perf_counter()
    try:
        response = await client.request(method, url, headers=headers, **more)
    except (httpx.InvalidURL, UnicodeEncodeError):
        return  # the client itself refuses to send this
    findings.note(
        f"{method} {url} {str(more)[:300]}", response.status_code, time.perf_counter() - begun
    )


async def _all(send: Any, count: int) -> None:
    """Send many requests, a few at a time, and show how many are done."""
    numbers = iter(range(count))
    while batch := list(islice(numbers, 1000)):
        rows = [batch[place::AT_ONCE] for place in range(AT_ONCE)]

        async def one(row: list[int]) -> None:
            for number in row:
                await send(number)

        await asyncio.gather(*(one(row) for row in rows))
        print(f"{batch[-1] + 1} of {count}", flush=True)
