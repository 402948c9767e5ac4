"""Redo: nothing that was taken back is lost, and everybody sees who took back what."""

from __future__ import annotations

import pytest
from sqlalchemy import delete

from carril.service.accounts import Accounts
from carril.service.errors import Forbidden, NotFound, Stale
from carril.service.games import Games
from carril.service.playing import play_bot
from carril.service.store.tables import undone
from carril.service.values import NewGame, Seat, User
from tests.service.conftest import OpenGames
from tests.service.table import BOT, own_table, shared_table, step

People = tuple[User, User, User]


def _played(games: Games, user: User, actions: int) -> str:
    game = own_table(games, user).id
    for _ in range(actions):
        step(games, game, user)
    return game


def test_what_was_undone_is_put_back(games: Games, people: People) -> None:
    ana = people[0]
    game = _played(games, ana, 8)
    line, last = games.log(game), games.position(game).state
    games.undo(game, ana, 0)
    assert games.log(game) == []
    again = games.redo(game, ana)
    assert (again.head, again.request) == (8, None)
    assert games.log(game) == line
    assert games.position(game).state == last
    step(games, game, ana)
    assert games.verify(game).problems == ()
    with pytest.raises(Stale):
        games.redo(game, ana)


def test_undos_are_put_back_one_after_the_other(games: Games, people: People) -> None:
    ana = people[0]
    game = _played(games, ana, 6)
    line = games.log(game)
    for to in (5, 3, 0):
        games.undo(game, ana, to)
    assert [games.redo(game, ana).head for _ in range(3)] == [3, 5, 6]
    assert games.log(game) == line
    assert games.verify(game).sound


def test_after_another_action_the_undone_ones_are_put_back_from_the_list(
    games: Games, people: People
) -> None:
    ana = people[0]
    game = _played(games, ana, 6)
    line = games.log(game)
    undo = games.undo(game, ana, 3)
    step(games, game, ana)
    with pytest.raises(Stale):  # a person has acted since, so this is no longer the next redo
        games.redo(game, ana)
    (change,) = games.changes(game)
    assert (change.version, change.kind, change.by_name) == (undo.version, "undo", "Ana")
    assert (change.base, change.old_head, change.head, change.fits) == (3, 6, 3, True)
    games.redo(game, ana, change.version)
    assert games.log(game) == line
    redo, former = games.changes(game)
    assert (redo.kind, redo.base, redo.old_head, redo.head, redo.fits) == ("redo", 3, 4, 6, True)
    assert not former.fits
    games.redo(game, ana, redo.version)  # the action that was played in between
    assert games.info(game).head == 4
    assert games.verify(game).problems == ()


def test_actions_fit_only_after_the_position_they_were_played_at(
    games: Games, people: People
) -> None:
    ana = people[0]
    game = _played(games, ana, 6)
    late = games.undo(game, ana, 5).version
    games.undo(game, ana, 2)
    assert [one.fits for one in games.changes(game)] == [True, False]
    with pytest.raises(Stale):
        games.redo(game, ana, late)
    with pytest.raises(NotFound):
        games.redo(game, ana, 1)
    for _ in range(3):
        step(games, game, ana)
    with pytest.raises(Stale):
        games.redo(game, ana, late)  # position 5 is now another one


def test_a_kept_line_can_be_taken_back(games: Games, people: People) -> None:
    ana = people[0]
    game = _played(games, ana, 6)
    line = games.log(game)
    fork = games.fork(game, ana, 3)
    step(games, game, ana, fork)
    games.undo(game, ana, 4)  # two positions below the head, one above the fork
    kept = games.keep_fork(game, ana, fork)
    assert kept.head == 4
    keep, undo = games.changes(game)
    assert (keep.kind, keep.base, keep.old_head, keep.fits) == ("keep", 3, 4, True)
    games.redo(game, ana, keep.version)
    games.redo(game, ana, undo.version)
    assert games.log(game) == line
    assert games.verify(game).problems == ()


def test_redo_on_a_fork_is_private(games: Games, people: People) -> None:
    ana, ben, _ = people
    game = shared_table(games, ana, ben).id
    fork = games.fork(game, ben, 0)
    for _ in range(3):
        step(games, game, ben, fork)
    games.undo(game, ben, 1, fork=fork)
    with pytest.raises(NotFound):
        games.redo(game, ana, fork=fork)
    assert games.redo(game, ben, fork=fork).head == 3
    assert games.changes(game) == []
    assert games.verify(game).sound
    games.undo(game, ben, 1, fork=fork)
    games.discard_fork(game, ben, fork)
    assert games.verify(game).sound


def test_redo_needs_the_consent_that_undo_needs(games: Games, people: People) -> None:
    ana, ben, cleo = people
    game = shared_table(games, ana, ben).id
    users = {"Ana": ana, "Second": ben}
    for _ in range(3):
        step(games, game, users[str(games.info(game).acting)])
    asked = games.undo(game, ana, 1).request
    assert asked
    games.answer(game, ben, asked.id, True)
    with pytest.raises(Forbidden):
        games.redo(game, cleo)
    request = games.redo(game, ben).request
    assert request
    assert (request.to, request.by_name, request.waiting) == (3, "Ben", (ana.id,))
    assert games.info(game).head == 1
    assert games.answer(game, ana, request.id, True).head == 3
    assert [(one.kind, one.by_name) for one in games.changes(game)] == [
        ("redo", "Ben"),
        ("undo", "Ana"),
    ]
    assert games.verify(game).sound


def test_redo_replaces_what_bots_played_since(open_games: OpenGames) -> None:
    games = open_games(bots=False)
    ana = Accounts(games.store).guest("Ana")
    seats = (Seat("me"), Seat("bot", bot=BOT), Seat("bot", bot=BOT))
    game = games.create(ana, NewGame("18EU", seats, seed=3)).id
    while games.info(game).acting == "Ana":
        step(games, game, ana)
    to = games.info(game).head
    play_bot(games.store, game)
    line = games.log(game)
    games.undo(game, ana, to)
    play_bot(games.store, game)
    assert games.redo(game, ana).head == len(line)
    assert games.log(game) == line
    assert games.verify(game).sound


def test_a_decision_for_an_older_table_is_refused(games: Games, people: People) -> None:
    ana = people[0]
    game = _played(games, ana, 3)
    seen = games.info(game).version
    games.undo(game, ana, 2, version=seen)
    with pytest.raises(Stale):  # the same request again
        games.undo(game, ana, 0, version=seen)
    with pytest.raises(Stale):
        games.redo(game, ana, version=seen)
    assert games.redo(game, ana, version=seen + 1).head == 3


def test_a_lost_series_is_noticed(games: Games, people: People) -> None:
    game = _played(games, people[0], 3)
    games.undo(game, people[0], 1)
    assert games.verify(game).sound
    with games.store.writing(game=game) as reader:
        reader.connection.execute(delete(undone).where(undone.c.number == 3))
    assert games.verify(game).problems == (f"line {game}: the index of what was undone is wrong",)


def test_a_game_is_deleted_with_what_was_undone(games: Games, people: People) -> None:
    game = _played(games, people[0], 3)
    fork = games.fork(game, people[0], 2)
    step(games, game, people[0], fork)
    games.keep_fork(game, people[0], fork)
    games.undo(game, people[0], 0)
    games.delete(game, people[0])
    with games.reading() as reader:
        assert reader.connection.execute(undone.select()).all() == []
