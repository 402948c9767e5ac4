"""Game files of 18xx.games: the envelope, undo and redo, and the replay."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from carril.engine.actions import Action
from carril.engine.play import start
from carril.engine.refusals import BadRecord, CarrilError, IllegalAction, Refusal
from carril.engine.registry import title_named
from carril.engine.state import State
from carril.notation.save import Refused
from carril.titles.online import Reader, Recorded

_MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError, AssertionError)
"""What reading an action raises that lacks a field or has a field of another kind or range."""
_MOST_FILLED = 200
"""How many decisions are declined at most at the end of a finished game."""


def live_actions(actions: list[Recorded]) -> list[Recorded]:
    """Return the actions that stand after every undo and redo; messages are left out.

    >>> acts = [{"type": "bid", "id": 1}, {"type": "undo", "id": 2}, {"type": "pass", "id": 3}]
    >>> [action["type"] for action in live_actions(acts)]
    ['pass']
    """
    live: list[Recorded | None] = [None] * len(actions)
    undone: list[list[tuple[int, Recorded]]] = []
    for place, action in enumerate(actions):
        kind = action["type"]
        if kind == "undo":
            undone.append(_undo(live, action))
        elif kind == "redo":
            for where, restored in undone.pop() if undone else ():
                live[where] = restored
        elif kind != "message":
            live[place] = action
            undone.clear()
    return [action for action in live if action is not None]


def _undo(live: list[Recorded | None], undo: Recorded) -> list[tuple[int, Recorded]]:
    """Take back the last action, or all after the one with the given id."""
    standing = [(place, action) for place, action in enumerate(live) if action is not None]
    target = undo.get("action_id")
    if target is None:
        batch = standing[-1:]
    else:
        batch = [(place, action) for place, action in standing if action["id"] > target]
    for place, _ in batch:
        live[place] = None
    return batch


@dataclass
class OnlineRecord:
    """A recorded game, ready to be replayed under the conventions of 18xx.games."""

    title: str
    ids: tuple[Any, ...]
    """The players' ids in the file, in seat order."""
    names: tuple[str, ...]
    """The players' names here: those of the file, made unique."""
    seed: int
    variants: tuple[str, ...]
    recorded: list[Recorded]
    """The live actions, as recorded."""
    finished: bool
    claimed: Mapping[str, int] = field(default_factory=dict)
    """The result that the file gives, by player id."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        return self.names

    def reader(self) -> Reader:
        """Return a reader at the first position."""
        title = title_named(self.title)
        if title.online is None:
            raise BadRecord(f"records of {self.title} cannot be read yet")
        choose = title.import_conventions
        state = start(
            self.title,
            self.names,
            self.seed,
            conventions=choose(self.recorded) if choose else "18xx.games",
            variants=self.variants,
            seated=True,
        )
        known = dict(zip(self.ids, self.names, strict=True))
        known |= {str(key): name for key, name in known.items()}
        reader: Reader = title.online(state, known)
        return reader

    @cached_property
    def replay(self) -> Replay:
        """The replay of this record, as far as it has been asked for."""
        return Replay(self)

    @property
    def refused(self) -> Refused | None:
        """The first action that is refused; asking plays the whole record."""
        self.replay.play_all()
        return self.replay.refused

    def __len__(self) -> int:
        """Return how many live actions the file holds, without playing any of them."""
        return len(self.recorded)

    def playable(self) -> int:
        """Play the record, and return how many live actions there are before a refused one."""
        self.replay.play_all()
        return self.replay.done

    def position(self, number: int) -> State:
        """Return the position after a number of live actions; only these are played.

        What the next action shows to have been passed over silently is passed over at once, so
        that each position is the one the other program showed.
        """
        return self.replay.position(number)

    @property
    def last(self) -> State:
        """The position after all that can be played."""
        return self.position(self.playable())

    @property
    def actions(self) -> list[Action]:
        """All live actions in our own terms; there may be more of them."""
        self.replay.play_all()
        return self.replay.reader.played


class Replay:
    """A replay under way."""

    def __init__(self, record: OnlineRecord) -> None:
        """Begin before the first action."""
        self.record = record
        self.reader = record.reader()
        self.states = [self.reader.state]
        self.refused: Refused | None = None

    @property
    def done(self) -> int:
        """How many live actions have been played."""
        return len(self.states) - 1

    def position(self, number: int) -> State:
        """Return the position after a number of live actions.

        IndexError if there are not that many before a refused one.
        """
        if not 0 <= number <= len(self.record):
            raise IndexError(f"there are {len(self.record)} actions, not {number}")
        while self.done < number and self.advance():
            pass
        return self.states[number]

    def play_all(self) -> None:
        """Play to the end, or to the first action that is refused."""
        while self.advance():
            pass

    @property
    def state(self) -> State:
        """The position now."""
        return self.reader.state

    @property
    def findings(self) -> list[str]:
        """Where the record and our own figures differ."""
        return self.reader.findings

    def advance(self) -> bool:
        """Play the next live action; return False at the end or when it is refused."""
        actions = self.record.recorded
        if self.refused or self.done == len(actions):
            return False
        action = actions[self.done]
        before = self.reader.state
        try:
            self.reader.take(action)
        except IllegalAction as error:
            self._stop(before, action, error.refusal)
            return False
        except CarrilError as error:
            self._stop(before, action, Refusal("unreadable", {"why": str(error)}))
            return False
        except _MALFORMED as error:
            why = f"{type(error).__name__}: {error}"
            self._stop(before, action, Refusal("unreadable", {"why": why}))
            return False
        self._look_ahead()
        self.states.append(self.reader.state)
        return True

    def _look_ahead(self) -> None:
        """Decline what the next action, or the end of a finished game, shows to be declined."""
        actions, reader = self.record.recorded, self.reader
        if self.done + 1 < len(actions):
            before, fillers, played = reader.state, reader.fillers, len(reader.played)
            try:
                reader.fast_forward(actions[self.done + 1])
            except (CarrilError, *_MALFORMED):  # found again when that action is played
                reader.state, reader.fillers = before, fillers
                del reader.played[played:]
            return
        if self.record.finished:
            self._finish()

    def _finish(self) -> None:
        """Decline what is left of a finished game; if that does not end it, nothing is declined."""
        reader = self.reader
        before, played = reader.state, len(reader.played)
        seen = before
        for count in range(1, _MOST_FILLED):
            filler = reader.filler({}) if reader.state.agenda else None
            if filler is None:
                return
            reader.play(filler)
            if reader.state == seen:  # declining leads back to the same position
                break
            if count & (count - 1) == 0:
                seen = reader.state
        reader.state = before
        del reader.played[played:]
        reader.findings.append("the file is marked as finished, but its game is not over")

    def _stop(self, before: State, action: Recorded, refusal: Refusal) -> None:
        self.reader.state = before
        self.refused = Refused(self.done + 1, json.dumps(action, ensure_ascii=False), refusal)


def read_online(data: object) -> OnlineRecord:
    """Read the envelope of a game file; a bad one gives one clear error."""
    if not isinstance(data, dict) or "title" not in data or "actions" not in data:
        raise BadRecord("not a game file: it has no title or no actions")
    title = title_named(data["title"])
    try:
        players = data["players"]
        ids = tuple(player["id"] for player in players)
        names = _unique([str(player.get("name") or player["id"]) for player in players], title)
        settings = data.get("settings") or {}
        actions = live_actions(data["actions"])
    except (KeyError, TypeError, AttributeError) as error:
        raise BadRecord(f"not a game file: {type(error).__name__} {error}") from None
    if data.get("id") is None and "seed" not in settings:
        settings = {**settings, "seed": 0}
    return OnlineRecord(
        title=title.name,
        ids=ids,
        names=names,
        seed=_seed(settings.get("seed"), data.get("id")),
        variants=title.import_variants(settings.get("optional_rules") or ()),
        recorded=actions,
        finished=data.get("status") == "finished" and not data.get("manually_ended"),
        claimed={str(key): worth for key, worth in (data.get("result") or {}).items()},
    )


def _seed(seed: object, game_id: object) -> int:
    """The seed, or the first run of digits of the id in its place."""
    if isinstance(seed, int):
        return seed
    text = str(seed) if seed else str(game_id)
    digits = "".join(c if c.isdigit() else " " for c in text).split()
    return int(digits[0]) if digits else 0


def _unique(names: list[str], title: Any) -> tuple[str, ...]:
    """Make names usable here: no two alike, none that a company or the bank has."""
    taken = {"bank", "pool", "treasury", *title.tables.companies}
    result: list[str] = []
    for name in names:
        candidate, count = name, 1
        while candidate in taken or candidate.lower() in taken:
            count += 1
            candidate = f"{name} ({count})"
        taken.add(candidate)
        result.append(candidate)
    return tuple(result)
