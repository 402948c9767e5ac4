"""Replacing an absent player by a bot, or by another person, with a vote of the others."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection

from carril.service.errors import BadRequest, Forbidden
from carril.service.opponents import check_bot
from carril.service.seats.assigning import give_to_bot, open_seat, people_changed
from carril.service.store.clocks import free_spans, is_paused
from carril.service.store.journal import Line, now
from carril.service.table_clocks.counting import elapsed
from carril.service.values import GameInfo, Proposal, SeatInfo
from carril.service.votes.voting import Case, Kind, check_not_over, register

ABSENT = timedelta(days=3)
"""How long somebody must have kept the table waiting before the others can replace them."""


def is_absent(connection: Connection, info: GameInfo, seat: SeatInfo) -> bool:
    """Return whether a person has kept the table waiting for long, or nobody plays a seat.

    Holidays and pauses are no absence.
    """
    if seat.kind != "person" or info.finished or info.read_only:
        return False
    if not seat.user:
        return True
    if info.acting != seat.player or seat.bot or is_paused(connection, info.id):
        return False
    waited = elapsed(info.updated, now(), free_spans(connection, seat.user, info.updated))
    return waited >= ABSENT.total_seconds()


def _check(case: Case) -> Proposal:
    check_not_over(case)
    player, bot = (str(case.proposal.about.get(key, "")) for key in ("player", "bot"))
    seat = case.info.seat(player)
    if seat is None:
        raise BadRequest(f"There is no player {player[:40]!r} at this table.")
    if seat.user == case.user.id:
        raise BadRequest("This is your own seat. Leave the table, or let a bot play for you.")
    if not is_absent(case.reader.connection, case.info, seat):
        raise Forbidden(
            f"{player} can be replaced after the table has waited for them for {ABSENT.days} days.",
            {"days": ABSENT.days},
        )
    if bot:
        check_bot(bot)
    elif not seat.user:
        raise BadRequest("This seat is open already: anybody with its invitation can take it.")
    return Proposal("replace", about={"player": player, "bot": bot})


def _voters(case: Case) -> tuple[str, ...]:
    """Return everybody but the absent player."""
    seat = case.info.seat(case.proposal.about["player"])
    absent = seat.user if seat else ""
    return tuple(one for one in case.info.others(case.user) if one != absent)


def _replace(case: Case) -> Line:
    player, bot = case.proposal.about["player"], case.proposal.about["bot"]
    seat = case.info.seat(player)
    assert seat is not None  # it was checked
    connection, game = case.reader.connection, case.line.game
    if bot:
        give_to_bot(connection, game, player, bot)
    else:
        open_seat(connection, game, player)
    payload: dict[str, object] = {"player": player, "bot": bot, "name": seat.user_name}
    return people_changed(case.reader, case.line, "seat", payload, gone=seat.user)


REPLACE = register(Kind("replace", _check, _replace, _voters))
"""An action means that the absent player is back, or was not the one who is waited for."""
