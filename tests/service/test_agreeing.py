"""Votes at a table: ending, replacing, adopting newer rules; who must agree, and what lapses."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from carril.service.accounts import Accounts
from carril.service.continuing import Continuation
from carril.service.errors import BadRequest, Finished, Forbidden, NotFound, Stale
from carril.service.games import Games
from carril.service.store.clocks import begin_clock
from carril.service.store.journal import now
from carril.service.table_clocks import pauses
from carril.service.table_clocks.counting import TimeControl
from carril.service.table_clocks.holidays import add_holiday
from carril.service.values import GameInfo, NewGame, Proposal, Request, Seat, User
from carril.service.votes import replacing
from carril.service.votes.voting import open_requests
from tests.service.table import step

Three = tuple[User, User, User]
OLD_GAME = Path(__file__).parents[1] / "engine" / "saves" / "18eu-version-1.json.gz"
END = Proposal("end")


@pytest.fixture
def three(games: Games) -> Three:
    accounts = Accounts(games.store)
    return accounts.guest("Ana"), accounts.guest("Ben"), accounts.guest("Cleo")


def table_of(games: Games, people: Three) -> GameInfo:
    """A game of three people."""
    seats = (Seat("me"), Seat("person", "Ben"), Seat("person", "Cleo"))
    made = games.create(people[0], NewGame("18EU", seats, seed=3))
    for person in people[1:]:
        token = next(seat.invitation for seat in made.seats if seat.player == person.name)
        games.join(token, person)
    return games.info(made.id)


def asked(games: Games, game: str, user: User, proposal: Proposal) -> Request:
    """Ask the others and return the request."""
    request = games.propose(game, user, proposal).request
    assert request
    return request


def test_a_game_ends_when_all_people_agree(games: Games, three: Three) -> None:
    ana, ben, cleo = three
    game = table_of(games, three).id
    step(games, game, next(one for one in three if one.name == games.info(game).acting))
    request = asked(games, game, ana, END)
    assert set(request.waiting) == {ben.id, cleo.id}
    games.answer(game, ben, request.id, True)
    assert not games.info(game).finished
    games.answer(game, cleo, request.id, True)
    info = games.info(game)
    assert (info.finished, info.ended, info.head) == (True, "agreement", 2)
    assert set(info.result or {}) == {"Ana", "Ben", "Cleo"}
    assert games.verify(game).problems == ()
    with pytest.raises(Finished):
        games.propose(game, ana, END)


def test_an_end_can_be_undone_by_agreement(games: Games, three: Three) -> None:
    ana, ben, cleo = three
    game = table_of(games, three).id
    request = asked(games, game, ana, END)
    for one in (ben, cleo):
        games.answer(game, one, request.id, True)
    undo = games.undo(game, ana, 0).request
    assert undo
    for one in (ben, cleo):
        games.answer(game, one, undo.id, True)
    assert not games.info(game).finished
    assert games.verify(game).problems == ()


def test_a_person_alone_ends_a_game_at_once(games: Games, three: Three) -> None:
    made = games.create(three[0], NewGame("18EU", (Seat("me"), Seat("me", "Zoe")), seed=3))
    assert games.propose(made.id, three[0], END).request is None
    assert games.info(made.id).ended == "agreement"


def test_strangers_neither_ask_nor_answer(games: Games, three: Three) -> None:
    game = table_of(games, three).id
    stranger = Accounts(games.store).guest("Dan")
    with pytest.raises(Forbidden):
        games.propose(game, stranger, END)
    request = asked(games, game, three[0], END)
    for nobody in (stranger, three[0]):
        with pytest.raises(Forbidden):
            games.answer(game, nobody, request.id, True)
    with pytest.raises(BadRequest, match="no kind"):
        games.propose(game, three[0], Proposal("party"))


def test_an_action_makes_a_request_to_end_lapse(games: Games, three: Three) -> None:
    game = table_of(games, three).id
    request = asked(games, game, three[0], END)
    step(games, game, next(one for one in three if one.name == games.info(game).acting))
    assert games.requests(game) == ()
    with pytest.raises(NotFound):
        games.answer(game, three[1], request.id, True)
    with pytest.raises(Stale):
        games.propose(game, three[0], END, version=0)


def test_requests_of_several_kinds_are_open_at_once(games: Games, three: Three) -> None:
    ana, ben, _ = three
    game = table_of(games, three).id
    step(games, game, next(one for one in three if one.name == games.info(game).acting))
    asked(games, game, ana, END)
    assert games.undo(game, ben, 0).request
    assert [one.kind for one in games.requests(game)] == ["end", "undo"]
    with pytest.raises(BadRequest, match="already a request"):
        games.propose(game, ben, END)
    first = games.requests(game)[0]
    games.answer(game, ana, first.id, False)  # withdrawn
    assert [one.kind for one in games.requests(game)] == ["undo"]


def test_who_joins_is_asked_and_who_leaves_ends_the_request(games: Games, three: Three) -> None:
    ana, ben, cleo = three
    seats = (Seat("me"), Seat("person", "Ben"), Seat("person", "Cleo"))
    made = games.create(ana, NewGame("18EU", seats, seed=3))
    tokens = {seat.player: seat.invitation for seat in made.seats}
    games.join(tokens["Ben"], ben)
    request = asked(games, made.id, ana, END)
    games.join(tokens["Cleo"], cleo)
    assert set(games.requests(made.id)[0].waiting) == {ben.id, cleo.id}
    games.answer(made.id, ben, request.id, True)
    assert not games.info(made.id).finished
    games.leave(made.id, cleo)
    assert games.requests(made.id) == ()


# --- absent players ------------------------------------------------------------------------


def absent(games: Games, game: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let four days pass, and return the player who is waited for."""
    later = now() + timedelta(days=4)
    monkeypatch.setattr(replacing, "now", lambda: later)
    return games.info(game).acting or ""


@pytest.mark.parametrize("bot", ["random", ""])
def test_the_others_replace_an_absent_player(
    games: Games, three: Three, monkeypatch: pytest.MonkeyPatch, bot: str
) -> None:
    game = table_of(games, three).id
    player = games.info(game).acting or ""
    present = [one for one in three if one.name != player]
    proposal = Proposal("replace", about={"player": player, "bot": bot})
    with pytest.raises(Forbidden, match="3 days"):
        games.propose(game, present[0], proposal)
    absent(games, game, monkeypatch)
    request = asked(games, game, present[0], proposal)
    assert request.waiting == (present[1].id,)
    games.answer(game, present[1], request.id, True)
    seat = games.info(game).seat(player)
    assert seat is not None
    assert (seat.kind, seat.user, seat.bot) == ("bot" if bot else "person", "", bot)
    if bot:
        with games.reading() as reader:
            assert reader.line(game).bot == bot
    else:
        newcomer = Accounts(games.store).guest("Dan")
        token = next(s.invitation for s in games.info(game, present[0]).seats if s.invitation)
        assert games.join(token, newcomer).seats_of(newcomer) == (player,)


def test_the_absent_player_is_not_asked_and_an_action_ends_the_vote(
    games: Games, three: Three, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table_of(games, three).id
    player = absent(games, game, monkeypatch)
    gone = next(one for one in three if one.name == player)
    present = [one for one in three if one != gone]
    request = asked(
        games, game, present[0], Proposal("replace", about={"player": player, "bot": "random"})
    )
    with pytest.raises(Forbidden):
        games.answer(game, gone, request.id, False)
    step(games, game, gone)
    assert games.requests(game) == ()


def test_holidays_are_no_absence(
    games: Games, three: Three, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table_of(games, three).id
    player = games.info(game).acting or ""
    away = next(one for one in three if one.name == player)
    other = next(one for one in three if one.name != player)
    today = now().date()
    add_holiday(games.store, away, today, today + timedelta(days=2), "UTC")
    absent(games, game, monkeypatch)
    with pytest.raises(Forbidden, match="3 days"):
        games.propose(game, other, Proposal("replace", about={"player": player, "bot": "random"}))


def test_a_pause_is_no_absence(games: Games, three: Three, monkeypatch: pytest.MonkeyPatch) -> None:
    game = table_of(games, three).id
    with games.store.writing(game=game) as reader:
        begin_clock(reader.connection, game, TimeControl("budget", 10**6), now())
    request = asked(games, game, three[0], Proposal("pause"))
    for one in three[1:]:
        games.answer(game, one, request.id, True)
    player = absent(games, game, monkeypatch)
    other = next(one for one in three if one.name != player)
    proposal = Proposal("replace", about={"player": player, "bot": "random"})
    with pytest.raises(Forbidden, match="3 days"):
        games.propose(game, other, proposal)
    later = now() + timedelta(days=4)
    monkeypatch.setattr(pauses, "now", lambda: later)
    games.resume(game, three[0])
    with pytest.raises(Forbidden, match="3 days"):
        games.propose(game, other, proposal)


@pytest.mark.parametrize(
    ("player", "bot"), [("Zoe", "random"), ("Ana", "random"), ("Ben", "nobody"), ("", "")]
)
def test_a_wrong_replacement_is_refused(
    games: Games, three: Three, monkeypatch: pytest.MonkeyPatch, player: str, bot: str
) -> None:
    game = table_of(games, three).id
    absent(games, game, monkeypatch)
    with pytest.raises((BadRequest, Forbidden)):
        games.propose(game, three[0], Proposal("replace", about={"player": player, "bot": bot}))


# --- newer rules ---------------------------------------------------------------------------


def old_table(games: Games, ana: User, ben: User, at: int) -> GameInfo:
    """A table that goes on with a game that began before a correction of the rules."""
    record = games.import_file(ana, OLD_GAME.read_bytes(), OLD_GAME.name)
    players = games.position(record.id).state.players
    seats = (Seat("me"), Seat("person"), *(Seat("bot", bot="random") for _ in list(players)[2:]))
    made = games.continue_from(record.id, ana, Continuation(at, seats))
    token = next(seat.invitation for seat in made.seats if seat.invitation)
    return games.join(token, ben)


def test_a_table_adopts_newer_rules_by_vote_and_takes_that_back(games: Games, three: Three) -> None:
    ana, ben, _ = three
    game = old_table(games, ana, ben, 700).id
    assert games.position(game).state.setup.version == "1"
    request = asked(games, game, ana, Proposal("adopt"))
    assert request.about == {"version": "2"}
    done = games.answer(game, ben, request.id, True)
    assert done.head == 701
    assert games.position(game).state.setup.version == "2"
    assert games.log(game, since=700)[0].action is not None
    assert games.verify(game).problems == ()
    undo = games.undo(game, ben, 700).request
    assert undo
    games.answer(game, ana, undo.id, True)
    assert games.position(game).state.setup.version == "1"
    redo = games.redo(game, ana).request
    assert redo
    games.answer(game, ben, redo.id, True)
    assert games.position(game).state.setup.version == "2"
    assert games.verify(game).problems == ()
    with pytest.raises(BadRequest, match="cannot be adopted"):
        games.propose(game, ana, Proposal("adopt"))


def test_a_vote_to_adopt_rules_survives_actions(games: Games, three: Three) -> None:
    ana, ben, _ = three
    game = old_table(games, ana, ben, 700).id
    asked(games, game, ana, Proposal("adopt", about={"version": "2"}))
    with games.store.reading() as reader:
        line = reader.line(game)
        later = type(line)(
            **{n: getattr(line, n) for n in line.__struct_fields__} | {"version": 99}
        )
        assert [one.kind for one in open_requests(reader.connection, later)] == ["adopt"]
    for version in ("1", "9", ""):
        if version:
            with pytest.raises(BadRequest):
                games.propose(game, ben, Proposal("adopt", about={"version": version}))
