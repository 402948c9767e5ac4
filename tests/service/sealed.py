"""Sealed bids: nothing that another client can fetch depends on the limit of a program.

    python -m tests.service.sealed [--bids 10000]

Pairs of games are played with the same actions. In both, one player has a program that bids for
each lot; only the limits differ, and both are above what the lot costs. After every action all that
is stored outside of the owner's programs must be the same, and after every bid what another player
or a spectator can fetch, byte for byte but for ids and times: a third of all addresses, chosen at
random, and after every 16th bid all of them for everybody. The number of database statements that
answer their requests must be the same as well. `--seed` continues with other games.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import current_thread
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import event, select

from carril.cli.serving import make_application
from carril.engine.actions import Action, Bid, ChooseLot, Pass
from carril.engine.steps.auction import Auction
from carril.programs import BidUpTo
from carril.service.games import Games
from carril.service.programs.worker import play_programs
from carril.service.settings import Rate, Settings
from carril.service.store.tables import lines, messages, records, seats, standing
from carril.service.values import NewGame, Seat, User

TITLE = "18EU"
OWNER, OTHERS = "Ana", ("Ben", "Cleo")
FREE = Rate(10**6, 10**6)
JSON = ("", "/state", "/options", "/log", "/undo", "/undone", "/chat", "/forks", "/programs")
PAGES = ("", "/parts", "/log?until=1", "/file", "/view/sheet", "/programs/new")
PATHS = (*(f"/api/games/{{game}}{x}" for x in JSON), *(f"/table/{{game}}{x}" for x in PAGES))
_VARIABLE = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)?"), "TIME"),
    (re.compile(r'data-rev="[0-9a-f]+"'), "REVISION"),
    (re.compile(r'data-now="\d+"'), "NOW"),
    (re.compile(r"[0-9a-f]{24,64}"), "HASH"),
    (re.compile(r"\d\d:\d\d"), "CLOCK"),
)


class Sealed:
    """A service with a spectator and three people, of whom one gives sealed bids."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Open the service; programs are played only when a pair of games says so."""
        settings = Settings(
            database=str(folder / "sealed.db"),
            bots=False,
            **dict.fromkeys(("sign_ins", "actions", "reads"), FREE),  # type: ignore[arg-type]
        )
        self.app = make_application(settings)
        self.games: Games = self.app.state.games
        self.random = Random(seed)
        accounts: Any = self.app.state.accounts
        self.users: dict[str, User] = {}
        self.clients: dict[str, TestClient] = {}
        for name in (OWNER, *OTHERS, "Spectator"):
            self.users[name] = accounts.guest(name)
            token = accounts.open_session(self.users[name]).token
            self.clients[name] = TestClient(self.app, cookies={"carril": token})
        self.statements = 0
        event.listen(self.games.store.database.engine, "before_cursor_execute", self._count)

    def close(self) -> None:
        """Close the service."""
        self.games.close()

    def _count(self, *_: object) -> None:
        if current_thread().name.startswith("AnyIO"):  # not the threads that look for other work
            self.statements += 1

    def table(self, seed: int) -> str:
        """Return a new table of three people."""
        new = (Seat("me"), *(Seat("person", name) for name in OTHERS))
        made = self.games.create(self.users[OWNER], NewGame(TITLE, new, seed=seed, name="Sealed"))
        for seat in made.seats:
            if seat.invitation:
                self.games.join(seat.invitation, self.users[seat.player])
        return made.id

    # --- what others see -----------------------------------------------------------------

    def fetched(self, game: str, name: str, path: str) -> str:
        """Return what a client can fetch of a game, without ids and times, with its work."""
        self.statements = 0
        answer = self.clients[name].get(path.format(game=game), headers={"HX-Request": "true"})
        return plain(f"{answer.status_code} {self.statements} {answer.text}", game)

    def stored(self, game: str, since: int) -> list[str]:
        """Return the rows of a game that were added since a version, and its line and seats."""
        with self.games.store.database.reading() as connection:
            chosen = (
                select(lines).where(lines.c.id == game),
                select(*(c for c in seats.c if c.name != "invitation"))
                .where(seats.c.game == game)
                .order_by(seats.c.number),
                select(messages)
                .where(messages.c.line == game, messages.c.number > since)
                .order_by(messages.c.number),
                select(standing.c.number).where(standing.c.line == game),
                select(*(c for c in records.c if c.name not in ("id", "key")))
                .where(records.c.line == game, records.c.version > since)
                .order_by(records.c.version),
            )
            rows = [row for query in chosen for row in connection.execute(query)]
        return [plain(str(tuple(row)), game) for row in rows]


def plain(text: str, game: str) -> str:
    """Return a text without the id of its game, times and hashes."""
    text = text.replace(game, "GAME")
    for pattern, word in _VARIABLE:
        text = pattern.sub(word, text)
    return re.sub(r"datetime\.datetime\([^)]*\)", "TIME", text)


class Pair:
    """Two games with the same actions, in which the owner's limits differ."""

    def __init__(self, sealed: Sealed, seed: int) -> None:
        """Give a program for each lot in both games."""
        self.sealed = sealed
        self.games = [sealed.table(seed), sealed.table(seed)]
        self.bids = 0
        self.since = 0
        state = sealed.games.position(self.games[0]).state
        self.cap = dict.fromkeys(state.title.auction.lots(state), 0)
        for lot in self.cap:
            self.cap[lot] = sealed.random.randrange(100, 140, 5)
            for game in self.games:
                limit = self.cap[lot] + 10 + sealed.random.randrange(400)
                program = BidUpTo(lot=lot, limit=limit)
                sealed.games.give_program(game, sealed.users[OWNER], program, OWNER)

    def play(self, wanted: int) -> Iterator[str]:
        """Play until some bids of programs are made or the auction is over; yield what differs."""
        while self.bids < wanted:
            state = self.sealed.games.position(self.games[0]).state
            step = state.step
            if not isinstance(step, Auction):
                return
            action = self._action(step)
            if action is None:
                if not self._programs():
                    return  # the owner has no money left for the lot
            else:
                for game in self.games:
                    head = self.sealed.games.info(game).head
                    user = self.sealed.users[str(state.acting)]
                    self.sealed.games.act(game, user, action, head)
            yield from self._stored()
            if action is None:
                yield from self._fetched(everything=self.bids % 16 == 1)

    def _action(self, step: Auction) -> Action | None:
        """Return what somebody does by hand; None where the owner's program bids."""
        if step.stage == "choose":
            return ChooseLot(next(iter(self.cap)))
        if step.turn == OWNER:
            return None
        bid = step.least
        if (
            step.stage != "falling"
            and bid <= self.cap[step.lot]
            and self.sealed.random.random() < 0.8
        ):
            return Bid(bid)
        return Pass()

    def _programs(self) -> bool:
        """Let the owner's program bid in both games; return whether it does."""
        before = self.sealed.games.info(self.games[0]).head
        for game in self.games:
            play_programs(self.sealed.games.store, game)
        acted = self.sealed.games.info(self.games[0]).head > before
        self.bids += acted
        return acted

    def _left(self) -> set[str]:
        state = self.sealed.games.position(self.games[0]).state
        step = state.step
        on_sale = {step.lot} if isinstance(step, Auction) else set()
        return {*state.title.auction.lots(state), *on_sale}

    def _stored(self) -> Iterator[str]:
        one, other = (self.sealed.stored(game, self.since) for game in self.games)
        self.since = self.sealed.games.info(self.games[0]).version
        self.cap = {lot: cap for lot, cap in self.cap.items() if lot in self._left()}
        if one != other:
            yield f"stored differently: {_difference(one, other)}"

    def _fetched(self, everything: bool) -> Iterator[str]:
        names, chance = (*OTHERS, "Spectator"), self.sealed.random
        chosen = list(itertools.product(names, PATHS))
        if not everything:
            who = chance.choice(names)
            chosen = [(who, path) for path in chance.sample(PATHS, len(PATHS) // 3)]
        for name, path in chosen:
            mine, yours = (self.sealed.fetched(game, name, path) for game in self.games)
            if mine != yours:
                yield f"{name} {path}: {_difference([mine], [yours])}"


def _difference(one: list[str], other: list[str]) -> str:
    """Return where two lists of texts differ."""
    for mine, yours in itertools.zip_longest(one, other, fillvalue=""):
        if mine != yours:
            at = next(
                i for i, (a, b) in enumerate(zip(f"{mine}$", f"{yours}$", strict=False)) if a != b
            )
            return f"{mine[max(0, at - 60) : at + 60]!r} / {yours[max(0, at - 60) : at + 60]!r}"
    return ""


def run(bids: int, seed: int = 1, progress: bool = False) -> tuple[int, list[str]]:
    """Make a number of sealed bids; return how many there were and what was different."""
    with tempfile.TemporaryDirectory() as folder:
        sealed = Sealed(Path(folder), seed)
        try:
            return _run(sealed, bids, seed, progress)
        finally:
            sealed.close()


def _run(sealed: Sealed, bids: int, seed: int, progress: bool) -> tuple[int, list[str]]:
    made, found, begun = 0, list[str](), time.process_time()
    while made < bids and not found:
        pair = Pair(sealed, seed)
        found += pair.play(bids - made)
        made, seed = made + pair.bids, seed + 1
        if progress:
            spent = time.process_time() - begun
            print(f"{made} bids, {len(found)} differences, {spent:.0f} s", flush=True)
    return made, found


def main() -> int:
    """Make sealed bids and print what depends on their limits."""
    parser = argparse.ArgumentParser(prog="python -m tests.service.sealed")
    parser.add_argument("--bids", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    made, found = run(given.bids, given.seed, progress=True)
    for line in found[:20]:
        print(line)
    print(f"{made} sealed bids, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
