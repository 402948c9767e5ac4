"""The siege itself: it notices every loss, and overload alone is not reported as one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.loops import run
from tests.service.receivers import Received, Receiver
from tests.service.siege import people, weeks
from tests.service.siege.clock import Clock
from tests.service.siege.fuzz import Findings
from tests.service.siege.hostile import Report
from tests.service.siege.people import Acknowledged, GaveUpError, Person
from tests.service.siege.record import Record
from tests.service.siege.weeks import Absent, Correspondents, Hooks

Handler = Callable[[httpx.Request], httpx.Response]


def _person(handler: Handler) -> Person:
    client = httpx.AsyncClient(transport=httpx.MockTransport(handler))
    person = Person("Ana", "198.51.100.1", lambda: "http://table", game="g", client=client)
    person.told = [Acknowledged(number, {"type": "bid", "amount": number}) for number in (1, 2)]
    person.remarks = ["hello"]
    return person


def _stored(
    log: list[Any], chat: list[str] | None = None, problems: tuple[str, ...] = ()
) -> Handler:
    answers = {
        "log": [
            {"number": number, "by": "Ana", "action": {"type": "bid", "amount": amount}}
            for number, amount in log
        ],
        "chat": [{"text": text} for text in (["hello"] if chat is None else chat)],
        "verify": {"problems": problems},
    }

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=json.dumps(answers[request.url.path.split("/")[-1]]))

    return answer


WHOLE = [(1, 1), (2, 2)]


def test_what_is_all_there_is_not_lost() -> None:
    assert run(_person(_stored(WHOLE)).lost()) == []


@pytest.mark.parametrize(
    "stored",
    [
        _stored(WHOLE[:1]),  # the last action is gone
        _stored([(1, 1), (2, 3)]),  # another action is there
        _stored([*WHOLE, (3, 2)]),  # one was done twice
        _stored([*WHOLE, (2, 2)]),  # one is there twice
        _stored(WHOLE, chat=[]),  # a remark is gone
        _stored(WHOLE, problems=("record 2 has the wrong hash",)),
    ],
)
def test_every_loss_is_noticed(stored: Handler) -> None:
    assert run(_person(stored).lost())


def test_who_meets_a_dead_process_tries_again_until_it_is_back() -> None:
    """A restart took longer than people waited: all of them were counted as losses."""
    tried: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        tried.append(request.url.path)
        if len(tried) == 1:
            raise httpx.ConnectError("refused")
        if len(tried) == 2:
            raise httpx.ReadTimeout("no answer")
        return httpx.Response(503 if len(tried) == 3 else 200, json={})

    found = run(_person(answer).again("GET", "/api/ready"))
    assert (found.status_code, len(tried)) == (200, 4)


def test_giving_up_and_errors_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "PATIENCE", 0.0)

    def dead(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(GaveUpError):
        run(_person(dead).again("GET", "/api/ready"))
    with pytest.raises(AssertionError, match="500"):
        run(_person(lambda _: httpx.Response(500)).again("GET", "/api/ready"))


def test_time_while_the_program_was_stopped_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = [100.0]
    clock = Clock()
    monkeypatch.setattr("tests.service.siege.clock.time.monotonic", lambda: moment[0])
    clock.tick()
    before = clock.now()
    for step in (0.5, 240.0, 0.5):
        moment[0] += step
        clock.tick()
    assert clock.now() - before == pytest.approx(1.0)


def test_server_errors_and_slow_answers_are_findings() -> None:
    findings = Findings()
    for status, seconds in ((200, 0.1), (422, 4.9), (500, 0.1), (200, 5.1)):
        findings.note("GET /", status, seconds)
    assert len(findings.wrong) == 2
    assert findings.answers.total() == 4


# --- tables played over weeks --------------------------------------------------------------


def _hooks(*keys: str) -> Hooks:
    received = Receiver()
    received.got = [Received("/", {}, json.dumps({"key": key}).encode()) for key in keys]
    return Hooks(received)


def _two(acting: str, *actors: str) -> tuple[Person, Person]:
    """Ana and Ben at a table at which some have acted, and the messages of that table."""
    log = [{"number": n, "by": by} for n, by in enumerate(actors, 1)]
    events = "".join(
        f"id: {n}\nevent: {kind}\ndata: {json.dumps({'player': 'Ana'})}\n\n"
        for n, kind in enumerate(("time", "seat"), 1)
    )
    answers: dict[str, Any] = {"log": log, "options": {"acting": acting}, "state": {"heard": 2}}

    def answer(request: httpx.Request) -> httpx.Response:
        name = request.url.path.split("/")[-1]
        return httpx.Response(200, text=events if name == "live" else json.dumps(answers[name]))

    ana, ben = _person(answer), _person(answer)
    ben.name = "Ben"
    return ana, ben


TOLD = ("turn:g:1:hook:x", "turn:g:3:hook:y")


@pytest.mark.parametrize(
    ("keys", "wrong"),
    [
        (TOLD, 0),
        ((*TOLD, TOLD[0]), 0),  # sent again with the same key
        (TOLD[:1], 1),  # the last turn was told to nobody
        ((*TOLD, "turn:g:2:hook:y"), 1),  # Ben acted twice in one turn
    ],
)
def test_every_turn_is_told_once(
    keys: tuple[str, ...], wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weeks, "PATIENCE", 0.0)
    table = Correspondents(*_two("Ana", "Ana", "Ben", "Ben"), _hooks(*keys))
    assert len(run(table.lost())) == wrong


@pytest.mark.parametrize(
    ("late", "keys", "wrong"),
    [
        (True, ("time:g:1:hook:x",), 0),
        (True, (), 1),  # the message about the penalty is lost
        (True, ("time:g:1:hook:x", "time:g:2:hook:x"), 1),  # it was told twice
        (False, ("time:g:1:hook:x",), 1),  # nobody's time was over
    ],
)
def test_every_penalty_happens_once(
    late: bool, keys: tuple[str, ...], wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weeks, "PATIENCE", 0.0)
    table = Absent(*_two("Ben"), _hooks(*keys))
    table.game, table.late = "g", late
    assert len(run(table.lost())) == wrong


# --- figures -------------------------------------------------------------------------------


def test_a_siege_goes_on_where_the_last_run_stopped(tmp_path: Path) -> None:
    file = tmp_path / "record"
    first = Record(file)
    assert first.chunk("kills", 50, 7, 0.0).count == 50
    first.note("kills", 20, [], {"actions": 3, "restarts": [0.5], "answers": {"200": 1}})
    second = Record(file)
    chunk = second.chunk("kills", 50, 7, 0.0)
    assert (chunk.count, chunk.seed, chunk.over) == (30, 8, True)
    second.note("kills", 30, ["lost"], {"actions": 4, "restarts": [1.5], "answers": {"200": 2}})
    done = Record(file).parts["kills"]
    assert (done.count, done.wrong) == (50, ["lost"])
    assert done.figures == {"actions": 7, "restarts": [0.5, 1.5], "answers": {"200": 3}}
    assert "1 wrong" in str(done)


def test_a_report_names_every_promise_that_was_not_kept() -> None:
    kept = Report("pages", slowest=9.9, people=[0.2], memory=900 << 20)
    kept.answers.update({"200": 1, "503": 1})
    assert kept.wrong() == []
    broken = Report("pages", slowest=10.1, people=[0.3], memory=1100 << 20)
    broken.answers["500"] += 1
    assert len(broken.wrong()) == 4
