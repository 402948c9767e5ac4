"""Recovering a forgotten password by mail, and confirming mail addresses."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from msgspec.structs import replace
from sqlalchemy import select

from carril.service.accounts import Accounts
from carril.service.app import make_api
from carril.service.clock import now
from carril.service.errors import NotFound, NotSignedIn
from carril.service.games import Games
from carril.service.people import mail_links
from carril.service.store.outbox import outbox
from carril.service.store.tables import mail_links as stored_links
from tests.service.test_api import OPEN, browser, error


@pytest.fixture
def app() -> Iterator[FastAPI]:
    made = make_api(replace(OPEN, bots=False))
    yield made
    made.state.games.close()


def mails(games: Games, subject: str) -> list[tuple[str, str]]:
    """Return the address and the path of the link of each mail with a subject."""
    with games.reading() as reader:
        rows = reader.connection.execute(select(outbox).order_by(outbox.c.id)).all()
    found = [(row.target, msgspec.json.decode(row.content)) for row in rows]
    return [(to, content["link"]) for to, content in found if content["subject"] == subject]


CONFIRM, RECOVER = "Confirm your mail address", "Set a new password"


def with_address(app: FastAPI, name: str) -> TestClient:
    """An account with a confirmed mail address."""
    client = browser(app, name)
    body = {"address": f"{name.lower()}@example.org", "password": "long enough"}
    assert client.put("/api/address", json=body).json()["awaited"] == body["address"]
    token = mails(app.state.games, CONFIRM)[-1][1].removeprefix("/confirm/")
    assert TestClient(app).post(f"/api/address/{token}").status_code == 204
    error(TestClient(app).post(f"/api/address/{token}"), 404, "not-found")
    return client


def test_a_password_is_recovered_by_mail(app: FastAPI) -> None:
    ana = with_address(app, "Ana")
    known = ana.get("/api/address").json()
    assert known == {"address": "ana@example.org", "awaited": ""}
    stranger = TestClient(app)
    for account in ("Ana", "ANA@example.org"):
        assert stranger.post("/api/recovery", json={"account": account}).status_code == 202
    sent = mails(app.state.games, RECOVER)
    assert [to for to, _ in sent] == ["ana@example.org"] * 2
    token = sent[0][1].removeprefix("/recover/")
    weak = stranger.post(f"/api/recovery/{token}", json={"password": "short"})
    assert weak.status_code == 400
    done = stranger.post(f"/api/recovery/{token}", json={"password": "a new password"})
    assert done.json()["name"] == "Ana"
    assert ana.get("/api/session").json()["user"] is None  # all sessions have ended
    for path in (one[1].removeprefix("/recover/") for one in sent):
        again = stranger.post(f"/api/recovery/{path}", json={"password": "another one"})
        error(again, 404, "not-found")
    body = {"name": "Ana", "password": "long enough"}
    error(stranger.post("/api/session", json=body), 401, "not-signed-in")
    body["password"] = "a new password"
    assert stranger.post("/api/session", json=body).status_code == 200


def test_recovery_does_not_tell_whether_an_account_exists(app: FastAPI) -> None:
    with_address(app, "Ana")
    browser(app, "Ben")  # without an address
    stranger, answers = TestClient(app), []
    for account in ("Ana", "Ben", "Nobody", "x@example.org"):
        answered = stranger.post("/api/recovery", json={"account": account})
        answers.append((answered.status_code, answered.content))
    assert len(set(answers)) == 1
    assert len(mails(app.state.games, RECOVER)) == 1
    counts: dict[str, int] = {}
    for account in ("Ana", "Nobody"):
        while stranger.post("/api/recovery", json={"account": account}).status_code == 202:
            counts[account] = counts.get(account, 0) + 1
    assert counts["Ana"] == counts["Nobody"] < 10
    assert len(mails(app.state.games, RECOVER)) == mail_links.MOST_OPEN


def test_a_link_expires_and_only_its_hash_is_stored(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_address(app, "Ana")
    accounts: Accounts = app.state.accounts
    accounts.send_recovery("Ana")
    token = mails(app.state.games, RECOVER)[0][1].removeprefix("/recover/")
    with app.state.games.reading() as reader:
        stored = reader.connection.execute(select(stored_links.c.token)).scalars().all()
    assert token not in stored
    later = now() + mail_links.LIFE["recover"]
    monkeypatch.setattr(mail_links, "now", lambda: later)
    with pytest.raises(NotFound):
        accounts.recover(token, "a new password")


def test_a_new_address_needs_the_password_and_the_old_one_is_told(app: FastAPI) -> None:
    ana = with_address(app, "Ana")
    body = {"address": "thief@example.org", "password": "wrong"}
    error(ana.put("/api/address", json=body), 401, "not-signed-in")
    error(
        ana.put("/api/address", json={"address": "no address", "password": "long enough"}),
        400,
        "bad-request",
    )
    ana.put("/api/address", json={"address": "new@example.org", "password": "long enough"})
    token = mails(app.state.games, CONFIRM)[-1][1].removeprefix("/confirm/")
    TestClient(app).post(f"/api/address/{token}")
    told = mails(app.state.games, "Your mail address was changed")
    assert [to for to, _ in told] == ["ana@example.org"]
    ana.put("/api/address", json={"address": "", "password": "long enough"})
    assert ana.get("/api/address").json()["address"] == ""
    accounts: Accounts = app.state.accounts
    with pytest.raises(NotSignedIn):
        accounts.change_address(accounts.sign_in("Ana", "long enough"), "wrong", "a@b.org")
