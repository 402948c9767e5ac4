"""The values that the service accepts and returns, independent of the store."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from carril.engine.actions import Action
from carril.engine.events import Event
from carril.engine.state import State
from carril.service.programs.values import ProgramInfo
from carril.service.table_clocks.counting import ClockView, TimeControl


class User(Struct, frozen=True):
    """Somebody who can take seats. A guest has no password and is known only by their session."""

    id: str
    name: str
    guest: bool = False


Scope = Literal["read", "play", "account", "return"]
"""What a bearer token allows: to read, also to play and create games, or everything.

A token with the scope "return" is part of a link and allows only to start a session.
"""


class TokenInfo(Struct, frozen=True):
    """A bearer token as its owner sees it; the token itself is not stored."""

    id: str
    label: str
    scope: Scope
    created: datetime
    expires: datetime | None


class SessionInfo(Struct, frozen=True):
    """A browser session as its owner sees it."""

    id: str
    created: datetime
    expires: datetime
    current: bool
    """Whether it is the session that asks."""


class Seat(Struct, frozen=True):
    """A seat of a new game: for me, for another person (by invitation link), or for a bot.

    Several seats may be "me", for players who share a screen.
    """

    kind: Literal["me", "person", "bot"]
    name: str = ""
    """The player's name in the game; "" means my name, "Guest 2", or the bot's name."""
    bot: str = ""


Visibility = Literal["private", "unlisted", "public"]
"""Who can see a table: its people only, whoever has its address, or anybody in lists as well."""


class NewGame(Struct, frozen=True):
    """The choices for a new game."""

    title: str
    seats: tuple[Seat, ...]
    edition: str = ""
    variants: tuple[str, ...] = ()
    conventions: str = "rulebook"
    seed: int | None = None
    name: str = ""
    visibility: Visibility = "unlisted"
    rated: bool = True
    """Whether the result counts for the ratings of the people at the table."""
    clock: TimeControl = TimeControl()


class SeatInfo(Struct, frozen=True):
    """A seat of a game: the name of its player, and who plays it."""

    player: str
    kind: Literal["person", "bot", "record"]
    """ "record" is a player of an imported game, played by nobody."""
    user: str = ""
    """The id of the user who holds it; "" while an invitation is open."""
    user_name: str = ""
    bot: str = ""
    invitation: str = ""
    """The token of an open invitation; only the owner of the game sees it."""


class GameInfo(Struct, frozen=True):
    """A game as the lobby shows it."""

    id: str
    name: str
    title: str
    edition: str
    variants: tuple[str, ...]
    conventions: str
    seed: int
    owner: str
    """The id of the user who created or imported it."""
    seats: tuple[SeatInfo, ...]
    read_only: bool
    """Whether it was imported or closed: it can be viewed and forked, but not continued."""
    round: str
    acting: str | None
    """The player whose turn it is."""
    acting_user: str
    """The id of the user who holds that seat, or ""."""
    last: tuple[Event, ...]
    """The events of the last action."""
    finished: bool
    result: dict[str, int] | None
    head: int
    """The number of actions in force."""
    version: int
    """Increases with every action, undo and kept fork; equal versions mean equal tables."""
    heard: int
    """The id of the last message in the table's stream."""
    created: datetime
    updated: datetime
    notes: tuple[str, ...] = ()
    """For an imported game: where it stopped, and why."""
    visibility: Visibility = "unlisted"
    rated: bool = True
    ended: str = ""
    """Why the game is over, such as "bank" or "agreement"; "" while it is played."""
    rematch: str = ""
    """The id of the table at which the same people play again."""

    def seats_of(self, user: User | None) -> tuple[str, ...]:
        """Return the players whose seats a user holds."""
        return tuple(s.player for s in self.seats if user and s.user == user.id)

    def seat(self, player: str) -> SeatInfo | None:
        """Return a player's seat."""
        return next((s for s in self.seats if s.player == player), None)

    def others(self, user: User) -> tuple[str, ...]:
        """Return the ids of the other people at the table."""
        return tuple(dict.fromkeys(s.user for s in self.seats if s.user and s.user != user.id))

    def is_visible(self, user: User | None) -> bool:
        """Return whether a user may see the table."""
        mine = user is not None and (self.owner == user.id or bool(self.seats_of(user)))
        return mine or self.visibility != "private"

    def is_own(self, user: User | None) -> bool:
        """Return whether the user is the only person at the table."""
        if user is None or self.read_only:
            return False
        mine = bool(self.seats_of(user)) or self.owner == user.id
        return mine and all(s.user == user.id for s in self.seats if s.kind == "person")


class Position(Struct, frozen=True):
    """A position of a game, or of a fork of it."""

    state: State
    at: int
    """The number of actions before it."""
    head: int
    """The number of actions in force on this line."""
    version: int
    """The version of this line when it was read."""
    tag: str
    """Identifies the position, for ETags and caches."""
    fork: str = ""
    heard: int = 0
    """The id of the last message when it was read; subscribing after it misses nothing."""


class Entry(Struct, frozen=True):
    """A recorded action and its events."""

    number: int
    """The position it led to: `position(game, at=number)`."""
    by: str
    action: Action | None
    """None for the end of a game by agreement."""
    events: tuple[Event, ...]
    when: datetime
    reason: str = ""
    """A bot's explanation of its action."""


class Acted(Struct, frozen=True):
    """The result of an action."""

    head: int
    version: int
    events: tuple[Event, ...]
    repeated: bool = False
    """Whether the request had been carried out before, so that nothing was done now."""


class Remark(Struct, frozen=True):
    """A line of the chat."""

    number: int
    by: str
    """The user's name."""
    user: str
    text: str
    when: datetime


class Proposal(Struct, frozen=True):
    """Something that a user asks the other people at a table to agree to."""

    kind: str
    """ "undo", "redo", "end", "replace", "adopt" or "pause"."""
    to: int = 0
    """For an undo, the position that it leads back to; for a redo, the one that it leads to."""
    series: int | None = None
    """For a redo, the series to put back."""
    about: dict[str, Any] = {}
    """What else the kind needs, such as the player who is replaced."""


class Request(Struct, frozen=True):
    """A proposal that the other people at the table answer; see `carril.service.votes.voting`."""

    id: int
    by: str
    """The id of the user who made it."""
    by_name: str
    to: int
    status: Literal["open", "done", "declined", "lapsed"]
    waiting: tuple[str, ...]
    """The ids of the users who have not answered."""
    when: datetime
    series: int | None = None
    kind: str = "undo"
    about: dict[str, Any] = {}

    @property
    def proposal(self) -> Proposal:
        """What is asked for."""
        return Proposal(self.kind, self.to, self.series, self.about)


class UndoPoints(Struct, frozen=True):
    """Where undo leads: before the user's last action, and before their current or last turn."""

    step: int | None
    turn: int | None


class Change(Struct, frozen=True):
    """An undo, a redo or a kept what-if line: it took actions back, and may have added others.

    The actions after `base` up to `old_head` were taken back, those up to `head` came instead.
    """

    version: int
    """Identifies it, and the series of actions that it took back."""
    kind: Literal["undo", "redo", "keep"]
    by: str
    """The id of the user."""
    by_name: str
    base: int
    old_head: int
    head: int
    when: datetime
    fits: bool
    """Whether what was taken back can be put back after `base`, as long as that is in force."""


class Undone(Struct, frozen=True):
    """What became of a proposal: it was done at once, or the others must answer a request."""

    head: int
    version: int
    request: Request | None = None


class ForkInfo(Struct, frozen=True):
    """A private what-if line."""

    id: str
    game: str
    base: int
    """The number of actions it shares with the main line."""
    head: int
    version: int
    created: datetime


class RoundEnd(Struct, frozen=True):
    """The end of a round."""

    number: int
    """The action that ended it."""
    before: State
    """The position in which the round began."""
    after: State
    """The position after its last action."""


class Since(Struct, frozen=True):
    """What has happened since a user last acted."""

    own: int
    """The number of their last action; 0 if they have not acted yet."""
    entries: tuple[Entry, ...]
    """Their last action and all later ones, oldest first; of very many, the latest."""
    rounds: tuple[RoundEnd, ...]


class CompanyRun(Struct, frozen=True):
    """A run of a company's trains, and how its earnings were divided."""

    company: str
    round: str
    number: int
    """The position that it led to."""
    revenue: int
    treasury: int = 0
    """The part that went to the treasury before anything was divided."""
    kind: str = ""
    """How it was paid: "full", "half", "withhold", or "" while that is open."""
    paid: int = 0
    """The position at which it was paid."""

    @property
    def total(self) -> int:
        """What the trains earned together."""
        return self.revenue + self.treasury


class TableView(Struct, frozen=True):
    """Everything that a page shows of a table, all of the same moment."""

    info: GameInfo
    position: Position
    log: tuple[Entry, ...]
    """The last actions up to the position, oldest first."""
    first: State
    """The position before the oldest of them."""
    since: Since | None
    """What has happened since the user last acted; None if they do not play or look back."""
    next: Entry | None
    """The action that followed the position, if it is not the latest."""
    undo: UndoPoints | None
    """Where undo leads; None for a user who may not undo here."""
    redo: Change | None
    """What redo would put back: the last thing taken back, unless a person has acted since."""
    changes: tuple[Change, ...]
    """What was taken back and put back, newest first."""
    requests: tuple[Request, ...]
    """What people at the table have asked the others to agree to."""
    chat: tuple[Remark, ...]
    read: int
    """How far the user has read the chat, if they play here."""
    fork: ForkInfo | None
    runs: tuple[CompanyRun, ...] = ()
    """Every run of a company up to the position."""
    clock: ClockView | None = None
    programs: tuple[ProgramInfo, ...] = ()
    """The programs of the user who looks; nobody sees those of others."""


class Message(Struct, frozen=True):
    """An event at a table, for live updates.

    Kinds: "action", "undo", "redo", "keep", "chat", "request", "join", "leave". The ids of a
    table's messages are consecutive.
    """

    id: int
    kind: str
    data: dict[str, Any]


class Invitation(Struct, frozen=True):
    """The seat that an invitation link offers."""

    game: str
    name: str
    title: str
    player: str
    taken: bool
