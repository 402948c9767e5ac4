"""Seats: bots that stand in or fail, leaving, removing somebody, rematch, private notes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

import carril.bots
from carril.bots import Decision, Dice
from carril.engine.state import State
from carril.service.accounts import Accounts
from carril.service.errors import BadRequest, Finished, Forbidden, NotYourSeat, Taken
from carril.service.games import Games
from carril.service.opponents import is_failure
from carril.service.people import notes
from carril.service.playing import play_bot, retire_bot
from carril.service.seats import changing, rematching
from carril.service.settings import Settings
from carril.service.values import NewGame, Proposal, Seat, User
from tests.service.table import first_action, shared_table, step

Two = tuple[User, User]


@pytest.fixture
def kept() -> Iterator[Games]:
    """Games in which bots act only when the test says so."""
    games = Games.open(settings=Settings(bots=False))
    yield games
    games.close()


@pytest.fixture
def two(kept: Games) -> Two:
    accounts = Accounts(kept.store)
    return accounts.guest("Ana"), accounts.guest("Ben")


def seat_of(games: Games, game: str, player: str) -> Any:
    return games.info(game).seat(player)


# --- bots in seats -------------------------------------------------------------------------


def test_a_bot_plays_a_seat_until_its_owner_takes_it_back(kept: Games, two: Two) -> None:
    ana, _ = two
    game = shared_table(kept, *two).id
    while kept.info(game).acting != "Ana":
        step(kept, game, two[1])
    changing.let_bot_play(kept.store, game, ana, "Ana", "random")
    assert seat_of(kept, game, "Ana").user == ana.id
    here = kept.position(game)
    with pytest.raises(NotYourSeat, match="Take the seat back"):
        kept.act(game, ana, first_action(here.state), here.head)
    play_bot(kept.store, game)
    assert kept.info(game).head == here.head + 1
    changing.let_bot_play(kept.store, game, ana, "Ana", "")
    with kept.reading() as reader:
        assert reader.line(game).bot == ""
    assert not play_bot(kept.store, game)
    if kept.info(game).acting == "Ana":
        step(kept, game, ana)
    assert kept.verify(game).problems == ()


def test_nobody_gives_the_seat_of_another_to_a_bot(kept: Games, two: Two) -> None:
    game = shared_table(kept, *two).id
    with pytest.raises(Forbidden):
        changing.let_bot_play(kept.store, game, two[0], "Second", "random")
    with pytest.raises(BadRequest):
        changing.let_bot_play(kept.store, game, two[0], "Ana", "nobody")


class Failing:
    """A bot that raises, hangs or answers nonsense."""

    def __init__(self, how: str) -> None:
        self.name = f"failing-{how}"

    def choose(self, state: State, dice: Dice) -> Decision:
        if self.name == "failing-raises":
            raise ValueError("out of ideas")
        end = time.monotonic() + 60
        while self.name == "failing-hangs" and time.monotonic() < end:
            pass
        return "nonsense"  # type: ignore[return-value]


@pytest.fixture(params=["raises", "hangs", "nonsense"])
def failing(request: pytest.FixtureRequest) -> Iterator[str]:
    bot = Failing(request.param)
    carril.bots.register_bot(bot)
    yield bot.name
    del carril.bots._BOTS[bot.name]


def test_a_failing_bot_loses_its_seat_and_the_game_goes_on(
    kept: Games, two: Two, failing: str
) -> None:
    seats = (Seat("bot", bot=failing), Seat("bot", bot="random"))
    game = kept.create(two[0], NewGame("18EU", seats, seed=3)).id
    for _ in range(6):
        play_bot(kept.store, game, 0.2)
    assert {seat.bot for seat in kept.info(game).seats} == {"random"}
    noted = [entry.reason for entry in kept.log(game) if is_failure(entry.reason)]
    assert len(noted) == 1
    assert f"Failure of the bot {failing}: " in noted[0]
    assert kept.info(game).head == 6


def test_a_bot_that_no_longer_exists_loses_its_seat(kept: Games, two: Two, failing: str) -> None:
    seats = (Seat("bot", bot=failing), Seat("bot", bot=failing))
    game = kept.create(two[0], NewGame("18EU", seats, seed=3)).id
    known = carril.bots._BOTS.pop(failing)
    try:
        play_bot(kept.store, game)
    finally:
        carril.bots._BOTS[failing] = known
    assert "no longer exists" in kept.log(game)[0].reason


def test_a_bot_that_a_worker_gave_up_on_loses_its_seat(kept: Games, two: Two) -> None:
    game = kept.create(
        two[0], NewGame("18EU", (Seat("bot", bot="greedy"), Seat("bot", bot="greedy")), seed=3)
    ).id
    acting = kept.info(game).acting or ""
    retire_bot(kept.store, game, "time")
    assert seat_of(kept, game, acting).bot == "random"
    assert play_bot(kept.store, game)


# --- leaving and removing ------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["random", ""])
def test_who_leaves_chooses_a_bot_or_an_open_seat(kept: Games, two: Two, bot: str) -> None:
    ana, ben = two
    game = shared_table(kept, *two).id
    kept.leave(game, ben, bot)
    seat = seat_of(kept, game, "Second")
    assert (seat.kind, seat.user, seat.bot) == ("bot" if bot else "person", "", bot)
    open_to = [s.invitation for s in kept.info(game, ana).seats if s.invitation]
    assert bool(open_to) is not bool(bot)
    with pytest.raises(Forbidden):
        kept.leave(game, ben, bot)


def test_a_finished_game_keeps_its_people(kept: Games, two: Two) -> None:
    game = finished(kept, two)
    with pytest.raises(Finished):
        kept.leave(game, two[1])
    Accounts(kept.store).delete(two[1], "")
    seat = seat_of(kept, game, "Second")
    assert (seat.user, seat.user_name) == (two[1].id, "Deleted account")
    assert kept.verify(game).problems == ()


def test_somebody_is_removed_before_they_act(kept: Games, two: Two) -> None:
    ana, ben = two
    made = shared_table(kept, *two)
    with pytest.raises(Forbidden):
        changing.kick(kept.store, made.id, ben, "Ana")
    with pytest.raises(BadRequest):
        changing.kick(kept.store, made.id, ana, "Ana")
    info = changing.kick(kept.store, made.id, ana, "Second")
    token = next(seat.invitation for seat in info.seats if seat.invitation)
    assert not info.seats_of(ben)
    kept.join(token, ben)
    while not any(entry.by == "Second" for entry in kept.log(made.id)):
        step(kept, made.id, two[kept.info(made.id).acting == "Second"])
    with pytest.raises(Forbidden, match="already acted"):
        changing.kick(kept.store, made.id, ana, "Second")


def test_an_open_seat_of_a_public_table_is_taken_by_one(kept: Games, two: Two) -> None:
    ana, ben = two
    seats = (Seat("me"), Seat("person"))
    made = kept.create(ana, NewGame("18EU", seats, visibility="public"))
    assert changing.take_seat(kept.store, made.id, ben, "").seats_of(ben) == ("Guest 2",)
    with pytest.raises(Taken):
        changing.take_seat(kept.store, made.id, Accounts(kept.store).guest("Cleo"), "")
    hidden = kept.create(ana, NewGame("18EU", seats))
    with pytest.raises(Forbidden, match="invitation"):
        changing.take_seat(kept.store, hidden.id, ben, "")


# --- rematch -------------------------------------------------------------------------------


def finished(games: Games, people: Two) -> str:
    """A game of two people that they ended."""
    game = shared_table(games, *people).id
    request = games.propose(game, people[0], Proposal("end")).request
    assert request
    games.answer(game, people[1], request.id, True)
    return game


def test_a_rematch_seats_the_same_people_one_further(kept: Games, two: Two) -> None:
    ana, ben = two
    game = finished(kept, two)
    first = rematching.rematch(kept.store, game, ben)
    again = rematching.rematch(kept.store, game, ana)
    assert first.id == again.id == kept.info(game).rematch
    assert [seat.player for seat in again.seats] == ["Second", "Ana"]
    assert again.seats_of(ana) == ("Ana",)
    assert again.seats_of(ben) == ("Second",)
    old = kept.info(game)
    assert (again.title, again.variants, again.conventions) == (
        old.title,
        old.variants,
        old.conventions,
    )
    assert rematching.rematch(kept.store, game, ana).version == again.version


def test_only_people_of_a_finished_game_get_a_rematch(kept: Games, two: Two) -> None:
    running = shared_table(kept, *two).id
    with pytest.raises(BadRequest):
        rematching.rematch(kept.store, running, two[0])
    with pytest.raises(Forbidden):
        rematching.rematch(kept.store, finished(kept, two), Accounts(kept.store).guest("Cleo"))


# --- notes and unread remarks --------------------------------------------------------------


def test_a_note_is_seen_by_its_author_alone(kept: Games, two: Two) -> None:
    ana, ben = two
    game = shared_table(kept, *two).id
    notes.write_note(kept.store, game, ana, "Ben is short of cash.")
    notes.write_note(kept.store, game, ana, "Ben has cash.")
    with kept.reading() as reader:
        found = [notes.note_of(reader.connection, game, one) for one in (ana, ben, None)]
    assert found == ["Ben has cash.", "", ""]
    with pytest.raises(BadRequest):
        notes.write_note(kept.store, game, ana, "x" * 10_001)


def test_remarks_of_others_are_unread_until_they_are_read(kept: Games, two: Two) -> None:
    ana, ben = two
    game = shared_table(kept, *two).id

    def unread(user: User) -> int:
        with kept.reading() as reader:
            return notes.unread(reader.connection, [game], user).get(game, 0)

    for text in ("one", "two", "three"):
        kept.post_remark(game, ana, text)
    assert (unread(ana), unread(ben)) == (0, 3)
    notes.mark_read(kept.store, game, ben, 2)
    assert unread(ben) == 1
    notes.mark_read(kept.store, game, ben, 1)  # never back
    assert unread(ben) == 1
    assert notes.mark_read(kept.store, game, ben, 99) == 3
    assert unread(ben) == 0
    kept.post_remark(game, ana, "four")
    assert unread(ben) == 1
