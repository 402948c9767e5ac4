"""Mails: stored with what causes them, and sent once by a real SMTP server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from carril.service import clock
from carril.service.errors import BadRequest
from carril.service.games import Games
from carril.service.notifications.mail import clean_address, enqueue
from carril.service.store.outbox import begin_attempt, due_messages, outbox
from tests.service.conftest import OpenGames
from tests.service.smtp_server import Mailbox, smtp_server
from tests.service.table import until


@pytest.fixture
def box() -> Iterator[Mailbox]:
    """A mailbox behind an SMTP server."""
    with smtp_server() as made:
        yield made


def _status(games: Games) -> list[tuple[str, int]]:
    with games.reading() as reader:
        rows = reader.connection.execute(select(outbox.c.status, outbox.c.attempts))
        return [(row.status, row.attempts) for row in rows]


def _enqueue(games: Games, key: str = "") -> bool:
    with games.store.writing() as reader:
        return enqueue(
            reader.connection, "ana@example.org", "Your turn", "Büy something.", "/t/1", key=key
        )


def _open(open_games: OpenGames, box: Mailbox) -> Games:
    known = box.settings(public_url="https://carril.example.org/")
    names = ("smtp_host", "smtp_port", "smtp_security", "public_url")
    return open_games(**{name: getattr(known, name) for name in names})


def test_a_mail_is_sent_with_its_link(open_games: OpenGames, box: Mailbox) -> None:
    games = _open(open_games, box)
    _enqueue(games)
    until(lambda: _status(games) == [("sent", 1)])
    (mail,) = box.to("ana@example.org")
    assert mail["Subject"] == "Your turn"
    text = mail.get_content()
    assert "Büy something." in text
    assert "https://carril.example.org/t/1" in text


def test_a_mail_with_a_known_key_is_not_stored_again(open_games: OpenGames, box: Mailbox) -> None:
    games = _open(open_games, box)
    assert _enqueue(games, "once")
    assert not _enqueue(games, "once")
    until(lambda: _status(games) == [("sent", 1)])
    assert len(box.mails) == 1


def test_what_is_rolled_back_is_not_sent(open_games: OpenGames, box: Mailbox) -> None:
    games = _open(open_games, box)

    def fail() -> None:
        with games.store.writing() as reader:
            enqueue(reader.connection, "ben@example.org", "No", "no", "/")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    _enqueue(games)
    until(lambda: _status(games) == [("sent", 1)])
    assert box.to("ben@example.org") == []


def test_of_two_processes_one_sends(open_games: OpenGames, box: Mailbox) -> None:
    one, other = _open(open_games, box), _open(open_games, box)
    for number in range(20):
        _enqueue((one, other)[number % 2], f"mail {number}")
    until(lambda: _status(one) == [("sent", 1)] * 20, 60)
    assert len({mail["Message-ID"] for mail in box.mails}) == len(box.mails) == 20


def test_an_attempt_is_made_by_one(open_games: OpenGames) -> None:
    """Whoever finds a message at the same time, one records the attempt."""
    games = open_games(notify=False)
    _enqueue(games)
    with games.reading() as reader:
        (number,) = due_messages(reader.connection, 5)
    taken = []

    def take() -> None:
        with games.store.writing() as reader:
            taken.append(begin_attempt(reader.connection, number))

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([one for one in taken if one]) == 1


def test_a_mail_is_tried_again_later_and_longer_each_time(
    open_games: OpenGames, box: Mailbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "clock"
    monkeypatch.setenv(clock.FILE, str(file))
    refusals = iter(["451 try later", "421 busy"])
    box.answer = lambda _: next(refusals, "250 OK")
    games = _open(open_games, box)
    _enqueue(games)
    until(lambda: _status(games) == [("waiting", 1)])
    file.write_text("31")
    until(lambda: _status(games) == [("waiting", 2)])
    file.write_text("91")  # 60 seconds later: too early
    with games.reading() as reader:
        due = reader.connection.execute(select(outbox.c.due)).scalar_one()
    assert clock.now() < due < clock.now() + timedelta(seconds=120)
    file.write_text("200")
    until(lambda: _status(games) == [("sent", 3)])
    assert len(box.mails) == 1


def test_a_mail_that_is_refused_for_good_is_given_up(open_games: OpenGames, box: Mailbox) -> None:
    box.answer = lambda _: "550 no such user"
    games = _open(open_games, box)
    _enqueue(games)
    until(lambda: _status(games) == [("failed", 1)])


def test_without_a_server_no_mail_waits(games: Games) -> None:
    _enqueue(games)
    until(lambda: _status(games) == [("dropped", 1)])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ana",
        "ana@",
        "@b.org",
        "ana@b",
        "a b@c.org",
        "a@b.org\nBcc: c@d.org",
        "a@b.org,c@d.org",
        "<a@b.org>",
        "x" * 260 + "@b.org",
        "añ@b.org",
    ],
)
def test_what_is_not_an_address_is_refused(text: str) -> None:
    with pytest.raises(BadRequest):
        clean_address(text)
