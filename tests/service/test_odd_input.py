"""Odd input is answered with a 4xx, and unforeseen errors with a page, on both databases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from carril.cli.serving import make_application
from carril.service.settings import Settings
from tests.service.conftest import serving
from tests.service.test_api import PLENTY, browser, table

HUGE = (1 << 31, 1 << 63, 10**30)
SURROGATE = r'{"action": {"type": "pass", "by": "\ud800"}, "head": 0}'
JSON = {"Content-Type": "application/json"}
NUL = "a\x00b"
SEATS = [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]


@pytest.fixture
def app(database: str) -> Iterator[FastAPI]:
    settings = Settings(database=database, sign_ins=PLENTY, actions=PLENTY, imports=PLENTY)
    made = make_application(settings)
    yield made
    made.state.games.close()


Odd = tuple[str, str, dict[str, Any]]
"""A method, an address (`api` and `page` are those of a table), and arguments of the request."""


def _new(**form: str) -> Odd:
    seats = {"title": "18EU", "seat-1": "me", "seat-2": "me", "name-2": "Zoe"}
    return "POST", "/new", {"data": seats | form, "follow_redirects": False}


def _numbers(number: int) -> Iterator[Odd]:
    for path in ("api/log?since", "api/log?until", "api/chat?since", "api/state?at"):
        yield "GET", f"{path}={number}", {}
    for path in ("page/log?until", "page?at"):
        yield "GET", f"{path}={number}", {}
    yield "POST", "api/forks", {"json": {"at": number}}
    yield "POST", "api/undo", {"json": {"to": number}}
    yield "POST", f"api/undo/{number}", {"json": {"accept": True}}


def _requests() -> Iterator[Odd]:
    for number in HUGE:
        yield from _numbers(number)
    for path in ("api/why", "api/actions"):
        yield "POST", path, {"content": SURROGATE, "headers": JSON}
    for seed in ("²", "9" * 200, "9" * 4301):
        yield _new(seed=seed)
    yield _new(name="a\x00b")
    yield "POST", "/api/games", {"json": {"title": "18EU", "seats": SEATS, "seed": False}}
    yield "POST", "api/forks", {"json": {"at": False}}
    yield "POST", "api/undo/1", {"json": {"accept": 1}}
    yield "POST", "api/chat", {"headers": {"Origin": "http://[::1"}}
    yield "POST", "api/chat", {"json": {"text": NUL}}
    yield "POST", "page/chat", {"data": {"text": NUL}}
    yield "POST", "api/actions", {"json": {"action": {"type": "pass"}, "head": 0, "key": NUL}}
    yield "GET", "/api/games/a%00b", {}
    yield "GET", "api/state?fork=a%00b", {}
    yield "POST", "/api/session", {"json": {"name": NUL, "password": "x"}}
    yield "POST", "/sign-in", {"data": {"name": NUL, "password": "x"}}


@pytest.fixture
def ana(app: FastAPI) -> TestClient:
    client = browser(app, "Ana")
    client.headers["X-CSRF-Token"] = client.get("/api/session").json()["csrf"]
    return client


def test_odd_input_is_refused(ana: TestClient) -> None:
    game = table(ana)["id"]
    places = {"api": f"/api/games/{game}", "page": f"/table/{game}"}
    for method, address, more in _requests():
        first = re.split("[/?]", address)[0]
        response = ana.request(method, places.get(first, first) + address[len(first) :], **more)
        assert 400 <= response.status_code < 500, (method, address, more, response.text[:300])


def test_an_odd_event_id_is_ignored(app: FastAPI, database: str) -> None:
    if not database.startswith("sqlite"):
        pytest.skip("the database does not matter")
    with serving(app) as address:
        client = browser(app, "Ana")
        game = table(client)["id"]
        odd = {b"Last-Event-ID": "²".encode("latin-1")}
        with httpx.stream(
            "GET", f"{address}/api/games/{game}/live", headers=odd, timeout=60
        ) as live:
            assert live.status_code == 200


def test_methods_that_are_allowed_are_named(ana: TestClient) -> None:
    response = ana.put("/api/games")
    assert response.status_code == 405
    assert set(response.headers["Allow"].split(", ")) & {"GET", "POST"}
    assert ana.put("/new").headers["Allow"] == "POST"


def test_an_unforeseen_error_is_a_page(
    ana: TestClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(app.state.games, "invitation", fail)
    page = ana.get("/join/x")
    assert page.status_code == 500
    assert page.headers["Content-Type"].startswith("text/html")
    assert "secret" not in page.text
    assert "<h1>" in page.text
    answer = ana.get("/api/invitations/x")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "broken")


def test_errors_are_described(ana: TestClient) -> None:
    paths = ana.get("/api/openapi.json").json()["paths"]
    responses = paths["/api/games"]["get"]["responses"]
    assert {"500", "503", "429"} <= set(responses)


def test_only_answers_with_a_body_are_described_as_json(ana: TestClient) -> None:
    """What an operation answers without a body was described as JSON of any kind."""
    paths = ana.get("/api/openapi.json").json()["paths"]
    answers = ana.post("/api/recovery", json={"account": "nobody"})
    assert (answers.status_code, answers.content) == (202, b"")
    assert "content" not in paths["/api/recovery"]["post"]["responses"]["202"]
