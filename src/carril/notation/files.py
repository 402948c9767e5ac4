"""Any record of a game, whatever program wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from carril.engine.refusals import BadRecord
from carril.engine.state import State
from carril.notation.online import read_online
from carril.notation.reading import read_json
from carril.notation.save import Refused, from_values, is_save


class Record(Protocol):
    """A recorded game: what it is, and its positions when they are asked for."""

    @property
    def title(self) -> str:
        """The name of the title."""

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players in the order of play."""

    @property
    def refused(self) -> Refused | None:
        """The first action that the rules refuse, if there is one; the record ends before it."""

    def __len__(self) -> int:
        """Return how many live actions the record holds, without playing any of them."""

    def playable(self) -> int:
        """Play the record, and return how many live actions there are before a refused one."""

    def position(self, number: int) -> State:
        """Return the position after a number of live actions; only these are played.

        IndexError if there are not that many before a refused one.
        """

    @property
    def last(self) -> State:
        """The position after all that can be played."""


def open_record(path: str | Path, until: int | None = None) -> Record:
    """Read a record, deciding by its contents what kind it is; BadRecord in one line if bad.

    With `until`, no more than that many actions are needed; what follows them is not played.
    """
    values, cut = read_json(Path(path))
    if is_save(values):
        return from_values(values, cut, name=str(path), until=until)
    if cut:
        raise BadRecord(f"{path}: {cut}")
    if isinstance(values, dict) and "actions" in values and "players" in values:
        return read_online(values)
    raise BadRecord(f"{path}: neither a save file of Carril nor a file of 18xx.games")
