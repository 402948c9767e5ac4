"""Tables at which operations are run, and their arguments by the names of parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import insert

from carril.engine.actions import Pass
from carril.programs import BidUpTo, NewPhase, PassOn
from carril.service.account_store import add_bearer, add_session, hashed
from carril.service.accounts import Accounts
from carril.service.clock import now
from carril.service.continuing import Continuation
from carril.service.game_files import ImportedGame, read_game
from carril.service.games import Games
from carril.service.notifications.choices import add_hook, add_push, stop_token
from carril.service.notifications.web_push import new_key, public_key
from carril.service.people.mail_links import LIFE
from carril.service.playing import Order, Turn, read_turn
from carril.service.playing_on import PlayOnOrder
from carril.service.setting_up import TableSetup, set_up_table
from carril.service.store.notices import Notices
from carril.service.store.tables import mail_links
from carril.service.table_clocks.counting import TimeControl
from carril.service.table_clocks.holidays import add_holiday, holidays_of
from carril.service.values import NewGame, Proposal, Seat, User
from tests.service.table import BOT, first_action, own_table, step

TITLE = "18EU"
_PUSH_KEY = new_key()


@dataclass(frozen=True)
class Role:
    """Who carries out an operation, and how."""

    person: str
    on_fork: bool = False
    """Whether they act and undo on the what-if line."""
    accept: bool = True
    """How they answer an undo request."""


@dataclass
class Scene:
    """A table with a what-if line; at a shared one there is an open undo request."""

    games: Games
    people: dict[str, User]
    game: str
    fork: str
    request: int = 0
    invitation: str = ""
    turns: dict[Role, Turn] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    bearers: dict[str, str] = field(default_factory=dict)
    holidays: dict[str, int] = field(default_factory=dict)
    hooks: dict[str, str] = field(default_factory=dict)
    pushes: dict[str, str] = field(default_factory=dict)
    fork_version: int = 0
    programs: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Give everybody a session, a token and a program."""
        (owner, *_) = self.people.values()
        self.fork_version = self.games.position(self.game, fork=self.fork, user=owner).version
        for name, user in self.people.items():
            self.sessions[name] = add_session(self.games.store, user, 1).id
            add_holiday(self.games.store, user, now().date(), now().date(), "UTC")
            with self.games.reading() as reader:
                self.holidays[name] = holidays_of(reader.connection, user.id)[0].id
            url = f"https://example.org/{name}/{self.game}"
            made = add_hook(self.games.store, user, "json", url, None)
            keys = (public_key(_PUSH_KEY), "A" * 22)
            self.hooks[name] = made.id
            self.pushes[name] = add_push(self.games.store, user, f"{url}/2", *keys).id
            self.bearers[name] = hashed(add_bearer(self.games.store, user, "", "play", 1))[:16]
            self._give_program(name, user)
            self._send_links(user)

    def _give_program(self, name: str, user: User) -> None:
        """Give a program; a game that is over takes none."""
        self.programs[name] = "none"
        if not self.games.info(self.game).finished:
            passing = PassOn(stops=(NewPhase(),))
            self.programs[name] = self.games.give_program(self.game, user, passing, name).id

    def _send_links(self, user: User) -> None:
        """Store a link of each purpose; their tokens are the purpose and the user's id."""
        with self.games.store.writing(user=user.id) as reader:
            for purpose, life in LIFE.items():
                values = {"user": user.id, "purpose": purpose, "email": "new@example.org"}
                token = hashed(f"{purpose} {user.id}")
                added = insert(mail_links).values(token=token, **values, expires=now() + life)
                reader.connection.execute(added)

    def prepare(self, role: Role) -> None:
        """Read the position for which the person of a role decides, before anything changes it."""
        user, fork = self.people[role.person], self.fork if role.on_fork else None
        here = self.games.position(self.game, fork=fork, user=user if fork else None)
        wanted = Pass() if here.state.ended else first_action(here.state)
        order = Order(wanted, here.head, here.version, fork=fork)
        with self.games.reading() as reader:
            self.turns[role] = read_turn(reader, self.game, user, order)

    def arguments(self, operation: Callable[..., Any], role: Role, store: Any) -> dict[str, Any]:
        """Return the arguments of an operation, found by the names of its parameters."""
        user = self.people[role.person]
        known: dict[str, Callable[[], Any]] = {
            "store": lambda: store,
            "game": lambda: self.game,
            "user": lambda: user,
            "to": lambda: 1,
            "at": lambda: 2,
            "fork": lambda: self.fork if role.on_fork else None,
            "fork_id": lambda: self.fork,
            "series": lambda: None,
            "seen": lambda: None,
            "number": lambda: self.request,
            "accept": lambda: role.accept,
            "text": lambda: f"from {role.person}",
            "token": lambda: self.invitation,
            "turn": lambda: self.turns[role],
            "result": lambda: lambda _, acted: acted,
            "name": lambda: "another",
            "setup": lambda: new_table(user),
            "play_order": lambda: PlayOnOrder("end", 0, self.fork_version, BOT, most=2),
            "continuation": lambda: Continuation(2, self._seats(), fork=""),
            "imported": imported_game,
            "new_user": lambda: User(f"{role.person} {self.game}", f"New {self.game}"),
            "new_name": lambda: f"New {self.game}",
            "new_game": lambda: NewGame(TITLE, (), name="another", visibility="public"),
            "password": lambda: f"hash of {role.person}",
            "session_id": lambda: self.sessions[role.person],
            "bearer_id": lambda: self.bearers[role.person],
            "scope": lambda: "play",
            "days": lambda: 1,
            "label": lambda: role.person,
            "reason": lambda: f"said by {role.person}",
        }
        known |= self._more_arguments(operation, role) | self._own(role)
        return {name: known[name]() for name in inspect.signature(operation).parameters}

    def _lot(self) -> str:
        """Return a lot that is on sale, or the next one."""
        state = self.games.position(self.game).state
        lot = "" if state.ended else getattr(state.step, "lot", "")
        return lot or state.title.auction.lots(state)[0]

    def _more_arguments(
        self, operation: Callable[..., Any], role: Role
    ) -> dict[str, Callable[[], Any]]:
        """Return arguments of operations that change seats, proposals, notes and addresses."""
        user = self.people[role.person]
        return {
            "player": lambda: role.person if role.accept else "Ben",
            "visibility": lambda: "private" if role.accept else "public",
            "remark": lambda: 1,
            "seconds": lambda: 0.0,
            "fault": lambda: "time",
            "hidden": lambda: ("games",) if role.accept else ("results",),
            "purpose": lambda: "confirm",
            "email": lambda: f"{role.person}@example.org",
            "link": lambda: f"{operation.__name__.partition('_')[0]} {user.id}",
            "proposal": lambda: Proposal("end"),
            "bot": lambda: BOT if role.accept else "",
        }

    def _own(self, role: Role) -> dict[str, Callable[[], Any]]:
        """Return the arguments that are about a person, whatever table they play at."""
        return {
            "first": lambda: now().date(),
            "last": lambda: now().date(),
            "zone": lambda: "UTC",
            "holiday": lambda: self.holidays[role.person],
            "program": lambda: BidUpTo(lot=self._lot(), limit=125),
            "program_id": lambda: self.programs[role.person],
            "chosen": lambda: Notices(mails="digest"),
            "hook_kind": lambda: "slack",
            "url": lambda: "https://example.org/new",
            "hook_game": lambda: None,
            "hook_id": lambda: self.hooks[role.person],
            "endpoint": lambda: f"https://example.org/{role.person}/{self.game}",
            "push_key": lambda: public_key(_PUSH_KEY),
            "auth": lambda: "A" * 22,
            "push_id": lambda: self.pushes[role.person],
            "stop": lambda: stop_token(self.games.store, self.people[role.person].id),
        }

    def _seats(self) -> tuple[Seat, ...]:
        """Return a bot's seat for each player."""
        return tuple(Seat("bot", bot=BOT) for _ in self.games.position(self.game).state.players)


def own_scene(games: Games) -> Scene:
    """A table at which one person plays, with a what-if line of two more actions.

    On both lines an action was undone.
    """
    ana = Accounts(games.store).guest("Ana")
    game = own_table(games, ana).id
    for _ in range(4):
        step(games, game, ana)
    games.undo(game, ana, 3)
    fork = games.fork(game, ana, 2)
    for _ in range(3):
        step(games, game, ana, fork)
    games.undo(game, ana, 4, fork=fork)
    return Scene(games, {"Ana": ana}, game, fork)


def bot_scene(games: Games) -> Scene:
    """A table at which it is a bot's turn."""
    ana = Accounts(games.store).guest("Ana")
    seats = (Seat("me"), Seat("bot", bot=BOT))
    game = games.create(ana, NewGame(TITLE, seats, seed=3)).id
    while len(games.log(game)) < 2 or games.info(game).acting == "Ana":
        step(games, game, ana)
    return Scene(games, {"Ana": ana}, game, games.fork(game, ana, 1))


def shared_scene(games: Games) -> Scene:
    """A table of three people and an open seat, at which Ana asks to undo."""
    people = {name: Accounts(games.store).guest(name) for name in ("Ana", "Ben", "Cleo")}
    ana = people["Ana"]
    seats = (Seat("me"), *(Seat("person", name) for name in ("Ben", "Cleo", "Open")))
    clock = TimeControl("days", move=3600, penalty="bot")
    made = games.create(ana, NewGame(TITLE, seats, seed=3, clock=clock))
    tokens = {seat.player: seat.invitation for seat in made.seats}
    for name in ("Ben", "Cleo"):
        games.join(tokens[name], people[name])
    for _ in range(2):
        step(games, made.id, people[str(games.info(made.id).acting)])
    fork = games.fork(made.id, ana, 1)
    request = games.undo(made.id, ana, 1).request
    assert request
    return Scene(games, people, made.id, fork, request.id, tokens["Open"])


def ended_scene(games: Games) -> Scene:
    """A game of two people that they have ended."""
    people = {name: Accounts(games.store).guest(name) for name in ("Ana", "Ben")}
    ana, ben = people.values()
    made = games.create(ana, NewGame(TITLE, (Seat("me"), Seat("person", "Ben")), seed=3))
    games.join(made.seats[1].invitation, ben)
    for _ in range(4):
        step(games, made.id, people[str(games.info(made.id).acting)])
    fork = games.fork(made.id, ana, 2)
    request = games.propose(made.id, ana, Proposal("end")).request
    assert request
    games.answer(made.id, ben, request.id, True)
    return Scene(games, people, made.id, fork, request.id)


@cache
def imported_game() -> ImportedGame:
    """A game from a file."""
    games = Games.open()
    try:
        scene = own_scene(games)
        return read_game(games.export(scene.game).encode(), "game", 1 << 20)
    finally:
        games.close()


def new_table(user: User) -> TableSetup:
    """The set-up of another table."""
    return set_up_table(user, NewGame(TITLE, (Seat("me"), Seat("me", "Zoe")), seed=5))


MAIN, FORK = Role("Ana"), Role("Ana", on_fork=True)
CASTS: tuple[tuple[Callable[[Games], Scene], Role, Role], ...] = (
    (own_scene, FORK, FORK),
    (shared_scene, Role("Ben"), Role("Cleo")),
    (own_scene, MAIN, FORK),
    (shared_scene, Role("Ana", accept=False), Role("Ben")),
    (own_scene, MAIN, MAIN),
    (shared_scene, Role("Ben", accept=False), Role("Ana")),
    (bot_scene, MAIN, MAIN),
    (ended_scene, Role("Ana"), Role("Ben")),
    (shared_scene, Role("Ana"), Role("Ana", accept=False)),
)
"""The scenes, and the roles of the two who do something at the same time."""
