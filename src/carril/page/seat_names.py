"""The names that the page shows for players: of people who took an open seat, their own."""

from __future__ import annotations

from carril.service.setting_up import is_open_seat_name
from carril.service.values import GameInfo, SeatInfo

Names = tuple[tuple[str, str], ...]
"""Pairs of a player's name in the game and the name to show instead."""


def shown_names(info: GameInfo) -> Names:
    """Return the players whose name in the game was made up before anybody took the seat."""
    taken = {seat.player for seat in info.seats}
    found: list[tuple[str, str]] = []
    for seat in info.seats:
        if seat.kind == "person" and seat.user_name and is_open_seat_name(seat.player):
            shown = _free(seat.user_name, taken)
            taken.add(shown)
            found.append((seat.player, shown))
    return tuple(found)


def _free(name: str, taken: set[str]) -> str:
    """Return a name, with a number if another player has the same."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


def person_behind(info: GameInfo, player: str) -> str:
    """Return the name of the person in a seat that was named after somebody else, or ""."""
    seat = info.seat(player)
    if seat is None or not seat.user_name or is_open_seat_name(player):
        return ""
    alone = sum(one.user == seat.user for one in info.seats) == 1
    return seat.user_name if alone and seat.user_name != player else ""


def open_seats(info: GameInfo) -> list[SeatInfo]:
    """Return the seats that nobody has taken yet."""
    return [seat for seat in info.seats if seat.kind == "person" and not seat.user]
