"""What people do with seats: take an open one, let a bot play theirs, remove somebody."""

from __future__ import annotations

from sqlalchemy import select, update

from carril.service.account_store import check_may_act
from carril.service.errors import BadRequest, Finished, Forbidden, NotFound, ReadOnly, Taken
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.opponents import check_bot
from carril.service.seats.assigning import open_seat, people_changed, set_stand_in
from carril.service.store.clocks import settle
from carril.service.store.journal import Line, publish, who_acted
from carril.service.store.tables import games, seats
from carril.service.values import GameInfo, SeatInfo, User, Visibility
from carril.service.votes.voting import ask_newcomer


@operation
def take_seat(store: GameStore, game: str, user: User, player: str) -> GameInfo:
    """Take an open seat of a public table; with no player (""), the first open one."""
    with store.writing(user=user.id, game=game) as reader:
        check_may_act(reader.connection, user)
        info, line = _playable(reader, game)
        if info.seats_of(user):
            return reader.info(game, user)
        if info.visibility != "public":
            raise Forbidden("This seat needs an invitation.")
        found = [s for s in info.seats if s.kind == "person" and not s.user]
        seat = next((s for s in found if player in ("", s.player)), None)
        if seat is None:
            raise Taken("Somebody else has taken this seat.", {"player": player[:80]})
        sit_down(reader, line, seat.player, user)
        info = reader.info(game, user)
    store.changed(line)
    return info


def sit_down(reader: Reader, line: Line, player: str, user: User) -> None:
    """Give an open seat to a user, who then answers open requests as well."""
    chosen = update(seats).where(seats.c.game == line.game, seats.c.player == player)
    reader.connection.execute(chosen.values(user=user.id))
    ask_newcomer(reader.connection, line, user.id)
    settle(reader.connection, line.game)
    publish(reader.connection, line.id, "join", {"player": player, "name": user.name})


def _playable(reader: Reader, game: str) -> tuple[GameInfo, Line]:
    """Return a game that is played; raise an error if it is over or was imported."""
    info, line = reader.info(game), reader.line(game)
    if info.read_only:
        raise ReadOnly("An imported or closed game cannot be changed.")
    if info.finished:
        raise Finished("The game is over.")
    return info, line


@operation
def let_bot_play(store: GameStore, game: str, user: User, player: str, bot: str) -> GameInfo:
    """Let a bot play a seat that the user keeps; with no bot (""), take it back."""
    if bot:
        check_bot(bot)
    with store.writing(game=game) as reader:
        info, line = _playable(reader, game)
        if player not in info.seats_of(user):
            raise Forbidden(f"You do not hold the seat of {player[:80]}.")
        set_stand_in(reader.connection, game, player, bot)
        payload: dict[str, object] = {"player": player, "bot": bot, "name": user.name}
        line = people_changed(reader, line, "seat", payload)
        info = reader.info(game, user)
    store.changed(line)
    return info


@operation
def kick(store: GameStore, game: str, user: User, player: str) -> GameInfo:
    """Remove somebody from a seat, as its table's owner, as long as they have not acted.

    The seat is offered by a new invitation.
    """
    with store.writing(game=game) as reader:
        info, line = _playable(reader, game)
        seat = _kickable(reader, info, line, user, player)
        open_seat(reader.connection, game, player)
        still = reader.info(game).seats_of(User(seat.user, ""))
        payload: dict[str, object] = {"players": [player], "name": seat.user_name}
        line = people_changed(reader, line, "leave", payload, gone="" if still else seat.user)
        info = reader.info(game, user)
    store.changed(line)
    return info


def _kickable(reader: Reader, info: GameInfo, line: Line, user: User, player: str) -> SeatInfo:
    """Return the seat of somebody whom the user may remove."""
    if info.owner != user.id:
        raise Forbidden("Only the user who created the table can remove somebody from it.")
    seat = info.seat(player)
    if seat is None or not seat.user:
        raise NotFound(f"Nobody sits at the seat {player[:80]!r}.")
    if seat.user == user.id:
        raise BadRequest("This is your own seat. You can leave the table.")
    if any(by == player for _, by in who_acted(reader.connection, line.id)):
        raise Forbidden(f"{player} has already acted. Ask the others to replace them.")
    return seat


@operation
def set_visibility(store: GameStore, game: str, user: User, visibility: Visibility) -> GameInfo:
    """Set who can see a table, as its owner."""
    with store.writing(game=game) as reader:
        found = select(games.c.owner).where(games.c.id == game)
        owner = reader.connection.execute(found).scalar_one_or_none()
        line = reader.line(game)
        if owner != user.id:
            raise Forbidden("Only the user who created the table can decide who sees it.")
        chosen = update(games).where(games.c.id == game)
        reader.connection.execute(chosen.values(visibility=visibility))
        publish(reader.connection, game, "seat", {"visibility": visibility})
        info = reader.info(game, user)
    store.changed(line)
    return info
