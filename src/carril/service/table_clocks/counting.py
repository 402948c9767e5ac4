"""Counting time: pure functions over moments, and the settings of a table's clock.

Seconds are counted from the stored moments of records, without pauses and holidays:

- With a *budget*, each player has a sum of seconds for the game, and gets more when a stock round
  begins and for each company of theirs that operates.
- With *days per move*, each turn of a player has the same time; a new turn begins when somebody
  else has acted in between, and after an undo or redo.

Time is counted while it is a person's turn and every seat is taken. An undo gives the time spent on
the undone actions back to everybody but the user who asked for it, and takes back what players
earned by these actions. A redo brings the earned time again and charges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from carril.service.errors import BadRequest

Kind = Literal["none", "budget", "days"]
Penalty = Literal["none", "bot", "loss"]
Span = tuple[datetime, datetime]

MINUTE, HOUR, DAY = 60, 3600, 86400
LONGEST = 60 * DAY
"""The longest budget, increment or time per move, in seconds."""
GRACE = 10
"""Somebody who comes back without any time left gets the budget divided by this."""


class TimeControl(Struct, frozen=True):
    """The clock that a table chose, in seconds."""

    kind: Kind = "none"
    budget: int = 0
    """What each player has for the whole game."""
    per_stock: int = 0
    """What each player gets when a stock round begins."""
    per_company: int = 0
    """What a president gets when a company's turn to operate begins."""
    move: int = 0
    """What a player has for each turn."""
    penalty: Penalty = "none"
    """What happens when no time is left: nothing, a bot plays on, or the game is lost."""
    bot: str = ""
    """The bot that plays on."""

    @property
    def base(self) -> int:
        """What a player has at first: of the game, or of a turn."""
        return self.budget if self.kind == "budget" else self.move


PRESETS: dict[str, TimeControl] = {
    "none": TimeControl(),
    "live": TimeControl("budget", 45 * MINUTE, 5 * MINUTE, MINUTE, penalty="bot"),
    "day": TimeControl("days", move=DAY, penalty="bot"),
    "three-days": TimeControl("days", move=3 * DAY, penalty="bot"),
    "weeks": TimeControl("budget", 14 * DAY, DAY, 4 * HOUR, penalty="bot"),
}
"""The clocks that the page offers, by name."""


def check_control(control: TimeControl) -> TimeControl:
    """Return a clock without what its kind does not use; raise BadRequest if it cannot be."""
    if control.kind == "none":
        return TimeControl()
    used = ("budget", "per_stock", "per_company") if control.kind == "budget" else ("move",)
    values = {name: getattr(control, name) for name in used}
    if not 0 < control.base <= LONGEST or any(not 0 <= one <= LONGEST for one in values.values()):
        facts = {"most": LONGEST}
        raise BadRequest("A clock needs a time of up to 60 days for the game or the move.", facts)
    bot = control.bot if control.penalty == "bot" else ""
    return TimeControl(control.kind, penalty=control.penalty, bot=bot, **values)


class ClockView(Struct, frozen=True):
    """The clock of a table at the moment `now`; seconds are those left at that moment."""

    control: TimeControl
    now: datetime
    left: dict[str, float]
    """Seconds that each player has left; negative after they are used up."""
    running: str
    """The player for whom it runs; "" if it stands still."""
    expires: datetime | None
    """When that player has no time left, holidays included; None if that has been already."""
    holiday: bool
    """Whether it stands still because the player is on holiday."""
    paused: datetime | None
    resumes: datetime | None
    lost: str
    """The player who has lost the game by using up their time."""


class Count(Struct, frozen=True):
    """The time of all players at a moment, in seconds."""

    spent: dict[str, float] = {}
    earned: dict[str, float] = {}
    granted: dict[str, float] = {}
    """What players got when they came back to their seat without any time left."""

    def left(self, control: TimeControl, player: str) -> float:
        """Return what a player has left; negative after that is used up."""
        own = (one.get(player, 0.0) for one in (self.earned, self.granted))
        return control.base + sum(own) - self.spent.get(player, 0.0)

    def charge(self, player: str, seconds: float) -> Count:
        """Return the count after a player has spent some time."""
        spent = self.spent.get(player, 0.0) + seconds
        return replace(self, spent=self.spent | {player: spent}) if seconds else self

    def earn(self, player: str, seconds: float) -> Count:
        """Return the count after a player has earned some time."""
        earned = self.earned.get(player, 0.0) + seconds
        return replace(self, earned=self.earned | {player: earned}) if seconds else self

    def begin_turn(self, control: TimeControl, player: str | None) -> Count:
        """Return the count when a turn begins; with days per move, the player's time is whole."""
        if control.kind != "days" or player is None:
            return self
        return replace(self, spent=self.spent | {player: 0.0}, granted={})

    def come_back(self, control: TimeControl, player: str) -> Count:
        """Return the count when somebody plays their seat again: they have some time at least."""
        left = self.left(control, player)
        if left > 0:
            return self
        if control.kind == "days":
            return self.begin_turn(control, player)
        granted = self.granted.get(player, 0.0) + control.budget / GRACE - left
        return replace(self, granted=self.granted | {player: granted})

    def undone(self, before: Count, askers: Iterable[str]) -> Count:
        """Return the count after an undo to a position at which it was `before`."""
        kept = {player: self.spent[player] for player in askers if player in self.spent}
        return Count(before.spent | kept, before.earned, self.granted)

    def redone(self, then: Count) -> Count:
        """Return the count after a redo of actions after which it was `then`."""
        return replace(self, earned=then.earned)


# --- spans of time ---------------------------------------------------------------------------


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, joining those that overlap."""
    found: list[Span] = []
    for start, end in sorted(one for one in spans if one[0] < one[1]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def elapsed(start: datetime, end: datetime, free: Sequence[Span]) -> float:
    """Return the seconds from one moment to another, without those in free spans."""
    total = max(0.0, (end - start).total_seconds())
    for begin, until in merged(free):
        total -= max(0.0, (min(until, end) - max(begin, start)).total_seconds())
    return max(0.0, total)


def after(start: datetime, seconds: float, free: Sequence[Span]) -> datetime:
    """Return the moment at which a number of seconds has elapsed, without those in free spans."""
    moment = start + timedelta(seconds=max(0.0, seconds))
    for begin, until in merged(free):
        if until > start and begin < moment:
            moment += until - max(begin, start)
    return moment
