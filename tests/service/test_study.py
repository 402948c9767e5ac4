"""Studying a game: runs next to the best, bots that play on, tables that begin at a position."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from carril.engine.actions import RunTrains
from carril.engine.events import TrainsRun
from carril.engine.runs.compared import claimed_sums, compare
from carril.notation.save import to_text
from carril.service.api_study import StudyModel
from carril.service.continuing import Continuation
from carril.service.errors import BadRequest, Finished, NotFound, Stale
from carril.service.games import Games
from carril.service.playing_on import MOST_ACTIONS, PlayOnOrder
from carril.service.studying import BUDGET, Study
from carril.service.values import GameInfo, Seat, User
from tests.contract.walk import Plan, walk
from tests.service.table import BOT, own_table, step, until
from tests.service.test_api import browser, lone

WALKED = walk(Plan("18EU", 3, seed=41), most=260)
TRUSTED = walk(Plan("18EU", 3, seed=41, conventions="18xx.games"), most=260)
assert lone  # a fixture
People = tuple[User, User, User]


def _record(games: Games, user: User, trusted: bool = False) -> GameInfo:

    text = to_text(TRUSTED if trusted else WALKED)
    return games.import_file(user, text.encode(), "walked.json")


def _studied(games: Games, game: str) -> Study:
    until(lambda: len((found := games.study(game)).checked) == len(found.runs), 30)
    return games.study(game)


class TestRuns:
    def test_every_run_is_next_to_the_best(self, games: Games, people: People) -> None:
        game = _record(games, people[0]).id
        found = _studied(games, game)
        wanted = [n for n, a in enumerate(WALKED.actions, 1) if isinstance(a, RunTrains)]
        assert [run.number for run in found.runs] == wanted
        assert wanted
        for run in found.runs:
            state, action = WALKED.position(run.number - 1), WALKED.actions[run.number - 1]
            assert isinstance(action, RunTrains)
            claimed = sum(claimed_sums(state, action))
            best = compare(state, state.step.subject, claimed, BUDGET)
            assert (run.company, run.round) == (state.step.subject, str(state.round))
            assert (run.claimed, run.possible, run.missed) == (claimed, best.possible, best.missed)
            assert run.optimal is best.optimal

    def test_a_request_does_not_wait_for_the_searches(self, games: Games, people: People) -> None:
        game = _record(games, people[0]).id
        at_once = games.study(game)
        assert all(run.claimed == _earned(games, game, run.number) for run in at_once.runs)
        assert len(_studied(games, game).checked) == len(at_once.runs)

    def test_undone_runs_disappear(self, games: Games, people: People) -> None:
        ana = people[0]
        game = _record(games, ana).id
        runs = games.study(game).runs
        fork = games.fork(game, ana, runs[-1].number - 1)
        left = games.study(game, fork, ana).runs
        assert [run.number for run in left] == [run.number for run in runs[:-1]]
        with pytest.raises(NotFound):
            games.study(game, fork, people[1])


def _earned(games: Games, game: str, number: int) -> int:
    (entry,) = games.log(game, number - 1, number)
    return sum(e.revenue + e.treasury for e in entry.events if isinstance(e, TrainsRun))


class TestPlayOn:
    def test_bots_play_a_bounded_number_of_actions(self, games: Games, people: People) -> None:
        ana = people[0]
        game = _record(games, ana).id
        fork = games.fork(game, ana, 60)
        order = PlayOnOrder("end", 60, 0, BOT)
        played = games.play_on(game, ana, fork, order)
        assert 0 < played.played <= MOST_ACTIONS
        assert (played.head, played.version) == (60 + played.played, played.played)
        assert games.info(game).head == len(WALKED.actions)
        assert games.verify(game).problems == ()
        with pytest.raises(Stale):
            games.play_on(game, ana, fork, order)

    def test_they_stop_when_the_round_is_over(self, games: Games, people: People) -> None:
        ana = people[0]
        game = _record(games, ana).id
        fork, version, played = games.fork(game, ana, 60), 0, 0
        begun = str(games.position(game, 60).state.round)
        for _ in range(100):
            now = games.play_on(game, ana, fork, PlayOnOrder("round", 60, version, BOT))
            version, played = now.version, played + now.played
            if now.done:
                break
        else:
            raise AssertionError("the round never ends")
        log = games.log(game, 60, fork=fork, user=ana)
        assert len(log) == played
        rounds = [str(games.position(game, e.number, fork, ana).state.round) for e in log]
        assert set(rounds[:-1]) <= {begun}
        assert rounds[-1] != begun
        again = games.play_on(game, ana, fork, PlayOnOrder("round", 60, version, BOT))
        assert (again.played, again.done) == (0, True)

    def test_what_is_refused(self, games: Games, people: People) -> None:
        ana = people[0]
        game = own_table(games, ana).id
        fork = games.fork(game, ana, 0)
        with pytest.raises(BadRequest):
            games.play_on(game, ana, fork, PlayOnOrder("end", 0, 0, "nobody"))
        with pytest.raises(NotFound):
            games.play_on(game, people[1], fork, PlayOnOrder("end", 0, 0, BOT))


class TestContinue:
    def test_a_record_becomes_a_table_with_its_history(self, games: Games, people: People) -> None:
        ana = people[0]
        source = _record(games, ana, trusted=True)
        here = games.position(source.id, 100).state
        mine = here.acting
        seats = tuple(Seat("me") if p == mine else Seat("bot", bot=BOT) for p in here.players)
        made = games.continue_from(source.id, ana, Continuation(100, seats, "Again"))
        assert not made.read_only
        assert made.conventions == source.conventions == "18xx.games"
        assert games.position(made.id, 100).state == here
        assert [e.action for e in games.log(made.id, 0, 100)] == [
            e.action for e in games.log(source.id, 0, 100)
        ]
        step(games, made.id, ana)
        until(lambda: games.info(made.id).head > 100 and games.info(made.id).acting == mine)
        assert games.verify(made.id).problems == ()
        assert games.info(source.id).head == len(TRUSTED.actions)

    def test_a_position_of_a_what_if_line(self, games: Games, people: People) -> None:
        ana = people[0]
        game = own_table(games, ana).id
        fork = games.fork(game, ana, 0)
        step(games, game, ana, fork)
        seats = (Seat("me"), Seat("person"))
        made = games.continue_from(game, ana, Continuation(1, seats, fork=fork))
        assert games.position(made.id).state == games.position(game, fork=fork, user=ana).state
        (token,) = [seat.invitation for seat in made.seats if seat.invitation]
        joined = games.join(token, people[1])
        assert [seat.player for seat in joined.seats] == ["Ana", "Zoe"]

    def test_what_is_refused(self, games: Games, people: People) -> None:
        ana = people[0]
        game = own_table(games, ana).id
        with pytest.raises(BadRequest, match="a seat for each player"):
            games.continue_from(game, ana, Continuation(0, (Seat("me"),)))
        with pytest.raises(BadRequest, match="no bot"):
            games.continue_from(game, ana, Continuation(0, (Seat("me"), Seat("bot", bot="x"))))
        with pytest.raises(NotFound):
            games.continue_from(game, ana, Continuation(5, (Seat("me"), Seat("me"))))

    def test_a_finished_game_is_refused(self, games: Games, people: People) -> None:

        whole = walk(Plan("18EU", 2, seed=7))
        assert whole.last.ended
        game = games.import_file(people[0], to_text(whole).encode(), "whole.json")
        seats = (Seat("me"), Seat("me"))
        with pytest.raises(Finished):
            games.continue_from(game.id, people[0], Continuation(game.head, seats))


def test_the_api_has_it_all(lone: FastAPI) -> None:
    client = browser(lone, "Ana")
    file = {"file": ("walked.json", to_text(WALKED).encode())}
    game = client.post("/api/import", files=file).json()["id"]
    until(lambda: _is_checked(client.get(f"/api/games/{game}/runs").json()), 30)
    found = StudyModel.model_validate(client.get(f"/api/games/{game}/runs").json())
    assert found.missed == sum(run.missed or 0 for run in found.runs) >= 0
    assert all(run.optimal for run in found.runs)
    fork = client.post(f"/api/games/{game}/forks", json={"at": 60}).json()["id"]
    body = {"goal": "round", "since": 60, "version": 0, "bot": BOT}
    played = client.post(f"/api/games/{game}/forks/{fork}/play-on", json=body).json()
    assert played["head"] == 60 + played["played"] > 60
    assert client.post(f"/api/games/{game}/forks/{fork}/play-on", json=body).status_code == 409
    seats = [{"kind": "me"}, {"kind": "bot", "bot": BOT}, {"kind": "bot", "bot": BOT}]
    made = client.post(f"/api/games/{game}/continue", json={"at": 60, "seats": seats})
    assert made.status_code == 201
    assert made.json()["read_only"] is False


def _is_checked(found: dict[str, int]) -> bool:
    return found["checked"] == found["total"] > 0
