"""A server in this process with a database of its own, and positions put on its tables."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import uvicorn

from carril.cli.serving import make_application
from carril.engine.actions import Action, Range
from carril.engine.state import State
from carril.service.games import Games
from carril.service.setting_up import TableSetup
from carril.service.settings import Rate, Settings
from carril.service.values import NewGame, SeatInfo, User

_FREE = Rate(100_000, 100_000)


class Stage:
    """A running server; `games` and `accounts` are the service's own."""

    def __init__(self, folder: Path, poll: float = 0.05, **more: Any) -> None:
        """Make the application; it is not served yet."""
        settings = Settings(
            database=str(folder / "games.db"),
            sign_ins=_FREE,
            actions=_FREE,
            imports=_FREE,
            reads=_FREE,
            poll=poll,
            **more,
        )
        self.app = make_application(settings)
        self.games: Games = self.app.state.games
        self.accounts: Any = self.app.state.accounts
        self.url = ""
        self._users: dict[str, tuple[User, str]] = {}

    def user(self, name: str) -> User:
        """Return a guest of this name, the same one each time."""
        if name not in self._users:
            user = self.accounts.guest(name)
            self._users[name] = (user, self.accounts.open_session(user).token)
        return self._users[name][0]

    def cookie(self, name: str) -> dict[str, str]:
        """Return the cookie that makes a browser this user's."""
        self.user(name)
        return {"name": "carril", "value": self._users[name][1], "url": self.url}

    def table(
        self,
        state: State,
        seats: Mapping[str, str] | str = "Ana",
        name: str = "Test",
        owner: str = "",
    ) -> str:
        """Put a position on a table; seats are users by player, or one user in all of them.

        "bot:NAME" is a bot, "" an open invitation.
        """
        holders = dict.fromkeys(state.players, seats) if isinstance(seats, str) else dict(seats)
        people = [user for user in holders.values() if user and not user.startswith("bot:")]
        owner = owner or people[0]
        made = tuple(self._seat(player, holders[player]) for player in state.players)
        with patch("carril.service.games.set_up_table", lambda *_: TableSetup(made, state)):
            info = self.games.create(self.user(owner), NewGame(state.setup.title, (), name=name))
        return info.id

    def _seat(self, player: str, holder: str) -> SeatInfo:
        if holder.startswith("bot:"):
            return SeatInfo(player, "bot", bot=holder[4:])
        if not holder:
            return SeatInfo(player, "person", invitation=f"invitation-{player}")
        user = self.user(holder)
        return SeatInfo(player, "person", user=user.id, user_name=user.name)

    def act(self, game: str, user: str, action: Action) -> None:
        """Act as a user, not by the browser."""
        head = self.games.info(game).head
        self.games.act(game, self.user(user), action, head)

    def state(self, game: str) -> State:
        """Return the newest position of a table."""
        return self.games.position(game).state

    def until(self, check: Callable[[], bool], seconds: float = 40) -> None:
        """Wait until something holds."""
        end = time.monotonic() + seconds
        while not check():
            assert time.monotonic() < end, "it never happened"
            time.sleep(0.03)


@contextmanager
def served(folder: Path, **settings: Any) -> Iterator[Stage]:
    """Serve the application on a free port for as long as the block lasts."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    stage = Stage(folder, public_url=f"http://127.0.0.1:{port}", **settings)
    config = uvicorn.Config(
        stage.app, host="127.0.0.1", port=port, log_level="error", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    stage.until(lambda: server.started)
    stage.url = f"http://127.0.0.1:{port}"
    yield stage
    server.should_exit = True
    thread.join(5)


def plain(option: Any) -> Action:
    """Return an option as an action; of a range, the least."""
    return option.action if isinstance(option, Range) else option
