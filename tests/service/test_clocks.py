"""Clocks: what is counted, and what happens once when no time is left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from carril.service.accounts import Accounts
from carril.service.clock import now
from carril.service.errors import BadRequest, Forbidden, Paused, TimeOver
from carril.service.games import Games
from carril.service.people.profiles import results_of
from carril.service.people.rating import ratings_of, update_ratings
from carril.service.seats.assigning import people_changed, set_stand_in
from carril.service.store.clocks import read_clock
from carril.service.table_clocks.counting import PRESETS, ClockView, TimeControl
from carril.service.table_clocks.holidays import add_holiday, holidays_of, remove_holiday
from carril.service.table_clocks.penalties import tick
from carril.service.values import NewGame, Proposal, Seat, User
from tests.service.clocked import DAYS, MovedClock, clocked_table, moved
from tests.service.conftest import OpenGames
from tests.service.table import BOT, step, until

__all__ = ["moved"]

BUDGET = TimeControl("budget", 3600, 600, 60)
People = tuple[User, User, User]


@pytest.fixture
def games(open_games: OpenGames, moved: MovedClock) -> Games:
    """Games without workers, so that tests decide when something is due."""
    return open_games(bots=False, timers=False, notify=False)


def _clock(games: Games, game: str) -> ClockView:
    found = games.clock(game)
    assert found is not None
    return found


def _act(games: Games, game: str, people: People) -> None:
    step(games, game, people[0] if games.info(game).acting == "Ana" else people[1])


def _left(games: Games, game: str) -> dict[str, int]:
    return {player: round(left) for player, left in _clock(games, game).left.items()}


# --- counting ----------------------------------------------------------------------------------


def test_time_is_charged_to_the_player_whose_turn_it_is(
    games: Games, people: People, moved: MovedClock
) -> None:
    game = clocked_table(games, *people[:2], BUDGET).id
    moved.move(minutes=10)
    assert _left(games, game) == {"Ana": 3000, "Ben": 3600}
    _act(games, game, people)
    assert games.info(game).acting == "Ben"
    moved.move(minutes=1)
    assert _left(games, game) == {"Ana": 3000, "Ben": 3540}


def test_the_clock_starts_when_every_seat_is_taken(
    games: Games, people: People, moved: MovedClock
) -> None:
    seats = (Seat("me", "Ana"), Seat("person", "Ben"))
    made = games.create(people[0], NewGame("18EU", seats, seed=3, clock=BUDGET))
    moved.move(hours=5)
    assert _left(games, made.id)["Ana"] == 3600
    games.join(made.seats[1].invitation, people[1])
    moved.move(minutes=2)
    assert _left(games, made.id)["Ana"] == 3480
    games.leave(made.id, people[1])
    moved.move(minutes=30)
    assert _left(games, made.id)["Ana"] == 3480


def test_stock_rounds_and_companies_bring_time(games: Games, people: People) -> None:
    game = clocked_table(games, *people[:2], BUDGET).id
    earned = {"Ana": 3600, "Ben": 3600}
    for _ in range(400):
        before = games.info(game)
        _act(games, game, people)
        (entry,) = games.log(game, before.head)
        state = games.position(game).state
        for event in entry.events:
            kind = type(event).__name__
            if kind == "RoundBegan" and str(event.round).startswith("SR"):  # type: ignore[attr-defined]
                earned = {player: sum_ + 600 for player, sum_ in earned.items()}
            if kind == "TurnBegan":
                earned[state.companies[event.company].owner] += 60  # type: ignore[attr-defined]
        if state.round.kind == "OR" and state.round.turn == 2:
            break
    assert min(earned.values()) > 4200
    assert _left(games, game) == earned


def test_days_per_move_begin_again_with_every_turn(
    games: Games, people: People, moved: MovedClock
) -> None:
    game = clocked_table(games, *people[:2], DAYS).id
    moved.move(hours=20)
    assert _left(games, game)["Ana"] == 4 * 3600
    _act(games, game, people)
    assert _left(games, game)["Ben"] == 24 * 3600
    moved.move(hours=23)
    _act(games, game, people)
    assert games.info(game).acting == "Ana"
    assert _left(games, game)["Ana"] == 24 * 3600


def test_an_undo_gives_back_time_to_the_others_only(
    games: Games, people: People, moved: MovedClock
) -> None:
    game = clocked_table(games, *people[:2], BUDGET).id
    moved.move(minutes=5)
    _act(games, game, people)  # by Ana
    moved.move(minutes=7)
    asked = games.undo(game, people[0], 1)
    assert asked.request
    moved.move(minutes=1)
    games.answer(game, people[1], asked.request.id, accept=True)
    assert games.info(game).acting == "Ana"
    assert _left(games, game) == {"Ana": 3300, "Ben": 3600}
    moved.move(minutes=1)
    assert _left(games, game) == {"Ana": 3240, "Ben": 3600}


def test_undo_and_redo_do_not_multiply_increments(games: Games, people: People) -> None:
    seats = (Seat("me", "Ana"), Seat("me", "Ben"))
    game = games.create(people[0], NewGame("18EU", seats, seed=3, clock=BUDGET)).id
    while games.position(game).state.round.kind != "SR":
        step(games, game, people[0])
    before, head = _left(games, game), games.info(game).head
    for _ in range(3):
        games.undo(game, people[0], head - 1)
        assert _left(games, game)["Ben"] == before["Ben"] - 600
        games.redo(game, people[0])
        assert _left(games, game)["Ben"] == before["Ben"]


# --- pauses and holidays -----------------------------------------------------------------------


def test_a_pause_needs_everybody_and_stops_the_clock(
    games: Games, people: People, moved: MovedClock
) -> None:
    game = clocked_table(games, *people[:2], BUDGET).id
    moved.move(minutes=1)
    asked = games.propose(game, people[1], Proposal("pause"))
    assert asked.request
    assert not _clock(games, game).paused
    games.answer(game, people[0], asked.request.id, accept=True)
    moved.move(days=3)
    assert _clock(games, game).paused
    assert _left(games, game)["Ana"] == 3540
    with pytest.raises(Paused):
        _act(games, game, people)
    with pytest.raises(Forbidden):
        games.resume(game, people[2])
    games.resume(game, people[1])
    moved.move(minutes=1)
    assert _left(games, game)["Ana"] == 3480
    with pytest.raises(BadRequest):
        games.resume(game, people[1])


def test_a_pause_ends_at_the_agreed_date(games: Games, people: People, moved: MovedClock) -> None:
    game = clocked_table(games, *people[:2], BUDGET).id
    until_then = (now() + timedelta(days=2)).isoformat()
    asked = games.propose(game, people[0], Proposal("pause", about={"until": until_then}))
    assert asked.request
    games.answer(game, people[1], asked.request.id, accept=True)
    moved.move(days=1)
    assert not tick(games.store, game)
    moved.move(days=1, minutes=1)
    assert tick(games.store, game)
    assert not tick(games.store, game)
    assert not _clock(games, game).paused
    assert _left(games, game)["Ana"] > 3500


@pytest.mark.parametrize("text", ["soon", "2020-01-01", "2999-01-01"])
def test_a_pause_ends_at_a_sensible_date(games: Games, people: People, text: str) -> None:
    game = clocked_table(games, *people[:2], BUDGET).id
    with pytest.raises(BadRequest):
        games.propose(game, people[0], Proposal("pause", about={"until": text}))


def test_a_table_without_a_clock_cannot_be_paused(games: Games, people: People) -> None:
    game = clocked_table(games, *people[:2], PRESETS["none"]).id
    assert games.clock(game) is None
    with pytest.raises(BadRequest):
        games.propose(game, people[0], Proposal("pause"))


def test_on_holiday_the_clock_stands_still(games: Games, people: People, moved: MovedClock) -> None:
    game = clocked_table(games, *people[:2], DAYS).id
    today = now().date()
    add_holiday(games.store, people[0], today, today + timedelta(days=6), "UTC")
    assert _clock(games, game).expires == datetime(2026, 3, 10, tzinfo=UTC)
    moved.move(days=3)
    assert _clock(games, game).holiday
    assert _left(games, game)["Ana"] == 86400
    moved.move(days=4)
    assert not _clock(games, game).holiday
    with games.reading() as reader:
        (one,) = holidays_of(reader.connection, people[0].id)
    with pytest.raises(Exception, match="over"):
        remove_holiday(games.store, people[0], one.id)


def test_a_holiday_that_has_begun_ends_now(games: Games, people: People, moved: MovedClock) -> None:
    game = clocked_table(games, *people[:2], BUDGET).id
    today = now().date()
    add_holiday(games.store, people[0], today, today + timedelta(days=6), "UTC")
    moved.move(days=2)
    with games.reading() as reader:
        (one,) = holidays_of(reader.connection, people[0].id)
    remove_holiday(games.store, people[0], one.id)
    moved.move(minutes=10)
    assert _left(games, game)["Ana"] == 3000


def test_holidays_are_limited_and_lie_ahead(games: Games, people: People) -> None:
    today = now().date()
    for first, last in ((-2, -1), (1, 45), (3, 2), (500, 501)):
        days = today + timedelta(days=first), today + timedelta(days=last)
        with pytest.raises(BadRequest):
            add_holiday(games.store, people[0], *days, "UTC")
    with pytest.raises(BadRequest):
        add_holiday(games.store, people[0], today, today, "Nowhere/Land")


# --- penalties ---------------------------------------------------------------------------------


def _at_once(call: Callable[[], object], times: int = 6) -> list[object]:
    answers: list[object] = []
    threads = [threading.Thread(target=lambda: answers.append(call())) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_a_bot_plays_on_until_the_person_returns(
    games: Games, people: People, moved: MovedClock
) -> None:
    control = TimeControl("budget", 3600, penalty="bot", bot=BOT)
    game = clocked_table(games, *people[:2], control).id
    moved.move(minutes=59)
    assert not tick(games.store, game)
    moved.move(minutes=2)
    with pytest.raises(TimeOver):
        _act(games, game, people)
    assert _at_once(lambda: tick(games.store, game)).count(True) == 1
    seat = games.info(game).seat("Ana")
    assert seat
    assert (seat.user, seat.bot) == (people[0].id, BOT)
    moved.move(days=1)
    assert not tick(games.store, game)
    with games.store.writing(game=game) as reader:
        set_stand_in(reader.connection, game, "Ana", "")
        people_changed(reader, reader.line(game), "seat", {"player": "Ana"})
    assert _left(games, game)["Ana"] == 360
    _act(games, game, people)


def test_a_game_is_lost_by_the_agreed_penalty(
    games: Games, people: People, moved: MovedClock
) -> None:
    control = TimeControl("days", move=3600, penalty="loss")
    game = clocked_table(games, *people[:2], control).id
    _act(games, game, people)
    moved.move(hours=2)
    assert _at_once(lambda: tick(games.store, game)).count(True) == 1
    info = games.info(game)
    assert info.finished
    assert info.ended == "agreement"
    assert info.result
    assert _clock(games, game).lost == "Ben"
    assert games.verify(game).problems == ()


def test_who_has_lost_by_time_is_last_however_rich(
    games: Games, people: People, moved: MovedClock
) -> None:
    control = TimeControl("days", move=3600, penalty="loss")
    game = clocked_table(games, *people[:2], control).id
    moved.move(hours=2)
    tick(games.store, game)
    info = games.info(game)
    assert list(info.result or {}) == ["Ben", "Ana"]
    update_ratings(games.store)
    with games.reading() as reader:
        ana, ben = (ratings_of(reader.connection, one.id)[0].mu for one in people[:2])
        places = [results_of(reader.connection, one.id)[0].places for one in people[:2]]
    assert ana < ben
    assert places == [{2: 1}, {1: 1}]


def test_an_undone_loss_is_forgotten_when_somebody_plays_on(
    games: Games, people: People, moved: MovedClock
) -> None:
    control = TimeControl("days", move=3600, penalty="loss")
    game = clocked_table(games, *people[:2], control).id
    _act(games, game, people)
    moved.move(hours=2)
    tick(games.store, game)
    request = games.undo(game, people[0], 1).request
    assert request
    games.answer(game, people[1], request.id, True)
    assert _clock(games, game).lost == ""
    _act(games, game, people)
    with games.reading() as reader:
        stored = read_clock(reader.connection, game)
    assert stored
    assert stored.lost == ""


def test_without_a_penalty_the_end_of_the_time_is_noted_once(
    games: Games, people: People, moved: MovedClock
) -> None:
    game = clocked_table(games, *people[:2], TimeControl("budget", 60)).id
    moved.move(hours=1)
    assert _at_once(lambda: tick(games.store, game)).count(True) == 1
    _act(games, game, people)
    _act(games, game, people)
    assert games.info(game).acting == "Ana"
    assert not tick(games.store, game)
    assert _left(games, game)["Ana"] < -3500


def test_of_two_processes_one_carries_out_a_penalty(
    open_games: OpenGames, moved: MovedClock
) -> None:
    games = open_games(bots=False, notify=False)
    open_games(bots=False, notify=False)
    known = Accounts(games.store)
    control = TimeControl("days", move=60, penalty="bot", bot=BOT)
    made = [
        clocked_table(games, known.guest("Ana"), known.guest("Ben"), control).id for _ in range(5)
    ]
    moved.move(minutes=2)
    until(lambda: all(games.info(game).seats[0].bot for game in made), 20)
    for game in made:
        with games.reading() as reader:
            assert (
                reader.line(game).heard == 4
            )  # a join, an action, the end of the time, a change of seat


@pytest.mark.parametrize(
    "control",
    [
        TimeControl("days"),
        TimeControl("budget", -5),
        TimeControl("budget", 100 * 86400),
        TimeControl("days", move=60, penalty="bot", bot="nobody"),
    ],
)
def test_impossible_clocks_are_refused(games: Games, people: People, control: TimeControl) -> None:
    with pytest.raises(BadRequest):
        clocked_table(games, *people[:2], control)
