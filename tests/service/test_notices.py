"""Messages to people: once for each turn, in the ways and at the times they chose."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator

import pytest
from sqlalchemy import select, update

from carril.service.accounts import Accounts
from carril.service.errors import BadRequest, NotFound
from carril.service.games import Games
from carril.service.notifications.choices import (
    add_hook,
    add_push,
    push_private_key,
    set_notices,
    stop_mails,
    stop_token,
)
from carril.service.notifications.safe_post import Forbidden, check_address, post
from carril.service.notifications.web_push import public_key, unb64
from carril.service.store.notices import Notices, notices_of
from carril.service.store.outbox import outbox
from carril.service.store.tables import users
from carril.service.values import User
from tests.service.clocked import MovedClock, moved
from tests.service.conftest import OpenGames
from tests.service.receivers import Browser, Receiver, receiver
from tests.service.smtp_server import Mailbox, smtp_server
from tests.service.table import shared_table, step, until

__all__ = ["moved"]


@pytest.fixture
def box() -> Iterator[Mailbox]:
    """A mailbox behind an SMTP server."""
    with smtp_server() as made:
        yield made


@pytest.fixture
def hooked() -> Iterator[Receiver]:
    """A receiver of web-hooks and push messages."""
    with receiver() as made:
        yield made


@pytest.fixture
def games(open_games: OpenGames, moved: MovedClock, box: Mailbox) -> Games:
    """Games that send to the local receivers."""
    return open_games(
        bots=False,
        smtp_host="127.0.0.1",
        smtp_port=box.port,
        smtp_security="none",
        public_url="https://carril.example.org",
        private_hooks=True,
    )


@pytest.fixture
def two(games: Games) -> tuple[User, User]:
    """Ana and Ben, who have confirmed addresses and hear at once."""
    known = Accounts(games.store)
    found = known.guest("Ana"), known.guest("Ben")
    for user in found:
        set_notices(games.store, user, Notices(delay=0))
        with games.store.writing() as reader:
            chosen = update(users).where(users.c.id == user.id)
            reader.connection.execute(chosen.values(email=f"{user.name}@example.org".lower()))
    return found


def _play(games: Games, two: tuple[User, User], count: int) -> str:
    """Play some turns at a new table, and return it."""
    game = shared_table(games, *two).id
    for _ in range(count + 1):  # the first two actions are one turn
        _act(games, game, two)
    return game


def _act(games: Games, game: str, two: tuple[User, User]) -> None:
    step(games, game, two[0] if games.info(game).acting == "Ana" else two[1])


def _settled(games: Games) -> bool:
    with games.reading() as reader:
        query = select(outbox.c.id).where(outbox.c.status.in_(("waiting", "sending")))
        return reader.connection.execute(query).first() is None


def _waiting(games: Games) -> int:
    with games.reading() as reader:
        query = select(outbox.c.id).where(outbox.c.status == "waiting", outbox.c.channel != "turn")
        return len(reader.connection.execute(query).all())


def test_each_turn_is_told_once_by_mail(games: Games, two: tuple[User, User], box: Mailbox) -> None:
    game = shared_table(games, *two).id
    step(games, game, two[0])
    for number in range(3):
        _act(games, game, two)
        until(lambda n=number: len(box.mails) == n + 1, 30)  # type: ignore[misc]
    until(lambda: _settled(games), 30)
    assert [mail["To"] for mail in box.mails] == [
        "ben@example.org",
        "ana@example.org",
        "ben@example.org",
    ]
    assert len({mail["Message-ID"] for mail in box.mails}) == 3
    text = box.mails[0].get_content()
    assert f"https://carril.example.org/table/{game}#sentence" in text
    assert "https://carril.example.org/mails/stop/" in text
    assert box.mails[0]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_whoever_acts_at_once_hears_nothing(
    games: Games, two: tuple[User, User], box: Mailbox, moved: MovedClock
) -> None:
    set_notices(games.store, two[1], Notices(delay=60))
    game = _play(games, two, 1)
    until(lambda: _waiting(games) == 1, 30)
    _act(games, game, two)  # by Ben, before the message is due
    moved.move(minutes=2)
    until(lambda: _settled(games), 30)
    assert [mail["To"] for mail in box.mails] == ["ana@example.org"]


def test_quiet_hours_delay_a_message(
    games: Games, two: tuple[User, User], box: Mailbox, moved: MovedClock
) -> None:
    set_notices(games.store, two[1], Notices(delay=0, quiet_from=11, quiet_to=14))
    _play(games, two, 1)  # at noon
    until(lambda: _waiting(games) == 1, 30)
    moved.move(hours=1, minutes=59)
    assert box.mails == []
    moved.move(minutes=2)
    until(lambda: len(box.mails) == 1, 30)


def test_a_digest_lists_the_tables_that_wait(
    games: Games, two: tuple[User, User], box: Mailbox, moved: MovedClock
) -> None:
    set_notices(games.store, two[1], Notices(mails="digest", digest_hour=8))
    made = [_play(games, two, 1) for _ in range(3)]
    until(lambda: _waiting(games) == 1, 30)
    moved.move(hours=21)
    until(lambda: len(box.mails) == 1, 30)
    assert box.mails[0]["Subject"] == "3 tables wait for you"
    text = box.mails[0].get_content()
    assert all(f"https://carril.example.org/table/{game}" in text for game in made)


def test_mails_end_by_their_link(games: Games, two: tuple[User, User], box: Mailbox) -> None:
    stop_mails(games.store, stop_token(games.store, two[1].id))
    with games.reading() as reader:
        assert notices_of(reader.connection, two[1].id).mails == "off"
    _play(games, two, 1)
    until(lambda: _settled(games), 30)
    assert box.mails == []
    with pytest.raises(NotFound):
        stop_mails(games.store, f"{two[0].id}.{'0' * 40}")


def test_web_hooks_are_signed(games: Games, two: tuple[User, User], hooked: Receiver) -> None:
    made = add_hook(games.store, two[1], "json", f"{hooked.url}/json", None)
    add_hook(games.store, two[1], "discord", f"{hooked.url}/discord", None)
    add_hook(games.store, two[1], "slack", f"{hooked.url}/slack", None)
    game = _play(games, two, 1)
    until(lambda: len(hooked.got) == 3 and _settled(games), 30)
    got = {one.path: one for one in hooked.got}
    signed = got["/json"]
    text = signed.headers["X-Carril-Timestamp"].encode() + b"." + signed.body
    expected = hmac.new(made.secret.encode(), text, hashlib.sha256).hexdigest()
    assert signed.headers["X-Carril-Signature"] == f"sha256={expected}"
    body = json.loads(signed.body)
    assert (body["game"], body["player"]) == (game, "Second")
    assert body["link"] == f"https://carril.example.org/table/{game}#sentence"
    assert game in json.loads(got["/discord"].body)["content"]
    assert game in json.loads(got["/slack"].body)["text"]


def test_a_web_hook_of_a_table_hears_all_turns(
    games: Games, two: tuple[User, User], hooked: Receiver
) -> None:
    game = shared_table(games, *two).id
    add_hook(games.store, two[0], "slack", f"{hooked.url}/table", game)
    step(games, game, two[0])
    for number in range(3):
        _act(games, game, two)
        until(lambda n=number: len(hooked.got) == n + 1, 30)  # type: ignore[misc]


def test_a_failing_web_hook_is_tried_again_with_the_same_key(
    games: Games, two: tuple[User, User], hooked: Receiver, moved: MovedClock
) -> None:
    answers = iter([500, 302])
    hooked.answer = lambda _: next(answers, 204)
    add_hook(games.store, two[1], "json", f"{hooked.url}/json", None)
    _play(games, two, 1)
    until(lambda: len(hooked.got) == 1 and _waiting(games) == 1, 30)
    moved.move(minutes=1)
    until(lambda: len(hooked.got) == 2 and _settled(games), 30)  # a redirect is not followed
    assert len({one.headers["Idempotency-Key"] for one in hooked.got}) == 1


def test_a_browser_can_read_its_push_message(
    games: Games, two: tuple[User, User], hooked: Receiver
) -> None:
    browser = Browser()
    add_push(games.store, two[1], f"{hooked.url}/push", browser.key, browser.auth)
    game = _play(games, two, 1)
    until(lambda: len(hooked.got) == 1, 30)
    (got,) = hooked.got
    said = json.loads(browser.read(got.body))
    assert said["link"] == f"/table/{game}#sentence"
    token, key = got.headers["Authorization"].removeprefix("vapid t=").split(", k=")
    assert key == public_key(push_private_key(games.store))
    claims = json.loads(unb64(token.split(".")[1]))
    assert claims["aud"] == hooked.url


def test_a_browser_that_is_gone_is_forgotten(
    games: Games, two: tuple[User, User], hooked: Receiver
) -> None:
    hooked.answer = lambda _: 410
    browser = Browser()
    add_push(games.store, two[1], f"{hooked.url}/push", browser.key, browser.auth)
    game = _play(games, two, 1)
    until(lambda: len(hooked.got) == 1 and _settled(games), 30)
    _act(games, game, two)
    _act(games, game, two)
    until(lambda: _settled(games), 30)
    assert len(hooked.got) == 1


# --- addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest",
        "https://[::ffff:127.0.0.1]/",
        "https://user@example.org/",
        "ftp://example.org/",
        "https:///path",
        "https://example.org:99999/",
    ],
)
def test_addresses_inside_are_refused(url: str) -> None:
    with pytest.raises(BadRequest):
        check_address(url)


def test_names_that_lead_inside_are_refused() -> None:
    with pytest.raises(Forbidden):
        post("https://localhost/", b"", {})
    with pytest.raises(Forbidden):
        post("http://example.org/", b"", {})


@pytest.mark.parametrize(
    "chosen",
    [
        Notices(zone="Nowhere"),
        Notices(zone="../etc/passwd"),
        Notices(digest_hour=24),
        Notices(quiet_from=3),
        Notices(delay=-1),
    ],
)
def test_impossible_choices_are_refused(kept: Games, chosen: Notices) -> None:
    user = Accounts(kept.store).guest("Ana")
    with pytest.raises(BadRequest):
        set_notices(kept.store, user, chosen)
