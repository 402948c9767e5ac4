"""Track with a look at the turn after this one: no lay that leads nowhere."""

from __future__ import annotations

from msgspec.structs import replace

from carril.bots.bot import Decision
from carril.bots.greedy import outlook
from carril.bots.greedy.track import (
    Lay,
    Weights,
    build_turn,
    earning,
    lay_decision,
    looks_far,
    ranked,
    try_lay,
    try_lays,
)
from carril.bots.planner.params import Plan

EFFORT = 5000
"""The effort that trying may take, in the unit of `outlook.look`."""
FIRST = 5
"""How many lays are followed by a look at the next turn."""
SECOND = 4
"""How many lays of the next turn are tried after each of them."""
DEEP_EFFORT = 160
"""Only networks that are searched with less effort than this are looked at twice."""


def build(sight: Plan) -> Decision | None:
    """Decide a turn of building: goals, stations, track for this turn and the next."""
    return build_turn(sight, _lay, EFFORT)


def _lay(sight: Plan) -> Decision | None:
    """Take the lay with the best run in this turn and after the next."""
    assert sight.company is not None
    symbol = sight.company.symbol
    tried, effort = try_lays(sight, symbol, EFFORT, _weights(sight))
    if not tried:
        return None
    if effort <= DEEP_EFFORT and outlook.rounds_left(sight.state) > 2:
        best = max(
            (_second(sight, symbol, lay), number, lay) for number, lay in enumerate(tried[:FIRST])
        )
        score, _, lay = best
    else:
        score, lay = tried[0].score, tried[0]
    if score <= 0 and sight.may_pass:
        return None
    return lay_decision(lay, "prepares a better run")


def _weights(sight: Plan) -> Weights:
    return Weights(sight.params.future, sight.params.pulls)


def _second(sight: Plan, symbol: str, lay: Lay) -> float:
    """Return the value of a lay together with the best lay of the next turn."""
    if lay.after.finished:
        return lay.score
    again = replace(lay.after, agenda=sight.state.agenda)
    then = Plan(again, sight.me, again.options(), sight.dice, sight.params)
    far = looks_far(again, symbol, EFFORT)
    before, _ = earning(again, symbol, far)
    best = 0.0
    for hope, option in ranked(then, symbol)[:SECOND]:
        lay_then, _ = try_lay(then, symbol, option, hope, before, far, _weights(then))
        best = max(best, lay_then.score)
    return lay.score + sight.params.later * best
