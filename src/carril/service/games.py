"""Games at the table: set up, look, act, take back, try, import, watch.

>>> from carril.service.accounts import Accounts
>>> from carril.service.values import NewGame, Seat
>>> games = Games.open()
>>> ana = Accounts(games.desk).register("Ana", "a long password")
>>> game = games.create(ana, NewGame("18EU", (Seat("me"), Seat("me", "Ben")), seed=3))
>>> here = games.position(game.id)
>>> here.state.acting, here.head
('Ana', 0)
>>> games.act(game.id, ana, here.state.options()[0], here.head).head
1
>>> games.close()
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator

from carril.engine.actions import Action
from carril.engine.refusals import Refusal
from carril.service import chat, forking, joining, playing, undoing, verifying
from carril.service.bot_worker import BotWorker
from carril.service.game_files import read_record, write_save
from carril.service.game_store import Desk
from carril.service.live import Live
from carril.service.setting_up import lay_table
from carril.service.settings import Settings
from carril.service.store.infos import games_of, read_infos
from carril.service.store.journal import who_acted
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
    Undone,
    UndoPoints,
    UndoRequest,
    User,
)


class Games:
    """All games of a service. Its methods may be called from any thread."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        """Begin to play the bots' seats and to watch."""
        self.desk = desk
        self._live = Live(desk, settings.poll)
        self._bots = BotWorker(desk, settings.bot_pause) if settings.bots else None

    @classmethod
    def open(cls, url: str = "sqlite://", settings: Settings | None = None) -> Games:
        """Open the games kept at a database; without one they are kept for the moment only."""
        return cls(Desk(url), settings or Settings())

    def close(self) -> None:
        """Stop the bots and let go of the database."""
        if self._bots:
            self._bots.close()
        self._live.close()
        self.desk.database.close()

    # --- the lobby -----------------------------------------------------------------------

    def create(self, user: User, new: NewGame) -> GameInfo:
        """Set a game up."""
        laid = lay_table(user, new)
        return joining.add_game(self.desk, user, new.name, laid)

    def import_file(self, user: User, data: bytes, filename: str) -> GameInfo:
        """Take a recorded game in, to look through and to fork."""
        record = read_record(data, filename)
        info = joining.add_record(self.desk, user, filename, record)
        del record
        gc.collect()  # much was made just now; else somebody's next page waits for this
        return info

    def list_for(self, user: User) -> list[GameInfo]:
        """Return the games a user set up or sits at, the latest first."""
        with self.desk.database.reading() as connection:
            found = read_infos(connection, games_of(connection, user), user)
        return sorted(found.values(), key=lambda one: one.updated, reverse=True)

    def info(self, game: str, user: User | None = None) -> GameInfo:
        """Return what a lobby shows of a game; open invitations only to whoever set it up."""
        with self.desk.database.reading() as connection:
            return self.desk.info(connection, game, user)

    def invitation(self, token: str) -> Invitation:
        """Return what an invitation leads to."""
        return joining.invitation(self.desk, token)

    def join(self, token: str, user: User) -> GameInfo:
        """Take the seat that an invitation offers."""
        return joining.join(self.desk, token, user)

    # --- looking -------------------------------------------------------------------------

    def position(
        self, game: str, at: int | None = None, fork: str | None = None, user: User | None = None
    ) -> Position:
        """Return the position after so many actions (all, if None) of the game or of a fork."""
        with self.desk.database.reading() as connection:
            line = self.desk.line(connection, game, fork, user)
            return self.desk.position(connection, line, at)

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

    def log(
        self,
        game: str,
        since: int = 0,
        until: int | None = None,
        fork: str | None = None,
        user: User | None = None,
    ) -> list[Entry]:
        """Return the actions that stand with numbers above `since` up to `until`."""
        with self.desk.database.reading() as connection:
            line = self.desk.line(connection, game, fork, user)
        return playing.log(self.desk, line, since, until)

    def export(self, game: str, fork: str | None = None, user: User | None = None) -> str:
        """Return a game as the text of a Carril save file."""
        first = self.position(game, 0, fork, user).state
        return write_save(first, [one.action for one in self.log(game, fork=fork, user=user)])

    def subscribe(self, game: str, after: int | None = None) -> AsyncIterator[Message]:
        """Yield what happens at a table from now on, or after the message with this id."""
        return self._live.watch(game, after)

    # --- acting --------------------------------------------------------------------------

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
        """Take up a person's action at the position it was meant for; bots then play on.

        A request with a key that was carried out before does nothing again. On a fork, its owner
        acts for every seat.
        """
        order = playing.Order(action, expected_head, version, key, fork)
        return playing.act(self.desk, game, user, order)

    def undo_points(self, game: str, user: User, fork: str | None = None) -> UndoPoints:
        """Return where one step back and the start of the turn are, for a user."""
        info = self.info(game)
        players = tuple(s.player for s in info.seats) if fork else info.seats_of(user)
        with self.desk.database.reading() as connection:
            line = self.desk.line(connection, game, fork, user)
            return undoing.points(who_acted(connection, line.id), players)

    def undo(self, game: str, user: User, to: int, *, fork: str | None = None) -> Undone:
        """Take all actions after a number back: at once on one's own table, else by request."""
        return undoing.undo(self.desk, game, user, to, fork)

    def undo_request(self, game: str) -> UndoRequest | None:
        """Return the request that is open at a table."""
        with self.desk.database.reading() as connection:
            return undoing.open_request(connection, game)

    def answer(self, game: str, user: User, request: int, accept: bool) -> Undone:
        """Accept or decline a request to take actions back; its maker may withdraw it."""
        return undoing.answer(self.desk, game, user, request, accept)

    # --- what-if lines -------------------------------------------------------------------

    def fork(self, game: str, user: User, at: int) -> str:
        """Begin a private what-if line at a position and return its id."""
        return forking.fork(self.desk, game, user, at)

    def forks(self, game: str, user: User) -> list[ForkInfo]:
        """Return a user's what-if lines of a game."""
        return forking.forks(self.desk, game, user)

    def discard_fork(self, game: str, user: User, fork: str) -> None:
        """Throw a what-if line away."""
        forking.discard(self.desk, game, user, fork)

    def keep_fork(self, game: str, user: User, fork: str) -> GameInfo:
        """Make a what-if line the game's own, on a table of one's own."""
        forking.keep(self.desk, game, user, fork)
        return self.info(game, user)

    # --- talking, checking ---------------------------------------------------------------

    def chat(self, game: str, since: int = 0) -> list[Remark]:
        """Return what was said with numbers above `since`."""
        return chat.chat(self.desk, game, since)

    def say(self, game: str, user: User, text: str) -> Remark:
        """Say something at a table."""
        return chat.say(self.desk, game, user, text)

    def verify(self, game: str) -> verifying.Verified:
        """Check the chain of hashes of a game, and play all its actions again."""
        return verifying.verify(self.desk, game)
