"""The addresses of a table."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from carril.rules import title_of


@dataclass(frozen=True, slots=True)
class TableUrls:
    """Where the parts of one table are; a fork, and an earlier position, stay in the address."""

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
        """The table itself at the newest position."""
        return self._of(fork=self.fork)

    def to(self, number: int) -> str:
        """The table at a position."""
        return self._of(at=number, fork=self.fork)

    def searched(self, number: int) -> str:
        """The table at a position, with what takes a search."""
        return self._of(at=number, fork=self.fork, search=1)

    @property
    def act(self) -> str:
        """Where actions go."""
        return self._of("/act")

    @property
    def parts(self) -> str:
        """What changes with every action."""
        return self._of("/parts")

    @property
    def hex(self) -> str:
        """Where the card of a hex is."""
        return self._of("/hex/")

    @property
    def live(self) -> str:
        """Where the stream of news is."""
        return self._of("/live")

    @property
    def run(self) -> str:
        """Where a run of one's own is tried."""
        return self._of("/try-run")

    @property
    def log(self) -> str:
        """Where earlier entries of the log are."""
        return self._of("/log", fork=self.fork)

    @property
    def chat(self) -> str:
        """Where one says something."""
        return self._of("/chat")

    @property
    def undo(self) -> str:
        """Where actions are taken back."""
        return self._of("/undo", fork=self.fork)

    @property
    def undo_answer(self) -> str:
        """Where a wish to take back is answered."""
        return self._of("/undo-answer")

    @property
    def keep(self) -> str:
        """Where a what-if line becomes the game."""
        return self._of("/keep", fork=self.fork)

    @property
    def drop(self) -> str:
        """Where a what-if line is thrown away."""
        return self._of("/drop", fork=self.fork)

    @property
    def new_fork(self) -> str:
        """Where a what-if line begins."""
        return self._of("/fork")

    @property
    def export(self) -> str:
        """The game as a file."""
        return self._of("/file", fork=self.fork)

    def view(self, key: str) -> str:
        """A view of the board that is loaded when it is opened."""
        return self._of(f"/view/{key}")

    def rule(self, rule: str) -> str:
        """The text of a rule."""
        return rule_url(self.title, rule)


def rule_url(title: str, rule: str) -> str:
    """Return where the text of a rule is.

    >>> rule_url("18EU", "EU-4.1.1-b")
    '/rules/18EU?rule=EU-4.1.1-b#rule-eu-4-1-1-b'
    """
    anchor = "".join(c if c.isalnum() else "-" for c in rule.lower())
    return f"/rules/{quote(title_of(title))}?rule={quote(rule)}#rule-{anchor}"
