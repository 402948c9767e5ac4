"""Bots that play on in a what-if line, a bounded number of actions at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from carril.engine.actions import Action
from carril.engine.play import Outcome
from carril.engine.state import State
from carril.service.errors import Stale
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.opponents import check_bot, choose
from carril.service.playing import action_draft, append_action, bot_seed
from carril.service.storage import check_storage
from carril.service.store.journal import Line
from carril.service.values import GameInfo, User

MOST_ACTIONS = 24
"""Actions that one request plays."""
MOST_SECONDS = 0.4
"""After this time no further action is begun, so that a request stays short."""

Goal = Literal["round", "end"]


class PlayOnOrder(Struct, frozen=True):
    """What the bots shall play, and the version of the line for which that was asked."""

    goal: Goal
    """To the end of the round in which the line was at position `since`, or of the game."""
    since: int
    version: int
    bot: str
    """Plays the seats that are not a bot's in the game."""
    most: int = MOST_ACTIONS


class PlayedOn(Struct, frozen=True):
    """The result of a request: how far the line is, and whether the goal is reached."""

    head: int
    version: int
    played: int
    done: bool


class _Play(Struct, frozen=True):
    """An order with what it needs of its line, read in one transaction."""

    order: PlayOnOrder
    line: Line
    info: GameInfo
    state: State
    round: str
    """The round in which the line was at position `since`."""


class _Choice(Struct, frozen=True):
    by: str
    action: Action
    outcome: Outcome
    reason: str


@operation
def play_on(
    store: GameStore, game: str, user: User, fork_id: str, play_order: PlayOnOrder
) -> PlayedOn:
    """Let bots play a bounded number of actions in a what-if line, until the goal is reached.

    The actions are chosen before the transaction begins, and recorded together; Stale if the line
    has changed since the order was given.
    """
    with store.reading() as reader:
        play = _read(reader, game, user, fork_id, play_order)
    chosen = [] if _is_reached(play, play.state) else list(_choices(play))
    with store.writing(user=user.id, fork=fork_id) as reader:
        line = _current(reader, game, user, fork_id, play_order)
        check_storage(reader.connection, user, len(chosen), store.most_positions)
        for one in chosen:
            draft = action_draft(line, one.by, one.action, one.outcome, reason=one.reason)
            line = append_action(reader.connection, line, draft)
    store.changed(line)
    last = chosen[-1].outcome.state if chosen else play.state
    return PlayedOn(line.head, line.version, len(chosen), _is_reached(play, last))


def _current(reader: Reader, game: str, user: User, fork_id: str, order: PlayOnOrder) -> Line:
    """Return the line of an order; raise Stale if it has changed."""
    line = reader.line(game, fork_id, user)
    if line.version != order.version:
        facts = {"head": line.head, "version": line.version}
        raise Stale("The line has changed. Look at the new position and try again.", facts)
    return line


def _read(reader: Reader, game: str, user: User, fork_id: str, order: PlayOnOrder) -> _Play:
    check_bot(order.bot)
    line = _current(reader, game, user, fork_id, order)
    state = reader.position(line).state
    since = reader.position(line, min(order.since, line.head)).state
    return _Play(order, line, reader.info(game), state, str(since.round))


def _is_reached(play: _Play, state: State) -> bool:
    if state.ended:
        return True
    return play.order.goal == "round" and str(state.round) != play.round


def _choices(play: _Play) -> Iterator[_Choice]:
    """Yield what the bots do, until the goal or a bound is reached."""
    state, until = play.state, time.monotonic() + MOST_SECONDS
    for number in range(min(play.order.most, MOST_ACTIONS)):
        by = state.acting or ""
        seat = play.info.seat(by)
        bot = seat.bot if seat and seat.bot else play.order.bot
        action, reason = choose(bot, state, bot_seed(play.info, play.line.head + number))
        outcome = state.apply(action)
        state = outcome.state
        yield _Choice(by, action, outcome, reason)
        if _is_reached(play, state) or time.monotonic() > until:
            return
