"""Look-ahead: partial routes that cannot be completed are pruned."""

from __future__ import annotations

from carril.routes.constants import UNREACHABLE
from carril.routes.state.frontier import COMPLETE, pack
from carril.routes.state.lookahead import Lookahead, Remaining
from carril.routes.state.resources import Resources
from tests.routes.small import network, stop, train

STOPS = (
    stop("A", 10, token=True),
    stop("B", 10, once="same"),
    stop("C", 10, once="same"),
    stop("D", 10, tags=("east",)),
)
PROBLEM = network(STOPS, ("AB", "AC", "AD"), [train(3, must=("east",))])
A, B, C, D = range(4)


def lookahead(remaining: tuple[int, ...], min_calls: tuple[int, ...] = ()) -> Lookahead:
    """Return the look-ahead with a frontier that leads to B, C and D."""
    resources = Resources(PROBLEM, PROBLEM.trains[0], None)
    left = Remaining(resources)
    for one in remaining:
        left.add_stop(one)
    states = {pack([1, 0, 0]): 0, pack([0, 0, 1]): 1}
    return Lookahead([B, C, D], left, states if min_calls else {}, list(min_calls))


def test_open_paths_that_cannot_be_connected() -> None:
    found = lookahead((B, C, D), (UNREACHABLE, 2))
    assert found.required(pack([1, 0, 0])) is None
    required = found.required(pack([0, 0, 1]))
    assert required is not None
    assert required.calls == 2


def test_open_paths_that_lead_to_stops_of_one_group() -> None:
    found = lookahead((B, C, D))
    assert found.required(pack([1, 1, 0])) is None
    assert found.required(pack([1, 0, 1])) is not None


def test_a_label_that_excludes_the_next_stop() -> None:
    resources = Resources(PROBLEM, PROBLEM.trains[0], None)
    required = lookahead((C, D)).required(pack([0, 1, 0]))
    assert required is not None
    visited = resources.extend(0, B, True)[0][0]
    assert visited & required.excluded
    assert not resources.extend(0, A, True)[0][0] & required.excluded


def test_nothing_is_required_of_complete_and_idle_routes() -> None:
    for state in (0, COMPLETE):
        required = lookahead(()).required(state)
        assert required is not None
        assert (required.excluded, required.calls) == (0, 0)
        assert not lookahead(()).lacks(state, 0)


def test_a_route_lacks_what_no_remaining_stop_provides() -> None:
    resources = Resources(PROBLEM, PROBLEM.trains[0], None)
    state = pack([1, 0, 0])
    station = resources.extend(0, A, True)[0][0]
    assert not lookahead((A, D)).lacks(state, 0)
    assert lookahead((D,)).lacks(state, 0), "no station is left"
    assert not lookahead((D,)).lacks(state, station)
    assert lookahead((B,)).lacks(state, station), "no stop in the east is left"
