"""Programs at a table: played by the server, once, and known only to their owner."""

from __future__ import annotations

import pytest

from carril.engine.actions import Bid, ChooseLot, Pass
from carril.programs import (
    AnswerOffers,
    BidUpTo,
    OtherBid,
    PassOn,
    PriceBelow,
    Reason,
)
from carril.programs.kinds import Given
from carril.service.accounts import Accounts
from carril.service.administration import close_game, reopen_game
from carril.service.blocking import block_user
from carril.service.errors import (
    NotFound,
    NotYourSeat,
    ReadOnly,
    ServiceError,
    TooMany,
    Unsuitable,
)
from carril.service.games import Games
from carril.service.programs.giving import MOST_ACTIVE
from carril.service.programs.values import ProgramInfo
from carril.service.programs.worker import play_programs
from carril.service.seats.leaving import delete_account
from carril.service.values import NewGame, Seat, User
from tests.service.conftest import OpenGames
from tests.service.table import until

PEOPLE = ("Ana", "Ben", "Cleo")


@pytest.fixture
def idle(open_games: OpenGames) -> Games:
    """Games whose programs are played only when a test says so."""
    return open_games(bots=False)


@pytest.fixture
def crowd(idle: Games) -> dict[str, User]:
    known = Accounts(idle.store)
    return {name: known.guest(name) for name in PEOPLE}


def table_of(games: Games, crowd: dict[str, User]) -> str:
    """A table of three people, the first lot not chosen yet."""
    (first, *others) = crowd.values()
    seats = (Seat("me"), *(Seat("person", user.name) for user in others))
    made = games.create(first, NewGame("18EU", seats, seed=3))
    tokens = {seat.player: seat.invitation for seat in made.seats}
    for user in others:
        games.join(tokens[user.name], user)
    return made.id


def acting(games: Games, game: str) -> str:
    return str(games.info(game).acting)


def act(games: Games, game: str, crowd: dict[str, User], action: object) -> str:
    """Act for whoever is asked; return who that was."""
    name = acting(games, game)
    here = games.position(game)
    games.act(game, crowd[name], action, here.head)  # type: ignore[arg-type]
    return name


def play(games: Games, game: str) -> None:
    while play_programs(games.store, game):
        pass


def only(games: Games, game: str, user: User) -> ProgramInfo:
    (found,) = games.programs(game, user)
    return found


def reason(games: Games, game: str, user: User) -> Reason:
    found = only(games, game, user)
    assert not found.active
    assert found.reason
    return found.reason


def opened(games: Games, crowd: dict[str, User], lot: str = "5") -> tuple[str, str, str]:
    """A table with a lot on sale and a bid of 100; return it, the bidder and who is asked next."""
    game = table_of(games, crowd)
    act(games, game, crowd, ChooseLot(lot))
    first = act(games, game, crowd, Bid(100))
    return game, first, acting(games, game)


def test_a_program_bids_up_to_its_limit_and_then_asks(idle: Games, crowd: dict[str, User]) -> None:
    game, _, second = opened(idle, crowd)
    idle.give_program(game, crowd[second], BidUpTo(lot="5", limit=117))
    play(idle, game)
    assert idle.position(game).state.step.bid == 105  # type: ignore[attr-defined]
    act(idle, game, crowd, Bid(110))
    act(idle, game, crowd, Pass())
    play(idle, game)
    assert [entry.action for entry in idle.log(game)][-1] == Bid(115, by=second)
    act(idle, game, crowd, Bid(120))
    play(idle, game)
    assert acting(idle, game) == second
    assert reason(idle, game, crowd[second]) == Reason("limit", {"lot": "5", "price": 125})
    assert idle.verify(game).problems == ()


def test_a_program_passes_beyond_its_limit_if_told_to(idle: Games, crowd: dict[str, User]) -> None:
    game, _, second = opened(idle, crowd)
    idle.give_program(game, crowd[second], BidUpTo(lot="5", limit=100, then="pass"))
    play(idle, game)
    assert idle.log(game)[-1].action == Pass(by=second)
    act(idle, game, crowd, Pass())
    play(idle, game)
    why = reason(idle, game, crowd[second])
    assert (why.code, why.facts["price"]) == ("lot-sold", 100)


def test_another_bid_stops_a_program(idle: Games, crowd: dict[str, User]) -> None:
    game = table_of(idle, crowd)
    first = act(idle, game, crowd, ChooseLot("5"))
    stops = (OtherBid(),)
    idle.give_program(game, crowd[first], BidUpTo(lot="5", limit=300, stops=stops))
    play(idle, game)
    assert idle.log(game)[-1].action == Bid(100, by=first)
    other = act(idle, game, crowd, Bid(105))
    play(idle, game)
    assert reason(idle, game, crowd[first]).facts["player"] == other
    assert idle.info(game).head == 3


def test_a_program_passes_for_the_round_at_once(open_games: OpenGames) -> None:
    """The process that serves the table plays it without being asked."""
    games = open_games()
    known = Accounts(games.store)
    crowd = {name: known.guest(name) for name in PEOPLE}
    game, _, second = opened(games, crowd)
    games.give_program(game, crowd[second], PassOn())
    until(lambda: games.info(game).head == 3, 60)
    assert games.log(game)[-1].action == Pass(by=second)
    assert only(games, game, crowd[second]).active


def test_another_process_plays_programs_that_one_left_behind(open_games: OpenGames) -> None:
    idle = open_games(bots=False)
    known = Accounts(idle.store)
    crowd = {name: known.guest(name) for name in PEOPLE}
    game, _, second = opened(idle, crowd)
    idle.give_program(game, crowd[second], PassOn())
    assert idle.info(game).head == 2
    open_games()
    until(lambda: idle.info(game).head == 3, 60)


def test_two_processes_play_an_action_once(open_games: OpenGames) -> None:
    one, other = open_games(bots=False), open_games(bots=False)
    known = Accounts(one.store)
    crowd = {name: known.guest(name) for name in PEOPLE}
    game, _, second = opened(one, crowd)
    one.give_program(game, crowd[second], BidUpTo(lot="5", limit=200))
    play_programs(one.store, game)
    play_programs(other.store, game)
    play_programs(one.store, game)
    assert one.info(game).head == 3
    assert only(one, game, crowd[second]).done == 1


def test_a_withdrawn_program_does_nothing(idle: Games, crowd: dict[str, User]) -> None:
    game, _, second = opened(idle, crowd)
    made = idle.give_program(game, crowd[second], PassOn())
    with pytest.raises(NotFound):
        idle.withdraw_program(game, crowd["Ana" if second != "Ana" else "Ben"], made.id)
    idle.withdraw_program(game, crowd[second], made.id)
    play(idle, game)
    assert idle.info(game).head == 2
    assert idle.programs(game, crowd[second]) == []


def test_only_the_owner_lists_a_program(idle: Games, crowd: dict[str, User]) -> None:
    game, first, second = opened(idle, crowd)
    idle.give_program(game, crowd[first], BidUpTo(lot="5", limit=200))
    assert idle.programs(game, crowd[second]) == []
    for user in (crowd[second], None):
        assert idle.table(game, user).programs == ()
    assert len(idle.table(game, crowd[first]).programs) == 1


def test_a_program_about_the_same_thing_replaces_the_earlier(
    idle: Games, crowd: dict[str, User]
) -> None:
    game, first, _ = opened(idle, crowd)
    idle.give_program(game, crowd[first], BidUpTo(lot="5", limit=150))
    idle.give_program(game, crowd[first], BidUpTo(lot="5", limit=120))
    found = only(idle, game, crowd[first]).program
    assert found == BidUpTo(lot="5", limit=120)


# --- what ends a program -------------------------------------------------------------------


def test_an_undo_of_its_action_ends_a_program(idle: Games, crowd: dict[str, User]) -> None:
    game, _, second = opened(idle, crowd)
    idle.give_program(game, crowd[second], PassOn())
    play(idle, game)
    _undo(idle, game, crowd, second, 2)
    play(idle, game)
    assert idle.info(game).head == 2
    assert reason(idle, game, crowd[second]) == Reason("undone", {"to": 2})


def test_an_undo_before_it_was_given_ends_a_program(idle: Games, crowd: dict[str, User]) -> None:
    game, first, _ = opened(idle, crowd)
    idle.give_program(game, crowd[first], BidUpTo(lot="5", limit=150))
    _undo(idle, game, crowd, first, 1)
    play(idle, game)
    assert idle.info(game).head == 1
    assert reason(idle, game, crowd[first]).code == "undone"


def test_an_undo_of_later_actions_of_others_leaves_a_program(
    idle: Games, crowd: dict[str, User]
) -> None:
    game, first, second = opened(idle, crowd)
    idle.give_program(game, crowd[first], BidUpTo(lot="5", limit=150))
    act(idle, game, crowd, Bid(105))
    play(idle, game)
    _undo(idle, game, crowd, second, 2)
    play(idle, game)
    assert only(idle, game, crowd[first]).active
    act(idle, game, crowd, Bid(110))
    act(idle, game, crowd, Pass())
    play(idle, game)
    assert idle.log(game)[-1].action == Bid(115, by=first)


def test_a_redo_does_not_revive_a_program(idle: Games, crowd: dict[str, User]) -> None:
    game, _, second = opened(idle, crowd)
    idle.give_program(game, crowd[second], PassOn())
    play(idle, game)
    _undo(idle, game, crowd, second, 2)
    idle.redo(game, crowd[second])
    request = idle.undo_request(game)
    assert request
    for name in PEOPLE:
        if name != second:
            idle.answer(game, crowd[name], request.id, True)
    play(idle, game)
    assert idle.info(game).head == 3
    assert not only(idle, game, crowd[second]).active


def _undo(games: Games, game: str, crowd: dict[str, User], name: str, to: int) -> None:
    """Ask for an undo, to which everybody agrees."""
    request = games.undo(game, crowd[name], to).request
    assert request
    for other in PEOPLE:
        if other != name:
            games.answer(game, crowd[other], request.id, True)


def test_leaving_the_table_ends_a_program(idle: Games, crowd: dict[str, User]) -> None:
    game, _, second = opened(idle, crowd)
    idle.give_program(game, crowd[second], PassOn())
    idle.leave(game, crowd[second])
    play(idle, game)
    assert idle.info(game).head == 2
    assert idle.programs(game, crowd[second]) == []


def test_the_programs_of_a_blocked_user_end(idle: Games, crowd: dict[str, User]) -> None:
    game, _, second = opened(idle, crowd)
    idle.give_program(game, crowd[second], PassOn())
    block_user(idle.store, crowd[second], "spam", None)
    play(idle, game)
    assert idle.info(game).head == 2
    assert reason(idle, game, crowd[second]).code == "blocked"


def test_a_closed_table_keeps_programs_until_it_is_open(
    idle: Games, crowd: dict[str, User]
) -> None:
    game, _, second = opened(idle, crowd)
    idle.give_program(game, crowd[second], PassOn())
    close_game(idle.store, game)
    play(idle, game)
    assert idle.info(game).head == 2
    with pytest.raises(ReadOnly):
        idle.give_program(game, crowd[second], PassOn())
    reopen_game(idle.store, game)
    play(idle, game)
    assert idle.info(game).head == 3


def test_a_program_that_fails_ends_and_says_so(
    idle: Games, crowd: dict[str, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _, second = opened(idle, crowd)
    idle.give_program(game, crowd[second], PassOn())

    def fail(*_: object) -> None:
        raise RuntimeError("an error of ours")

    monkeypatch.setattr("carril.service.programs.worker.decide", fail)
    play(idle, game)
    assert reason(idle, game, crowd[second]).code == "failed"


# --- refusals ------------------------------------------------------------------------------


def test_programs_that_make_no_sense_are_refused(idle: Games, crowd: dict[str, User]) -> None:
    game, first, second = opened(idle, crowd)
    stranger = Accounts(idle.store).guest("Zoe")
    with pytest.raises(NotYourSeat):
        idle.give_program(game, stranger, PassOn())
    with pytest.raises(NotYourSeat):
        idle.give_program(game, crowd[first], PassOn(), second)
    with pytest.raises(Unsuitable) as refused:
        idle.give_program(game, crowd[first], BidUpTo(lot="99", limit=100))
    assert refused.value.name == "no-lot"
    with pytest.raises(Unsuitable) as refused:
        idle.give_program(game, crowd[first], PassOn(stops=(PriceBelow("none", 1),)))
    assert refused.value.name == "no-company"
    assert idle.programs(game, crowd[first]) == []


def test_the_number_of_programs_is_limited(idle: Games, crowd: dict[str, User]) -> None:
    game, first, _ = opened(idle, crowd)
    state = idle.position(game).state
    lots = state.title.auction.lots(state)
    given: list[Given] = [BidUpTo(lot=lot, limit=100) for lot in lots]
    given += [AnswerOffers(kind="consent", accept=True, company=one) for one in state.companies]
    for program in given[:MOST_ACTIVE]:
        idle.give_program(game, crowd[first], program)
    with pytest.raises(TooMany):
        idle.give_program(game, crowd[first], PassOn())
    assert len(idle.programs(game, crowd[first])) == MOST_ACTIVE


def test_a_deleted_game_and_account_take_their_programs_along(
    idle: Games, crowd: dict[str, User]
) -> None:
    game, _, second = opened(idle, crowd)
    idle.give_program(game, crowd[second], PassOn())
    delete_account(idle.store, crowd[second])
    play(idle, game)
    assert idle.info(game).head == 2
    with pytest.raises(ServiceError):
        idle.give_program(game, crowd[second], PassOn())
