"""The addresses of a table."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode


@dataclass(frozen=True, slots=True)
class TableUrls:
    """The addresses of one table; they keep the fork and the earlier position that is shown."""

    game: str
    title: str
    fork: str = ""
    at: int | None = None

    def _of(self, path: str = "", **more: object) -> str:
        query = {key: value for key, value in more.items() if value not in ("", None)}
        where = f"/table/{quote(self.game)}{path}"
        return f"{where}?{urlencode(query)}" if query else where

    @property
    def table(self) -> str:
        """The table at the latest position."""
        return self._of(fork=self.fork)

    def to(self, number: int) -> str:
        """Return the table at a position."""
        return self._of(at=number, fork=self.fork)

    def searched(self, number: int) -> str:
        """The table at a position, including results of a search."""
        return self._of(at=number, fork=self.fork, search=1)

    @property
    def act(self) -> str:
        """The target of actions."""
        return self._of("/act")

    @property
    def parts(self) -> str:
        """The parts that change with every action."""
        return self._of("/parts")

    @property
    def hex(self) -> str:
        """The prefix of the addresses of hex cards."""
        return self._of("/hex/")

    @property
    def live(self) -> str:
        """The stream of live updates."""
        return self._of("/live")

    @property
    def run(self) -> str:
        """The check of a run that the player draws."""
        return self._of("/try-run")

    def advice(self, number: int) -> str:
        """What the planner would do in a position."""
        return self._of("/advice", at=number, fork=self.fork)

    @property
    def log(self) -> str:
        """Earlier entries of the log."""
        return self._of("/log", fork=self.fork)

    @property
    def chat(self) -> str:
        """The target of remarks."""
        return self._of("/chat")

    @property
    def undo(self) -> str:
        """The target of undo."""
        return self._of("/undo", fork=self.fork)

    @property
    def redo(self) -> str:
        """The target of redo."""
        return self._of("/redo", fork=self.fork)

    @property
    def vote(self) -> str:
        """The target of answers to a request."""
        return self._of("/vote")

    @property
    def people(self) -> str:
        """The page of the people at the table."""
        return self._of("/people")

    @property
    def join(self) -> str:
        """The target for taking an open seat."""
        return self._of("/join")

    @property
    def read(self) -> str:
        """The target for how far the chat was read."""
        return self._of("/read")

    @property
    def keep(self) -> str:
        """The target for keeping a what-if line."""
        return self._of("/keep", fork=self.fork)

    @property
    def drop(self) -> str:
        """The target for discarding a what-if line."""
        return self._of("/drop", fork=self.fork)

    @property
    def new_fork(self) -> str:
        """The target for starting a what-if line."""
        return self._of("/fork")

    @property
    def bots(self) -> str:
        """The target for letting bots play on in a what-if line."""
        return self._of("/bots", fork=self.fork)

    @property
    def programs(self) -> str:
        """The list of my programs, and the target of new ones."""
        return self._of("/programs")

    @property
    def program_forms(self) -> str:
        """The forms for new programs."""
        return self._of("/programs/new")

    @property
    def withdraw_program(self) -> str:
        """The target for withdrawing a program."""
        return self._of("/programs/withdraw")

    @property
    def plan(self) -> str:
        """The target for playing a what-if line in the game."""
        return self._of("/plan", fork=self.fork)

    def play_on(self, number: int) -> str:
        """Return the form for a new table that begins at a position."""
        return self._of("/play-on", at=number, fork=self.fork)

    @property
    def export(self) -> str:
        """The save file of the game."""
        return self._of("/file", fork=self.fork)

    def view(self, key: str) -> str:
        """Return the address of a view that is loaded when it is opened."""
        return self._of(f"/view/{key}")

    def rule(self, rule: str) -> str:
        """Return the address of a rule."""
        return rule_url(self.title, rule)


def rule_url(title: str, rule: str) -> str:
    """Return the address of a rule.

    >>> rule_url("18EU", "EU-4.1.1-b")
    '/rules/18EU?rule=EU-4.1.1-b#rule-eu-4-1-1-b'
    """
    anchor = "".join(c if c.isalnum() else "-" for c in rule.lower())
    return f"/rules/{quote(title)}?rule={quote(rule)}#rule-{anchor}"
