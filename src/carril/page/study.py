"""View models for studying a game: its runs next to the best ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from carril.draw import RouteLine
from carril.engine.actions import RunTrains
from carril.engine.runs import BUDGET, Run, check, value
from carril.engine.runs.compared import claimed_sums, compare
from carril.engine.state import State
from carril.notation.text import write
from carril.page.chronicle import in_full
from carril.page.plot import draw_bars
from carril.page.runs import lines, problem_of
from carril.page.words import Words
from carril.service.advising import Advice
from carril.service.studying import StudiedRun, Study
from carril.service.values import Entry

CLAIMED = "#6a1b9a"
"""The colour of a claimed run that is drawn next to the best one."""
MOST_LINES = 3
"""How many events of an action that the planner ranks are told."""


def study_model(study: Study, words: Words, most_missed_first: bool) -> dict[str, Any]:
    """Return the runs of a game as rows, with their sums by player and company."""
    runs = list(study.runs)
    if most_missed_first:
        runs.sort(key=lambda run: -(run.missed or 0))
    return {
        "runs": runs,
        "worst": max((run.missed or 0 for run in runs), default=0),
        "total": len(runs),
        "checked": len(study.checked),
        "claimed": study.claimed,
        "possible": study.possible,
        "by_player": _sums(study.checked, lambda run: run.by),
        "by_company": _sums(study.checked, lambda run: run.company),
        "most_missed_first": most_missed_first,
        "svg": _bars(study, words),
    }


def _sums(runs: Iterable[StudiedRun], key: Callable[[StudiedRun], str]) -> list[dict[str, Any]]:
    """Return the sums of runs by a key, those with the most missed revenue first."""
    found: dict[str, list[StudiedRun]] = {}
    for run in runs:
        found.setdefault(key(run), []).append(run)
    rows = [
        {
            "name": name,
            "count": len(some),
            "claimed": sum(run.claimed for run in some),
            "possible": sum(run.possible or 0 for run in some),
            "missed": sum(run.missed or 0 for run in some),
        }
        for name, some in found.items()
    ]
    return sorted(rows, key=lambda row: -row["missed"])


def _bars(study: Study, words: Words) -> str:
    """Return a bar for each operating round: what was claimed, and on top what was missed."""
    stacks: dict[str, tuple[int, int]] = {}
    for run in study.runs:
        claimed, missed = stacks.get(run.round, (0, 0))
        stacks[run.round] = claimed + run.claimed, missed + max(0, run.missed or 0)
    return draw_bars(words.say("study.chart"), tuple(stacks), tuple(stacks.values()))


def compared(state: State, words: Words, then: Entry, searched: bool) -> dict[str, Any] | None:
    """Return the run that followed a position next to the best one; None if no run followed.

    Until the best run has been searched, there is only the claim.
    """
    action = then.action
    if not isinstance(action, RunTrains):
        return None
    problem = problem_of(state, state.step.subject)
    claimed, run = sum(claimed_sums(state, action)), Run(action.routes, action.extras)
    found: dict[str, Any] = {"claimed": claimed, "possible": None, "lines": ()}
    if check(problem, run) is None:
        found["lines"] = lines(words, value(problem, run), run.routes)
    if not searched:
        return found
    best = compare(state, state.step.subject, claimed, BUDGET)
    return found | {
        "possible": best.possible,
        "missed": best.missed,
        "optimal": best.optimal,
        "bound": best.bound,
        "best": lines(words, value(problem, best.best), best.best.routes),
    }


def compared_lines(words: Words, model: dict[str, Any]) -> tuple[RouteLine, ...]:
    """Return the lines of the claimed run, and of the best one if that is worth more."""
    claimed: tuple[RouteLine, ...] = model["lines"]
    if model["possible"] is None or model["missed"] <= 0:
        return claimed
    below = tuple(
        one._replace(
            colour=CLAIMED, dashed=True, label=words.say("study.claimed-line", line=one.label)
        )
        for one in claimed
    )
    best: tuple[RouteLine, ...] = model["best"]
    return best + below


def advised(found: Advice, words: Words) -> list[dict[str, Any]]:
    """Return the choices that the planner ranks highest: what each does, is worth, and why."""
    rows = []
    for one in found.choices:
        told = in_full(words, found.state.apply(one.action).events) or [write(one.action)]
        text, worth = "; ".join(told[:MOST_LINES]), words.money(one.estimate)
        rows.append({"text": text, "estimate": worth, "reason": sentence(one.reason)})
    return rows


def sentence(text: str) -> str:
    """Return a bot's reason as a sentence.

    >>> sentence("the best run earns 80")
    'The best run earns 80.'
    """
    end = "" if text.endswith((".", "!", "?")) else "."
    return text[:1].upper() + text[1:] + end
