"""The checker and the reckoning of runs, on one small board.

A1 city (own) - A3 town - A5 city - A7 off-map
                   junction B4 joins A3, A5 and C4 (port)
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from carril import routes
from carril.engine import runs
from carril.engine.runs import (
    BadProblem,
    Bonus,
    Limit,
    Piece,
    Point,
    Room,
    Route,
    Rules,
    Run,
    RunCard,
    RunProblem,
    Stop,
    Train,
)
from carril.engine.runs.paths import far_routes, first_legs
from carril.routes import solve

STOPS = (
    Stop("A1.0", "A1", "city", 20, token=True, tags=("red",)),
    Stop("A3.0", "A3", "town", 10),
    Stop("A5.0", "A5", "city", 30, toll=20),
    Stop("A7.0", "A7", "offboard", 40, treasury=5, through=False, tags=("red",)),
    Stop("C4.0", "C4", "port", 10, through=False),
)
POINTS = (
    *(Point("stop", stop.hex, number) for number, stop in enumerate(STOPS)),
    Point("side", "A1"),  # 5: A1-A3
    Point("side", "A3"),  # 6: A3-A5
    Point("side", "A5"),  # 7: A5-A7
    Point("side", "A3"),  # 8: A3-B4
    Point("side", "A5"),  # 9: A5-B4
    Point("side", "B4"),  # 10: B4-C4
    Point("junction", "B4"),  # 11
)
PIECES = (
    Piece(0, 5, "A1"),
    Piece(5, 1, "A3"),
    Piece(1, 6, "A3"),
    Piece(6, 2, "A5"),
    Piece(2, 7, "A5"),
    Piece(7, 3, "A7"),
    Piece(1, 8, "A3"),
    Piece(2, 9, "A5"),
    Piece(8, 11, "B4"),
    Piece(9, 11, "B4"),
    Piece(10, 11, "B4"),
    Piece(10, 4, "C4"),
)
FREE = Room(("town", "port"), -1)


def train(size: int, **more: object) -> Train:
    return Train(str(size), (Room(("city", "offboard"), size), FREE), **more)  # type: ignore[arg-type]


def problem(*trains: Train, rules: Rules | None = None) -> RunProblem:
    return RunProblem(STOPS, POINTS, PIECES, trains or (train(3), train(2)), rules or Rules())


def route(name: str, path: str) -> Route:
    return Route(name, tuple(path.split()))


def code(board: RunProblem, *routes: Route, extras: tuple[tuple[str, str], ...] = ()) -> str:
    fault = runs.check(board, Run(routes, extras))
    return fault.code if fault else ""


TOLL = (("toll", "A5.0"),)


def test_a_legal_run_is_reckoned_stop_by_stop() -> None:
    rules = Rules(bonuses=(Bonus("red to red", ends="red", per_token=20, cap=4),))
    run = Run((route("3", "A1.0 A3.0 A5.0 A7.0"),), TOLL)
    assert runs.check(problem(rules=rules), run) is None
    value = runs.value(problem(rules=rules), run)
    assert (value.total, value.payable, value.treasury, value.tolls) == (105, 120, -15, 20)
    assert value.routes[0].bonuses == (("red to red", 20),)
    assert value.routes[0].stops[-1] == ("A7.0", 40, 5)


def test_track_over_a_junction() -> None:
    assert code(problem(), route("3", "A1.0 A3.0 B4 C4.0")) == ""
    assert code(problem(), route("3", "A1.0 A3.0 B4 A5.0 A7.0"), extras=TOLL) == ""


def test_track_between_two_stops_of_one_hex() -> None:
    stops = (Stop("A1.0", "A1", "city", 20, token=True), Stop("A1.1", "A1", "city", 30))
    points = tuple(Point("stop", "A1", number) for number in (0, 1))
    board = RunProblem(stops, points, (Piece(0, 1, "A1"),), (train(2),))
    assert code(board, route("2", "A1.0 A1.1")) == ""
    assert solve(board).runs == (Run((route("2", "A1.0 A1.1"),)),)


@pytest.mark.parametrize(
    ("fault", "routes"),
    [
        ("no-such-train", ["4:A1.0 A3.0"]),
        ("train-runs-twice", ["3:A1.0 A3.0", "3:A1.0 A3.0"]),
        ("no-such-place", ["3:A1.0 Z9"]),
        ("too-few-stops", ["3:A1.0"]),
        ("no-stop-at-end", ["3:A1.0 A3.0 B4"]),
        ("stop-twice", ["3:A1.0 A3.0 A1.0"]),
        ("passes-offboard", ["3:A5.0 A7.0 A3.0"]),
        ("route-no-station", ["3:A3.0 A5.0"]),
        ("not-connected", ["3:A1.0 A5.0"]),
        ("not-connected", ["3:A1.0 A3.0 B4 A7.0"]),
        ("too-many-stops", ["2:A1.0 A3.0 A5.0 A7.0"]),
        ("track-shared", ["3:A1.0 A3.0", "2:A1.0 A3.0 A5.0"]),
        ("toll-unpaid", ["3:A1.0 A3.0 A5.0 A7.0"]),
    ],
)
def test_faults(fault: str, routes: list[str]) -> None:
    assert code(problem(), *(route(*text.split(":", 1)) for text in routes)) == fault


@pytest.mark.parametrize("path", ["A1.0 A5.0 A7.0", "A3.0 A1.0 A5.0"])
def test_the_first_gap_in_the_track_is_named(path: str) -> None:
    fault = runs.check(problem(), Run((route("3", path),), TOLL))
    assert fault is not None
    assert fault.facts == {"train": "3", "from": "A1.0", "to": "A5.0"}


def test_gauge_bars_musts_and_limits() -> None:
    path = route("3", "A1.0 A3.0 A5.0")
    assert code(problem(train(3, gauges=("narrow",))), path) == "wrong-gauge"
    assert code(problem(train(3, bars=("town",))), path) == "stop-barred"
    assert code(problem(train(3, must=("port",))), path) == "must-visit"
    assert code(problem(rules=Rules(limits=(Limit("city", 1),))), path) == "too-many-of-kind"


def test_exclusive_junction_is_used_once() -> None:
    points = (*POINTS[:11], Point("junction", "B4", exclusive=True), Point("side", "B4"))
    stops = (*STOPS, Stop("D4.0", "D4", "city", 10, token=True))
    points = (*points, Point("stop", "D4", 5))
    pieces = (*PIECES, Piece(12, 11, "B4"), Piece(12, 13, "D4"))
    board = RunProblem(stops, points, pieces, (train(3), train(2)))
    two = (route("3", "A1.0 A3.0 B4 C4.0"), route("2", "D4.0 B4 A5.0"))
    assert code(board, two[0]) == code(board, two[1]) == ""
    assert code(board, *two) == "track-shared"


PULLMAN = Rules(extras=(RunCard("pullman", doubles=("city", "offboard")),))


def test_pullman() -> None:
    path = route("3", "A1.0 A3.0 A5.0")
    assert runs.value(problem(rules=PULLMAN), Run((path,), (("pullman", "A5.0"),))).total == 90
    for fault, extras in [
        ("", (("pullman", "A5.0"),)),
        ("pullman-not-on-route", (("pullman", "A7.0"),)),
        ("pullman-wrong-stop", (("pullman", "A3.0"),)),
        ("no-such-extra", (("tender", "3"),)),
        ("no-such-extra", (("pullman", "A5.0"), ("pullman", "A1.0"))),
    ]:
        assert code(problem(rules=PULLMAN), path, extras=extras) == fault


def test_tender_adds_room_to_one_train() -> None:
    tender = Rules(extras=(RunCard("tender", room=(Room(("town",), 1),)),))
    board = problem(Train("2", (Room(("city", "town"), 2),)), rules=tender)
    path = route("2", "A1.0 A3.0 A5.0")
    assert code(board, path) == "too-many-stops"
    assert code(board, path, extras=(("tender", "2"),)) == ""
    assert code(board, path, extras=(("tender", "4"),)) == "no-such-train"


def test_wagon_carries_cubes_to_a_harbour_beyond_the_range() -> None:
    wagon = RunCard("2w", capacity=2, beyond=("offboard",), must=("offboard",))
    rules = Rules(extras=(wagon,), cubes=(("city", 1),), cube_value=30)
    board = problem(train(2), rules=rules)
    path = route("2", "A1.0 A3.0 A5.0 A7.0")
    run = Run((path,), (("2w", "2 city=1"), *TOLL))
    assert runs.check(board, run) is None
    value = runs.value(board, run)
    assert value.payable == 20 + 10 + 30 + 0 + 30
    for fault, load in [
        ("card-overloaded", "2 city=3"),
        ("no-cubes-left", "2 city=2"),
        ("source-not-on-route", "2 mill=1"),
        ("card-empty", "2"),
    ]:
        assert code(board, path, extras=(("2w", load), *TOLL)) == fault


def test_tolls() -> None:
    path = route("3", "A1.0 A3.0 A5.0 A7.0")
    assert code(problem(train(3, free_tolls=1)), path) == ""
    assert code(problem(), route("3", "A1.0 A3.0 A5.0"), extras=TOLL) == "toll-unused"
    assert code(problem(), path, extras=TOLL * 2) == "toll-unused"
    assert code(problem(rules=Rules(purse=10)), path, extras=TOLL) == "toll-too-dear"


def test_bad_problems_say_what_is_wrong() -> None:
    board = problem()
    for bad, word in [
        (RunProblem(STOPS * 2, POINTS, PIECES, board.trains), "same key"),
        (RunProblem(STOPS, (Point("stop", "A1", 9),), (), board.trains), "no stop 9"),
        (RunProblem(STOPS, POINTS, (Piece(0, 99, "A1"),), board.trains), "piece 0"),
        (RunProblem(STOPS, POINTS, PIECES, (Train("x", ()),)), "'x'"),
        (problem(train(2, factor=0)), "factor"),
        (problem(train(2, free_tolls=-1)), "free tolls"),
    ]:
        with pytest.raises(BadProblem, match=word):
            runs.validate(bad)


TOTAL = runs.Run((Route("2", ("A1.0", "A3.0")),))
ANSWER = runs.Answer((TOTAL,), 0, 0, True, 5, 0, 0)


class Asked:
    """A solver that notes what it is asked, always gives the same run, and needs 5 nodes."""

    def __init__(self) -> None:
        self.questions: list[tuple[RunProblem, bool, runs.Run | None]] = []
        self.budgets: list[int | None] = []

    def solve(
        self,
        problem: RunProblem,
        budget: int | None = None,
        count: int = 1,
        payable: bool = False,
        known: runs.Run | None = None,
        ties: bool = False,
    ) -> runs.Answer:
        self.questions.append((problem, payable, known))
        self.budgets.append(budget)
        return ANSWER

    def solve_both(
        self, problem: RunProblem, budget: int | None = None
    ) -> tuple[runs.Answer, runs.Answer]:
        self.questions += [(problem, False, None), (problem, True, TOTAL)]
        return ANSWER, ANSWER

    def solve_payments(
        self, problem: RunProblem, budget: int | None = None, least: int = 0
    ) -> tuple[runs.Answer, ...]:
        return ()


@pytest.fixture
def asked() -> Iterator[Asked]:
    """Installed for one test, in place of the solver."""
    solver = Asked()
    runs.install(solver)
    yield solver
    runs.install(routes)


def test_best_asks_the_installed_solver_once(asked: Asked) -> None:
    runs.best(problem())
    runs.best(problem())
    assert len(asked.questions) == 1


def test_an_answer_with_ties_serves_whoever_asks_for_the_best_run(asked: Asked) -> None:
    runs.best(problem(), count=3, ties=True)
    runs.best(problem(), count=3, ties=True)
    runs.best(problem())
    assert len(asked.questions) == 1
    runs.best(problem(), count=3)
    assert len(asked.questions) == 2, "there may be runs that are worth less"
    runs.best(problem(), count=2, ties=True)
    assert len(asked.questions) == 2


def test_the_search_for_the_dividend_begins_with_the_best_total(asked: Asked) -> None:
    runs.best(problem(), payable=True)
    assert [question[1:] for question in asked.questions] == [(False, None), (True, TOTAL)]
    runs.best(problem(), payable=True)
    runs.best(problem())
    assert len(asked.questions) == 2
    runs.best(problem(), budget=9, payable=True)  # 5 nodes have proven the total
    assert [question[1:] for question in asked.questions[2:]] == [(True, TOTAL)]
    runs.best(problem(), budget=4, payable=True)
    assert [question[1:] for question in asked.questions[3:]] == [(False, None), (True, TOTAL)]


def test_both_answers_come_from_one_call_and_are_cached(asked: Asked) -> None:
    assert runs.both_within_budget(problem()) == (ANSWER, ANSWER)
    runs.both_within_budget(problem())
    runs.best_within_budget(problem())
    runs.best_within_budget(problem(), payable=True)
    assert [question[1:] for question in asked.questions] == [(False, None), (True, TOTAL)]


@pytest.mark.parametrize(("budget", "rest"), [(None, None), (9, 4), (5, 1), (3, 1)])
def test_the_greatest_total_and_dividend_share_one_budget(
    asked: Asked, budget: int | None, rest: int | None
) -> None:
    runs.best(problem(), budget, payable=True)
    assert asked.budgets == [budget, rest]
    runs.best(problem(), budget, payable=True)
    assert len(asked.budgets) == 2


def test_a_proven_answer_serves_every_budget_that_is_enough_to_prove_it() -> None:
    runs.forget()
    proven = solve(problem(), 4000)
    assert proven.optimal
    answers = [runs.best(problem(), budget) for budget in (None, 4000, proven.nodes)]
    assert answers == [proven, proven, proven]
    runs.forget()
    little = runs.best(problem(), 1)
    assert not little.optimal
    assert runs.best(problem(), 4000) == proven
    assert runs.best(problem(), 1) == little
    assert runs.best(problem(), 2) == solve(problem(), 2)


def test_first_legs_lead_from_each_station_to_the_next_stops() -> None:
    train = Train("2", (Room(("city", "town"), 2),))
    problem = RunProblem(STOPS, POINTS, PIECES, (train,))
    assert list(first_legs(problem, train)) == [Route("2", ("A1.0", "A3.0"))]
    stops = tuple(msgspec.structs.replace(stop, token=stop.key == "A3.0") for stop in STOPS)
    problem = RunProblem(stops, POINTS, PIECES, (train,))
    assert {leg.path for leg in first_legs(problem, train)} == {
        ("A3.0", "A1.0"),
        ("A3.0", "A5.0"),
        ("A3.0", "B4", "A5.0"),
        ("A3.0", "B4", "C4.0"),
    }
    narrow = msgspec.structs.replace(train, gauges=("narrow",))
    assert not list(first_legs(problem, narrow))


def test_far_routes_go_on_until_they_have_what_the_train_must_have() -> None:
    train = Train("4", (Room(("city", "town", "offboard", "port"), 4),), must=("offboard",))
    problem = RunProblem(STOPS, POINTS, PIECES, (train,))
    (route,) = far_routes(problem, train)
    stops = [place for place in route.path if "." in place]
    assert stops == ["A1.0", "A3.0", "A5.0", "A7.0"]
    port = msgspec.structs.replace(train, must=("port", "town"))
    assert [route.path for route in far_routes(problem, port)] == [("A1.0", "A3.0", "B4", "C4.0")]
    both = msgspec.structs.replace(train, must=("port", "offboard"))  # both are ends: not from A1
    assert not list(far_routes(problem, both))
