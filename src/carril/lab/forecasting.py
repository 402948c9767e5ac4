"""How far forecasts are from what happens: games of bots, with a forecast before every round.

The error of a forecast is the sum over the players of what it is wrong by, as a fraction of the
sum of what they are worth at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from time import process_time

from msgspec import Struct

from carril.bots import Dice, bot_named
from carril.bots.forecast import forecast
from carril.draw.svg import num, tag
from carril.engine.state import State
from carril.engine.worth import standing
from carril.lab.arena import MOST_ACTIONS, Match, first_position

TENTHS = 10


class Sample(Struct, frozen=True):
    """A forecast before a round, and how it turned out."""

    round: str
    progress: float
    """The part of the game's operating rounds that had been played."""
    error: float
    bias: float
    """The error with its sign: above 0 if the forecast was too high."""
    rounds: int
    """How many operating rounds it expected."""
    left: int
    """How many there were."""
    milliseconds: float


class Tenth(Struct, frozen=True):
    """The forecasts in one tenth of the games."""

    begin: float
    samples: int
    error: float
    bias: float


def observe(match: Match) -> tuple[Sample, ...]:
    """Play a match and return the forecasts that were made on the way."""
    state = first_position(match)
    bots = dict(zip(match.players, map(bot_named, match.bots), strict=True))
    dice = Dice(match.seed)
    seen: list[tuple[State, float, dict[str, int], int]] = []
    played, actions = 0, 0
    while not state.finished and actions < MOST_ACTIONS:
        if not seen or seen[-1][0].round != state.round:
            before = process_time()
            ahead = forecast(state)
            seen.append((state, process_time() - before, dict(ahead.worth), ahead.rounds))
            played += state.round.kind == "OR"
        decision = bots[state.acting or ""].choose(state, dice)
        state = state.apply(decision.action).state
        actions += 1
    return tuple(_samples(seen, standing(state), played))


def _samples(
    seen: Sequence[tuple[State, float, dict[str, int], int]], worth: dict[str, int], total: int
) -> Iterable[Sample]:
    whole = max(1, sum(abs(value) for value in worth.values()))
    done = 0
    for state, seconds, expected, rounds in seen:
        wrong = [expected[name] - worth[name] for name in worth]
        yield Sample(
            round=str(state.round),
            progress=done / max(1, total),
            error=sum(map(abs, wrong)) / whole,
            bias=sum(wrong) / whole,
            rounds=rounds,
            left=total - done,
            milliseconds=seconds * 1000,
        )
        done += state.round.kind == "OR"


def by_tenth(samples: Sequence[Sample]) -> tuple[Tenth, ...]:
    """Return the mean error in each tenth of the games."""
    found = []
    for part in range(TENTHS):
        chosen = [one for one in samples if min(TENTHS - 1, int(one.progress * TENTHS)) == part]
        if chosen:
            error, bias = fmean(one.error for one in chosen), fmean(one.bias for one in chosen)
            found.append(Tenth(part / TENTHS, len(chosen), error, bias))
    return tuple(found)


def second_half(samples: Sequence[Sample]) -> float:
    """Return the mean error of the forecasts in the second half of the games."""
    return fmean([one.error for one in samples if one.progress >= 0.5] or [0.0])


def plot(tenths: Sequence[Tenth], heading: str) -> str:
    """Return an SVG picture of the error by the part of the game that had been played."""
    width, height, left, foot = 640, 320, 50, 40
    top = max([one.error for one in tenths] + [0.2])
    parts = [tag("rect", width=width, height=height, fill="white")]
    for percent in range(0, int(top * 100) + 1, 10):
        y = height - foot - (height - 2 * foot) * percent / (100 * top)
        parts.append(tag("path", d=f"M{left} {num(y)}H{width - 20}", stroke="#ddd"))
        parts.append(_text(left - 8, y + 4, f"{percent}%", "end"))
    step = (width - left - 20) / TENTHS
    for one in tenths:
        x = left + one.begin * TENTHS * step
        size = (height - 2 * foot) * one.error / top
        box = {"x": num(x + 4), "y": num(height - foot - size)}
        parts.append(tag("rect", **box, width=num(step - 8), height=num(size), fill="#1565c0"))
        parts.append(_text(x + step / 2, height - foot + 16, f"{one.begin:.0%}", "middle"))
    parts.append(_text(width / 2, 20, heading, "middle"))
    return tag("svg", *parts, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}")


def _text(x: float, y: float, words: str, anchor: str) -> str:
    look = {"font_size": "12", "font_family": "sans-serif", "text_anchor": anchor}
    return tag("text", words, x=num(x), y=num(y), **look)
