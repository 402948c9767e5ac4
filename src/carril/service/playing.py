"""Acting: a person's action checked and added, and a bot's."""

from __future__ import annotations

from datetime import datetime

import msgspec

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
from carril.service.game_store import Desk
from carril.service.opponents import choose
from carril.service.store.infos import read_action, read_events
from carril.service.store.journal import (
    Draft,
    Line,
    append,
    find_key,
    records_between,
)
from carril.service.store.snapshots import pack
from carril.service.values import Acted, Entry, GameInfo, User


class Order(msgspec.Struct, frozen=True):
    """What a request asks for: an action at a position, under a key that makes it happen once."""

    action: Action
    head: int
    version: int | None = None
    key: str = ""
    fork: str | None = None


def act(desk: Desk, game: str, user: User, order: Order) -> Acted:
    """Take up a person's action."""
    with desk.database.reading() as connection:
        line = desk.line(connection, game, order.fork, user)
        if done := _done_before(desk, line, user, order):
            return done
        info = desk.info(connection, game)
        position = desk.position(connection, line)
    if order.fork is None:
        _check_table(info)
    if order.head != line.head or order.version not in (None, line.version):
        facts = {"head": line.head, "version": line.version}
        raise Stale("somebody acted first; look at the position again", facts)
    if not order.fork:
        _check_seat(info, user, order.action, position.state)
    try:
        outcome = position.state.apply(order.action)
    except IllegalAction as error:
        raise RefusedByRules(error.refusal) from None
    by = order.action.by or position.state.acting or ""
    bot = "" if order.fork else bot_of(info, outcome.state)
    draft = act_draft(line, by, order.action, outcome, bot)
    draft = msgspec.structs.replace(draft, user=user.id, key=order.key or None)
    try:
        line = add(desk, line, draft, outcome)
    except Stale:
        if done := _done_before(desk, line, user, order):
            return done
        raise
    return Acted(line.head, line.version, outcome.events)


def _check_table(info: GameInfo) -> None:
    if info.read_only:
        raise ReadOnly("an imported record cannot be played on; fork it")
    if info.finished:
        raise Finished("the game is over")


def _check_seat(info: GameInfo, user: User, action: Action, state: State) -> None:
    player = action.by or state.acting or ""
    if player not in info.seats_of(user):
        raise NotYourSeat(f"the seat of {player} is not yours", {"player": player})


def _done_before(desk: Desk, line: Line, user: User, order: Order) -> Acted | None:
    """Return what a request with this key did before, if it did."""
    if not order.key:
        return None
    with desk.database.reading() as connection:
        row = find_key(connection, line.id, user.id, order.key)
    if row is None:
        return None
    before = decode_action(row.action)
    if msgspec.structs.replace(before, by=order.action.by) != order.action:
        raise Taken("this key was used for another action", {"key": order.key})
    return Acted(row.number, row.version, read_events(row.events), repeated=True)


def act_draft(line: Line, by: str, action: Action, outcome: Outcome, bot: str) -> Draft:
    """Return the record of an action; it names whoever acted."""
    named = msgspec.structs.replace(action, by=by)
    return Draft(
        kind="act",
        number=line.head + 1,
        state=outcome.state,
        snapshot=pack(outcome.state),
        by=by,
        action=msgspec.json.encode(named).decode(),
        events=msgspec.json.encode(outcome.events).decode(),
        bot=bot,
    )


def add(desk: Desk, line: Line, draft: Draft, outcome: Outcome) -> Line:
    """Write an action down, and only then let anybody know of it."""
    told = {
        "number": draft.number,
        "by": draft.by,
        "action": msgspec.Raw(draft.action.encode()),
        "events": msgspec.Raw(draft.events.encode()),
        "reason": draft.reason,
        "round": str(outcome.state.round),
        "finished": outcome.state.finished,
    }
    with desk.database.writing() as connection:
        line = append(connection, line, draft, told)
    desk.recent.put(line.tip, outcome.state)
    desk.changed(line)
    return line


def bot_of(info: GameInfo, state: State) -> str:
    """Return the name of the bot whose turn it is, or ""."""
    seat = info.seat(state.acting or "")
    return seat.bot if seat and seat.kind == "bot" else ""


def play_bot(desk: Desk, game: str) -> bool:
    """Let the bot whose turn it is act once; return whether a bot is next."""
    with desk.database.reading() as connection:
        line = desk.line(connection, game)
        if not line.bot or line.ended:
            return False
        info = desk.info(connection, game)
        state = desk.position(connection, line).state
    action, reason = choose(line.bot, state, _bot_seed(info, line))
    outcome = state.apply(action)
    draft = act_draft(line, line.acting or "", action, outcome, bot_of(info, outcome.state))
    try:
        line = add(desk, line, msgspec.structs.replace(draft, reason=reason), outcome)
    except Stale:
        return True  # an undo, or another process was faster: look again
    return bool(line.bot) and not line.ended


def _bot_seed(info: GameInfo, line: Line) -> int:
    """Chance for a bot: the same at the same place of the same game."""
    return (info.seed * 1_000_003 + line.head) & ((1 << 63) - 1)


def log(desk: Desk, line: Line, since: int, until: int | None) -> list[Entry]:
    """Return the actions that stand on a line with numbers above `since` up to `until`."""
    with desk.database.reading() as connection:
        rows = records_between(connection, line.id, since, until)
    return [
        Entry(
            row.number,
            row.by,
            read_action(row.action),
            read_events(row.events),
            datetime.fromisoformat(row.moment),
            row.reason,
        )
        for row in rows
    ]
