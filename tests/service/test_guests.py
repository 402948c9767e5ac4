"""Guests: a link back after signing out, and an account that keeps everything."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from carril.engine.registry import listed_titles
from carril.service.accounts import Accounts
from carril.service.app import make_api
from carril.service.errors import BadRequest, Forbidden, NotFound, Taken
from carril.service.games import Games
from carril.service.values import NewGame, Seat
from tests.service.table import own_table, shared_table, step
from tests.service.test_api import OPEN, browser, error, table


@pytest.fixture
def app() -> Iterator[FastAPI]:
    made = make_api(OPEN)
    yield made
    made.state.games.close()


def _guest(app: FastAPI, name: str) -> TestClient:
    """A browser in which a guest is signed in."""
    accounts: Accounts = app.state.accounts
    session = accounts.open_session(accounts.guest(name))
    client = TestClient(app)
    client.cookies.set("carril", session.token)
    client.headers["X-CSRF-Token"] = session.csrf
    return client


def test_a_guest_comes_back_by_a_link(app: FastAPI) -> None:
    guest = _guest(app, "Ana")
    game = table(guest, {"kind": "me"}, {"kind": "me", "name": "Second"})["id"]
    token = guest.post("/api/return").json()["token"]
    assert guest.delete("/api/session").status_code == 204
    error(guest.get("/api/games"), 401, "not-signed-in")
    later = TestClient(app)
    error(later.post("/api/return/wrong"), 404, "not-found")
    assert later.post(f"/api/return/{token}").json()["user"]["name"] == "Ana"
    assert [one["id"] for one in later.get("/api/games").json()] == [game]
    program = TestClient(app, headers={"Authorization": f"Bearer {token}"})
    error(program.get("/api/games"), 401, "not-signed-in")  # the link is not a token for programs


def test_a_guest_becomes_an_account_and_keeps_everything(games: Games) -> None:
    accounts = Accounts(games.store)
    ana, ben = accounts.guest("Ana"), accounts.guest("Ben")
    own, shared = own_table(games, ana).id, shared_table(games, ben, ana).id
    step(games, own, ana)
    fork = games.fork(own, ana, 1)
    session, link = accounts.open_session(ana), accounts.return_link(ana)
    with pytest.raises(BadRequest):
        accounts.upgrade(ana, "Ana", "short")
    account = accounts.upgrade(ana, "Ana Maria", "long enough")
    assert account == accounts.sign_in("ana maria", "long enough")
    assert (account.id, account.guest) == (ana.id, False)
    assert {one.id for one in games.list_for(account)} == {own, shared}
    assert [one.id for one in games.forks(own, account)] == [fork]
    assert games.info(shared).seats_of(account) == ("Second",)
    assert [one.current for one in accounts.sessions(account, session)] == [True]
    with pytest.raises(NotFound):
        accounts.returning(link)
    with pytest.raises(Forbidden):
        accounts.upgrade(account, "Eve", "long enough")
    with pytest.raises(Forbidden):
        accounts.return_link(account)


def test_a_guest_cannot_take_the_name_of_an_account(games: Games) -> None:
    accounts = Accounts(games.store)
    accounts.register("Ana", "long enough")
    guest = accounts.guest("Ben")
    with pytest.raises(Taken):
        accounts.upgrade(guest, "ANA", "long enough")
    assert accounts.upgrade(guest, "Ben", "long enough").name == "Ben"


def test_a_guest_becomes_an_account_over_the_api(app: FastAPI) -> None:
    guest = _guest(app, "Ana")
    wanted = {"name": "Ana", "password": "long enough"}
    assert guest.post("/api/account", json=wanted).json()["guest"] is False
    assert guest.get("/api/session").json()["user"]["guest"] is False
    error(guest.post("/api/account", json=wanted), 403, "forbidden")
    error(guest.post("/api/return"), 403, "forbidden")


def test_only_listed_games_can_be_found(app: FastAPI) -> None:
    ana, seats = browser(app, "Ana"), [{"kind": "me"}, {"kind": "me", "name": "Second"}]
    games: Games = app.state.games
    made = {
        shown: ana.post(
            "/api/games",
            json={"title": listed_titles()[0].name, "seats": seats, "visibility": shown},
        ).json()["id"]
        for shown in ("public", "unlisted", "private")
    }
    stranger = TestClient(app)
    assert stranger.get("/api/watch").json() == []  # nothing has happened yet
    accounts: Accounts = app.state.accounts
    user = accounts.sign_in("Ana", "long enough")
    for game in made.values():
        step(games, game, user)
    assert [one["id"] for one in stranger.get("/api/watch").json()] == [made["public"]]


def test_tables_have_readable_names(games: Games) -> None:
    ana = Accounts(games.store).guest("Ana")
    seats = (Seat("me"), Seat("me", "Zoe"))
    title = listed_titles()[0].name
    names = {games.create(ana, NewGame(title, seats)).name for _ in range(8)}
    assert len(names) > 1
    assert all(len(name.split()) == 2 and name.isascii() for name in names)


def test_titles_are_listed_by_their_place() -> None:
    places = [title.place for title in listed_titles()]
    assert places == sorted(places)
    assert len(set(places)) == len(places)
