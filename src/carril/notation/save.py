"""The save file: how a game was set up, its actions as text, and a chain of hashes over both.

It is JSON, plain or gzipped (a name that ends in `.gz`), with one action on each line, so that a
file that is cut off or damaged still gives back all that stands before the damage. Each action
carries a link: a hash of the link before it and of its text. The first link is over the set-up.
A game that its players ended by agreement says so in a last line of the same kind.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from carril.engine.actions import Action, any_of
from carril.engine.events import Event
from carril.engine.play import adjourn, apply_recorded, start
from carril.engine.refusals import BadRecord, BadSetup, IllegalAction, Refusal
from carril.engine.registry import title_named
from carril.engine.rule_changes import versions
from carril.engine.state import Conventions, Setup, State
from carril.notation.position import essence
from carril.notation.reading import Cut, read_json
from carril.notation.text import parse, write

FORMAT = 1
_LINK = 32
"""How many hexadecimal digits of each hash are kept."""
AGREED = "end by agreement"
"""The last line of a game that its players ended: no action, since no rule allows it."""


class Refused(Struct, frozen=True):
    """An action of a record that the rules refuse: its number (from 1), its text, the reason."""

    index: int
    action: str
    refusal: Refusal

    def __str__(self) -> str:
        """Return one line about it."""
        rule = f" [{self.refusal.rule}]" if self.refusal.rule else ""
        return f"action {self.index} ({self.action}) is refused: {self.refusal.code}{rule}"


class Game:
    """A game on record: its set-up and its actions; the positions are played when asked for.

    >>> game = Game.begin("18EU", ["Ana", "Ben"], seed=1)
    >>> game.add(parse("choose 8"))
    >>> len(game), game.position(0).round.kind
    (1, 'Sale')
    """

    def __init__(self, first: State, actions: Iterable[Action] = ()) -> None:
        """Begin with a first position; actions are tried when their position is asked for."""
        self._states = [first]
        self._actions = list(actions)
        self.agreed = False
        """Whether the players ended the game here by agreement."""
        self.refused: Refused | None = None

    @classmethod
    def begin(cls, title: str, players: Sequence[str], seed: int = 0, **more: Any) -> Game:
        """Start a new game; see `carril.start`."""
        return cls(start(title, players, seed, **more))

    @property
    def setup(self) -> Setup:
        """How the game was set up."""
        return self._states[0].setup

    @property
    def title(self) -> str:
        """The name of the title."""
        return self.setup.title

    @property
    def players(self) -> tuple[str, ...]:
        """The players in the order of play."""
        return tuple(self._states[0].players)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions on record."""
        return tuple(self._actions)

    def __len__(self) -> int:
        """Return how many actions are on record."""
        return len(self._actions)

    def playable(self) -> int:
        """Play the game, and return how many actions it has; IllegalAction if one is refused."""
        self.position(len(self))
        return len(self)

    def position(self, number: int) -> State:
        """Return the position after a number of actions; IndexError if there are not that many."""
        if not 0 <= number <= len(self._actions):
            raise IndexError(f"there are {len(self._actions)} actions, not {number}")
        while len(self._states) <= number:
            action = self._actions[len(self._states) - 1]
            self._states.append(apply_recorded(self._states[-1], action).state)
        return self._states[number]

    @property
    def last(self) -> State:
        """The position after all actions, and after the end if the players agreed on one."""
        last = self.position(len(self._actions))
        return adjourn(last).state if self.agreed else last

    def add(self, action: Action) -> None:
        """Play an action; IllegalAction if it is refused, and then nothing changes."""
        self.add_told(action)

    def add_told(self, action: Action) -> tuple[Event, ...]:
        """Play an action as `add` does, and return what happened."""
        outcome = apply_recorded(self.last, action)
        self._actions.append(action)
        self._states.append(outcome.state)
        return outcome.events

    def undo(self) -> None:
        """Take the last action back, or the players' agreement to end the game."""
        if self.agreed:
            self.agreed = False
            return
        self._actions.pop()
        del self._states[len(self._actions) + 1 :]


class DamagedRecord(BadRecord):
    """A save file that cannot be read to its end; what stands before the damage is kept."""

    def __init__(self, message: str, record: Game | None = None) -> None:
        """Keep the game up to the damage, if there is one."""
        super().__init__(message)
        self.record = record


class _Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a save file but for the actions."""

    carril: int
    title: str
    rules: str
    conventions: str | dict[str, Any]
    edition: str
    variants: tuple[str, ...]
    players: tuple[str, ...]
    seated: bool
    seed: int


# --- writing -------------------------------------------------------------------------------


def save(record: Game, path: str | Path) -> None:
    """Write a game to a file: all of it or, if anything goes wrong, nothing."""
    target = Path(path)
    data = to_text(record).encode()
    if target.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    _replace(target, data)


def to_text(record: Game) -> str:
    """Return a game as the text of its save file."""
    head = msgspec.to_builtins(_head(record.setup))
    first = link = _first_link(head)
    lines = []
    for text in [*map(write, record.actions), *([AGREED] if record.agreed else [])]:
        link = _next_link(link, text)
        lines.append("  " + json.dumps([text, link], ensure_ascii=False))
    fields = [_readable(key, value) for key, value in (head | {"chain": first}).items()]
    actions = '"actions": [\n' + ",\n".join(lines) + "\n]" if lines else '"actions": []'
    fields += [actions, f'"position": {json.dumps(essence(record.last))}']
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _readable(key: str, value: object) -> str:
    return f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"


def _head(setup: Setup) -> _Head:
    presets = title_named(setup.title).conventions
    named = [name for name, preset in presets.items() if preset == setup.conventions]
    return _Head(
        carril=FORMAT,
        title=setup.title,
        rules=setup.version,
        conventions=named[0] if named else msgspec.to_builtins(setup.conventions),
        edition=setup.edition,
        variants=setup.variants,
        players=setup.players,
        seated=setup.seated,
        seed=setup.seed,
    )


def _first_link(head: dict[str, Any]) -> str:
    canonical = json.dumps(head, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:_LINK]


def _next_link(link: str, text: str) -> str:
    return hashlib.sha256(f"{link}\n{text}".encode()).hexdigest()[:_LINK]


def _replace(target: Path, data: bytes) -> None:
    """Put new contents in the place of a file, so that never a half of it is seen."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


# --- reading -------------------------------------------------------------------------------


def load(path: str | Path) -> Game:
    """Read a save file; DamagedRecord in one line, with what could be read, if it is wrong."""
    game = from_values(*read_json(Path(path)), name=str(path))
    if game.refused:
        raise DamagedRecord(f"{path}: {game.refused}", game)
    return game


def is_save(values: object) -> bool:
    """Return whether the contents of a JSON file are a save file's."""
    return isinstance(values, dict) and "carril" in values


def from_values(
    values: object, cut: Cut | None = None, *, name: str, until: int | None = None
) -> Game:
    """Make a game from the contents of a save file, or from its first actions.

    An action that is refused ends the game there and is found in `Game.refused`; anything else
    that is wrong raises DamagedRecord. With `until`, what follows that many actions is neither
    played nor checked.
    """
    if not is_save(values):
        raise DamagedRecord(f"{name}: not a save file of Carril" + (f": {cut}" if cut else ""))
    assert isinstance(values, dict)
    rows, position = values.pop("actions", []), values.pop("position", None)
    chain = values.pop("chain", "")
    head = _read_head(values, name)
    first = _first_link(msgspec.to_builtins(head))
    if chain != first:
        raise DamagedRecord(f"{name}: hash chain broken at the set-up")
    game = Game(_first_position(head, name))
    if until is not None and isinstance(rows, list) and 0 <= until < len(rows):
        trouble = _play_rows(game, rows[:until], first)
    else:
        trouble = _play_rows(game, rows, first) or _end_trouble(game, cut, position)
    if trouble:
        raise DamagedRecord(f"{name}: {trouble}", game)
    return game


def _end_trouble(game: Game, cut: Cut | None, position: object) -> str:
    """Return what is wrong with the end of a file whose actions have been played, or ""."""
    if cut:
        return f"{cut}, after action {len(game)}"
    if not game.refused and position != essence(game.last):
        return f"the position after action {len(game)} is not the one that was saved"
    return ""


def _read_head(values: dict[str, Any], name: str) -> _Head:
    if values.get("carril") != FORMAT:
        found = values.get("carril")
        raise DamagedRecord(f"{name}: save format {found!r} is not known; this Carril reads 1")
    try:
        head = msgspec.convert(values, _Head)
    except msgspec.ValidationError as error:
        raise DamagedRecord(f"{name}: {error}") from None
    try:
        known = versions(title_named(head.title))
    except BadSetup as error:
        raise DamagedRecord(f"{name}: {error}") from None
    if head.rules not in known:
        raise DamagedRecord(
            f"{name}: {head.title} rules version {head.rules!r} is not known; "
            f"this Carril has {', '.join(known)}"
        )
    return head


def _first_position(head: _Head, name: str) -> State:
    try:
        conventions: str | Conventions = (
            head.conventions
            if isinstance(head.conventions, str)
            else msgspec.convert(head.conventions, any_of(Conventions))
        )
        return start(
            head.title,
            head.players,
            head.seed,
            edition=head.edition,
            conventions=conventions,
            variants=head.variants,
            seated=head.seated,
            version=head.rules,
        )
    except (BadSetup, msgspec.ValidationError) as error:
        raise DamagedRecord(f"{name}: {error}") from None


def _play_rows(game: Game, rows: object, link: str) -> str:
    """Play the actions; return what is wrong with the file, or ""."""
    if not isinstance(rows, list):
        return "the actions are not a list"
    for index, row in enumerate(rows, start=1):
        try:
            text, given = msgspec.convert(row, tuple[str, str])
        except msgspec.ValidationError:
            return f"action {index} is not a pair of text and hash"
        link = _next_link(link, text)
        if link != given:
            return f"hash chain broken at action {index} ({text})"
        if game.agreed:
            return f"action {index} ({text}) stands after the end of the game"
        if text == AGREED:
            if game.last.finished:
                return f"line {index} ends a game that was over"
            game.agreed = True
            continue
        try:
            game.add(parse(text))
        except IllegalAction as error:
            game.refused = Refused(index, text, error.refusal)
            return ""
        except (BadRecord, BadSetup) as error:
            return f"action {index}: {error}"
    return ""
