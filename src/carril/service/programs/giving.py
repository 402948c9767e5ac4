"""Programs of players: give, withdraw and list them. Only the user who gave one learns of it.

Nothing that others can fetch depends on programs: giving or withdrawing one writes no message and
changes no version, and the actions that follow are ordinary records (`program_worker.py`).
"""

from __future__ import annotations

import secrets

import msgspec

from carril.programs import (
    AnyProgram,
    Halt,
    History,
    Plan,
    Reason,
    objection,
    say_reason,
    still_to_play,
    subject_of,
)
from carril.programs.kinds import Given
from carril.service.account_store import check_may_act
from carril.service.errors import (
    BadRequest,
    Finished,
    NotFound,
    NotYourSeat,
    ReadOnly,
    TooMany,
    Unsuitable,
)
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.programs.values import ProgramInfo
from carril.service.store.journal import Line, now
from carril.service.store.programs import (
    NEVER,
    StoredProgram,
    add_program,
    happened_after,
    programs_of,
    remove_programs,
)
from carril.service.store.undone import shared_until
from carril.service.values import GameInfo, User

MOST_ACTIVE = 20
"""Active programs of one user at a table."""
MOST_ENDED = 10
"""Programs that have stopped are kept for their owner to read, the newest ones."""
MOST_PLANNED = 200
"""Actions of a plan."""


def list_programs(reader: Reader, game: str, user: User | None) -> list[ProgramInfo]:
    """Return the programs that a user has given at a table, the active ones first."""
    if user is None:
        return []
    found = programs_of(reader.connection, game, user.id)
    return sorted((_info(one) for one in found), key=lambda one: not one.active)


def _info(one: StoredProgram) -> ProgramInfo:
    return ProgramInfo(one.id, one.player, one.program, one.active, one.why, one.done, one.created)


@operation
def give_program(
    store: GameStore, game: str, user: User, player: str, program: Given
) -> ProgramInfo:
    """Give a program for one of the user's seats; it replaces one about the same thing.

    `player` may be "" if the user has one seat only.
    """
    with store.writing(user=user.id, game=game) as reader:
        line, info = _check_table(reader, game, user)
        seat = _seat(info, user, player)
        position = reader.position(line)
        if why := objection(position.state, seat, program):
            raise Unsuitable(why.code, say_reason(why), why.facts)
        made = _new(line, user, seat, program, str(position.state.round), line.head)
        _store(reader, made)
    store.changed(line)
    return _info(made)


@operation
def plan_line(store: GameStore, game: str, user: User, fork_id: str) -> ProgramInfo:
    """Play a what-if line in the game, as long as everybody else follows it."""
    with store.writing(user=user.id, game=game, fork=fork_id) as reader:
        line, info = _check_table(reader, game, user)
        fork = reader.line(game, fork_id, user)
        start = shared_until(reader.connection, game, fork_id)
        mine = info.seats_of(user)
        plan = Plan(mine=mine, moves=_moves(reader, fork, start))
        _check_plan(reader, line, plan, start)
        state = reader.position(line, start).state
        made = _new(line, user, mine[0], plan, str(state.round), start)
        _store(reader, made)
    store.changed(line)
    return _info(made)


@operation
def withdraw_program(store: GameStore, game: str, user: User, program_id: str) -> None:
    """Withdraw a program, or forget one that has stopped."""
    with store.writing(game=game) as reader:
        reader.line(game)
        if not program_id or not remove_programs(reader.connection, game, user.id, program_id):
            raise NotFound("You have no such program.")


# --- checks --------------------------------------------------------------------------------


def _check_table(reader: Reader, game: str, user: User) -> tuple[Line, GameInfo]:
    """Return a table; raise an error unless the user plays at it."""
    check_may_act(reader.connection, user)
    line, info = reader.line(game), reader.info(game)
    if info.read_only:
        raise ReadOnly("An imported or closed game cannot be continued.")
    if info.finished:
        raise Finished("The game is over.")
    if not info.seats_of(user):
        raise NotYourSeat("You have no seat at this table.")
    return line, info


def _seat(info: GameInfo, user: User, player: str) -> str:
    mine = info.seats_of(user)
    if player and player not in mine:
        raise NotYourSeat(f"You do not play for {player}.", {"player": player})
    if not player and len(mine) > 1:
        raise BadRequest("You have several seats. Say for which player.", {"players": mine})
    return player or mine[0]


def _moves(reader: Reader, fork: Line, start: int) -> tuple[str, ...]:
    """Return the actions of a what-if line after a position, as JSON."""
    found = happened_after(reader.connection, fork.id, start)
    if len(found) > MOST_PLANNED:
        facts = {"most": MOST_PLANNED}
        raise TooMany(f"A plan has {MOST_PLANNED} actions at most. Undo some of the line.", facts)
    named = [msgspec.structs.replace(one.action, by=one.by) for one in found if one.action]
    return tuple(msgspec.json.encode(action).decode() for action in named)


def _check_plan(reader: Reader, line: Line, plan: Plan, start: int) -> None:
    """Raise an error if the game has left a plan already, or the plan has nothing left to do."""
    played = happened_after(reader.connection, line.id, start)
    left = still_to_play(plan, History(start=start, seen=start, entries=played))
    if isinstance(left, Halt):
        why = Reason("plan-behind", left.reason.facts)
    elif not any(move.by in plan.mine for move in left):
        why = Reason("plan-empty")
    else:
        return
    raise Unsuitable(why.code, say_reason(why), why.facts)


# --- storing -------------------------------------------------------------------------------


def _new(
    line: Line, user: User, player: str, program: AnyProgram, round_name: str, start: int
) -> StoredProgram:
    return StoredProgram(
        id=secrets.token_urlsafe(12),
        game=line.id,
        user=user.id,
        player=player,
        body=msgspec.json.encode(program).decode(),
        active=True,
        reason="",
        round=round_name,
        start=start,
        begun=line.version,
        seen=start,
        asked=NEVER,
        last=0,
        done=0,
        created=now(),
    )


def _store(reader: Reader, made: StoredProgram) -> None:
    """Store a program in place of those about the same thing, and forget old ones."""
    known = programs_of(reader.connection, made.game, made.user)
    about = (made.player, subject_of(made.program))
    for one in known:
        if (one.player, subject_of(one.program)) == about:
            remove_programs(reader.connection, program=one.id)
    left = [one for one in known if (one.player, subject_of(one.program)) != about]
    if sum(one.active for one in left) >= MOST_ACTIVE:
        facts = {"most": MOST_ACTIVE}
        raise TooMany(f"You already have {MOST_ACTIVE} programs. Withdraw some first.", facts)
    ended = [one for one in left if not one.active]
    for one in ended[: max(0, len(ended) - MOST_ENDED)]:
        remove_programs(reader.connection, program=one.id)
    add_program(reader.connection, made)
