"""A database with something in every table, and a backup of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from carril.programs import PassOn
from carril.service.accounts import Accounts
from carril.service.backups import TRANSIENT, back_up
from carril.service.blocking import block_user
from carril.service.clock import now
from carril.service.games import Games
from carril.service.notifications.choices import add_hook, add_push, push_private_key, set_notices
from carril.service.notifications.web_push import new_key, public_key
from carril.service.people.mail_links import send_link
from carril.service.people.notes import write_note
from carril.service.people.rating import update_ratings
from carril.service.settings import Settings
from carril.service.store.notices import Notices
from carril.service.store.tables import metadata
from carril.service.table_clocks.counting import TimeControl
from carril.service.table_clocks.holidays import add_holiday
from carril.service.values import Proposal, User
from tests.service.table import own_table, shared_table, step

QUIET = Settings(bots=False, verify_hours=0, notify=False, timers=False)
CLOCK = TimeControl("days", move=86400)


def fill(url: str) -> str:
    """Fill a database: three tables, an undo request, a what-if line, chat, sessions, a block."""
    games = Games.open(url, QUIET)
    accounts = Accounts(games.store)
    ana, ben = accounts.register("Ana", "long enough"), accounts.guest("Ben")
    own, shared = own_table(games, ana).id, shared_table(games, ana, ben, CLOCK).id
    set_notices(games.store, ana, Notices())
    add_hook(games.store, ana, "json", "https://example.org/hook", None)
    add_push(games.store, ana, "https://example.org/push", public_key(new_key()), "A" * 22)
    push_private_key(games.store)
    add_holiday(games.store, ben, now().date(), now().date(), "UTC")
    for _ in range(4):
        step(games, own, ana)
    games.undo(own, ana, 2)
    fork = games.fork(own, ana, 1)
    step(games, own, ana, fork)
    games.keep_fork(own, ana, fork)
    step(games, own, ana, games.fork(own, ana, 1))
    step(games, shared, {"Ana": ana, "Second": ben}[str(games.info(shared).acting)])
    games.undo(shared, ana, 0)
    games.post_remark(shared, ben, "Grüße \N{STEAM LOCOMOTIVE}")
    write_note(games.store, shared, ana, "Ben saves for a train.")
    games.give_program(shared, ana, PassOn())
    send_link(games.store, ana, "confirm", "ana@example.org")
    _finish(games, shared_table(games, ana, ben).id, ana, ben)
    accounts.new_bearer(ana, "program")
    accounts.open_session(ben)
    block_user(games.store, ben, "spam", 3)
    games.close()
    return own


def _finish(games: Games, game: str, one: User, other: User) -> None:
    """End a game by agreement, and rate it."""
    request = games.propose(game, one, Proposal("end")).request
    assert request is not None
    games.answer(game, other, request.id, True)
    assert update_ratings(games.store) == 1


def content(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of a database that are backed up."""
    games = Games.open(url, QUIET)
    with games.store.database.reading() as connection:
        found = {
            table.name: sorted(
                (tuple(row) for row in connection.execute(select(*table.columns))), key=repr
            )
            for table in metadata.sorted_tables
            if not table.info.get(TRANSIENT)
        }
    games.close()
    return found


def write_backup(url: str, path: Path) -> None:
    """Back up a database."""
    games = Games.open(url, QUIET)
    back_up(games.store.database, path)
    games.close()


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a small database."""
    path, url = tmp_path / "backup", f"sqlite:///{tmp_path}/source.db"
    fill(url)
    write_backup(url, path)
    return path
