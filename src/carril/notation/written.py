"""Games written as files of 18xx.games while they are played, and read back for comparison."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import asdict, replace

from carril.engine.actions import Action
from carril.engine.play import apply, start
from carril.engine.refusals import BadSetup
from carril.engine.registry import title_named
from carril.engine.state import State
from carril.engine.worth import standing
from carril.notation.online import Replay, read_online
from carril.titles.export import Played, Writer, Written

ONLINE = "18xx.games"
_FIRST_ID = 101
"""The id of the first player; any number will do."""


class WrittenGame:
    """A game under the conventions of 18xx.games, and the record that program would have made."""

    def __init__(
        self, title: str, players: Sequence[str], seed: int, variants: Sequence[str] = ()
    ) -> None:
        """Begin a game; BadSetup if games of this title cannot be written."""
        export = title_named(title).export
        if export is None:
            raise BadSetup(f"games of {title} cannot be written as files of {ONLINE}")
        self.state = start(title, players, seed, conventions=ONLINE, variants=variants, seated=True)
        self.ids = {name: _FIRST_ID + seat for seat, name in enumerate(players)}
        self.writer: Writer = export(self.state, self.ids)
        self.actions: list[Written] = []
        self.positions: list[State] = []
        """The position after each recorded action."""
        self.played = 0
        """How many actions have been played."""

    def can_play(self, action: Action) -> bool:
        """Return whether a record can express an action."""
        return self.writer.can_write(self.state, action)

    def play(self, action: Action) -> None:
        """Play an action and write it down."""
        before = self.state
        outcome = apply(before, action)
        self.state = outcome.state
        self.played += 1
        written = self.writer.write(Played(before, action, outcome.state, outcome.events))
        for record in written:
            self.actions.append({"id": len(self.actions) + 1, **record})
            last = record is written[-1]
            self.positions.append(outcome.state if last else before)

    def file(self) -> dict[str, Any]:
        """Return the whole file."""
        setup = self.state.setup
        result = standing(self.state) if self.state.finished else {}
        return {
            "id": f"hs_written_{setup.seed}",
            "title": setup.title,
            "players": [{"id": number, "name": name} for name, number in self.ids.items()],
            "settings": {"seed": setup.seed, "optional_rules": self.writer.optional_rules()},
            "actions": self.actions,
            "status": "finished" if self.state.finished else "active",
            "result": {str(self.ids[name]): worth for name, worth in result.items()},
        }

    def difference(self) -> str:
        """Read the file back; return the first position that differs, or ""."""
        record = read_online(json.loads(json.dumps(self.file())))
        replay = Replay(record)
        for number, (action, wanted) in enumerate(
            zip(self.actions, self.positions, strict=True), start=1
        ):
            where = f"recorded action {number} ({action['type']} of {action['entity']})"
            if not replay.advance():
                return f"{where}: {replay.refused}"
            if replay.findings:
                return f"{where}: {replay.findings[0]}"
            if found := first_difference(wanted, replay.state):
                return f"{where}: {found}"
        return ""


def first_difference(wanted: State, found: State) -> str:
    """Return the first field in which two positions differ, with both values, or "".

    The set-up may differ: records have no name for some conventions.
    """
    if replace(found, setup=wanted.setup) == wanted:
        return ""
    mine, other = asdict(wanted), asdict(found)
    for name in mine:
        if name != "setup" and mine[name] != other[name]:
            return f"{name}{_inner(mine[name], other[name])}"
    return ""


def _inner(mine: Any, other: Any) -> str:
    """Return the place inside a field where it differs, and both values."""
    if hasattr(mine, "__struct_fields__") and type(mine) is type(other):
        mine, other = asdict(mine), asdict(other)
    if isinstance(mine, Mapping) and isinstance(other, Mapping):
        for key in [*mine, *(key for key in other if key not in mine)]:
            if mine.get(key) != other.get(key):
                return f" {key}{_inner(mine.get(key), other.get(key))}"
    return f": {mine!r} played, {other!r} read"
