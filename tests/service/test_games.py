"""Games in the store, on both databases."""

from __future__ import annotations

import gzip
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import update

from carril.engine.actions import Action, Bid, Pass, Range
from carril.engine.refusals import BadRecord
from carril.engine.state import State
from carril.service import bot_worker, game_store
from carril.service.accounts import Accounts
from carril.service.errors import (
    BadRequest,
    BadUpload,
    Damaged,
    Forbidden,
    NotFound,
    NotYourSeat,
    ReadOnly,
    RefusedByRules,
    ServiceError,
    Stale,
    Taken,
)
from carril.service.games import Games
from carril.service.store.tables import lines, metadata, records, standing
from carril.service.values import NewGame, Seat, User
from tests.service.conftest import OpenGames
from tests.service.table import BOT, first_action, own_table, shared_table, step, until

People = tuple[User, User, User]


def test_migrations_make_the_tables(games: Games) -> None:
    with games.store.database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_game_is_played_and_read_again(
    games: Games, people: People, open_games: OpenGames
) -> None:
    game = own_table(games, people[0])
    for number in range(1, 13):
        assert step(games, game.id, people[0]).head == number
    other = open_games()
    assert other.position(game.id) == games.position(game.id)
    state = other.position(game.id, 0).state
    for entry in other.log(game.id):
        assert entry.action
        assert entry.action.by == entry.by == state.acting
        outcome = state.apply(entry.action)
        assert outcome.events == entry.events
        assert outcome.state == other.position(game.id, entry.number).state
        state = outcome.state
    assert [entry.number for entry in other.log(game.id, 3, 5)] == [4, 5]
    assert games.verify(game.id).sound
    info = games.list_for(people[0])[0]
    assert (info.head, info.acting, info.last) == (12, state.acting, other.log(game.id)[-1].events)


def test_positions_of_an_older_version_are_played_again_from_their_actions(
    games: Games, people: People, open_games: OpenGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = own_table(games, people[0])
    for _ in range(12):
        step(games, game.id, people[0])
    undone = games.position(game.id, 7)

    def unreadable(data: bytes) -> State:
        raise BadRecord("not a position: unknown step")

    monkeypatch.setattr(game_store, "unpack", unreadable)
    other = open_games()
    assert other.position(game.id, 7) == undone
    assert other.position(game.id) == games.position(game.id)
    assert step(other, game.id, people[0]).head == 13


def test_positions_that_are_not_there(games: Games, people: People) -> None:
    game = own_table(games, people[0])
    for wrong in (-1, 1, 10**9):
        with pytest.raises(NotFound):
            games.position(game.id, wrong)
    with pytest.raises(NotFound):
        games.position("nothing")
    with pytest.raises(NotFound):
        games.position(game.id, fork=game.id, user=people[0])


@pytest.mark.parametrize(
    "new",
    [
        NewGame("18XX", (Seat("me"), Seat("bot", bot=BOT))),
        NewGame("18EU", (Seat("me"),)),
        NewGame("18EU", (Seat("me", "A"), Seat("me", "A"))),
        NewGame("18EU", (Seat("me"), Seat("me", "bank"))),
        NewGame("18EU", (Seat("me"), Seat("me", "x" * 50))),
        NewGame("18EU", (Seat("me"), Seat("bot", bot="nobody"))),
        NewGame("18EU", (Seat("me"), Seat("me")), variants=("none such",)),
        NewGame("18EU", (Seat("me"), Seat("me")), conventions="none such"),
        NewGame("18EU", (Seat("me"), Seat("me")), edition="none such"),
    ],
)
def test_games_that_cannot_be_set_up(kept: Games, new: NewGame) -> None:
    ana = Accounts(kept.store).guest("Ana")
    with pytest.raises(BadRequest):
        kept.create(ana, new)
    assert kept.list_for(ana) == []


def test_refused_by_the_rules_changes_nothing(games: Games, people: People) -> None:
    game = own_table(games, people[0])
    with pytest.raises(RefusedByRules) as refused:
        games.act(game.id, people[0], Bid(5), 0)
    assert refused.value.name == "choose-first"
    assert games.why(game.id, Bid(5)) == refused.value.refusal
    assert games.info(game.id).version == 0


def test_a_seat_acts_only_for_itself(games: Games, people: People) -> None:
    ana, ben, cleo = people
    game = shared_table(games, ana, ben)
    here = games.position(game.id)
    mine, theirs = (ana, ben) if game.acting == "Ana" else (ben, ana)
    action = first_action(here.state)
    for forger in (theirs, cleo):
        with pytest.raises(NotYourSeat):
            games.act(game.id, forger, action, 0)
        with pytest.raises(NotYourSeat):
            games.act(game.id, forger, msgspec.structs.replace(action, by=""), 0)
    own = "Second" if game.acting == "Ana" else "Ana"
    with pytest.raises(RefusedByRules) as refused:
        games.act(game.id, theirs, msgspec.structs.replace(action, by=own), 0)
    assert refused.value.name == "not-your-turn"
    assert games.act(game.id, mine, action, 0).head == 1


def test_a_stale_position_and_a_replayed_request(games: Games, people: People) -> None:
    game = own_table(games, people[0])
    action = first_action(games.position(game.id).state)
    done = games.act(game.id, people[0], action, 0, key="once")
    again = games.act(game.id, people[0], action, 0, key="once")
    assert again.repeated
    assert (again.head, again.version, again.events) == (done.head, done.version, done.events)
    with pytest.raises(Taken):
        games.act(game.id, people[0], Pass(), 1, key="once")
    with pytest.raises(Stale):
        games.act(game.id, people[0], action, 0)
    step(games, game.id, people[0])
    games.undo(game.id, people[0], 1)
    with pytest.raises(Stale):  # the same number of actions, but another table
        games.act(game.id, people[0], Pass(), 1, version=1)
    assert len(games.log(game.id)) == 1


def test_of_two_who_act_at_once_one_wins(
    games: Games, people: People, open_games: OpenGames
) -> None:
    game = own_table(games, people[0])
    services = [games, open_games(), games, open_games()]
    for head in range(6):
        action = first_action(games.position(game.id).state)
        gate = threading.Barrier(len(services))
        with ThreadPoolExecutor(len(services)) as pool:
            tries = [pool.submit(_try, one, gate, game.id, people[0], action) for one in services]
        assert sorted(one.result() for one in tries) == ["done", "stale", "stale", "stale"]
        assert games.info(game.id).head == head + 1
    assert games.info(game.id).head == 6
    assert games.verify(game.id).sound


def _try(games: Games, gate: threading.Barrier, game: str, user: User, action: Action) -> str:
    head = games.info(game).head
    gate.wait()
    try:
        games.act(game, user, action, head)
    except ServiceError as error:
        return error.name
    return "done"


def test_one_key_sent_twice_at_once_acts_once(games: Games, people: People) -> None:
    game = own_table(games, people[0])
    action = first_action(games.position(game.id).state)
    heads: list[int] = []

    def act() -> None:
        heads.append(games.act(game.id, people[0], action, 0, key="k").head)

    threads = [threading.Thread(target=act) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heads == [1, 1, 1, 1]
    assert games.info(game.id).version == 1


def test_bots_play_on_by_themselves(games: Games, people: People) -> None:
    seats = (Seat("me"), Seat("bot", bot=BOT), Seat("bot", bot=BOT))
    game = games.create(people[0], NewGame("18EU", seats, seed=5))
    for _ in range(5):
        until(lambda: games.info(game.id).acting == "Ana")
        step(games, game.id, people[0])
    until(lambda: games.info(game.id).acting == "Ana")
    log = games.log(game.id)
    assert len({entry.by for entry in log}) == 3
    public = [entry for entry in log if entry.reason]
    assert public
    assert all(entry.by != "Ana" for entry in public)
    assert games.verify(game.id).sound


def test_bots_go_on_after_a_restart(games: Games, people: People, open_games: OpenGames) -> None:
    sleeping = open_games(bots=False)
    games.close()
    seats = (Seat("bot", bot=BOT), Seat("bot", bot=BOT))
    game = sleeping.create(people[0], NewGame("18EU", seats, seed=5))
    assert sleeping.info(game.id).head == 0
    open_games()
    until(lambda: sleeping.info(game.id).head > 20)


def test_bots_play_where_another_process_left_off(
    games: Games, people: People, open_games: OpenGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_worker, "_LOOK", 0.2)
    sleeping = open_games(bots=False)
    seats = (Seat("bot", bot=BOT), Seat("bot", bot=BOT))
    game = sleeping.create(people[0], NewGame("18EU", seats, seed=5))
    until(lambda: sleeping.info(game.id).head > 3, 20)


# --- taking back ---------------------------------------------------------------------------


def test_undo_on_a_table_of_ones_own(games: Games, people: People) -> None:
    game = own_table(games, people[0])
    for _ in range(8):
        step(games, game.id, people[0])
    before = games.position(game.id, 5)
    undone = games.undo(game.id, people[0], 5)
    assert (undone.head, undone.request) == (5, None)
    assert games.position(game.id).state == before.state
    assert len(games.log(game.id)) == 5
    step(games, game.id, people[0])
    assert games.verify(game.id) == msgspec.structs.replace(games.verify(game.id), records=11)
    assert games.verify(game.id).sound
    for wrong, error in ((6, Stale), (99, Stale), (-1, BadRequest)):
        with pytest.raises(error):
            games.undo(game.id, people[0], wrong)
    points = games.undo_points(game.id, people[0])
    assert points.step == 5


def test_undo_with_the_consent_of_others(games: Games, people: People) -> None:
    ana, ben, cleo = people
    game = shared_table(games, ana, ben)
    users = {"Ana": ana, "Second": ben}
    for _ in range(3):
        step(games, game.id, users[str(games.info(game.id).acting)])
    asked = games.undo(game.id, ana, 1)
    assert asked.request
    assert (asked.head, asked.request.waiting) == (3, (ben.id,))
    assert games.undo_request(game.id) == asked.request
    for stranger in (cleo, ana):
        with pytest.raises(Forbidden):
            games.answer(game.id, stranger, asked.request.id, True)
    with pytest.raises(Forbidden):
        games.undo(game.id, cleo, 1)
    with pytest.raises(BadRequest):
        games.undo(game.id, ben, 2)
    assert games.answer(game.id, ben, asked.request.id, True).head == 1
    assert games.undo_request(game.id) is None
    with pytest.raises(NotFound):
        games.answer(game.id, ben, asked.request.id, True)

    again = games.undo(game.id, ben, 0).request
    assert again
    declined = games.answer(game.id, ana, again.id, False)
    assert declined.head == 1
    lapsing = games.undo(game.id, ben, 0).request
    assert lapsing
    step(games, game.id, users[str(games.info(game.id).acting)])
    assert games.undo_request(game.id) is None
    with pytest.raises(NotFound):
        games.answer(game.id, ana, lapsing.id, True)
    assert games.verify(game.id).sound


# --- what-if lines -------------------------------------------------------------------------


def test_a_fork_is_private_and_can_be_thrown_away(games: Games, people: People) -> None:
    ana, ben, _ = people
    game = shared_table(games, ana, ben)
    fork = games.fork(game.id, ben, 0)
    for head in range(1, 5):
        assert step(games, game.id, ben, fork).head == head
    assert games.info(game.id).head == 0
    assert games.undo(game.id, ben, 2, fork=fork).head == 2
    for user in (ana, None):
        with pytest.raises(NotFound):
            games.position(game.id, fork=fork, user=user)
    with pytest.raises(Forbidden):
        games.keep_fork(game.id, ben, fork)
    assert [one.id for one in games.forks(game.id, ben)] == [fork]
    assert games.forks(game.id, ana) == []
    assert games.verify(game.id).sound
    games.discard_fork(game.id, ben, fork)
    assert games.forks(game.id, ben) == []
    with pytest.raises(NotFound):
        step(games, game.id, ben, fork)
    assert games.verify(game.id).sound


def test_a_fork_is_kept_on_a_table_of_ones_own(games: Games, people: People) -> None:
    ana = people[0]
    game = own_table(games, ana)
    for _ in range(6):
        step(games, game.id, ana)
    fork = games.fork(game.id, ana, 3)
    here = games.position(game.id, fork=fork, user=ana)
    other = here.state.options()[-1]
    action = other.at(other.most) if isinstance(other, Range) else other
    games.act(game.id, ana, action, 3, fork=fork)
    step(games, game.id, ana, fork)
    games.undo(game.id, ana, 1)  # the game goes another way meanwhile
    step(games, game.id, ana)
    line = games.log(game.id, fork=fork, user=ana)
    kept = games.keep_fork(game.id, ana, fork)
    assert kept.head == 5
    assert games.log(game.id) == line
    step(games, game.id, ana)
    assert games.verify(game.id).problems == ()
    with pytest.raises(NotFound):
        games.keep_fork(game.id, ana, fork)


# --- files ---------------------------------------------------------------------------------


def test_a_save_goes_out_and_comes_in(games: Games, people: People) -> None:
    game = own_table(games, people[0])
    for _ in range(10):
        step(games, game.id, people[0])
    saved = games.export(game.id)
    record = games.import_file(people[1], saved.encode(), "ours.json")
    assert record.read_only
    assert games.position(record.id).state == games.position(game.id).state
    assert games.verify(record.id).sound
    with pytest.raises(ReadOnly):
        step(games, record.id, people[1])
    with pytest.raises(ReadOnly):
        games.undo(record.id, people[1], 3)
    fork = games.fork(record.id, people[1], 4)
    assert step(games, record.id, people[1], fork).head == 5


def _bid(number: int, player: int, price: int) -> dict[str, object]:
    who = {"entity": player, "entity_type": "player", "id": number}
    return {"type": "bid", "minor": "2", "price": price, **who}


def test_a_file_of_the_other_program(games: Games, people: People) -> None:
    actions = [
        _bid(1, 7, 100),
        _bid(2, 8, 105),
        {"type": "undo", "entity": 8, "entity_type": "player", "id": 3},
        {"type": "message", "entity": 8, "entity_type": "player", "id": 4, "message": "sorry"},
        _bid(5, 8, 120),
        {"type": "pass", "entity": 7, "entity_type": "player", "id": 6},
        {"type": "end_game", "entity": 7, "entity_type": "player", "id": 7},
    ]
    players = [{"id": 7, "name": "Player 1"}, {"id": 8, "name": "Player 2"}]
    file = {"title": "18EU", "id": 5, "players": players, "actions": actions}
    data = gzip.compress(json.dumps(file).encode())
    record = games.import_file(people[0], data, "game.json.gz")
    log = games.log(record.id)
    told = [(one.by, str(one.action)) for one in log]
    assert [by for by, _ in told] == ["Player 1", "Player 1", "Player 2", "Player 1", ""]
    assert log[-1].action is None  # ended by agreement
    assert record.finished
    assert (record.conventions, record.read_only) == ("18xx.games", True)
    assert games.position(record.id).state.companies["2"].owner == "Player 2"
    assert games.verify(record.id).problems == ()
    saved = games.import_file(people[0], games.export(record.id).encode(), "game.carril")
    assert saved.finished
    assert games.position(saved.id).state == games.position(record.id).state

    wrong = {**file, "actions": [*actions[:1], _bid(2, 8, 7)]}
    stopped = games.import_file(people[0], json.dumps(wrong).encode(), "wrong.json")
    assert stopped.head == 2
    assert stopped.notes[-1].startswith("stopped: action 2")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x1f\x8b nonsense",
        b"\xff\xfe\x00",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"title": "18EU"}',
        b'{"title": "18EU", "actions": 3, "players": []}',
        b'{"title": "18EU", "actions": [], "players": [{"id": 1}]}',
        b'{"title": ["18EU"], "actions": [], "players": [{"id": 1}]}',
        b'{"carril": 1}',
        b'{"carril": 99, "actions": []}',
    ],
)
def test_files_that_are_no_records(kept: Games, data: bytes) -> None:
    ana = Accounts(kept.store).guest("Ana")
    with pytest.raises(BadUpload):
        kept.import_file(ana, data, "x.json")
    assert kept.list_for(ana) == []


# --- damage --------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["action", "events", "snapshot", "by", "moment"])
def test_a_damaged_record_is_noticed(games: Games, people: People, column: str) -> None:
    game = own_table(games, people[0])
    for _ in range(4):
        step(games, game.id, people[0])
    fresh = Games.open(games.store.database.engine.url.render_as_string(hide_password=False))
    wrong: object = {"snapshot": b"x", "by": "Eve", "moment": "never"}.get(column, "[]")
    with games.store.database.writing() as connection:
        chosen = (records.c.line == game.id) & (records.c.version == 2)
        connection.execute(update(records).where(chosen).values({column: wrong}))
    problems = fresh.verify(game.id).problems
    assert f"line {game.id}: record 2 is damaged" in problems
    with pytest.raises(Damaged):
        fresh.position(game.id, 2)
    fresh.close()


def test_records_that_are_cut_off_or_moved_are_noticed(games: Games, people: People) -> None:
    game = own_table(games, people[0])
    for _ in range(4):
        step(games, game.id, people[0])
    with games.store.database.writing() as connection:
        connection.execute(standing.delete().where(standing.c.number == 4))
        connection.execute(records.delete().where(records.c.version == 4))
    assert any("written last" in one for one in games.verify(game.id).problems)
    with games.store.database.writing() as connection:
        connection.execute(update(lines).values(head=3, version=3))
    assert not games.verify(game.id).sound


# --- talking -------------------------------------------------------------------------------


def test_chat_is_apart_from_the_log(games: Games, people: People) -> None:
    ana, ben, cleo = people
    game = shared_table(games, ana, ben)
    games.post_remark(game.id, ana, " Hello! ")
    games.post_remark(game.id, ben, "Hi")
    assert [(one.number, one.by, one.text) for one in games.chat(game.id)] == [
        (1, "Ana", "Hello!"),
        (2, "Ben", "Hi"),
    ]
    assert [one.text for one in games.chat(game.id, since=1)] == ["Hi"]
    assert games.log(game.id) == []
    with pytest.raises(Forbidden):
        games.post_remark(game.id, cleo, "me too")
    for wrong in ("", "  ", "x" * 1001):
        with pytest.raises(BadRequest):
            games.post_remark(game.id, ana, wrong)


def test_invitations(games: Games, people: People) -> None:
    ana, ben, cleo = people
    made = games.create(ana, NewGame("18EU", (Seat("me"), Seat("person")), seed=3))
    token = made.seats[1].invitation
    assert token
    assert games.info(made.id).seats[1].invitation == ""
    assert games.info(made.id, ben).seats[1].invitation == ""
    assert games.invitation(token).player == "Guest 2"
    assert games.join(token, cleo).seats_of(cleo) == ("Guest 2",)
    assert games.join(token, cleo).seats_of(cleo) == ("Guest 2",)
    with pytest.raises(Taken):
        games.join(token, ben)
    with pytest.raises(NotFound):
        games.join("nothing", ben)
    assert games.list_for(cleo)[0].id == made.id
