"""Taking turns: check a person's action and record it, or let a bot act."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, bindparam, select, update

from carril.engine.actions import Action, decode_action
from carril.engine.play import Outcome
from carril.engine.refusals import IllegalAction
from carril.engine.state import State
from carril.service.errors import (
    Finished,
    NotYourSeat,
    ReadOnly,
    RefusedByRules,
    Stale,
    Taken,
)
from carril.service.game_files import write_save
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.opponents import FALLBACK, choose_guarded
from carril.service.sealing import public_reasons
from carril.service.storage import check_storage
from carril.service.store.clocks import check_time
from carril.service.store.infos import read_action, read_events
from carril.service.store.journal import (
    Draft,
    Line,
    append,
    find_key,
    publish,
    read_line,
    records_between,
)
from carril.service.store.snapshots import pack
from carril.service.store.tables import lines, seats
from carril.service.values import Acted, Entry, GameInfo, User

T = TypeVar("T")

_log = logging.getLogger("carril.service.bots")

_OWN_SEAT = select(seats.c.number).where(
    seats.c.game == bindparam("in_game"),
    seats.c.player == bindparam("for_player"),
    seats.c.user == bindparam("by_user"),
    seats.c.bot == "",
)
_CHECK_STORAGE = 64
"""The storage of a user is checked once in so many actions."""


class Order(Struct, frozen=True):
    """A requested action, the position it is meant for, and a key that makes it happen once."""

    action: Action
    head: int
    version: int | None = None
    key: str = ""
    fork: str | None = None


class Turn(Struct, frozen=True):
    """An order with everything that it is checked against, read in one transaction."""

    user: User
    order: Order
    line: Line
    info: GameInfo
    state: State
    done: Acted | None = None
    """The result of an earlier request with the same key."""


def read_turn(reader: Reader, game: str, user: User, order: Order) -> Turn:
    """Read what an order is checked against."""
    line = reader.line(game, order.fork, user)
    state = reader.position(line).state
    done = _done_before(reader, line, user, order)
    return Turn(user, order, line, reader.info(game), state, done)


@operation
def play_turn(store: GameStore, turn: Turn, result: Callable[[Reader, Acted], T]) -> T:
    """Check an order, record its action, and return what `result` reads in the same transaction.

    The rules are checked before the transaction begins, because checking a run can take long.
    """
    if turn.done:
        with store.reading() as reader:
            return result(reader, turn.done)
    _check_turn(turn)
    order, line = turn.order, turn.line
    try:
        outcome = turn.state.apply(order.action)
    except IllegalAction as error:
        raise RefusedByRules(error.refusal) from None
    by = order.action.by or turn.state.acting or ""
    bot = "" if order.fork else bot_of(turn.info, outcome.state)
    draft = action_draft(line, by, order.action, outcome, bot)
    draft = msgspec.structs.replace(draft, user=turn.user.id, key=order.key or None)
    try:
        return _record(store, line, draft, outcome, result)
    except Stale:
        with store.reading() as reader:
            if done := _done_before(reader, line, turn.user, order):
                return result(reader, done)
        raise


def _check_turn(turn: Turn) -> None:
    """Raise an error unless this user may act now, at this position."""
    order, line, info = turn.order, turn.line, turn.info
    if not order.fork and info.read_only:
        raise ReadOnly(
            "An imported or closed game cannot be continued. Start a what-if line instead."
        )
    if not order.fork and info.finished:
        raise Finished("The game is over.")
    if order.head != line.head or order.version not in (None, line.version):
        facts = {"head": line.head, "version": line.version}
        raise Stale("Somebody else acted first. Look at the new position and try again.", facts)
    player = order.action.by or turn.state.acting or ""
    if order.fork:
        return
    if player not in info.seats_of(turn.user):
        raise NotYourSeat(f"You do not play for {player}.", {"player": player})
    seat = info.seat(player)
    if seat and seat.bot:
        text = f"The bot {seat.bot} plays for {player}. Take the seat back first."
        raise NotYourSeat(text, {"player": player, "bot": seat.bot})


def _done_before(reader: Reader, line: Line, user: User, order: Order) -> Acted | None:
    """Return the result of an earlier request with the same key, if there was one."""
    if not order.key:
        return None
    row = find_key(reader.connection, line.id, user.id, order.key)
    if row is None:
        return None
    before = decode_action(row.action)
    if msgspec.structs.replace(before, by=order.action.by) != order.action:
        raise Taken("This key was already used for a different action.", {"key": order.key})
    return Acted(row.number, row.version, read_events(row.events), repeated=True)


def action_draft(
    line: Line,
    by: str,
    action: Action,
    outcome: Outcome,
    bot: str = "",
    reason: str = "",
    user: str = "",
) -> Draft:
    """Return the record of an action, with the name of the player who acted."""
    named = msgspec.structs.replace(action, by=by)
    return Draft(
        kind="act",
        number=line.head + 1,
        state=outcome.state,
        snapshot=pack(outcome.state),
        by=by,
        action=msgspec.json.encode(named).decode(),
        events=msgspec.json.encode(outcome.events).decode(),
        reason=reason,
        bot=bot,
        user=user,
    )


def _record(
    store: GameStore,
    line: Line,
    draft: Draft,
    outcome: Outcome,
    result: Callable[[Reader, Acted], T],
) -> T:
    """Write an action, read the result, and notify listeners after the commit."""
    game, fork = ("", line.id) if line.kind == "fork" else (line.id, "")
    with store.writing(game=game, fork=fork) as reader:
        if draft.user and game:
            _check_seat(reader, game, draft)
            check_time(reader.connection, game)
        elif game:
            _check_bot(reader, line)
        if draft.user == line.owner and line.version % _CHECK_STORAGE == 0:
            check_storage(reader.connection, User(draft.user, ""), 1, store.most_positions)
        line = append_action(reader.connection, line, draft)
        store.recent.put(line.tip, outcome.state)
        found = result(reader, Acted(line.head, line.version, outcome.events))
    store.changed(line)
    return found


def append_action(connection: Connection, line: Line, draft: Draft) -> Line:
    """Add the record of an action to its line, and its message to the stream."""
    payload = {
        "number": draft.number,
        "by": draft.by,
        "action": msgspec.Raw(draft.action.encode()),
        "events": msgspec.Raw(draft.events.encode()),
        "round": str(draft.state.round),
        "finished": draft.state.finished,
    }
    return append(connection, line, draft, payload)


def _check_seat(reader: Reader, game: str, draft: Draft) -> None:
    """Raise NotYourSeat if the user has left the seat since the turn was read."""
    wanted = {"in_game": game, "for_player": draft.by, "by_user": draft.user}
    found = reader.connection.execute(_OWN_SEAT, wanted).one_or_none()
    if found is None and read_line(reader.connection, game):
        raise NotYourSeat(f"You do not play for {draft.by}.", {"player": draft.by})


def _check_bot(reader: Reader, line: Line) -> None:
    """Raise Stale if the seat of a bot was taken back since it began to choose."""
    current = read_line(reader.connection, line.id)
    if current is not None and current.bot != line.bot:
        raise Stale("Somebody else plays this seat now.")


def bot_of(info: GameInfo, state: State) -> str:
    """Return the name of the bot whose turn it is, or ""; it may stand in for a person."""
    seat = info.seat(state.acting or "")
    return seat.bot if seat else ""


@operation
def play_bot(store: GameStore, game: str, seconds: float = 0.0) -> bool:
    """Let the bot whose turn it is act once; return whether a bot is next.

    A bot that fails, or needs more than `seconds` (0 for no limit), loses its seat to the random
    bot, and the log says so.
    """
    with store.reading() as reader:
        line = read_line(reader.connection, game)
        if line is None or not line.bot or line.ended:
            return False
        info = reader.info(game)
        state = reader.position(line).state
    choice = choose_guarded(line.bot, state, bot_seed(info, line.head), seconds)
    player = line.acting or ""
    info = _without_bot(info, player) if choice.fault else info
    outcome = state.apply(choice.action)
    bot = bot_of(info, outcome.state)
    draft = action_draft(line, player, choice.action, outcome, bot, choice.reason)

    def retire(reader: Reader, _: Acted) -> None:
        if choice.fault:
            give_to_fallback(reader.connection, game, player)

    try:
        _record(store, line, draft, outcome, retire)
    except Stale:
        return True  # an undo, or another process acted first: check again
    return bool(bot) and not outcome.state.ended


def _without_bot(info: GameInfo, player: str) -> GameInfo:
    """Return a game in which the random bot plays a seat."""
    replace = msgspec.structs.replace
    seated = (replace(s, bot=FALLBACK) if s.player == player else s for s in info.seats)
    return replace(info, seats=tuple(seated))


def give_to_fallback(connection: Connection, game: str, player: str) -> None:
    """Let the random bot play a seat from now on, because its bot failed."""
    mine = update(seats).where(seats.c.game == game, seats.c.player == player)
    connection.execute(mine.values(bot=FALLBACK))
    publish(connection, game, "seat", {"player": player, "bot": FALLBACK, "name": ""})


@operation
def retire_bot(store: GameStore, game: str, fault: str) -> None:
    """Take the seat from a bot that a worker process had to give up on."""
    with store.writing(game=game) as reader:
        line = read_line(reader.connection, game)
        if line is None or not line.bot or line.ended:
            return
        _log.warning("the bot %s of game %s lost its seat: %s", line.bot, game, fault)
        give_to_fallback(reader.connection, game, line.acting or "")
        chosen = update(lines).where(lines.c.id == game).values(bot=FALLBACK)
        reader.connection.execute(chosen)
        line = reader.line(game)
    store.changed(line)


def bot_seed(info: GameInfo, head: int) -> int:
    """Return the random seed for a bot: the same at the same position of the same game."""
    return (info.seed * 1_000_003 + head) & ((1 << 63) - 1)


def log(reader: Reader, line: Line, since: int, until: int | None) -> list[Entry]:
    """Return the actions in force on a line with numbers above `since` and up to `until`.

    The reasons of bots are left out until they are public.
    """
    entries = [
        Entry(
            row.number,
            row.by,
            read_action(row.action),
            read_events(row.events),
            datetime.fromisoformat(row.moment),
            row.reason,
        )
        for row in records_between(reader.connection, line.id, since, until)
    ]
    return public_reasons(reader, line, entries)


def save_text(reader: Reader, game: str, fork: str | None, user: User | None) -> str:
    """Return a game or a fork as the text of a Carril save file."""
    line = reader.line(game, fork, user)
    first = reader.position(line, 0).state
    return write_save(first, [entry.action for entry in log(reader, line, 0, None)])
