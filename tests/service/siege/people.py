"""People who play over HTTP, and remember what the service acknowledged."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.service.siege.clock import CLOCK

PASSWORD = "only for the siege"
TITLE = "18EU"
PATIENCE = 600.0
"""Seconds after which somebody who gets no answer gives up: long enough for any restart."""
Address = Callable[[], str]
"""Where to send the next request; after a kill it may be another process."""


class GaveUpError(Exception):
    """Somebody got no answer for a long time: nothing is known to be lost, but nothing is shown."""


@dataclass
class Acknowledged:
    """An action that the service said it had recorded."""

    number: int
    action: dict[str, Any]


@dataclass
class Person:
    """Somebody with a table of their own, who plays all its seats or against a bot."""

    name: str
    host: str
    """The address that they appear to come from."""
    address: Address
    token: str = ""
    scope: str = "play"
    """What the token allows."""
    game: str = ""
    told: list[Acknowledged] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """How long each action took until its answer."""
    repeated: int = 0
    chance: random.Random = field(default_factory=lambda: random.Random(18))
    bot: str = ""
    """The bot at their table, if there is one."""
    partner: str = ""
    """The other person at their table; without one, and without a bot, they play all its seats."""
    client: httpx.AsyncClient = field(default_factory=lambda: httpx.AsyncClient(timeout=PATIENCE))
    heard: Callable[[str], None] = field(default=lambda _: None)
    """Called with every answer that they get."""

    @property
    def against(self) -> str:
        """Who plays the other seat, unless they play both."""
        return self.bot or self.partner

    async def sit_down(self) -> None:
        """Make an account with a token, and a table."""
        await self.register()
        other = {"kind": "bot", "bot": self.bot} if self.bot else {"kind": "me", "name": "Zoe"}
        await self.open_table({"kind": "me"}, other)

    async def register(self) -> None:
        """Make an account with a token."""
        account = {"name": self.name, "password": PASSWORD}
        made = (await self.send("POST", "/api/accounts", json=account)).json()
        body = {"label": "siege", "scope": self.scope}
        csrf = {"X-CSRF-Token": made["csrf"]}
        self.token = (await self.send("POST", "/api/tokens", json=body, headers=csrf)).json()[
            "token"
        ]
        self.client.cookies.clear()

    async def open_table(self, *seats: dict[str, str], **more: Any) -> dict[str, Any]:
        """Open a table, at which nothing has been acknowledged yet."""
        new = {"title": TITLE, "seats": seats, "seed": 3} | more
        made: dict[str, Any] = (await self.again("POST", "/api/games", json=new)).json()
        self.game, self.told, self.remarks = made["id"], [], []
        return made

    async def open_table_with(self, other: Person, **more: Any) -> str:
        """Open a table for two, and let the other person join."""
        made = await self.open_table({"kind": "me"}, {"kind": "person", "name": other.name}, **more)
        token = next(seat["invitation"] for seat in made["seats"] if seat["invitation"])
        await other.again("POST", f"/api/invitations/{token}", json={})
        return self.game

    async def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request; raise an error unless it succeeds."""
        headers = {"X-Forwarded-For": self.host, **more.pop("headers", {})}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        url = f"{self.address()}{path}"
        response = await self.client.request(method, url, headers=headers, **more)
        self.heard(response.text)
        return response.raise_for_status()

    async def messages(self, game: str) -> list[tuple[str, dict[str, Any]]]:
        """Return the kind and the data of all messages of a table so far."""
        heard = (await self.again("GET", f"/api/games/{game}/state")).json()["heard"]
        found: list[tuple[str, dict[str, Any]]] = []
        if not heard:
            return found
        url = f"{self.address()}/api/games/{game}/live?after=0"
        headers = {"X-Forwarded-For": self.host, "Authorization": f"Bearer {self.token}"}
        async with self.client.stream("GET", url, headers=headers) as response:
            kind = ""
            async for line in response.aiter_lines():
                name, _, value = line.partition(": ")
                kind = value if name == "event" else kind
                if name == "data":
                    found.append((kind, json.loads(value)))
                if len(found) >= heard:
                    break
        return found

    async def act(self, stop: asyncio.Event | None = None) -> bool:
        """Choose among the options and act, again and again until an answer comes.

        Return False when the game is over, or somebody else had to act when `stop` was set. Raise
        GaveUpError if somebody else stops playing.
        """
        offered = await self._turn(stop)
        if offered is None or offered["acting"] is None:
            return False
        await self.choose(offered)
        return True

    async def choose(self, offered: dict[str, Any]) -> None:
        """Act in one of the ways that are offered, until that is acknowledged."""
        place = f"/api/games/{self.game}"
        action = self.chance.choice(offered["options"])["action"]
        key = secrets.token_hex(8)
        body = {"action": action, "head": offered["head"], "key": key}
        begun = CLOCK.now()
        acted = (await self.again("POST", f"{place}/actions", json=body)).json()
        self.seconds.append(CLOCK.now() - begun)
        self.repeated += acted["repeated"]
        self.told.append(Acknowledged(acted["head"], action))

    async def offered(self) -> dict[str, Any]:
        """Return the options at the table."""
        path = f"/api/games/{self.game}/options?wait=5"
        found: dict[str, Any] = (await self.again("GET", path)).json()
        return found

    async def _turn(self, stop: asyncio.Event | None) -> dict[str, Any] | None:
        """Return the options of their next turn; others may act before, unless `stop` is set."""
        end = CLOCK.now() + PATIENCE
        while CLOCK.now() < end:
            offered = await self.offered()
            mine = not self.against or offered["acting"] in (None, self.name)
            if mine and not offered["pending"]:
                return offered
            if stop and stop.is_set():
                return None
            await asyncio.sleep(0.1)
        raise GaveUpError(f"{self.name}: {self.against} has not acted for {PATIENCE} s")

    async def chat(self) -> None:
        """Say something; it is not repeated, since it has no key."""
        text = secrets.token_hex(4)
        await self.send("POST", f"/api/games/{self.game}/chat", json={"text": text})
        self.remarks.append(text)

    async def again(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request until it is answered; killed processes and databases come back."""
        end = CLOCK.now() + PATIENCE
        while True:
            try:
                return await self.send(method, path, **more)
            except httpx.HTTPStatusError as error:
                if error.response.status_code not in (429, 503):
                    raise AssertionError(f"{error}: {error.response.text[:300]}") from None
                if CLOCK.now() > end:
                    raise GaveUpError(f"{method} {path}: {error}") from None
            except httpx.TransportError as error:
                if CLOCK.now() > end:
                    raise GaveUpError(f"{method} {path}: {error!r}") from None
            await asyncio.sleep(0.05)

    async def lost(self) -> list[str]:
        """Return what was acknowledged and is not there, or is there twice."""
        place = f"/api/games/{self.game}"
        log = (await self.again("GET", f"{place}/log")).json()
        entries = {one["number"]: one["action"] for one in log}
        wrong = [
            f"{self.name}: action {one.number} is {entries.get(one.number)}, not {one.action}"
            for one in self.told
            if not _same(one.action, entries.get(one.number))
        ]
        own = [one for one in log if not self.against or one["by"] == self.name]
        if len(own) != len(self.told):
            wrong.append(f"{self.name}: {len(own)} actions, {len(self.told)} acknowledged")
        numbers = [one["number"] for one in log]
        if numbers != list(range(1, len(log) + 1)):
            wrong.append(f"{self.name}: the log has the numbers {numbers}")
        said = [one["text"] for one in (await self.again("GET", f"{place}/chat")).json()]
        wrong += [f"{self.name}: {text!r} is gone" for text in self.remarks if text not in said]
        verified = (await self.again("GET", f"{place}/verify")).json()
        return wrong + [f"{self.name}: {problem}" for problem in verified["problems"]]


def _same(sent: dict[str, Any], stored: dict[str, Any] | None) -> bool:
    """Return whether an action was recorded as sent; defaults may have been left out."""
    return stored is not None and all(
        sent.get(name, value) == value for name, value in stored.items()
    )


async def seat_people(count: int, address: Address, bot: str = "", seed: int = 0) -> list[Person]:
    """Return some people, each at a table of their own; every third plays against a bot."""
    people = [
        Person(f"Person {number}", f"198.51.100.{number + 1}", address) for number in range(count)
    ]
    for number, person in enumerate(people):  # one by one: hashing passwords is slow on purpose
        person.chance.seed(1000 * seed + number)
        person.bot = bot if number % 3 == 2 else ""
        await person.sit_down()
    return people


async def verify_all(people: list[Person]) -> list[str]:
    """Return everything that is wrong with what was acknowledged."""
    return [wrong for person in people for wrong in await person.lost()]


def percentile(times: list[float], share: float) -> float:
    """Return a percentile of some times, in milliseconds."""
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, int(len(ranked) * share))] * 1000 if ranked else 0.0
