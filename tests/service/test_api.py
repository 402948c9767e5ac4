"""The API, as a browser and as a program use it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from carril.service import api_models as models
from carril.service import api_undo_models as undo_models
from carril.service.app import make_api
from carril.service.settings import Rate, Settings
from tests.service.table import BOT, until

PLENTY = Rate(10_000, 10_000)
OPEN = Settings(database="sqlite://", sign_ins=PLENTY, actions=PLENTY, imports=PLENTY)


@pytest.fixture
def app(database: str) -> Iterator[FastAPI]:
    made = make_api(Settings(database=database, sign_ins=PLENTY, actions=PLENTY, imports=PLENTY))
    yield made
    made.state.games.close()


@pytest.fixture
def lone() -> Iterator[FastAPI]:
    """A service where the database does not matter."""
    made = make_api(OPEN)
    yield made
    made.state.games.close()


def browser(app: FastAPI, name: str = "", csrf: bool = True) -> TestClient:
    """A browser, signed in under a new name."""
    client = TestClient(app, headers={"Host": "testserver"})
    if name:
        made = client.post("/api/accounts", json={"name": name, "password": "long enough"})
        assert made.status_code == 201
        if csrf:
            client.headers["X-CSRF-Token"] = made.json()["csrf"]
    return client


def table(client: TestClient, *seats: dict[str, str], **more: Any) -> dict[str, Any]:
    chosen = list(seats) or [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]
    made = client.post("/api/games", json={"title": "18EU", "seats": chosen, "seed": 3, **more})
    assert made.status_code == 201, made.text
    models.GameModel.model_validate(made.json(), strict=False)
    return dict(made.json())


def act(client: TestClient, game: str, **more: Any) -> Any:
    """Take the first option."""
    fork = {"fork": more["fork"]} if "fork" in more else {}
    offered = client.get(f"/api/games/{game}/options", params=fork).json()
    body = {"action": offered["options"][0]["action"], "head": offered["head"]} | more
    return client.post(f"/api/games/{game}/actions", json=body)


def error(response: Any, status: int, code: str) -> dict[str, Any]:
    """Check that a response is an error of this kind, in the one shape that errors have."""
    assert response.status_code == status, response.text
    found = models.ErrorAnswer.model_validate(response.json()).error
    assert found.code == code, found
    assert found.message
    return found.model_dump()


def test_a_whole_flow(app: FastAPI) -> None:
    ana = browser(app, "Ana")
    titles = ana.get("/api/titles").json()
    found = {one["name"]: models.TitleModel.model_validate(one) for one in titles}
    assert [one.players for one in found["18EU"].setups] == found["18EU"].players
    game = table(ana)["id"]
    url = f"/api/games/{game}"
    first = models.StateModel.model_validate(ana.get(f"{url}/state").json())
    assert (first.at, first.head, first.acting in ("Ana", "Zoe")) == (0, 0, True)
    assert first.step
    assert first.step.sentence
    assert first.state["bank"] > 0
    options = models.OptionsModel.model_validate(ana.get(f"{url}/options").json())
    assert options.options[0].kind == "choose"
    for number in range(1, 7):
        done = act(ana, game)
        assert models.ActedModel.model_validate(done.json()).head == number
    entries = [models.EntryModel.model_validate(one) for one in ana.get(f"{url}/log").json()]
    assert [one.number for one in entries] == [1, 2, 3, 4, 5, 6]
    assert all(one.sentences for one in entries)
    assert ana.get(f"{url}/state", params={"at": 3}).json()["at"] == 3
    points = undo_models.UndonePointsModel.model_validate(ana.get(f"{url}/undo").json())
    assert (points.step, points.at_once) == (5, True)
    assert ana.post(f"{url}/undo", json={"to": 5}).json()["head"] == 5
    points = undo_models.UndonePointsModel.model_validate(ana.get(f"{url}/undo").json())
    assert points.redo
    series = points.redo.version
    assert ana.post(f"{url}/redo", json={"series": series}).json()["head"] == 6
    error(ana.post(f"{url}/redo", json={"series": series}), 409, "stale")
    assert ana.post(f"{url}/undo", json={"to": 5}).json()["head"] == 5
    changes = [undo_models.ChangeModel.model_validate(x) for x in ana.get(f"{url}/undone").json()]
    assert [(one.kind, one.fits) for one in changes] == [
        ("undo", True),
        ("redo", False),
        ("undo", False),
    ]
    listed = [models.GameModel.model_validate(one) for one in ana.get("/api/games").json()]
    assert [(one.id, one.head) for one in listed] == [(game, 5)]
    assert ana.get(f"{url}/verify").json()["problems"] == []


def test_options_with_amounts_are_ranges(lone: FastAPI) -> None:
    ana = browser(lone, "Ana")
    game = table(ana)["id"]
    act(ana, game)
    offered = ana.get(f"/api/games/{game}/options").json()
    options = models.OptionsModel.model_validate(offered).options
    spread = next(one for one in options if one.range)
    assert spread.range
    assert spread.action[spread.range.field] == spread.range.least <= spread.range.most
    body = {"action": spread.action | {spread.range.field: spread.range.most}}
    why = ana.post(f"/api/games/{game}/why", json=body)
    assert why.json() == {"refusal": None}
    body["action"][spread.range.field] = spread.range.most + spread.range.step
    why = ana.post(f"/api/games/{game}/why", json=body)
    refusal = models.WhyModel.model_validate(why.json()).refusal
    assert refusal
    assert refusal.rule.startswith("EU-")
    refused = error(
        ana.post(f"/api/games/{game}/actions", json=body | {"head": 1}), 422, refusal.code
    )
    assert refused == refusal.model_dump()


def test_states_are_not_sent_twice(lone: FastAPI) -> None:
    ana = browser(lone, "Ana")
    game = table(ana)["id"]
    first = ana.get(f"/api/games/{game}/state")
    tagged = {"If-None-Match": first.headers["ETag"]}
    assert ana.get(f"/api/games/{game}/state", headers=tagged).status_code == 304
    act(ana, game)
    assert ana.get(f"/api/games/{game}/state", headers=tagged).status_code == 200


def test_two_people_with_an_invitation_and_consent(app: FastAPI) -> None:
    ana, ben = browser(app, "Ana"), browser(app, "Ben")
    made = table(ana, {"kind": "me"}, {"kind": "person", "name": "Second"})
    game, token = made["id"], made["seats"][1]["invitation"]
    invited = models.InvitationModel.model_validate(ben.get(f"/api/invitations/{token}").json())
    assert (invited.game, invited.player, invited.taken) == (game, "Second", False)
    assert ben.post(f"/api/invitations/{token}", json={}).status_code == 200
    seats = {"Ana": ana, "Second": ben}
    for _ in range(2):
        acting = seats[ana.get(f"/api/games/{game}").json()["acting"]]
        other = ben if acting is ana else ana
        error(act(other, game), 403, "not-your-seat")
        assert act(acting, game).status_code == 200
    asked = ana.post(f"/api/games/{game}/undo", json={"to": 0}).json()
    request = undo_models.UndoneModel.model_validate(asked).request
    assert request
    url = f"/api/games/{game}/undo/{request.id}"
    error(ana.post(url, json={"accept": True}), 403, "forbidden")
    assert ben.post(url, json={"accept": True}).json()["head"] == 0
    assert ana.post(f"/api/games/{game}/chat", json={"text": "Again!"}).status_code == 201
    said = models.RemarkModel.model_validate(ben.get(f"/api/games/{game}/chat").json()[0])
    assert (said.by, said.text) == ("Ana", "Again!")
    error(browser(app).get(f"/api/games/{game}/nothing"), 404, "not-found")


def test_a_guest_follows_a_link(app: FastAPI) -> None:
    ana, guest, late = browser(app, "Ana"), browser(app), browser(app)
    made = table(ana, {"kind": "me"}, {"kind": "person"})
    token = made["seats"][1]["invitation"]
    joined = guest.post(f"/api/invitations/{token}", json={"name": "Cleo"})
    assert joined.json()["seats"][1]["user_name"] == "Cleo"
    cookie = joined.headers["Set-Cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    session = guest.get("/api/session").json()
    assert session["user"]["guest"]
    guest.headers["X-CSRF-Token"] = session["csrf"]
    player = {"Ana": ana, "Guest 2": guest}[joined.json()["acting"]]
    assert act(player, made["id"]).status_code == 200
    error(late.post(f"/api/invitations/{token}", json={}), 409, "taken")
    error(guest.post("/api/tokens", json={}), 403, "forbidden")


def test_stale_and_repeated_requests(lone: FastAPI) -> None:
    ana = browser(lone, "Ana")
    game = table(ana)["id"]
    assert not act(ana, game, key="k1").json()["repeated"]
    action = ana.get(f"/api/games/{game}/log").json()[0]["action"]
    repeated = act(ana, game, action=action, head=0, key="k1").json()
    assert (repeated["repeated"], repeated["head"]) == (True, 1)
    found = error(act(ana, game, head=0), 409, "stale")
    assert found["facts"]["head"] == 1
    assert ana.get(f"/api/games/{game}").json()["version"] == 1


def test_forks(lone: FastAPI) -> None:
    ana = browser(lone, "Ana")
    game = table(ana)["id"]
    url = f"/api/games/{game}"
    act(ana, game)
    made = models.ForkModel.model_validate(ana.post(f"{url}/forks", json={"at": 0}).json())
    assert act(ana, game, fork=made.id).json()["head"] == 1
    assert act(ana, game, fork=made.id).json()["head"] == 2
    assert len(ana.get(f"{url}/forks").json()) == 1
    other = browser(lone, "Ben")
    error(other.get(f"{url}/state", params={"fork": made.id}), 404, "not-found")
    assert ana.post(f"{url}/forks/{made.id}/keep").json()["head"] == 2
    thrown = ana.post(f"{url}/forks", json={"at": 1}).json()["id"]
    assert ana.delete(f"{url}/forks/{thrown}").status_code == 204
    assert ana.get(f"{url}/forks").json() == []
    error(ana.post(f"{url}/forks", json={"at": 99}), 404, "not-found")


def test_files(lone: FastAPI) -> None:
    ana = browser(lone, "Ana")
    game = table(ana)["id"]
    for _ in range(4):
        act(ana, game)
    saved = ana.get(f"/api/games/{game}/save")
    assert "attachment" in saved.headers["Content-Disposition"]
    files = {"file": ("../saved.json", saved.content)}
    made = ana.post("/api/import", files=files)
    assert (made.status_code, made.json()["name"], made.json()["head"]) == (201, "saved.json", 4)
    error(act(ana, made.json()["id"]), 403, "read-only")
    error(ana.post("/api/import", files={"file": ("x", b"{")}), 422, "bad-file")
    error(ana.post("/api/import", json={}), 422, "bad-request")
    error(ana.post("/api/import", files={"file": ("x", b" " * (5 << 20))}), 413, "too-large")
    assert len(ana.get("/api/games").json()) == 2


def test_bots_answer(lone: FastAPI) -> None:
    ana = browser(lone, "Ana")
    bot = {"kind": "bot", "bot": BOT}
    game = table(ana, {"kind": "me"}, bot, bot)["id"]
    until(lambda: ana.get(f"/api/games/{game}").json()["acting"] == "Ana")
    assert act(ana, game).status_code == 200


# --- bad requests --------------------------------------------------------------------------


def _too_long() -> Iterator[bytes]:
    for _ in range(200):
        yield b" " * 1024


@pytest.mark.parametrize(
    ("send", "status", "code"),
    [
        (lambda c, u: c.post(f"{u}/actions", json={"action": {"type": "fly"}, "head": 0}), 400, ""),
        (lambda c, u: c.post(f"{u}/actions", json={"action": {}, "head": 0}), 400, ""),
        (lambda c, u: c.post(f"{u}/actions", json={"action": [], "head": 0}), 422, ""),
        (lambda c, u: c.post(f"{u}/actions", json={"action": {"type": "pass"}}), 422, ""),
        (lambda c, u: c.post(f"{u}/actions", content=b"{"), 422, ""),
        (lambda c, u: c.post(f"{u}/actions", content=b"\xff\xff"), 422, ""),
        (lambda c, u: c.post(f"{u}/actions", content=b" " * 70_000), 413, "too-large"),
        (lambda c, u: c.post(f"{u}/actions", content=_too_long()), 413, "too-large"),
        (lambda c, u: c.post(f"{u}/undo", json={"to": 0}), 409, "stale"),
        (lambda c, u: c.post(f"{u}/undo", json={"to": -1}), 422, ""),
        (lambda c, u: c.post(f"{u}/undo/7", json={"accept": True}), 404, "not-found"),
        (lambda c, u: c.post(f"{u}/chat", json={"text": " "}), 400, ""),
        (lambda c, u: c.post(f"{u}/chat", json={"text": "x", "more": 1}), 422, ""),
        (lambda c, u: c.get(f"{u}/state?at=5"), 404, "not-found"),
        (lambda c, u: c.get(f"{u}/state?at=x"), 422, ""),
        (lambda c, u: c.get("/api/games/none/state"), 404, "not-found"),
        (lambda c, u: c.get("/api/games/none/live"), 404, "not-found"),
        (lambda c, u: c.get("/api/invitations/none"), 404, "not-found"),
        (lambda c, u: c.get("/api/titles/none/rules"), 404, "not-found"),
        (lambda c, u: c.get("/api/titles/18EU/rules?rule=EU-0"), 404, "not-found"),
        (lambda c, u: c.put("/api/games"), 405, "not-allowed"),
        (lambda c, u: c.post("/api/games", json={"title": "x", "seats": []}), 422, ""),
        (
            lambda c, u: c.post("/api/games", json={"title": "x", "seats": [{"kind": "me"}]}),
            400,
            "",
        ),
        (
            lambda c, u: c.post("/api/accounts", json={"name": "ANA", "password": "long enough"}),
            409,
            "taken",
        ),
        (lambda c, u: c.post("/api/accounts", json={"name": "Bo", "password": "short"}), 400, ""),
        (
            lambda c, u: c.post("/api/accounts", json={"name": " ", "password": "long enough"}),
            400,
            "",
        ),
    ],
)
def test_bad_requests_change_nothing(
    lone: FastAPI,
    caplog: pytest.LogCaptureFixture,
    send: Callable[[TestClient, str], Any],
    status: int,
    code: str,
) -> None:
    ana = browser(lone, "Ana")
    game = table(ana)["id"]
    with caplog.at_level(logging.WARNING, "carril.service"):
        error(send(ana, f"/api/games/{game}"), status, code or "bad-request")
    assert ana.get(f"/api/games/{game}").json()["version"] == 0
    assert any(str(status) in one.getMessage() for one in caplog.records)


def test_signing_in_and_out(lone: FastAPI) -> None:
    browser(lone, "Ana")
    client = browser(lone)
    error(client.get("/api/games"), 401, "not-signed-in")
    wrong = {"name": "Ana", "password": "not this one"}
    error(client.post("/api/session", json=wrong), 401, "not-signed-in")
    error(client.post("/api/session", json=wrong | {"name": "Eve"}), 401, "not-signed-in")
    right = {"name": " ana ", "password": "long enough"}
    csrf = client.post("/api/session", json=right).json()["csrf"]
    assert client.get("/api/games").status_code == 200
    gone = client.delete("/api/session", headers={"X-CSRF-Token": csrf})
    assert gone.status_code == 204
    error(client.get("/api/games"), 401, "not-signed-in")


def test_changes_must_come_from_our_own_page(lone: FastAPI) -> None:
    ana = browser(lone, "Ana", csrf=False)
    seats = [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]
    new = {"title": "18EU", "seats": seats}
    error(ana.post("/api/games", json=new), 403, "csrf")
    error(ana.post("/api/games", json=new, headers={"X-CSRF-Token": "x"}), 403, "csrf")
    token = ana.get("/api/session").json()["csrf"]
    right = {"X-CSRF-Token": token}
    elsewhere = right | {"Origin": "https://elsewhere.example"}
    error(ana.post("/api/games", json=new, headers=elsewhere), 403, "csrf")
    error(
        ana.post("/api/games", json=new, headers=right | {"Sec-Fetch-Site": "cross-site"}),
        403,
        "csrf",
    )
    assert ana.get("/api/games").json() == []
    here = right | {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    assert ana.post("/api/games", json=new, headers=here).status_code == 201


def test_a_program_needs_no_page(lone: FastAPI) -> None:
    ana = browser(lone, "Ana")
    token = ana.post("/api/tokens", json={"label": "bot"}).json()["token"]
    program = TestClient(lone, headers={"Authorization": f"Bearer {token}"})
    game = table(program)["id"]
    assert act(program, game).status_code == 200
    stranger = TestClient(lone, headers={"Authorization": "Bearer nothing"})
    error(stranger.get("/api/games"), 401, "not-signed-in")
    assert stranger.get("/api/games").headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("limit", "send"),
    [
        ("sign_ins", lambda c: c.post("/api/session", json={"name": "A", "password": "b"})),
        ("actions", lambda c: c.post("/api/games", json={"title": "", "seats": [{"kind": "me"}]})),
        ("imports", lambda c: c.post("/api/import", files={"file": ("x", b"{")})),
        ("reads", lambda c: c.get("/api/games")),
    ],
)
def test_limits(limit: str, send: Callable[[TestClient], Any]) -> None:
    rates: dict[str, Any] = {"sign_ins": PLENTY, "actions": PLENTY, "imports": PLENTY} | {
        limit: Rate(3, 1)
    }
    app = make_api(Settings(database="sqlite://", **rates))
    client = browser(app, "Ana")
    codes = [send(client).status_code for _ in range(4)]
    assert codes[0] != 429
    assert codes[-1] == 429
    error(send(client), 429, "too-many")
    app.state.games.close()


def test_a_mistake_of_ours_is_told_and_logged(
    lone: FastAPI, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(lone.state.games, "info", fail)
    client = TestClient(lone, raise_server_exceptions=False)
    response = client.get("/api/games/x")
    error(response, 500, "broken")
    assert "secret" not in response.text
    assert "secret" in caplog.text


def test_headers(lone: FastAPI) -> None:
    for path in ("/api/titles", "/api/nothing", "/nothing"):
        headers = browser(lone).get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_the_api_is_described(lone: FastAPI) -> None:
    described = browser(lone).get("/api/openapi.json").json()
    paths = described["paths"]
    for path in ("state", "options", "why", "actions", "undo", "forks", "log", "chat", "live"):
        assert f"/api/games/{{game}}/{path}" in paths
    assert "ActBody" in described["components"]["schemas"]
    kinds = browser(lone).get("/api/actions").json()
    assert "bid" in kinds["discriminator"]["mapping"]


def test_rules_are_told(lone: FastAPI) -> None:
    client = browser(lone)
    found = client.get("/api/titles/18EU/rules", params={"search": "pullman"}).json()
    assert found
    assert all("pullman" in models.RuleModel.model_validate(one).text.lower() for one in found)
    one = client.get("/api/titles/18EU/rules", params={"rule": "EU-1.1-b"}).json()
    assert [rule["id"] for rule in one] == ["EU-1.1-b"]
