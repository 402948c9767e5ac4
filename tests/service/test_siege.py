"""The siege itself: it notices every loss, and overload alone is not reported as one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.loops import run
from tests.service.siege import people
from tests.service.siege.clock import Clock
from tests.service.siege.fuzz import Findings
from tests.service.siege.people import Acknowledged, GaveUpError, Person

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
