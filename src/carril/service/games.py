"""The games of a service: create, view, act, undo, fork, import, watch.

>>> from carril.service.accounts import Accounts
>>> from carril.service.values import NewGame, Seat
>>> games = Games.open()
>>> ana = Accounts(games.store).register("Ana", "a long password")
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
from contextlib import AbstractContextManager

from carril.engine.actions import Action
from carril.engine.refusals import Refusal
from carril.programs.kinds import Given
from carril.service import chat, forking, new_games, playing, undoing, verifying
from carril.service.bot_worker import BotWorker
from carril.service.continuing import Continuation, continue_from
from carril.service.game_files import read_game
from carril.service.game_store import GameStore, Reader
from carril.service.jobs import Limits, Pool
from carril.service.listing import list_games, list_watchable
from carril.service.live import Batches, Live
from carril.service.notifications.channels import Deliveries
from carril.service.notifications.sender import Postman
from carril.service.playing import Order, Turn
from carril.service.playing_on import PlayedOn, PlayOnOrder, play_on
from carril.service.programs import giving
from carril.service.programs.values import ProgramInfo
from carril.service.redoing import read_changes
from carril.service.seats import joining, leaving
from carril.service.setting_up import set_up_table
from carril.service.settings import Settings
from carril.service.studying import Studier, Study
from carril.service.table_clocks.counting import ClockView
from carril.service.table_clocks.pauses import resume
from carril.service.table_clocks.view import view_clock
from carril.service.table_clocks.worker import Timekeeper
from carril.service.table_view import read_table
from carril.service.values import (
    Acted,
    Change,
    Entry,
    ForkInfo,
    GameInfo,
    Invitation,
    Message,
    NewGame,
    Position,
    Proposal,
    Remark,
    Request,
    TableView,
    Undone,
    UndoPoints,
    User,
)
from carril.service.verifier import Verification, Verifier
from carril.service.votes import adopting, ending, replacing, voting

WISHES = (undoing.UNDO, undoing.REDO, ending.END, adopting.ADOPT, replacing.REPLACE)
"""What people at a table can agree to; importing the modules registers the kinds."""


class Games:
    """All games of a service. Its methods may be called from any thread."""

    def __init__(self, store: GameStore, settings: Settings) -> None:
        """Start to play the bots' seats and to watch for changes."""
        self.store = store
        self._settings = settings
        self.jobs = Pool(settings.job_processes, job_limits(settings))
        self._live = Live(store, settings.poll)
        self._verifier = Verifier(store, self.jobs, settings.verify_hours)
        self._studier = Studier(store)
        self._bots = self._bot_worker() if settings.bots else None
        deliver = Deliveries(store, settings).by_channel()
        self._postman = Postman(store, deliver) if settings.notify else None
        self._timekeeper = Timekeeper(store) if settings.timers else None

    def _bot_worker(self) -> BotWorker:
        """Return the worker for the bots' seats; jobs end some time after a bot must answer."""
        patience = self._settings.job_seconds * 2 / 3
        return BotWorker(self.store, self.jobs, self._settings.bot_pause, patience)

    @classmethod
    def open(cls, url: str = "sqlite://", settings: Settings | None = None) -> Games:
        """Open the games of a database, by default of a temporary one."""
        settings = settings or Settings()
        return cls(GameStore(url, settings.stored_positions), settings)

    def begin_closing(self) -> None:
        """End what requests are waiting for, streams and jobs, so that they can be answered."""
        self._live.end()
        self.jobs.close()

    def close(self) -> None:
        """End the bots, the worker processes and the live updates, and close the database."""
        if self._bots:
            self._bots.close()
        for worker in (self._postman, self._timekeeper):
            if worker:
                worker.close()
        self._studier.close()
        self.jobs.close()
        self._verifier.close()
        self._live.close()
        self.store.close()

    @property
    def verification(self) -> Verification:
        """What the regular verification of all games has found."""
        return self._verifier.found

    def reading(self) -> AbstractContextManager[Reader]:
        """Open one read transaction, for a request that reads several things."""
        return self.store.reading()

    # --- lobby ---------------------------------------------------------------------------

    def create(self, user: User, new: NewGame) -> GameInfo:
        """Create a game."""
        setup = set_up_table(user, new)
        return new_games.add_game(self.store, user, new, setup)

    def list_watchable(self, most: int = 6) -> list[GameInfo]:
        """Return the listed games that are being played, the latest first."""
        with self.reading() as reader:
            return list_watchable(reader, most)

    def import_file(self, user: User, data: bytes, filename: str) -> GameInfo:
        """Import a game from a file; it can be viewed and forked, but not continued."""
        imported = read_game(data, filename, self._settings.upload_bytes)
        info = new_games.add_imported(self.store, user, filename, imported)
        del imported
        gc.collect()  # importing leaves much garbage; do not let another request collect it
        return info

    def continue_from(self, game: str, user: User, continuation: Continuation) -> GameInfo:
        """Create a table that begins at a position of a game, a record or a what-if line."""
        return continue_from(self.store, game, user, continuation)

    def list_for(self, user: User) -> list[GameInfo]:
        """Return the games that a user created or plays in, the latest first."""
        with self.reading() as reader:
            return list_games(reader, user)

    def info(self, game: str, user: User | None = None) -> GameInfo:
        """Return a game as the lobby shows it; only its owner sees open invitations."""
        with self.reading() as reader:
            return reader.info(game, user)

    def invitation(self, token: str) -> Invitation:
        """Return the seat that an invitation offers."""
        return joining.invitation(self.store, token)

    def join(self, token: str, user: User) -> GameInfo:
        """Take the seat that an invitation offers."""
        return joining.join(self.store, token, user)

    def leave(self, game: str, user: User, bot: str = "") -> GameInfo:
        """Give up all seats of a user at a table: to a bot, or to whoever is invited."""
        return leaving.leave(self.store, game, user, bot)

    def delete(self, game: str, user: User) -> None:
        """Delete a game, if nobody else plays at the table."""
        leaving.delete_game(self.store, game, user)

    # --- viewing -------------------------------------------------------------------------

    def table(
        self, game: str, user: User | None = None, at: int | None = None, fork: str | None = None
    ) -> TableView:
        """Return everything that a page shows of a table, read in one transaction."""
        with self.reading() as reader:
            return read_table(reader, game, user, at, fork)

    def position(
        self, game: str, at: int | None = None, fork: str | None = None, user: User | None = None
    ) -> Position:
        """Return the position after `at` actions, by default the latest, of a game or a fork."""
        with self.reading() as reader:
            return reader.position(reader.line(game, fork, user), at)

    def why(
        self,
        game: str,
        action: Action,
        at: int | None = None,
        fork: str | None = None,
        user: User | None = None,
    ) -> Refusal | None:
        """Return why an action is refused in a position, or None if it is legal."""
        return self.position(game, at, fork, user).state.refusal(action)

    def log(
        self,
        game: str,
        since: int = 0,
        until: int | None = None,
        fork: str | None = None,
        user: User | None = None,
    ) -> list[Entry]:
        """Return the actions in force with numbers above `since` and up to `until`."""
        with self.reading() as reader:
            return playing.log(reader, reader.line(game, fork, user), since, until)

    def export(self, game: str, fork: str | None = None, user: User | None = None) -> str:
        """Return a game as the text of a Carril save file."""
        with self.reading() as reader:
            return playing.save_text(reader, game, fork, user)

    def study(self, game: str, fork: str | None = None, user: User | None = None) -> Study:
        """Return every run with what is known of the best one; the others are being searched."""
        with self.reading() as reader:
            return self._studier.study(reader, reader.line(game, fork, user))

    def subscribe(self, game: str, after: int | None = None) -> AsyncIterator[Message]:
        """Yield the messages of a table from now on, or after the message with this id."""
        return self._live.watch(game, after)

    def batches(self, game: str, after: int | None = None) -> Batches:
        """Yield the messages of a table like `subscribe`, all those at once that have arrived."""
        return self._live.batches(game, after)

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
        """Play a person's action at the position it was meant for; bots then play on.

        Repeating a request with the same key has no effect. On a fork, its owner acts for every
        seat.
        """
        order = Order(action, expected_head, version, key, fork)
        with self.reading() as reader:
            turn = playing.read_turn(reader, game, user, order)
        return playing.play_turn(self.store, turn, lambda _, acted: acted)

    def act_at_table(self, turn: Turn) -> TableView:
        """Play an action that was read with `read_turn`; return the table after it.

        It is read after the commit, because nobody else can write before that.
        """
        playing.play_turn(self.store, turn, lambda _, acted: acted)
        return self.table(turn.line.game, turn.user, fork=turn.order.fork)

    def undo_points(self, game: str, user: User, fork: str | None = None) -> UndoPoints:
        """Return the positions before the user's last action and before their last turn."""
        with self.reading() as reader:
            return undoing.points_of(reader, game, user, fork)

    def undo(
        self,
        game: str,
        user: User,
        to: int,
        *,
        fork: str | None = None,
        version: int | None = None,
    ) -> Undone:
        """Undo all actions after a position: immediately if nobody else plays, else by request."""
        return undoing.undo(self.store, game, user, to, fork, version)

    def redo(
        self,
        game: str,
        user: User,
        series: int | None = None,
        *,
        fork: str | None = None,
        version: int | None = None,
    ) -> Undone:
        """Put back what was taken back last, or by a certain change; with others, by request."""
        return undoing.redo(self.store, game, user, series, fork, version)

    def changes(self, game: str, fork: str | None = None, user: User | None = None) -> list[Change]:
        """Return what was taken back and put back, newest first."""
        with self.reading() as reader:
            return read_changes(reader.connection, reader.line(game, fork, user).id)

    def propose(
        self, game: str, user: User, proposal: Proposal, *, version: int | None = None
    ) -> Undone:
        """Carry a proposal out, or ask the other people at the table to agree."""
        return voting.propose(self.store, game, user, proposal, version)

    def requests(self, game: str) -> tuple[Request, ...]:
        """Return the open requests at a table."""
        with self.reading() as reader:
            return voting.open_requests(reader.connection, reader.line(game))

    def undo_request(self, game: str) -> Request | None:
        """Return the open request to undo or redo at a table."""
        found = (one for one in self.requests(game) if one.kind in ("undo", "redo"))
        return next(found, None)

    def answer(self, game: str, user: User, request: int, accept: bool) -> Undone:
        """Agree to a request or decline it; the user who made it can withdraw it."""
        return voting.answer(self.store, game, user, request, accept)

    # --- clock ---------------------------------------------------------------------------

    def clock(self, game: str) -> ClockView | None:
        """Return the clock of a table as it is now, or None if it has none."""
        with self.reading() as reader:
            return view_clock(reader.connection, reader.info(game))

    def resume(self, game: str, user: User) -> None:
        """Let the clock of a paused table run again."""
        resume(self.store, game, user)

    # --- what-if lines -------------------------------------------------------------------

    def fork(self, game: str, user: User, at: int) -> str:
        """Start a private what-if line at a position and return its id."""
        return forking.fork(self.store, game, user, at)

    def forks(self, game: str, user: User) -> list[ForkInfo]:
        """Return a user's what-if lines of a game."""
        with self.reading() as reader:
            return forking.forks(reader.connection, game, user)

    def discard_fork(self, game: str, user: User, fork: str) -> None:
        """Discard a what-if line."""
        forking.discard(self.store, game, user, fork)

    def keep_fork(self, game: str, user: User, fork: str) -> GameInfo:
        """Make a what-if line the main line, if nobody else plays at the table."""
        forking.keep(self.store, game, user, fork)
        return self.info(game, user)

    def play_on(self, game: str, user: User, fork: str, order: PlayOnOrder) -> PlayedOn:
        """Let bots play a few actions in a what-if line; repeat this until the goal is reached."""
        return play_on(self.store, game, user, fork, order)

    # --- programs ------------------------------------------------------------------------

    def programs(self, game: str, user: User) -> list[ProgramInfo]:
        """Return the programs that a user has given at a table; nobody else sees them."""
        with self.reading() as reader:
            reader.line(game)
            return giving.list_programs(reader, game, user)

    def give_program(self, game: str, user: User, program: Given, player: str = "") -> ProgramInfo:
        """Give a program for one of the user's seats."""
        return giving.give_program(self.store, game, user, player, program)

    def plan_line(self, game: str, user: User, fork: str) -> ProgramInfo:
        """Play a what-if line in the game, as long as everybody else follows it."""
        return giving.plan_line(self.store, game, user, fork)

    def withdraw_program(self, game: str, user: User, program: str) -> None:
        """Withdraw a program, or forget one that has stopped."""
        giving.withdraw_program(self.store, game, user, program)

    # --- chat, verification --------------------------------------------------------------

    def chat(self, game: str, since: int = 0) -> list[Remark]:
        """Return the remarks with numbers above `since`."""
        with self.reading() as reader:
            return chat.chat(reader, game, since)

    def post_remark(self, game: str, user: User, text: str) -> Remark:
        """Add a remark to the chat of a table."""
        return chat.post_remark(self.store, game, user, text)

    def verify(self, game: str) -> verifying.Verified:
        """Check the hash chain of a game, and replay all its actions."""
        return verifying.verify(self.store, game)


def job_limits(settings: Settings) -> Limits:
    """Return what jobs may use."""
    return Limits(settings.job_seconds, settings.job_megabytes)
