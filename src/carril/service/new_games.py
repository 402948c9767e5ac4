"""Storing new and imported games."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, insert, update

from carril.engine.state import State
from carril.service.account_store import check_may_act
from carril.service.errors import BadUpload
from carril.service.game_files import ImportedGame
from carril.service.game_store import GameStore
from carril.service.names import new_id
from carril.service.operations import operation
from carril.service.pleasant_names import new_name
from carril.service.setting_up import TableSetup, chosen_clock
from carril.service.storage import check_storage
from carril.service.store.clocks import begin_clock
from carril.service.store.journal import Draft, Line, begin_line, new_line, now
from carril.service.store.snapshots import pack
from carril.service.store.tables import games, seats
from carril.service.values import GameInfo, NewGame, SeatInfo, User


@operation
def add_game(store: GameStore, user: User, new_game: NewGame, setup: TableSetup) -> GameInfo:
    """Store a new game."""
    control = chosen_clock(new_game.clock)
    draft = first_draft(user, setup)
    with store.writing(user=user.id) as reader:
        check_may_act(reader.connection, user)
        check_storage(reader.connection, user, 1, store.most_positions)
        line = add_line(reader.connection, user, new_game.name, setup, [draft])
        chosen = update(games).where(games.c.id == line.id)
        values = {"visibility": new_game.visibility, "rated": new_game.rated}
        reader.connection.execute(chosen.values(**values))
        begin_clock(reader.connection, line.id, control, line.created)
        info = reader.info(line.id, user)
    store.changed(line)
    return info


def first_draft(user: User, setup: TableSetup) -> Draft:
    """Return the record with which a new game begins."""
    acting = next((seat for seat in setup.seats if seat.player == setup.state.acting), None)
    bot = acting.bot if acting else ""
    return Draft("start", 0, setup.state, pack(setup.state), user=user.id, bot=bot)


@operation
def add_imported(store: GameStore, user: User, name: str, imported: ImportedGame) -> GameInfo:
    """Store an imported game, which is read-only."""
    seated = tuple(SeatInfo(player, "record") for player in imported.first.players)
    setup = TableSetup(seated, imported.first)
    try:
        drafts = list(_drafts(imported, user))
    except OverflowError:  # such as the earnings that a record claims
        raise BadUpload(f"{name} contains a number that is too large.") from None
    with store.writing(user=user.id) as reader:
        check_may_act(reader.connection, user)
        check_storage(reader.connection, user, len(drafts), store.most_positions)
        line = add_line(reader.connection, user, name, setup, drafts, imported.notes)
        return reader.info(line.id, user)


def _drafts(imported: ImportedGame, user: User) -> Iterator[Draft]:
    yield Draft("start", 0, imported.first, pack(imported.first), user=user.id)
    for number, one in enumerate(imported.played, start=1):
        action = ""
        if one.action is not None:
            named = msgspec.structs.replace(one.action, by=one.by)
            action = msgspec.json.encode(named).decode()
        yield Draft(
            kind="act" if one.action else "end",
            number=number,
            state=one.state,
            snapshot=pack(one.state),
            by=one.by,
            action=action,
            events=msgspec.json.encode(one.events).decode(),
        )


def add_line(
    connection: Connection,
    user: User,
    name: str,
    setup: TableSetup,
    drafts: list[Draft],
    notes: tuple[str, ...] | None = None,
) -> Line:
    """Write a game with its seats and first records; with notes, even none, it is read-only."""
    game, moment = new_id(), now()
    chosen = setup.state.setup
    values = {
        "id": game,
        "name": name.strip()[:120] or new_name(),
        "title": chosen.title,
        "edition": chosen.edition,
        "variants": msgspec.json.encode(chosen.variants).decode(),
        "conventions": _conventions(setup.state),
        "seed": str(chosen.seed),
        "owner": user.id,
        "read_only": notes is not None,
        "notes": msgspec.json.encode(notes or ()).decode(),
        "created": moment,
    }
    connection.execute(insert(games).values(**values))
    connection.execute(insert(seats), [_seat(game, n, s) for n, s in enumerate(setup.seats)])
    return begin_line(connection, new_line(game, game, "game", user.id, 0, moment), drafts)


def _conventions(state: State) -> str:
    presets = state.title.conventions.items()
    return next((name for name, one in presets if one == state.setup.conventions), "own")


def _seat(game: str, number: int, seat: SeatInfo) -> dict[str, object]:
    values = {"game": game, "number": number, "player": seat.player, "kind": seat.kind}
    return values | {
        "user": seat.user or None,
        "bot": seat.bot,
        "invitation": seat.invitation or None,
    }
