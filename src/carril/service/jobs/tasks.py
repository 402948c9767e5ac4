"""The functions of the service that run in worker processes, each with the address of a store."""

from __future__ import annotations

import time
from functools import cache

from carril.bots import Dice, PlannerBot
from carril.bots.ranking import Ranked
from carril.service.game_files import read_game
from carril.service.game_store import GameStore, StoreAddress
from carril.service.new_games import add_imported
from carril.service.playing import play_bot, save_text
from carril.service.programs.worker import play_programs
from carril.service.values import GameInfo, User
from carril.service.verifying import Verified, verify


@cache
def _store(address: StoreAddress) -> GameStore:
    """Return the store at an address, opened once in each process."""
    return address.open()


def import_game(
    address: StoreAddress, user: User, data: bytes, filename: str, most_bytes: int
) -> GameInfo:
    """Import a game from a file."""
    imported = read_game(data, filename, most_bytes)
    return add_imported(_store(address), user, filename, imported)


def verify_game(address: StoreAddress, game: str) -> Verified:
    """Check the hash chain of a game, and replay all its actions."""
    return verify(_store(address), game)


def export_game(address: StoreAddress, game: str, fork: str | None, user: User | None) -> str:
    """Return a game as the text of a Carril save file."""
    with _store(address).reading() as reader:
        return save_text(reader, game, fork, user)


def play_bots(address: StoreAddress, game: str, seconds: float, patience: float) -> None:
    """Let bots and programs act as long as they can, up to some time, but once at least.

    A bot that needs longer than `patience` for one action loses its seat.
    """
    store, end = _store(address), time.monotonic() + seconds
    while (
        play_bot(store, game, patience) or play_programs(store, game)
    ) and time.monotonic() < end:
        pass


def advise(
    address: StoreAddress, game: str, fork: str | None, user: User, at: int
) -> tuple[Ranked, ...]:
    """Return the three best choices of a position as the planner ranks them."""
    with _store(address).reading() as reader:
        state = reader.position(reader.line(game, fork, user), at).state
    return PlannerBot().rank(state, Dice(at))
