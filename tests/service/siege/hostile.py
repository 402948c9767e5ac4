"""Part one: hostile requests of every kind while people play.

Limits count attackers and people by the addresses that a proxy reports, so that what is measured is
not the limit itself. Each kind of attack is sent by many connections at the same time.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx

from tests.service.siege.people import Person, percentile, seat_people, verify_all
from tests.service.siege.positions import HARD_TITLE, bomb, endless_record, hard_game, long_names
from tests.service.siege.processes import Process, memory, processes

SLOW_ACTION = 250.0
"""Milliseconds that 99 of 100 actions of people must not exceed."""
MOST_MEMORY = 1 << 30
"""Bytes that the service with its processes for long work may use."""
LATEST = 10.0
"""Seconds in which a hostile request must be answered or refused."""
JSON = {"Content-Type": "application/json"}


@dataclass
class Target:
    """What attackers know: the address of the service, a long game, and a hard position in it."""

    address: str
    game: str
    hard: int
    tokens: list[str]

    def headers(self, number: int, *, signed: bool = False) -> dict[str, str]:
        """Return the headers of an attacker, who comes from one of many addresses."""
        found = {"X-Forwarded-For": f"203.0.113.{number % 200 + 1}"}
        if signed:
            found["Authorization"] = f"Bearer {self.tokens[number % len(self.tokens)]}"
        return found


@dataclass
class Report:
    """What one kind of attack did to the service and to the people."""

    kind: str
    answers: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    people: list[float] = field(default_factory=list)
    memory: int = 0

    @property
    def late(self) -> bool:
        """Whether a request was neither answered nor refused in time."""
        return self.slowest > LATEST

    @property
    def figures(self) -> dict[str, Any]:
        """What is recorded."""
        figures = {"answers": dict(self.answers), "slowest": [self.slowest]}
        return figures | {"actions": self.people, "megabytes": self.memory >> 20}

    def wrong(self) -> list[str]:
        """Return which promises were not kept."""
        found = []
        if self.late:
            found.append(f"{self.kind}: a request took {self.slowest:.1f} s")
        if (took := percentile(self.people, 0.99)) > SLOW_ACTION:
            found.append(f"{self.kind}: actions took {took:.0f} ms (99th percentile)")
        if self.memory > MOST_MEMORY:
            found.append(f"{self.kind}: {self.memory >> 20} MB")
        if any(answer[0] == "5" and answer != "503" for answer in self.answers):
            found.append(f"{self.kind}: {dict(self.answers)}")
        return found

    def row(self) -> tuple[str, ...]:
        """Return the figures for a table."""
        answers = ", ".join(f"{name} x{count}" for name, count in self.answers.most_common(4))
        people = f"{percentile(self.people, 0.5):.0f} / {percentile(self.people, 0.99):.0f}"
        return (self.kind, answers, f"{self.slowest:.1f}", people, f"{self.memory >> 20}")


Attack = Callable[[httpx.AsyncClient, Target, int], Awaitable[str]]


async def _request(
    client: httpx.AsyncClient, target: Target, number: int, *, plan: dict[str, Any]
) -> str:
    more = dict(plan)
    signed = more.pop("signed", False)
    method, path = more.pop("method", "GET"), more.pop("path").format(target=target, number=number)
    headers = target.headers(number, signed=signed) | more.pop("headers", {})
    response = await client.request(method, target.address + path, headers=headers, **more)
    return str(response.status_code)


async def _slow_body(client: httpx.AsyncClient, target: Target, number: int) -> str:
    """Announce a body and never send it all; leave after a few seconds."""
    host, port = target.address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
    try:
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(1), 5)
    finally:
        writer.close()
    return "left"


async def _half_header(client: httpx.AsyncClient, target: Target, number: int) -> str:
    """Open a connection and never finish the header; the service must close it."""
    host, port = target.address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    try:
        await reader.read(1)
    finally:
        writer.close()
    return "closed"


async def _stream(client: httpx.AsyncClient, target: Target, number: int) -> str:
    """Listen to a table for a few seconds, after an event that does not exist."""
    url = f"{target.address}/api/games/{target.game}/live"
    headers = [*target.headers(number).items(), ("Last-Event-ID", b"\xb2")]
    async with client.stream("GET", url, headers=headers) as response:  # type: ignore[arg-type]
        with suppress(TimeoutError):
            await asyncio.wait_for(_read_all(response), 3)
        return str(response.status_code)


async def _read_all(response: httpx.Response) -> None:
    async for _ in response.aiter_bytes():
        pass


async def _forks(client: httpx.AsyncClient, target: Target, number: int) -> str:
    """Make a what-if line of a long game and throw it away."""
    place, headers = (
        f"{target.address}/api/games/{target.game}/forks",
        target.headers(number, signed=True),
    )
    made = await client.post(place, json={"at": target.hard}, headers=headers)
    if made.status_code == 201:
        await client.delete(f"{place}/{made.json()['id']}", headers=headers)
    return str(made.status_code)


def _upload(data: bytes, name: str = "game.json") -> dict[str, Any]:
    return {
        "method": "POST",
        "path": "/api/import",
        "files": {"file": (name, data)},
        "signed": True,
    }


def _plans() -> dict[str, dict[str, Any]]:
    """Return the attacks that are one request each."""
    game, page = "/api/games/{target.game}", "/table/{target.game}"
    wrong = {"name": "Person 1", "password": "wrong one"}
    deep = b"[" * 20_000 + b"]" * 20_000
    surrogate = rb'{"action": {"type": "pass", "by": "\ud800"}, "head": 0}'
    return {
        "options of a hard run": {"path": game + "/options?at={target.hard}"},
        "page of a hard run": {"path": page + "?at={target.hard}&search=1"},
        "page": {"path": page},
        "whole log": {"path": game + "/log"},
        "save file": {"path": game + "/save"},
        "verification": {"path": game + "/verify", "signed": True},
        "record without end": _upload(endless_record(15)),
        "damaged gzip": _upload(b"\x1f\x8b\x08" + bytes(500), "game.json.gz"),
        "gzip bomb": _upload(bomb(), "game.json.gz"),
        "import of a long game": _upload(hard_game()[0].encode()),
        "large body": {"method": "POST", "path": "/api/session", "content": bytes(1 << 20)},
        "deep JSON": {"method": "POST", "path": "/api/session", "content": deep, "headers": JSON},
        "surrogates": {
            "method": "POST",
            "path": game + "/why",
            "content": surrogate,
            "headers": JSON,
        },
        "huge numbers": {"path": game + "/log?since=99999999999999999999"},
        "guessed passwords": {"method": "POST", "path": "/api/session", "json": wrong},
        "odd stops of a run": {"path": page + "/try-run?at={target.hard}&run=x.y"},
    }


def _odd_plans() -> dict[str, dict[str, Any]]:
    """Return the attacks with input that is odd or too long to be stored."""
    game = "/api/games/{target.game}"
    return {
        "NUL": {
            "method": "POST",
            "path": game + "/chat",
            "json": {"text": "a\0b"},
            "signed": True,
        },
        "odd seeds": {"method": "POST", "path": "/new", "data": {"seed": "\xb2"}, "signed": True},
        "odd origins": {
            "method": "POST",
            "path": "/api/session",
            "json": {"name": "Person 1", "password": "wrong one"},
            "headers": {"Origin": "http://[::1"},
        },
        "long imported names": _upload(long_names()),
    }


def _plans_over_weeks() -> dict[str, dict[str, Any]]:
    """Return the attacks on messages, programs, accounts and clocks."""
    game = "/api/games/{target.game}"
    return {
        "web-hooks that lead inside": {
            "method": "POST",
            "path": "/api/hooks",
            "json": {"url": "http://127.0.0.1:1/{}"},
            "signed": True,
        },
        "programs for others": {
            "method": "POST",
            "path": game + "/programs",
            "json": {"program": {"program": "pass"}},
            "signed": True,
        },
        "recovered passwords": {
            "method": "POST",
            "path": "/api/recovery",
            "json": {"account": "Person 1"},
        },
        "tables with clocks": {
            "method": "POST",
            "path": "/api/games",
            "json": {
                "title": HARD_TITLE,
                "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}, {"kind": "person"}],
                "clock": {"kind": "days", "move": 60, "penalty": "bot", "bot": "random"},
            },
            "signed": True,
        },
    }


def attacks() -> dict[str, Attack]:
    """Return all kinds of attack by name."""
    found: dict[str, Attack] = {
        kind: partial(_request, plan=plan)
        for kind, plan in (_plans() | _odd_plans() | _plans_over_weeks()).items()
    }
    return found | {
        "unfinished headers": _half_header,
        "unfinished bodies": _slow_body,
        "streams": _stream,
        "what-if lines": _forks,
    }


async def _attacked(target: Target, attack: Attack, count: int, report: Report) -> None:
    """Send an attack many times at once; note the answers and the slowest of them."""
    limits = httpx.Limits(max_connections=count)
    async with httpx.AsyncClient(timeout=60, limits=limits) as client:

        async def one(number: int) -> None:
            begun = time.perf_counter()
            try:
                answer = await attack(client, target, number)
            except (httpx.TransportError, OSError) as error:
                answer = type(error).__name__
            report.answers[answer] += 1
            report.slowest = max(report.slowest, time.perf_counter() - begun)

        await asyncio.gather(*(one(number) for number in range(count)))


async def _play(person: Person, stop: asyncio.Event) -> None:
    """Act about once in a second."""
    while not stop.is_set():
        if not await person.act():
            return  # the game is over
        await asyncio.sleep(person.chance.uniform(0.6, 1.4))


@dataclass(frozen=True)
class Order:
    """What to do: how many people play, how many attack at once, in which ways, until when."""

    people: int
    requests: int
    only: tuple[str, ...]
    end: float = float("inf")
    """The moment of the monotonic clock after which no further kind of attack begins."""


def kinds() -> list[str]:
    """Return the names of all kinds of attack."""
    return ["nothing", *attacks()]


async def _besieged(
    process: Process, target: Target, people: list[Person], order: Order
) -> list[Report]:
    reports = []
    every = {"nothing": _nothing, **attacks()}
    for kind in order.only:
        if time.monotonic() > order.end:
            break
        report, stop = Report(kind), asyncio.Event()
        for person in people:
            person.seconds.clear()
        playing = [asyncio.create_task(_play(person, stop)) for person in people]
        watching = asyncio.create_task(_weigh(process, report))
        await asyncio.sleep(1)
        await _attacked(target, every[kind], order.requests, report)
        await asyncio.sleep(1)
        stop.set()
        await asyncio.gather(*playing)
        watching.cancel()
        report.people = [took for person in people for took in person.seconds]
        reports.append(report)
        print_row(report)
    return reports


async def _weigh(process: Process, report: Report) -> None:
    """Note the greatest memory, all the time."""
    while True:
        report.memory = max(report.memory, await asyncio.to_thread(memory, process.pid))
        await asyncio.sleep(0.5)


async def _nothing(client: httpx.AsyncClient, target: Target, number: int) -> str:
    """Do not attack at all, for comparison."""
    await asyncio.sleep(5)
    return "-"


def print_row(report: Report) -> None:
    """Print the figures of one kind of attack."""
    print("  ".join((f"{report.row()[0]:24}", *report.row()[1:])), flush=True)


async def besiege(database: str, order: Order) -> dict[str, tuple[dict[str, Any], list[str]]]:
    """Attack a service while people play; return the figures of each kind, and what is wrong."""
    with processes(1, database) as (process,):
        seated = await seat_people(order.people, lambda: process.address)
        target = await _target(process)
        print("attack                    answers  slowest s  action ms p50 / p99  memory MB")
        reports = await _besieged(process, target, seated, order)
        lost = await verify_all(seated)
    found = {report.kind: (report.figures, report.wrong()) for report in reports}
    return found | {"everything": ({}, lost)}


async def _target(process: Process) -> Target:
    """Import the hard game; attackers use the tokens of accounts as anybody can make them."""
    text, hard = hard_game()
    attackers = [
        Person(f"Attacker {number}", f"203.0.113.{number + 1}", lambda: process.address)
        for number in range(10)
    ]
    for one in attackers:
        await one.sit_down()
    upload = {"file": ("hard.json", text.encode())}
    game = (await attackers[0].send("POST", "/api/import", files=upload)).json()["id"]
    return Target(process.address, game, hard, [one.token for one in attackers])
