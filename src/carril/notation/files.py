"""Any record of a game, whatever program wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from carril.engine.refusals import BadRecord
from carril.engine.state import State
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
        """Return how many live actions the record holds, up to a refused one."""

    def position(self, number: int) -> State:
        """Return the position after so many live actions; IndexError beyond the last."""

    @property
    def last(self) -> State:
        """The position after all of them."""


def open_record(path: str | Path) -> Record:
    """Read a record, deciding by its contents what kind it is; BadRecord in one line if bad."""
    values, cut = read_json(Path(path))
    if is_save(values):
        return from_values(values, cut, name=str(path))
    if cut:
        raise BadRecord(f"{path}: {cut}")
    raise BadRecord(f"{path}: neither a save file of Carril nor a file of 18xx.games")
