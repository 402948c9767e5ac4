"""Games at the table: set up, look, act, take back, try, import, watch."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from carril.engine.actions import Action
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.service.errors import (
    BadRequest,
    Finished,
    Forbidden,
    NotFound,
    NotYourSeat,
    ReadOnly,
    RefusedByRules,
    Stale,
    Taken,
)
from carril.service.opponents import choose
from carril.service.records import read_record, write_save
from carril.service.setting_up import lay_table
from carril.service.values import (
    Acted,
    Entry,
    ForkInfo,
    GameInfo,
    Invitation,
    Message,
    NewGame,
    Position,
    Remark,
    SeatInfo,
    Undone,
    UndoPoints,
    UndoRequest,
    User,
)


@dataclass
class _Line:
    states: list[State]
    entries: list[Entry]
    version: int = 0
    base: int = 0
    owner: str = ""
    game: str = ""
    messages: list[Message] = field(default_factory=list)


@dataclass
class _Table:
    id: str
    name: str
    owner: str
    seats: list[SeatInfo]
    line: _Line
    created: datetime
    updated: datetime
    read_only: bool = False
    notes: tuple[str, ...] = ()
    chat: list[Remark] = field(default_factory=list)


def _now() -> datetime:
    return datetime.now(UTC)


class Games:
    """All games of a service. In memory for now; the store takes its place behind these methods."""

    def __init__(self) -> None:
        """Begin with no games."""
        self._tables: dict[str, _Table] = {}
        self._forks: dict[str, _Line] = {}

    @classmethod
    def open(cls, url: str = "sqlite://") -> Games:
        """Open the games kept at a database."""
        return cls()

    def close(self) -> None:
        """Let go of the database."""

    def create(self, user: User, new: NewGame) -> GameInfo:
        """Set a game up."""
        laid = lay_table(user, new)
        return self._add(user, new.name, list(laid.seats), [laid.state], [])

    def _add(
        self, user: User, name: str, seats: list[SeatInfo], states: list[State], log: list[Entry]
    ) -> GameInfo:
        key, now = secrets.token_urlsafe(6), _now()
        name = name or f"{states[0].setup.title} {key[:4]}"
        line = _Line(states, log, version=len(log))
        self._tables[key] = _Table(key, name, user.id, seats, line, now, now)
        self._bots(key)
        return self.info(key, user)

    def list_for(self, user: User) -> list[GameInfo]:
        """Return the games a user set up or sits at, the latest first."""
        infos = [self.info(key, user) for key in self._tables]
        mine = [one for one in infos if one.owner == user.id or one.seats_of(user)]
        return sorted(mine, key=lambda one: one.updated, reverse=True)

    def info(self, game: str, user: User | None = None) -> GameInfo:
        """Return what a lobby shows of a game; invitations only to whoever set it up."""
        table = self._table(game)
        state = table.line.states[-1]
        seats = tuple(
            s if user and user.id == table.owner else msgspec.structs.replace(s, invitation="")
            for s in table.seats
        )
        acting = next((s for s in seats if s.player == state.acting), None)
        setup = state.setup
        presets = state.title.conventions.items()
        return GameInfo(
            id=game,
            name=table.name,
            title=setup.title,
            edition=setup.edition,
            variants=setup.variants,
            conventions=next((n for n, c in presets if c == setup.conventions), "own"),
            seed=setup.seed,
            owner=table.owner,
            seats=seats,
            read_only=table.read_only,
            round=str(state.round),
            acting=state.acting,
            acting_user=acting.user if acting else "",
            last=table.line.entries[-1].events if table.line.entries else (),
            finished=state.finished,
            result=state.result,
            head=len(table.line.entries),
            version=table.line.version,
            created=table.created,
            updated=table.updated,
            notes=table.notes,
        )

    def position(
        self, game: str, at: int | None = None, fork: str | None = None, user: User | None = None
    ) -> Position:
        """Return the position after so many actions (all, if None) of the game or of a fork."""
        line = self._line(game, fork, user)
        head = len(line.entries)
        at = head if at is None else at
        if not 0 <= at <= head:
            raise NotFound(f"there are {head} actions, not {at}", {"head": head})
        tag = f"{fork or game}-{line.version}-{at}"
        return Position(line.states[at], at, head, line.version, tag, fork or "")

    def log(
        self,
        game: str,
        since: int = 0,
        until: int | None = None,
        fork: str | None = None,
        user: User | None = None,
    ) -> list[Entry]:
        """Return the actions that stand with numbers above `since` up to `until`."""
        return self._line(game, fork, user).entries[since:until]

    def act(
        self,
        game: str,
        user: User,
        action: Action,
        expected_head: int,
        *,
        version: int | None = None,
        key: str = "",
        fork: str | None = None,
    ) -> Acted:
        """Take up a person's action; bots then play on by themselves."""
        line = self._line(game, fork, user)
        state = line.states[-1]
        if expected_head != len(line.entries) or (version or line.version) != line.version:
            raise Stale("somebody acted first", {"head": len(line.entries)})
        if not fork:
            self._may_act(self._table(game), user, action, state)
        why = state.refusal(action)
        if why:
            raise RefusedByRules(why)
        events = self._append(line, action, "")
        if not fork:
            self._table(game).updated = _now()
            self._bots(game)
        return Acted(expected_head + 1, line.version, events)

    def why(
        self,
        game: str,
        action: Action,
        at: int | None = None,
        fork: str | None = None,
        user: User | None = None,
    ) -> Refusal | None:
        """Return why an action is refused in a position, or None."""
        return self.position(game, at, fork, user).state.refusal(action)

    def _may_act(self, table: _Table, user: User, action: Action, state: State) -> None:
        if table.read_only:
            raise ReadOnly("an imported record cannot be played on; fork it")
        if state.finished:
            raise Finished("the game is over")
        player = action.by or state.acting
        if not any(s.player == player and s.user == user.id for s in table.seats):
            raise NotYourSeat(f"{player} is not your seat", {"player": player})

    def _append(self, line: _Line, action: Action, reason: str) -> tuple[Any, ...]:
        state = line.states[-1]
        by = action.by or state.acting or ""
        outcome = state.apply(action)
        line.states.append(outcome.state)
        line.version += 1
        number = len(line.entries) + 1
        line.entries.append(Entry(number, by, action, outcome.events, _now(), reason))
        self._tell(line, "action", {"head": number, "by": by, "version": line.version})
        return outcome.events

    def _bots(self, game: str) -> None:
        table = self._table(game)
        for _ in range(500):
            state = table.line.states[-1]
            seat = next((s for s in table.seats if s.player == state.acting), None)
            if seat is None or seat.kind != "bot":
                return
            self._append(table.line, *choose(seat.bot, state, 0))

    def undo_points(self, game: str, user: User) -> UndoPoints:
        """Return where one step back and the start of the turn are, for a user."""
        table = self._table(game)
        mine = {s.player for s in table.seats if s.user == user.id}
        steps = [entry.number - 1 for entry in table.line.entries if entry.by in mine]
        return UndoPoints(steps[-1] if steps else None, steps[-1] if steps else None)

    def undo(self, game: str, user: User, to: int, *, fork: str | None = None) -> Undone:
        """Take all actions after a number back: at once on one's own table, else by request."""
        line = self._line(game, fork, user)
        if not 0 <= to < len(line.entries):
            raise BadRequest("there is nothing to take back there")
        del line.states[to + 1 :], line.entries[to:]
        line.version += 1
        self._tell(line, "undo", {"head": to, "version": line.version})
        if not fork:
            self._bots(game)
        return Undone(len(line.entries), line.version)

    def undo_request(self, game: str) -> UndoRequest | None:
        """Return the request that is open at a table."""
        return None

    def answer(self, game: str, user: User, request: int, accept: bool) -> Undone:
        """Accept or decline a request to take actions back; its maker may withdraw it."""
        raise NotFound("there is no such request")

    def fork(self, game: str, user: User, at: int) -> str:
        """Begin a private what-if line at a position and return its id."""
        line = self._table(game).line
        if not 0 <= at <= len(line.entries):
            raise NotFound("there is no such position")
        key = secrets.token_urlsafe(6)
        states, entries = line.states[: at + 1], line.entries[:at]
        self._forks[key] = _Line(list(states), list(entries), 0, at, user.id, game)
        return key

    def forks(self, game: str, user: User) -> list[ForkInfo]:
        """Return a user's what-if lines of a game."""
        return [
            ForkInfo(key, game, line.base, len(line.entries), line.version, _now())
            for key, line in self._forks.items()
            if line.game == game and line.owner == user.id
        ]

    def discard_fork(self, game: str, user: User, fork: str) -> None:
        """Throw a what-if line away."""
        self._line(game, fork, user)
        del self._forks[fork]

    def keep_fork(self, game: str, user: User, fork: str) -> GameInfo:
        """Make a what-if line the game's own, on a table of one's own."""
        line, table = self._line(game, fork, user), self._table(game)
        if not self.info(game, user).is_own(user):
            raise Forbidden("a line is kept only on a table of one's own")
        table.line.states, table.line.entries = list(line.states), list(line.entries)
        table.line.version += 1
        self._tell(table.line, "keep", {"head": len(line.entries)})
        del self._forks[fork]
        self._bots(game)
        return self.info(game, user)

    def import_file(self, user: User, data: bytes, filename: str) -> GameInfo:
        """Take a recorded game in, to look through and to fork."""
        record = read_record(data, filename)
        now = _now()
        log = [
            Entry(number, one.by, one.action, one.events, now)
            for number, one in enumerate(record.played, start=1)
        ]
        seats = [SeatInfo(name, "record") for name in record.first.players]
        states = [record.first, *(one.state for one in record.played)]
        made = self._add(user, filename, seats, states, log)
        table = self._table(made.id)
        table.read_only, table.notes = True, record.notes
        return self.info(made.id, user)

    def export(self, game: str, fork: str | None = None, user: User | None = None) -> str:
        """Return a game as the text of a Carril save file."""
        line = self._line(game, fork, user)
        return write_save(line.states[0], [one.action for one in line.entries if one.action])

    def invitation(self, token: str) -> Invitation:
        """Return what an invitation leads to."""
        for table in self._tables.values():
            for seat in table.seats:
                if seat.invitation and seat.invitation == token:
                    title = table.line.states[0].setup.title
                    return Invitation(table.id, table.name, title, seat.player, bool(seat.user))
        raise NotFound("there is no such invitation")

    def join(self, token: str, user: User) -> GameInfo:
        """Take the seat that an invitation offers."""
        found = self.invitation(token)
        if found.taken:
            raise Taken("somebody has taken this seat")
        table = self._table(found.game)
        table.seats = [
            msgspec.structs.replace(s, user=user.id, user_name=user.name)
            if s.invitation == token
            else s
            for s in table.seats
        ]
        self._tell(table.line, "join", {"player": found.player, "name": user.name})
        return self.info(found.game, user)

    def chat(self, game: str, since: int = 0) -> list[Remark]:
        """Return what was said with numbers above `since`."""
        return self._table(game).chat[since:]

    def say(self, game: str, user: User, text: str) -> Remark:
        """Say something at a table."""
        table = self._table(game)
        remark = Remark(len(table.chat) + 1, user.name, user.id, text, _now())
        table.chat.append(remark)
        self._tell(table.line, "chat", msgspec.to_builtins(remark))
        return remark

    async def subscribe(self, game: str, after: int | None = None) -> AsyncIterator[Message]:
        """Yield what happens at a table from now on, or after the message with this id."""
        line = self._table(game).line
        place = len(line.messages) if after is None else after
        while True:
            for message in line.messages[place:]:
                place = message.id
                yield message
            await asyncio.sleep(0.2)

    def _tell(self, line: _Line, kind: str, data: dict[str, Any]) -> None:
        line.messages.append(Message(len(line.messages) + 1, kind, data))

    def _table(self, game: str) -> _Table:
        try:
            return self._tables[game]
        except KeyError:
            raise NotFound(f"there is no game {game!r}") from None

    def _line(self, game: str, fork: str | None, user: User | None) -> _Line:
        table = self._table(game)
        if not fork:
            return table.line
        line = self._forks.get(fork)
        if line is None or user is None or line.owner != user.id or line.game != game:
            raise NotFound("there is no such line")
        return line
