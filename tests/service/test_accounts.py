"""Accounts: names, passwords, sessions, tokens, and leaving."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import create_engine

from carril.service.accounts import Accounts
from carril.service.app import make_api
from carril.service.errors import BadRequest, NotFound, Taken
from carril.service.games import Games
from carril.service.store.migrate import migrate
from carril.service.values import NewGame, Seat
from tests.service.table import own_table, shared_table, step
from tests.service.test_api import OPEN, act, browser, error, table


@pytest.fixture
def app() -> Iterator[FastAPI]:
    made = make_api(OPEN)
    yield made
    made.state.games.close()


@pytest.fixture
def accounts(kept: Games) -> Accounts:
    return Accounts(kept.store)


# --- names and passwords -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ANA", "\uff21na", "\u0410na", "A n a", "An\u0430"])
def test_names_that_look_alike_are_taken(accounts: Accounts, name: str) -> None:
    accounts.register("Ana", "long enough")
    with pytest.raises(Taken):
        accounts.register(name, "long enough")
    with pytest.raises(Taken):
        accounts.guest(name)
    assert accounts.sign_in("ana", "long enough").name == "Ana"


@pytest.mark.parametrize("name", ["Ana\u3164", "A\nB\x00", "\u202eanA", "", " ", "x" * 41])
def test_names_that_cannot_be_seen_are_refused(kept: Games, name: str) -> None:
    accounts = Accounts(kept.store)
    with pytest.raises(BadRequest):
        accounts.register(name, "long enough")
    user = accounts.guest("Ben")
    if name.strip():
        with pytest.raises(BadRequest):
            kept.create(user, NewGame("18EU", (Seat("me"), Seat("me", name))))


def test_players_at_a_table_do_not_look_alike(kept: Games, accounts: Accounts) -> None:
    seats = (Seat("me"), Seat("me", "B\u0435n"))
    with pytest.raises(BadRequest):
        kept.create(accounts.guest("Ben"), NewGame("18EU", seats))


@pytest.mark.parametrize("password", ["password", "12345678", "Passw0rd1", "Benjamin1", "short"])
def test_passwords_that_are_easy_to_guess(accounts: Accounts, password: str) -> None:
    with pytest.raises(BadRequest):
        accounts.register("Benjamin", password)
    assert accounts.register("Benjamin", "railway to the coast")


def test_older_accounts_can_still_sign_in(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    engine = create_engine(url)
    migrate(engine, "0001")
    hashed = PasswordHasher(1, 8, 1).hash("long enough")
    names = ["\u0410na", "Ana", "Bo B", "BoB", "Player 10"]
    with engine.begin() as connection:
        for number, name in enumerate(names):
            values = (f"u{number}", name, name.casefold(), hashed, f"2026-01-0{number + 1}")
            connection.exec_driver_sql(
                "INSERT INTO users (id, name, folded, password, guest, created)"
                " VALUES (?, ?, ?, ?, 0, ?)",
                values,
            )
    games = Games.open(url)
    known = Accounts(games.store)
    assert [known.sign_in(name, "long enough").name for name in names] == names
    games.close()


# --- sessions and tokens -------------------------------------------------------------------


def _again(app: FastAPI, name: str, password: str = "long enough") -> TestClient:
    client = browser(app)
    made = client.post("/api/session", json={"name": name, "password": password})
    assert made.status_code == 200
    client.headers["X-CSRF-Token"] = made.json()["csrf"]
    return client


def test_sessions_are_listed_and_ended(app: FastAPI) -> None:
    ana = browser(app, "Ana")
    phone, library = _again(app, "Ana"), _again(app, "Ana")
    listed = ana.get("/api/sessions").json()
    assert [one["current"] for one in listed] == [True, False, False]
    assert ana.delete(f"/api/sessions/{listed[1]['id']}").status_code == 204
    error(phone.get("/api/games"), 401, "not-signed-in")
    error(ana.delete(f"/api/sessions/{listed[1]['id']}"), 404, "not-found")
    assert ana.delete("/api/sessions").status_code == 204
    error(library.get("/api/games"), 401, "not-signed-in")
    assert ana.get("/api/games").status_code == 200
    stranger = browser(app, "Ben")
    error(stranger.delete(f"/api/sessions/{listed[0]['id']}"), 404, "not-found")


def test_signing_in_again_ends_the_former_session(app: FastAPI) -> None:
    ana = browser(app, "Ana")
    former = dict(ana.cookies)
    ana.post("/api/session", json={"name": "Ana", "password": "long enough"})
    old = TestClient(app, cookies=former)
    error(old.get("/api/games"), 401, "not-signed-in")


def _program(app: FastAPI, owner: TestClient, **token: Any) -> TestClient:
    made = owner.post("/api/tokens", json=token)
    assert made.status_code == 201, made.text
    return TestClient(app, headers={"Authorization": f"Bearer {made.json()['token']}"})


def test_tokens_are_listed_and_revoked(app: FastAPI) -> None:
    ana = browser(app, "Ana")
    program = _program(app, ana, label="my bot", days=30)
    listed = ana.get("/api/tokens").json()
    assert [(one["label"], one["scope"]) for one in listed] == [("my bot", "play")]
    assert listed[0]["expires"] > listed[0]["created"]
    assert program.get("/api/games").status_code == 200
    assert ana.delete(f"/api/tokens/{listed[0]['id']}").status_code == 204
    error(program.get("/api/games"), 401, "not-signed-in")
    assert ana.get("/api/tokens").json() == []


def test_tokens_allow_what_their_scope_says(app: FastAPI) -> None:
    ana = browser(app, "Ana")
    reader, player = _program(app, ana, scope="read"), _program(app, ana)
    manager = _program(app, ana, scope="account")
    game = table(player)["id"]
    assert act(player, game).status_code == 200
    assert reader.get(f"/api/games/{game}/state").status_code == 200
    error(act(reader, game), 403, "forbidden")
    for limited in (reader, player):
        error(limited.post("/api/tokens", json={}), 403, "forbidden")
        error(limited.get("/api/tokens"), 403, "forbidden")
    assert len(manager.get("/api/tokens").json()) == 3


def test_tokens_expire(app: FastAPI) -> None:
    accounts: Accounts = app.state.accounts
    user = accounts.register("Ana", "long enough")
    program = TestClient(
        app, headers={"Authorization": f"Bearer {accounts.new_bearer(user, days=-1)}"}
    )
    error(program.get("/api/games"), 401, "not-signed-in")


def test_a_new_password_ends_everything_else(app: FastAPI) -> None:
    ana, other = browser(app, "Ana"), _again(app, "Ana")
    program = _program(app, ana)
    wrong = {"old": "not this one", "new": "even longer words"}
    error(ana.post("/api/password", json=wrong), 401, "not-signed-in")
    easy = {"old": "long enough", "new": "password"}
    error(ana.post("/api/password", json=easy), 400, "bad-request")
    right = {"old": "long enough", "new": "even longer words"}
    assert ana.post("/api/password", json=right).status_code == 204
    assert ana.get("/api/games").status_code == 200
    for client in (other, program):
        error(client.get("/api/games"), 401, "not-signed-in")
    old = browser(app).post("/api/session", json={"name": "Ana", "password": "long enough"})
    error(old, 401, "not-signed-in")
    assert _again(app, "Ana", "even longer words")


# --- leaving -------------------------------------------------------------------------------


def test_a_seat_is_given_up_and_taken_by_somebody_else(kept: Games, accounts: Accounts) -> None:
    ana, ben, cleo = (accounts.guest(name) for name in ("Ana", "Ben", "Cleo"))
    game = shared_table(kept, ana, ben).id
    step(kept, game, {"Ana": ana, "Second": ben}[str(kept.info(game).acting)])
    assert kept.undo(game, ana, 0).request
    kept.leave(game, ben)
    assert kept.undo_request(game) is None
    assert kept.info(game).seats_of(ben) == ()
    token = next(seat.invitation for seat in kept.info(game, ana).seats if seat.invitation)
    assert kept.join(token, cleo).seats_of(cleo) == ("Second",)


def test_a_game_is_deleted_by_its_owner_alone(app: FastAPI) -> None:
    ana, ben = browser(app, "Ana"), browser(app, "Ben")
    made = table(ana, {"kind": "me"}, {"kind": "person", "name": "Second"})
    url = f"/api/games/{made['id']}"
    ben.post(f"/api/invitations/{made['seats'][1]['invitation']}", json={})
    ben.post(f"{url}/forks", json={"at": 0})
    error(ben.delete(url), 403, "forbidden")
    error(ana.delete(url), 403, "forbidden")
    assert ben.delete(f"{url}/seat").status_code == 200
    error(ben.delete(f"{url}/seat"), 403, "forbidden")
    assert ana.delete(url).status_code == 204
    error(ana.get(url), 404, "not-found")
    error(ana.delete(url), 404, "not-found")
    assert ana.get("/api/games").json() == []


def test_an_account_is_deleted(games: Games) -> None:
    accounts = Accounts(games.store)
    ana, ben = accounts.register("Ana", "long enough"), accounts.guest("Ben")
    own, shared = own_table(games, ana).id, shared_table(games, ana, ben).id
    games.fork(shared, ana, 0)
    games.post_remark(shared, ana, "Hello")
    session = accounts.open_session(ana)
    accounts.delete(ana, "long enough")
    with pytest.raises(NotFound):
        games.info(own)
    info = games.info(shared, ben)
    assert (info.owner, info.others(ben)) == (ben.id, ())
    assert info.seats[0].invitation
    assert [one.by for one in games.chat(shared)] == ["Deleted account"]
    assert accounts.sessions(ana, session) == []
    assert games.verify(shared).sound
    assert accounts.register("Ana", "long enough").id != ana.id


def test_a_deleted_account_does_nothing_more(kept: Games, accounts: Accounts) -> None:
    ana = accounts.guest("Ana")
    accounts.delete(ana, "")
    attempts: list[Callable[[], object]] = [
        lambda: accounts.open_session(ana),
        lambda: accounts.new_bearer(ana),
        lambda: own_table(kept, ana),
    ]
    for attempt in attempts:
        with pytest.raises(Exception, match="no longer exists"):
            attempt()
