"""The clock of a table on the page: what each player has left, and what it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast, get_args

import msgspec

from carril.page.words import Words
from carril.service.errors import BadRequest
from carril.service.fields import parse_number
from carril.service.opponents import default_bot
from carril.service.table_clocks.counting import (
    DAY,
    HOUR,
    LONGEST,
    MINUTE,
    PRESETS,
    ClockView,
    Penalty,
    TimeControl,
)

_TIMES = ("budget", "per_stock", "per_company", "move")
_PENALTIES: tuple[Penalty, ...] = ("bot", "none", "loss")


def span(seconds: float) -> str:
    """Return a span of time as the page shows it.

    >>> span(3 * 86400 + 7200), span(3 * 3600 + 240), span(65), span(-5)
    ('3 d 2 h', '3 h 04 min', '1:05', '-0:05')
    """
    whole = int(abs(seconds))
    sign = "-" if seconds <= -1 else ""
    days, hours = divmod(whole // HOUR, DAY // HOUR)
    minutes = whole // MINUTE % MINUTE
    if days:
        return f"{sign}{days} d {hours} h"
    if hours:
        return f"{sign}{hours} h {minutes:02} min"
    return f"{sign}{minutes}:{whole % MINUTE:02}"


def shown(clock: ClockView | None, words: Words) -> dict[str, Any] | None:
    """Return what the page shows of a clock, or None if there is none."""
    if clock is None:
        return None
    stands = "paused" if clock.paused else "holiday" if clock.holiday else ""
    return {
        "players": {player: _player(clock, player) for player in clock.left},
        "running": clock.running,
        "stands": words.say(f"clock.{stands}") if stands else "",
        "paused": bool(clock.paused),
        "resumes": clock.resumes.strftime("%Y-%m-%d %H:%M UTC") if clock.resumes else "",
        "about": about(clock.control, words),
        "lost": clock.lost,
    }


def _player(clock: ClockView, player: str) -> dict[str, Any]:
    left = clock.left[player]
    runs = player == clock.running and not clock.holiday
    until = int((clock.now.timestamp() + left) * 1000) if runs else 0
    return {"text": span(left), "until": until, "short": left < clock.control.base / 10}


def spoken(seconds: int, words: Words) -> str:
    """Return a span of time in words, such as "1 day 12 hours"."""
    whole = {"days": seconds // DAY, "hours": seconds % DAY // HOUR}
    whole["minutes"] = seconds % HOUR // MINUTE
    said = [words.say(f"clock.span-{unit}", count=count) for unit, count in whole.items() if count]
    return " ".join(said)


def about(control: TimeControl, words: Words) -> str:
    """Return a clock and its penalty in one or two sentences; "" for none."""
    if control.kind == "none":
        return ""
    times = {name: getattr(control, name) for name in _TIMES}
    said = [
        words.say(f"clock.about-{name}", span=spoken(seconds, words))
        for name, seconds in times.items()
        if seconds
    ]
    return f"{', '.join(said)}. {words.say(f'clock.penalty-{control.penalty}', bot=control.bot)}"


_UNITS = {"minutes": MINUTE, "hours": HOUR, "days": DAY}
_OWN = {
    "own-budget": ("budget", {"budget": 14, "per_stock": 1, "per_company": 0}),
    "own-move": ("days", {"move": 2}),
}
"""Clocks whose times are fields of the form: their kind, and what the fields have at first."""


def read_control(text: Callable[[str], str]) -> TimeControl:
    """Return the clock of a new table from the fields of a form; BadRequest if it has none."""
    name, penalty = text("clock"), text("penalty")
    if not name:
        return TimeControl()
    if name not in (*PRESETS, *_OWN) or penalty not in get_args(Penalty):
        raise BadRequest("Choose a clock and what happens when a time is over.")
    control = PRESETS[name] if name in PRESETS else _own_control(name, text)
    return msgspec.structs.replace(control, penalty=cast("Penalty", penalty))


def _own_control(name: str, text: Callable[[str], str]) -> TimeControl:
    kind, fields = _OWN[name]
    unit = _UNITS.get(text(f"{name}-unit"), 0)
    numbers = {one: parse_number(text(f"{name}-{one}") or "0", None, LONGEST) for one in fields}
    if not unit or any(one is None for one in numbers.values()):
        raise BadRequest("The times of a clock are whole numbers of minutes, hours or days.")
    times = {one: number * unit for one, number in numbers.items() if number is not None}
    return msgspec.convert({"kind": kind, **times}, TimeControl)


def choices(words: Words) -> dict[str, Any]:
    """Return the clocks and penalties that the form of a new game offers."""
    return {
        "clocks": [
            {"name": name, "about": _offered(control, words)} for name, control in PRESETS.items()
        ],
        "own_clocks": [
            {"name": name, "about": words.say(f"clock.{name}"), "fields": fields}
            for name, (_, fields) in _OWN.items()
        ],
        "units": tuple(reversed(_UNITS)),
        "penalties": [
            {"name": one, "about": words.say(f"clock.choose-{one}")} for one in _PENALTIES
        ],
        "stand_in": default_bot(),
    }


def _offered(control: TimeControl, words: Words) -> str:
    name = next(key for key, one in PRESETS.items() if one == control)
    return words.say(f"clock.preset-{name}")
