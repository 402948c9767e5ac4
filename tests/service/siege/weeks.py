"""Tables as people play them over weeks: web-hooks say whose turn it is, programs bid, clocks run.

Each kind remembers what must have happened once: a message for every turn, an action for every
decision of a program, a penalty for every time that ran out.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from typing import Any

import httpx

from tests.service.receivers import Receiver
from tests.service.siege.clock import CLOCK
from tests.service.siege.people import Address, GaveUpError, Person

PATIENCE = 300.0
"""Seconds after which a message or a penalty counts as lost: several leases of dead processes."""
LIMIT = 987_654
"""A sealed limit that is found in nothing else."""
DAY = 86_400


class Hooks:
    """What a receiver of web-hooks has got: by the keys of the messages."""

    def __init__(self, receiver: Receiver) -> None:
        """Read what a receiver gets."""
        self._receiver = receiver

    async def add(self, person: Person) -> None:
        """Let somebody be told at once by a web-hook, and in no other way."""
        chosen = {"mails": "off", "push": False, "delay": 0}
        await person.again("PUT", "/api/notices", json=chosen)
        hook = {"url": f"{self._receiver.url}/hook"}
        await person.again("POST", "/api/hooks", json=hook)

    def posted(self, game: str, kind: str = "turn") -> Counter[int]:
        """Return how often each message about a table came, by the version it is about."""
        keys = (str(json.loads(one.body)["key"]) for one in list(self._receiver.got))
        parts = [key.split(":") for key in keys]
        return Counter(int(part[2]) for part in parts if part[:2] == [kind, game])


class Correspondents:
    """Two people who act only when a message has told them that it is their turn."""

    def __init__(self, one: Person, other: Person, hooks: Hooks) -> None:
        """Seat nobody yet."""
        self.people = {one.name: one, other.name: other}
        self._first, self._second, self._hooks = one, other, hooks

    @property
    def game(self) -> str:
        """Their table."""
        return self._first.game

    async def sit_down(self) -> None:
        """Register both, and let the first open a table."""
        for person, other in ((self._first, self._second), (self._second, self._first)):
            person.partner = other.name
            await person.register()
            await self._hooks.add(person)
        self._second.game = await self._first.open_table_with(self._second)

    async def play(self, stop: asyncio.Event) -> None:
        """Act whenever somebody was told to; the first turn begins without a message."""
        offered = await self._first.offered()
        while offered["acting"] and not stop.is_set():
            acting = offered["acting"]
            if not offered["pending"]:
                await self.people[acting].choose(offered)
            offered = await self._first.offered()
            if offered["acting"] not in (acting, None):
                await self._told(offered["version"], stop)

    async def _told(self, version: int, stop: asyncio.Event) -> None:
        """Wait for the message about a turn; raise GaveUpError if it does not come."""
        end = CLOCK.now() + PATIENCE
        while version not in self._hooks.posted(self.game) and not stop.is_set():
            if CLOCK.now() > end:
                raise GaveUpError(f"{self._first.name}: no message about the turn {version}")
            await asyncio.sleep(0.1)

    async def lost(self) -> list[str]:
        """Return which turns were told to nobody, or were told and did not begin."""
        log = (await self._first.again("GET", f"/api/games/{self.game}/log")).json()
        acting = (await self._first.offered())["acting"]
        actors = [entry["by"] for entry in log] + [acting]
        turns = {n for n in range(1, len(actors)) if actors[n] and actors[n] != actors[n - 1]}
        end = CLOCK.now() + PATIENCE
        while turns - set(self._hooks.posted(self.game)) and CLOCK.now() < end:
            await asyncio.sleep(0.5)
        told = self._hooks.posted(self.game)
        wrong = [f"the turn {n} was told to nobody" for n in sorted(turns - set(told))]
        wrong += [f"a turn {n} was told that there was not" for n in sorted(set(told) - turns)]
        return [f"{self._first.name}: {one}" for one in wrong]


class Programmed:
    """Somebody who lets programs bid and pass, against a person who must not learn the limit."""

    def __init__(self, one: Person, other: Person) -> None:
        """Seat nobody yet."""
        self.person, self._owner = one, other
        self.leaks: list[str] = []

    async def sit_down(self) -> None:
        """Register both, and let the person open a table."""
        for person, other in ((self.person, self._owner), (self._owner, self.person)):
            person.partner = other.name
            await person.register()
        self._owner.game = await self.person.open_table_with(self._owner)
        self.person.heard = self._look

    def _look(self, text: str) -> None:
        if str(LIMIT) in text:
            self.leaks.append(f"{self.person.name} learned a sealed limit: {text[:200]}")

    async def play(self, stop: asyncio.Event) -> None:
        """Give programs, and act where none does."""
        place = f"/api/games/{self._owner.game}"
        while not stop.is_set():
            offered = await self._owner.offered()
            if offered["acting"] is None:
                return
            if offered["acting"] == self._owner.name and not offered["pending"]:
                await self._give(place)
                await self._act_unless_a_program_does(offered)
            await asyncio.sleep(0.2)

    async def _act_unless_a_program_does(self, offered: dict[str, Any]) -> None:
        await asyncio.sleep(1)
        if (await self._owner.offered())["head"] == offered["head"]:
            with suppress(AssertionError):  # a program was first
                await self._owner.choose(offered)

    async def _give(self, place: str) -> None:
        """Give the programs that make sense at this moment."""
        known = (await self._owner.again("GET", f"{place}/programs")).json()
        if any(one["active"] for one in known["programs"]):
            return
        for seat in known["sensible"]:
            programs: list[dict[str, Any]] = [
                {"program": "bid", "lot": lot["lot"], "limit": LIMIT, "then": "pass"}
                for lot in seat["lots"][:1]
            ]
            if seat["passing"] and self._owner.chance.random() < 0.5:
                programs.append({"program": "pass"})
            for program in programs:
                with suppress(AssertionError, httpx.HTTPError):  # refused: it came too late
                    await self._owner.send("POST", f"{place}/programs", json={"program": program})


class Absent:
    """Somebody who never acts, at a table with a clock: a bot plays on for them, once."""

    def __init__(self, one: Person, other: Person, hooks: Hooks) -> None:
        """Take two people who are registered."""
        self._one, self._other, self._hooks = one, other, hooks
        self.game, self.late = "", False

    async def sit_down(self) -> None:
        """Open a table with a day for each move."""
        mine = Person(self._one.name, self._one.host, self._one.address, self._one.token)
        clock = {"kind": "days", "move": DAY, "penalty": "bot", "bot": "random"}
        self.game = await mine.open_table_with(self._other, clock=clock)

    async def lost(self) -> list[str]:
        """Return which penalties and messages about them did not happen, or happened twice."""
        wanted = Counter([self._one.name] if self.late else [])
        end = CLOCK.now() + PATIENCE
        while True:
            times, seats = await self._happened()
            told = self._hooks.posted(self.game, "time")
            if times == seats == wanted and len(told) == wanted.total():
                return []
            if times - wanted or seats - wanted or CLOCK.now() > end:
                break
            await asyncio.sleep(0.5)
        found = f"penalties {times}, bots {seats}, messages {told}"
        return [f"table {self.game}: {found}, not {wanted}"]

    async def _happened(self) -> tuple[Counter[str], Counter[str]]:
        """Return how often the time of each player was over, and how often a bot took over."""
        found = {"time": Counter[str](), "seat": Counter[str]()}
        for kind, data in await self._one.messages(self.game):
            if kind in found:
                found[kind][data["player"]] += 1
        return found["time"], found["seat"]


def pairs(names: str, count: int, network: str, address: Address) -> list[tuple[Person, Person]]:
    """Return pairs of people with names and addresses of their own."""
    made = [
        Person(f"{names} {number}", f"{network}.{number + 1}", address)
        for number in range(2 * count)
    ]
    for number, person in enumerate(made):
        person.chance.seed(number)
    return list(zip(made[::2], made[1::2], strict=True))
