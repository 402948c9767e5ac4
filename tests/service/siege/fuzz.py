"""Part three: requests made up from the API's own description, and damaged files."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx

from carril.bots import Dice, bot_named
from carril.engine.registry import title_named, title_names
from carril.notation.save import Game, to_text
from carril.notation.written import WrittenGame
from tests.service.siege.clock import CLOCK
from tests.service.siege.made_up import MadeUp, Operations, forgetful_client
from tests.service.siege.people import Person
from tests.service.siege.positions import damaged
from tests.service.siege.processes import processes
from tests.service.siege.record import Chunk

SLOW = 5.0
"""Seconds that no request may take."""
AT_ONCE = 8
BATCH = 500
"""Files between two lines of progress."""
EXAMPLES = 40
"""Valid requests of each operation, and invalid ones, in one round."""
ROUNDS = 1000
"""More rounds than any run has, so that no two runs use the same seed."""
SCOPES = ("", "play", "account")
"""What the sender of requests may do, in turn; "" is nobody who is signed in."""
LENGTHS = (10, 25, 60, 150, 400)
"""The numbers of actions of the games whose files are damaged; reading takes time for each."""
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

    @property
    def figures(self) -> dict[str, Any]:
        """What can be added up over several runs."""
        counts = {str(status): count for status, count in sorted(self.answers.items())}
        return {"answers": counts, "slowest": [self.slowest]}

    def __str__(self) -> str:
        """Say it in a line."""
        counts = ", ".join(f"{status} x{n}" for status, n in sorted(self.answers.items()))
        return f"{self.answers.total()} requests, slowest {self.slowest:.2f} s: {counts}"


# --- requests ------------------------------------------------------------------------------


async def fuzz_requests(database: str, chunk: Chunk) -> Findings:
    """Send requests made up from the description: signed in or not, in turn."""
    findings, seed = Findings(), ROUNDS * chunk.seed
    with processes(1, database, *NO_LIMITS) as (process,):
        operations = Operations(process.address)
        while findings.answers.total() < chunk.count and not chunk.over:
            person = Person(f"Fuzzer {seed}", "198.51.100.1", lambda: process.address)
            person.scope = SCOPES[seed % len(SCOPES)] or "play"
            await person.sit_down()  # a new one: the last may have been deleted
            token = person.token if SCOPES[seed % len(SCOPES)] else ""
            each = max(1, min(EXAMPLES, chunk.count - findings.answers.total()))
            made = operations.requests(seed, each, person.game)
            await _round(_until(made, findings, chunk), token, findings)
            print(f"after seed {seed}: {findings}; {len(findings.wrong)} wrong", flush=True)
            seed += 1
    return findings


def _until(
    batches: Iterator[list[MadeUp]], findings: Findings, chunk: Chunk
) -> Iterator[list[MadeUp]]:
    """Yield batches until enough requests are answered, or the time is over."""
    for batch in batches:
        if findings.answers.total() >= chunk.count or chunk.over:
            return
        yield batch


async def _round(batches: Iterator[list[MadeUp]], token: str, findings: Findings) -> None:
    headers = {"X-Forwarded-For": "198.51.100.1"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    async with forgetful_client() as client:
        for batch in batches:
            waiting = iter(batch)

            async def send(_: int, waiting: Iterator[MadeUp] = waiting) -> None:
                await _answered(client, next(waiting), headers, findings)

            await _all(send, len(batch))


async def _answered(
    client: httpx.AsyncClient, made: MadeUp, headers: dict[str, str], findings: Findings
) -> None:
    """Send a request and judge its answer."""
    made.request.headers.update(headers)
    begun = CLOCK.now()
    try:
        response = await client.send(made.request)
    except (httpx.LocalProtocolError, httpx.InvalidURL):
        return  # the client itself refuses to send this
    what = f"{made.request.method} {made.request.url}"
    findings.note(what, response.status_code, CLOCK.now() - begun)
    if problem := made.problem(response):
        findings.wrong.append(f"{what}: {problem}")


# --- files ---------------------------------------------------------------------------------


def seed_files() -> list[bytes]:
    """Return games of bots, as saves and, where a title has a writer, as files of 18xx.games."""
    found = []
    for name, actions in itertools.product(title_names(), LENGTHS):
        title = title_named(name)
        setup = title.tables.setups[0]
        order = _Bots(name, setup.players, setup.variants, actions)
        found.append(to_text(_save(order)).encode())
        if title.export:
            found.append(json.dumps(_written(order).file()).encode())
    return found


@dataclass(frozen=True)
class _Bots:
    """A game of bots that is stopped after some actions."""

    title: str
    count: int
    variants: tuple[str, ...]
    actions: int

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(f"Player {number}" for number in range(1, self.count + 1))


def _save(order: _Bots) -> Game:
    game = Game.begin(order.title, order.players, order.actions, variants=order.variants)
    bot, dice = bot_named("random"), Dice(order.actions)
    while not game.last.finished and len(game) < order.actions:
        game.add(bot.choose(game.last, dice).action)
    return game


def _written(order: _Bots) -> WrittenGame:
    game = WrittenGame(order.title, order.players, order.actions, order.variants)
    bot, dice = bot_named("random"), Dice(order.actions)
    while not game.state.finished and game.played < order.actions:
        action = bot.choose(game.state, dice).action
        if game.can_play(action):
            game.play(action)
    return game


async def fuzz_files(database: str, files: list[bytes], chunk: Chunk) -> Findings:
    """Upload damaged files."""
    findings, source = Findings(), enumerate(damaged(files, random.Random(chunk.seed)))
    with processes(1, database, *NO_LIMITS) as (process,):
        person = Person("Fuzzer", "198.51.100.1", lambda: process.address)
        await person.sit_down()
        headers = {"X-Forwarded-For": "198.51.100.1", "Authorization": f"Bearer {person.token}"}

        async def send(_: int) -> None:
            number, data = next(source)
            sent, begun = {"file": ("game.json", data)}, CLOCK.now()
            url = f"{process.address}/api/import"
            response = await person.client.post(url, files=sent, headers=headers)
            what = f"file {number} of the seed {chunk.seed}"
            findings.note(what, response.status_code, CLOCK.now() - begun)

        while findings.answers.total() < chunk.count and not chunk.over:
            await _all(send, min(BATCH, chunk.count - findings.answers.total()))
            print(f"{findings}; {len(findings.wrong)} wrong", flush=True)
    return findings


# --- sending -------------------------------------------------------------------------------


async def _all(send: Any, count: int) -> None:
    """Send many requests, a few at a time."""
    numbers = range(count)

    async def some(row: range) -> None:
        for number in row:
            await send(number)

    await asyncio.gather(*(some(numbers[place::AT_ONCE]) for place in range(AT_ONCE)))
