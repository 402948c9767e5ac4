"""Part three: requests made up from the API's own description, and damaged files."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
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
EXAMPLES = 100
"""Requests of each kind in one run of Schemathesis."""
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
    """How requests were answered, and which of them badly.

    Schemathesis tells only how many requests it sent; they count as answered well.
    """

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


async def fuzz_requests(database: str, count: int) -> Findings:
    """Let Schemathesis make requests up from the description, signed in and not, in turn."""
    findings = Findings()
    with processes(1, database, *NO_LIMITS) as (process,):
        for number in range(count):  # a round has one request at least
            done = findings.answers.total()
            if done >= count:
                break
            print(f"{done} of {count}", flush=True)
            person = Person(f"Fuzzer {number}", "198.51.100.1", lambda: process.address)
            await person.sit_down()  # a new one: the last may have been deleted
            each = min(EXAMPLES, count - done)
            await asyncio.to_thread(_schemathesis, person, number, each, findings)
    return findings


def _schemathesis(person: Person, seed: int, examples: int, findings: Findings) -> None:
    """Run Schemathesis once; requests about a game use that of the person."""
    with TemporaryDirectory() as folder:
        settings, report = Path(folder, "settings.toml"), Path(folder, "report.json")
        settings.write_text(f'[parameters]\n"path.game" = "{person.game}"\n')
        signed = ("-H", f"Authorization: Bearer {person.token}") if seed % 2 else ()
        command = (
            *("schemathesis.cli", "--config-file", str(settings)),
            *("run", f"{person.address()}/api/openapi.json", "--url", person.address()),
            *("--phases", "coverage,fuzzing", "--max-examples", str(examples)),
            *("--checks", "not_a_server_error,response_schema_conformance"),
            *("--max-response-time", str(SLOW), "--exclude-path-regex", "/live$"),
            *("--continue-on-failure", "--no-shrink", "--suppress-health-check", "all"),
            *("--seed", str(seed), "--workers", "2", "--warnings", "off"),
            *("--report", "json", "--report-json-path", str(report)),
            *("-H", f"X-Forwarded-For: {person.host}"),
            *signed,
        )
        subprocess.run([sys.executable, "-m", *command], capture_output=True, check=False)
        content = json.loads(report.read_text())
    findings.answers[200] += content["test_cases"]["generated"]
    findings.wrong += [json.dumps(one)[:400] for one in content["failures"] + content["errors"]]


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
