"""Clocks, messages and sealed bids while the server is killed again and again.

    python -m tests.service.killed_weeks [--kills 40] [--database URL]

People at several tables act and give sealed bids, the clock is moved, and the process that sends
messages, punishes and plays programs is killed with SIGKILL at random moments. In between, and at
the end, everything that was due must have arrived:

- each turn that lasts is told by mail and by web-hook; a message that arrives again, because nobody
  can know whether the killed process had sent it, has the same Message-ID or Idempotency-Key
- each time that runs out has one penalty and one message
- no answer to another player contains the limit of a bid
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import msgspec
from msgspec import Struct
from sqlalchemy import Row, select, update

from carril.engine.steps.auction import Auction
from carril.programs import BidUpTo
from carril.service import clock
from carril.service.accounts import Accounts
from carril.service.errors import ServiceError
from carril.service.games import Games
from carril.service.notifications.choices import add_hook, set_notices
from carril.service.seats.changing import let_bot_play
from carril.service.settings import Settings
from carril.service.store.notices import Notices
from carril.service.store.outbox import outbox
from carril.service.store.tables import messages, users
from carril.service.table_clocks.counting import DAY, TimeControl
from carril.service.values import NewGame, Seat, User
from tests.service.clocked import MovedClock
from tests.service.receivers import Receiver, receiver
from tests.service.sealed import PATHS
from tests.service.siege.processes import Process
from tests.service.smtp_server import Mailbox, smtp_server
from tests.service.table import first_action

BOT = "random"
CONTROL = TimeControl("days", move=DAY, penalty="bot", bot=BOT)
PATIENCE = 120.0
Rows = Sequence[Row[Any]]


class Table(Struct):
    """A table of two people."""

    game: str
    people: dict[str, User]
    """By player."""
    cookies: dict[str, str]
    limits: list[tuple[str, int]] = []
    """Players and the limits of their bids."""
    penalties: int = 0


class Report(Struct):
    """What was tried, and what was wrong."""

    kills: int = 0
    actions: int = 0
    bids: int = 0
    """Actions of programs that are still listed."""
    penalties: int = 0
    mails: int = 0
    hooks: int = 0
    repeated: int = 0
    """Messages that arrived again with the same id, after a kill in the middle of sending."""
    fetched: int = 0
    wrong: list[str] = []


class Siege:
    """A server that is killed, and the people at its tables."""

    def __init__(self, folder: Path, database: str, tables: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.moving = MovedClock(folder / "clock", fixed=False)
        self.games = Games.open(
            database, Settings(database=database, bots=False, notify=False, timers=False)
        )
        self.accounts = Accounts(self.games.store)
        self.report = Report()
        self.count = tables

    def set_up(self, received: Receiver) -> list[Table]:
        """Seat two people at each table, who want mails and have a web-hook."""
        return [self._table(number, received) for number in range(self.count)]

    def _table(self, number: int, received: Receiver) -> Table:
        people = {name: self._person(name, number, received) for name in ("Ana", "Ben")}
        ana, ben = people.values()
        seats = (Seat("me", "Ana"), Seat("person", "Ben"))
        new = NewGame("18EU", seats, clock=CONTROL, visibility="unlisted")
        made = self.games.create(ana, new)
        self.games.join(next(s.invitation for s in made.seats if s.invitation), ben)
        cookies = {name: self.accounts.open_session(one).token for name, one in people.items()}
        return Table(made.id, people, cookies)

    def _person(self, name: str, number: int, received: Receiver) -> User:
        user = self.accounts.guest(f"{name} {number}")
        with self.games.store.writing(user=user.id) as reader:
            chosen = update(users).where(users.c.id == user.id)
            address = f"{name}{number}@example.org".lower()
            reader.connection.execute(chosen.values(email=address))
        set_notices(self.games.store, user, Notices(delay=0))
        add_hook(self.games.store, user, "json", f"{received.url}/{name}{number}", None)
        return user

    # --- what people do --------------------------------------------------------------------

    def play(self, tables: list[Table], over: Callable[[], bool]) -> None:
        """Act, and give sealed bids, until something is over."""
        while not over():
            self._act(self.chance.choice(tables))

    def _act(self, table: Table) -> None:
        state = self.games.position(table.game).state
        acting = str(state.acting)
        seat = self.games.info(table.game).seat(acting)
        if state.ended or seat is None or seat.bot:
            return
        user, step = table.people[acting], state.step
        try:
            bidding = isinstance(step, Auction) and step.stage in ("open", "bidding")
            if bidding and self.chance.random() < 0.5:
                assert isinstance(step, Auction)
                self._seal(table, user, acting, step.lot)
                return
            head = self.games.info(table.game).head
            self.games.act(table.game, user, first_action(state), head)
            self.report.actions += 1
        except ServiceError:
            time.sleep(0.05)  # a program or the clock was quicker

    def _seal(self, table: Table, user: User, player: str, lot: str) -> None:
        limit = self.chance.randrange(200_000, 999_999)
        table.limits.append((player, limit))
        self.games.give_program(
            table.game, user, BidUpTo(lot=lot, limit=limit, then="pass"), player
        )
        time.sleep(0.1)

    def look(self, tables: list[Table], address: str) -> None:
        """Look whether an answer to anybody but its owner contains a limit."""
        for table in tables:
            for viewer in ("", *table.people):
                self._look_as(table, viewer, address)

    def _look_as(self, table: Table, viewer: str, address: str) -> None:
        path = self.chance.choice(PATHS).format(game=table.game)
        cookies = {"carril": table.cookies[viewer]} if viewer else {}
        answer = httpx.get(address + path, cookies=cookies, timeout=60)
        self.report.fetched += 1
        sealed = [(player, limit) for player, limit in table.limits if player != viewer]
        self.report.wrong += [
            f"{path} shows {viewer!r} the limit of {player}"
            for player, limit in sealed
            if str(limit) in answer.text
        ]

    # --- what must have arrived ------------------------------------------------------------

    def run_out(self, tables: list[Table]) -> list[Table]:
        """Let a day pass; return the tables at which somebody has no time left."""
        late = []
        for table in tables:
            info = self.games.info(table.game)
            seat = info.seat(str(info.acting))
            if not info.finished and seat and seat.user and not seat.bot:
                late.append(table)
        self.moving.move(days=1, minutes=1)
        return late

    def come_back(self, tables: list[Table]) -> None:
        """Wait for the penalties, and take the seats back from the bots."""
        for table in tables:
            table.penalties += 1
            self.report.penalties += 1
            self._until(lambda table=table: self._bots(table) > 0, "a penalty")  # type: ignore[misc]
            for player, user in table.people.items():
                let_bot_play(self.games.store, table.game, user, player, "")

    def _bots(self, table: Table) -> int:
        return sum(bool(seat.bot) for seat in self.games.info(table.game).seats)

    def _until(self, check: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not check():
            if time.monotonic() > end:
                self.report.wrong.append(f"{what} never came")
                return
            time.sleep(0.1)

    def settle(self) -> None:
        """Wait until all that is due was sent; an attempt of a killed process counts as lost."""
        self._until(lambda: not self._open("waiting"), "a message")
        self.moving.move(minutes=2)
        self._until(lambda: not self._open("waiting", "sending"), "a message")

    def _open(self, *statuses: str) -> int:
        query = select(outbox.c.id).where(
            outbox.c.status.in_(statuses), outbox.c.due <= clock.now()
        )
        with self.games.reading() as reader:
            return len(reader.connection.execute(query).all())

    def check(self, tables: list[Table], box: Mailbox, received: Receiver) -> None:
        """Compare what arrived with what was stored."""
        with self.games.reading() as reader:
            rows = reader.connection.execute(select(outbox)).all()
            heard = reader.connection.execute(select(messages)).all()
        mails = Counter(str(mail["Message-ID"])[1:41] for mail in box.mails)
        hooks = Counter(one.headers["Idempotency-Key"] for one in received.got)
        self.arrived("mail", rows, mails, 40)
        self.arrived("hook", rows, hooks, 32)
        self.report.mails, self.report.hooks = len(mails), len(hooks)
        self.report.repeated = sum((mails - Counter(dict.fromkeys(mails, 1))).values())
        self.report.repeated += sum((hooks - Counter(dict.fromkeys(hooks, 1))).values())
        for table in tables:
            self._check_table(table, rows, heard)
            given = (self.games.programs(table.game, one) for one in table.people.values())
            self.report.bids += sum(one.done for programs in given for one in programs)

    def arrived(self, channel: str, rows: Rows, got: Counter[str], length: int) -> None:
        """Compare what arrived with the messages of a channel."""
        for row in (one for one in rows if one.channel == channel):
            key = hashlib.sha256(row.key.encode()).hexdigest()[:length]
            if row.status == "sent" and not got[key]:
                self.report.wrong.append(f"{row.key} counts as sent and never arrived")
            if got[key] > row.attempts or (got[key] and row.status == "waiting"):
                self.report.wrong.append(f"{row.key} arrived {got[key]} times")
            if row.status == "failed":
                self.report.wrong.append(f"{row.key} was given up: {row.error}")
        known = {hashlib.sha256(row.key.encode()).hexdigest()[:length] for row in rows}
        self.report.wrong += [f"an unknown {channel} arrived" for one in got if one not in known]

    def _check_table(self, table: Table, rows: Rows, heard: Rows) -> None:
        info = self.games.info(table.game)
        own = [row for row in rows if row.game == table.game]
        over = [one for one in heard if one.line == table.game and one.kind == "time"]
        if len(over) != table.penalties:
            self.report.wrong.append(f"{len(over)} penalties instead of {table.penalties}")
        told = {row.version for row in own if row.channel == "mail" and row.status == "sent"}
        turns = [row.version for row in own if row.channel == "turn" and row.version]
        seat = info.seat(str(info.acting))
        if not info.finished and seat and not seat.bot and max(turns, default=0) not in told:
            self.report.wrong.append(f"the turn of {info.acting} at {table.game} was never told")
        self.report.wrong += self.games.verify(table.game).problems
        log = self.games.log(table.game)
        if [one.number for one in log] != list(range(1, len(log) + 1)):
            self.report.wrong.append(f"the log of {table.game} has gaps")


def run(kills: int, tables: int, folder: Path, database: str, seed: int = 1) -> Report:
    """Kill a server a number of times while people play, and return what was wrong."""
    os.environ[clock.FILE] = str(folder / "clock")
    siege = Siege(folder, database, tables, seed)
    try:
        with smtp_server() as box, receiver() as received:
            _fight(siege, kills, database, box, received)
    finally:
        siege.games.close()
        del os.environ[clock.FILE]
    return siege.report


def _fight(siege: Siege, kills: int, database: str, box: Mailbox, received: Receiver) -> None:
    seated = siege.set_up(received)
    mail = ("--smtp-host", "127.0.0.1", "--smtp-port", str(box.port), "--smtp-security", "none")
    process = Process(database, *mail, "--private-hooks", "--poll", "0.05", "--reads", "9999/9999")
    try:
        for number in range(kills):
            _kill_once(siege, seated, process, number)
        siege.settle()
        siege.check(seated, box, received)
    finally:
        process.stop()


def _kill_once(siege: Siege, seated: list[Table], process: Process, number: int) -> None:
    """Kill the server while people play, or just after times have run out; start it again."""
    late = siege.run_out(seated) if number % 3 == 2 else []
    killer = threading.Timer(0.1 + siege.chance.random() * 2.5, process.kill)
    killer.start()
    if not late:
        siege.play(seated, lambda: not killer.is_alive())
    killer.join()
    process.start()
    siege.report.kills += 1
    siege.come_back(late)
    siege.look(seated, process.address)
    if number % 3 == 1:
        siege.settle()


def main() -> int:
    """Kill a server while people play, and print what was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.service.killed_weeks")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = given.database or f"sqlite:///{folder}/games.db"
        report = run(given.kills, given.tables, Path(folder), database, given.seed)
    print(msgspec.json.encode(report).decode())
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
