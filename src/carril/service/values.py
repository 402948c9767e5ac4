"""What the service takes and gives: frozen values, none of which knows the store."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from carril.engine.actions import Action
from carril.engine.events import Event
from carril.engine.state import State


class User(Struct, frozen=True):
    """Somebody who may hold seats. A guest has no password: only his session knows him."""

    id: str
    name: str
    guest: bool = False


class Seat(Struct, frozen=True):
    """A seat of a new game: mine, a person's who gets an invitation link, or a bot's.

    Several seats may be "me": players who share a screen.
    """

    kind: Literal["me", "person", "bot"]
    name: str = ""
    """The player's name in the game; "" takes my name, "Guest 2", or the bot's name."""
    bot: str = ""


class NewGame(Struct, frozen=True):
    """A game to be set up."""

    title: str
    seats: tuple[Seat, ...]
    edition: str = ""
    variants: tuple[str, ...] = ()
    conventions: str = "rulebook"
    seed: int | None = None
    name: str = ""


class SeatInfo(Struct, frozen=True):
    """A seat of a game: its player's name, and who plays it."""

    player: str
    kind: Literal["person", "bot", "record"]
    """ "record" is a player of an imported game, whom nobody plays."""
    user: str = ""
    """The id of the user who holds it; "" while an invitation is open."""
    user_name: str = ""
    bot: str = ""
    invitation: str = ""
    """The open invitation's token; told only to whoever set the game up."""


class GameInfo(Struct, frozen=True):
    """A game as a lobby shows it."""

    id: str
    name: str
    title: str
    edition: str
    variants: tuple[str, ...]
    conventions: str
    seed: int
    owner: str
    """The id of the user who set it up or imported it."""
    seats: tuple[SeatInfo, ...]
    read_only: bool
    """An imported record: to look through and to fork, not to play on."""
    round: str
    acting: str | None
    """The player whose turn it is."""
    acting_user: str
    """The id of the user who holds that seat, or ""."""
    last: tuple[Event, ...]
    """What the last action did."""
    finished: bool
    result: dict[str, int] | None
    head: int
    """How many actions stand."""
    version: int
    """Grows with every action, undo and kept fork; equal versions are equal tables."""
    heard: int
    """The id of the last message of the table's stream."""
    created: datetime
    updated: datetime
    notes: tuple[str, ...] = ()
    """For an imported record: where it stopped, and why."""

    def seats_of(self, user: User | None) -> tuple[str, ...]:
        """Return the players whose seats a user holds."""
        return tuple(s.player for s in self.seats if user and s.user == user.id)

    def seat(self, player: str) -> SeatInfo | None:
        """Return a player's seat."""
        return next((s for s in self.seats if s.player == player), None)

    def others(self, user: User) -> tuple[str, ...]:
        """Return the ids of the other people at the table."""
        return tuple(dict.fromkeys(s.user for s in self.seats if s.user and s.user != user.id))

    def is_own(self, user: User | None) -> bool:
        """Return whether it is a table of one's own: nobody else sits at it."""
        if user is None or self.read_only:
            return False
        mine = bool(self.seats_of(user)) or self.owner == user.id
        return mine and all(s.user == user.id for s in self.seats if s.kind == "person")


class Position(Struct, frozen=True):
    """A position of a game, or of a fork of it."""

    state: State
    at: int
    """After how many actions."""
    head: int
    """How many actions stand on this line."""
    version: int
    """The version of this line when it was read."""
    tag: str
    """Names this very position: fit for an ETag and for caches."""
    fork: str = ""
    heard: int = 0
    """The id of the last message when it was read: `subscribe` after it misses nothing."""


class Entry(Struct, frozen=True):
    """An action on record, and what it did."""

    number: int
    """The position it led to: `position(game, at=number)`."""
    by: str
    action: Action | None
    """None for the end of a game by agreement."""
    events: tuple[Event, ...]
    when: datetime
    reason: str = ""
    """Why a bot did it, in its own words."""


class Acted(Struct, frozen=True):
    """An action that was taken up."""

    head: int
    version: int
    events: tuple[Event, ...]
    repeated: bool = False
    """The request had been carried out before; nothing was done again."""


class Remark(Struct, frozen=True):
    """A line of chat."""

    number: int
    by: str
    """The user's name."""
    user: str
    text: str
    when: datetime


class UndoRequest(Struct, frozen=True):
    """A request to take actions back, which the other people at the table answer."""

    id: int
    by: str
    """The id of the user who asks."""
    by_name: str
    to: int
    status: Literal["open", "done", "declined", "lapsed"]
    waiting: tuple[str, ...]
    """The ids of the users who have not answered."""
    when: datetime


class UndoPoints(Struct, frozen=True):
    """Where undo leads: one's last decision, and the first of one's present or last turn."""

    step: int | None
    turn: int | None


class Undone(Struct, frozen=True):
    """What came of an undo: done at once, or a request that others must answer."""

    head: int
    version: int
    request: UndoRequest | None = None


class ForkInfo(Struct, frozen=True):
    """A private what-if line."""

    id: str
    game: str
    base: int
    """The number of actions it shares with the game's line."""
    head: int
    version: int
    created: datetime


class Message(Struct, frozen=True):
    """Something that happened at a table, for live updates.

    Kinds: "action", "undo", "keep", "chat", "request", "join". The id is the place in the
    table's own stream, one after the other without gaps.
    """

    id: int
    kind: str
    data: dict[str, Any]


class Invitation(Struct, frozen=True):
    """What an invitation link leads to."""

    game: str
    name: str
    title: str
    player: str
    taken: bool
