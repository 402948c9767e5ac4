"""`carril backup`, `restore`, `move` and `admin`: on both databases, and bad input in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from carril.cli.serving import make_application
from carril.service.accounts import Accounts
from carril.service.errors import Blocked, NotFound, ReadOnly
from carril.service.games import Games
from carril.service.settings import Settings
from carril.service.store.tables import blocks, records
from carril.service.values import NewGame, Seat, User
from tests.cli.test_cli import fails, run
from tests.service.conftest import OpenGames
from tests.service.conftest import database as database
from tests.service.conftest import games as games
from tests.service.conftest import open_games as open_games
from tests.service.conftest import postgres as postgres
from tests.service.table import BOT, own_table, shared_table, step, until
from tests.service.test_api import PLENTY, browser, error, table


def admin(database: str, *words: str) -> str:
    """Run a command of the administrator and return what it prints."""
    done = run("admin", *words, "--database", database)
    assert done.exit_code == 0, done.output
    return str(done.stdout)


def rows(database: str, *words: str) -> list[dict[str, Any]]:
    """Run a command that prints a list."""
    return list(json.loads(admin(database, *words, "--json")))


@pytest.fixture
def ana(games: Games) -> User:
    return Accounts(games.store).register("Ana", "long enough")


# --- users -----------------------------------------------------------------------------------


def test_users_are_listed(
    games: Games, ana: User, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    accounts = Accounts(games.store)
    guest = accounts.guest("[bold]Ben")
    accounts.open_session(ana)
    own_table(games, ana)
    listed = {one["name"]: one for one in rows(database, "users")}
    assert set(listed) == {"Ana", "[bold]Ben"}
    shown = [listed["Ana"][name] for name in ("kind", "games", "seats", "sessions", "blocked")]
    assert shown == ["account", 1, 2, 1, False]
    assert listed["[bold]Ben"]["kind"] == "guest"
    assert [one["id"] for one in rows(database, "users", "BEN")] == [guest.id]
    assert rows(database, "users", "b%n") == []
    assert "[bold]Ben" in admin(database, "users")


def test_a_blocked_user_is_refused_with_the_reason(database: str) -> None:
    app = make_application(Settings(database=database, sign_ins=PLENTY))
    client = browser(app, "Ana")
    game = table(client)["id"]
    token = client.post("/api/tokens", json={}).json()["token"]
    program = TestClient(app, headers={"Authorization": f"Bearer {token}"})
    admin(database, "block", "ana", "--reason", "Please calm down.", "--days", "2")
    for refused in (client, program):
        shown = error(refused.post(f"/api/games/{game}/chat", json={"text": "x"}), 403, "blocked")
        assert "Please calm down." in shown["message"]
        assert shown["facts"]["until"]
    again = {"name": "Ana", "password": "long enough"}
    error(browser(app).post("/api/session", json=again), 403, "blocked")
    error(client.post("/api/invitations/x", json={}), 404, "not-found")
    page = client.post(f"/table/{game}/chat", data={"text": "x"})
    assert (page.status_code, "Please calm down." in page.text) == (403, True)
    assert client.get(f"/table/{game}").status_code == 200
    assert [one["name"] for one in rows(database, "blocks")] == ["Ana"]
    admin(database, "unblock", "Ana")
    assert client.post(f"/api/games/{game}/chat", json={"text": "x"}).status_code == 201
    assert client.delete("/api/session").status_code == 204
    app.state.games.close()


def test_a_blocked_user_can_sign_out(database: str) -> None:
    app = make_application(Settings(database=database))
    client = browser(app, "Ana")
    admin(database, "block", "Ana")
    assert client.delete("/api/session").status_code == 204
    error(client.get("/api/games"), 401, "not-signed-in")
    app.state.games.close()


def test_a_block_ends_by_itself(games: Games, ana: User, database: str) -> None:
    admin(database, "block", ana.id, "--days", "1")
    with pytest.raises(Blocked):
        own_table(games, ana)
    with games.store.database.writing() as connection:
        connection.execute(update(blocks).values(until=blocks.c.created))
    assert own_table(games, ana)
    assert rows(database, "blocks") == []


def test_a_password_is_reset(games: Games, ana: User, database: str) -> None:
    accounts = Accounts(games.store)
    session = accounts.open_session(ana)
    accounts.new_bearer(ana)
    password = admin(database, "reset-password", "Ana").split()[-1]
    assert accounts.sign_in("Ana", password) == ana
    assert accounts.sessions(ana, session) == []
    assert accounts.bearers(ana) == []
    with pytest.raises(Exception, match="wrong"):
        accounts.sign_in("Ana", "long enough")


def test_a_user_is_deleted(games: Games, ana: User, database: str) -> None:
    game = own_table(games, ana).id
    admin(database, "block", "Ana")
    fails("admin", "delete-user", "Ana", "--database", database)
    assert games.info(game)
    admin(database, "delete-user", "Ana", "--yes")
    with pytest.raises(NotFound):
        games.info(game)
    assert [one["kind"] for one in rows(database, "users")] == ["deleted"]


# --- tables ----------------------------------------------------------------------------------


def test_tables_are_listed(games: Games, ana: User, database: str) -> None:
    ben = Accounts(games.store).guest("Ben")
    own, shared = own_table(games, ana), shared_table(games, ana, ben)
    step(games, own.id, ana)
    listed = rows(database, "tables")
    assert [(one["id"], one["actions"]) for one in listed] == [(own.id, 1), (shared.id, 0)]
    assert (listed[1]["owner"], listed[1]["players"]) == ("Ana", ["Ana", "Second"])
    assert [one["id"] for one in rows(database, "tables", "--user", "Ben")] == [shared.id]
    assert shared.id in admin(database, "tables")


def test_a_closed_table_is_only_looked_at(
    open_games: OpenGames, games: Games, ana: User, database: str
) -> None:
    seats = (Seat("me"), Seat("bot", bot=BOT))
    game = games.create(ana, NewGame("18EU", seats, seed=3)).id
    until(lambda: games.info(game).acting == "Ana")
    admin(database, "close", game)
    with pytest.raises(ReadOnly):
        step(games, game, ana)
    assert rows(database, "tables")[0]["state"] == "closed"
    fails("admin", "close", game, "--database", database)
    admin(database, "reopen", game)
    assert step(games, game, ana).head == games.info(game).head
    fails("admin", "reopen", game, "--database", database)
    assert games.verify(game).sound


def test_bots_stop_at_a_closed_table_and_go_on_when_it_is_opened(
    open_games: OpenGames, database: str
) -> None:
    idle = open_games(bots=False)
    ana = Accounts(idle.store).guest("Ana")
    seats = (Seat("bot", "One", BOT), Seat("bot", "Two", BOT), Seat("person", "Three"))
    game = idle.create(ana, NewGame("18EU", seats, seed=3)).id
    admin(database, "close", game)
    playing = open_games()
    other = own_table(playing, ana).id
    step(playing, other, ana)
    assert idle.info(game).head == 0
    admin(database, "reopen", game)
    until(lambda: idle.info(game).head > 0 or idle.info(game).acting == "Three", 30)


def test_a_table_is_deleted(games: Games, ana: User, database: str) -> None:
    shared = shared_table(games, ana, Accounts(games.store).guest("Ben")).id
    games.fork(shared, ana, 0)
    fails("admin", "delete-table", shared, "--database", database)
    admin(database, "delete-table", shared, "--yes")
    assert rows(database, "tables") == []


def test_damaged_tables_are_found(games: Games, ana: User, database: str) -> None:
    sound, damaged = own_table(games, ana).id, own_table(games, ana).id
    assert "2 tables checked, 0 damaged" in admin(database, "verify")
    with games.store.database.writing() as connection:
        chosen = update(records).where(records.c.line == damaged)
        connection.execute(chosen.values(reason="changed"))
    done = run("admin", "verify", "--database", database)
    assert (done.exit_code, "2 tables checked, 1 damaged" in done.stdout) == (1, True)
    assert damaged in done.stderr
    admin(database, "verify", sound)


# --- backups ---------------------------------------------------------------------------------


def test_backup_and_restore(games: Games, ana: User, database: str, tmp_path: Path) -> None:
    game = own_table(games, ana).id
    file, other = tmp_path / "backup", tmp_path / "other.db"
    done = run("backup", file, "--database", database)
    assert (done.exit_code, "1 users, 1 games, 1 records" in done.stdout) == (0, True)
    assert "already exists" in fails("backup", file, "--database", database)
    assert run("backup", file, "--database", database, "--overwrite").exit_code == 0
    assert run("restore", file, "--database", other).exit_code == 0
    assert "already contains" in fails("restore", file, "--database", other)
    assert run("restore", file, "--database", other, "--overwrite").exit_code == 0
    assert "in use" in fails("restore", file, "--database", database, "--overwrite")
    assert game in admin(str(other), "tables")
    games.close()
    third = tmp_path / "third.db"
    assert "in use" not in run("move", third, "--database", database).output
    assert game in admin(str(third), "tables")


def test_a_backup_of_a_damaged_database_says_so(
    games: Games, ana: User, database: str, tmp_path: Path
) -> None:
    game = own_table(games, ana).id
    with games.store.database.writing() as connection:
        connection.execute(update(records).values(reason="changed"))
    file, other = tmp_path / "backup", tmp_path / "other.db"
    done = run("backup", file, "--database", database)
    assert (done.exit_code, game in done.stderr) == (1, True)
    assert "--accept-damaged" in fails("restore", file, "--database", other)
    done = run("restore", file, "--database", other, "--accept-damaged")
    assert (done.exit_code, game in done.stderr) == (1, True)


WRONG: tuple[tuple[str, ...], ...] = (
    ("backup", "file"),
    ("move", "other.db"),
    ("admin", "users"),
    ("restore", "file"),
    ("restore", "text", "--database", "new.db"),
    ("backup", "no/folder/file", "--database", "games.db"),
    ("backup", "file", "--database", "text"),
    ("backup", "file", "--database", "nonsense://here"),
    ("backup", "file", "--database", "postgresql://nobody@127.0.0.1:1/none"),
    ("move", "postgresql://nobody@127.0.0.1:1/none", "--database", "games.db"),
    ("admin", "block", "Nobody", "--database", "games.db"),
    ("admin", "block", "Ana", "--days", "0", "--database", "games.db"),
    ("admin", "unblock", "Ana", "--database", "games.db"),
    ("admin", "block", "Guest", "--database", "games.db"),
    ("admin", "reset-password", "Lone", "--database", "games.db"),
    ("admin", "close", "nothing", "--database", "games.db"),
    ("admin", "delete-table", "nothing", "--yes", "--database", "games.db"),
    ("admin", "verify", "nothing", "--database", "games.db"),
    ("admin", "nothing"),
)


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_bad_input_is_one_line(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    known = Games.open("sqlite:///games.db", Settings(bots=False))
    accounts = Accounts(known.store)
    accounts.register("Ana", "long enough")
    for name in ("Guest", "Guest", "Lone"):
        accounts.guest(name)
    known.close()
    (tmp_path / "text").write_text("neither a database nor a backup" * 99)
    assert fails(*words).startswith("carril: ")
    made = {path.name for path in tmp_path.iterdir()} - {"games.db", "text"}
    assert not {name for name in made if not re.match(r"games\.db-|new\.db", name)}
