"""Tuning: better parameters for the planner, found in games against a fixed field.

Each trial changes some parameters of the best set so far, plays the same matches with it, and
keeps it if its seats end with a greater part of the worth at the table. Everything follows from
the seed, and a study is stored after every trial, so that it can be continued.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from carril.bots import Dice, PlannerBot, register_bot
from carril.bots.planner.params import OWN_TABLE, Params, characters
from carril.engine.refusals import BadSetup
from carril.lab.arena import Match, Played, play_match, schedule

TUNED = "tuned"
"""The name of the planner with the parameters of a trial."""
FIELDS = ("least_gain", "own", "upgrade", "harmless", "reserve", "later", "future", "pulls")
"""The parameters that are changed; the budget of a search is not one of them."""
STEPS = (0.5, 0.75, 1.3, 1.8)
"""What a parameter is multiplied by in a trial."""


class Settings(Struct, frozen=True):
    """What a study does: its command follows from it."""

    title: str
    field: str = "greedy"
    games: int = 8
    seed: int = 1
    edition: str = ""

    @property
    def command(self) -> str:
        """The command that makes this study."""
        edition = f" --edition {self.edition}" if self.edition else ""
        chosen = f"--field {self.field} --games {self.games} --seed {self.seed}"
        return f"carril tune {self.title} {chosen}{edition}"


class Trial(Struct, frozen=True):
    """A set of parameters, and how much more than its part of the worth it won."""

    params: Params
    score: float


class Study(Struct, frozen=True):
    """The trials so far; the first is the planner as it is."""

    settings: Settings
    trials: tuple[Trial, ...] = ()

    @property
    def best(self) -> Trial:
        """The trial with the highest score, the earliest of equal ones."""
        return max(self.trials, key=lambda one: one.score)


def continued(path: Path, settings: Settings) -> Study:
    """Return the study in a file, or a new one; another study's file is refused."""
    if not path.exists():
        return Study(settings)
    try:
        study = msgspec.json.decode(path.read_bytes(), type=Study)
    except msgspec.MsgspecError as error:
        raise BadSetup(f"{path} is not a study: {error}") from None
    if study.settings != settings:
        raise BadSetup(f"{path} is another study: {study.settings.command}")
    return study


def tuned(
    study: Study,
    trials: int,
    path: Path,
    score: Callable[[Params, Settings], float] | None = None,
) -> Iterator[Study]:
    """Yield the study after each trial until it has this many, and store it each time."""
    judge = score or scored
    while len(study.trials) < trials:
        params = _next(study)
        trial = Trial(params, judge(params, study.settings))
        study = replace(study, trials=(*study.trials, trial))
        path.write_bytes(msgspec.json.encode(study))
        yield study


def _next(study: Study) -> Params:
    """Return the parameters of the next trial: two of the best set's are changed."""
    if not study.trials:
        return characters()[OWN_TABLE]
    dice = Dice(study.settings.seed * 1_000_003 + len(study.trials))
    best = study.best.params
    changes: dict[str, float] = {}
    for _ in range(2):
        name = FIELDS[dice.below(len(FIELDS))]
        value = getattr(best, name) * STEPS[dice.below(len(STEPS))]
        changes[name] = round(value, 3)
    return replace(best, made_by=f"{study.settings.command}, trial {len(study.trials)}", **changes)


def scored(params: Params, settings: Settings) -> float:
    """Return how much more than its part of the worth a planner with these parameters wins."""
    register_bot(PlannerBot(TUNED, params))
    bots = (TUNED, settings.field)
    matches = schedule(
        settings.title, bots, settings.games, 4, edition=settings.edition, seed=settings.seed
    )
    return advantage([play_match(match) for match in matches])


def advantage(played: Sequence[Played]) -> float:
    """Return the mean part of the worth that the tuned seats have, less their part of the seats."""
    return fmean(_part(one.match, one.worth) for one in played)


def _part(match: Match, worth: tuple[int, ...]) -> float:
    floor = [max(0, value) for value in worth]
    own = sum(value for value, bot in zip(floor, match.bots, strict=True) if bot == TUNED)
    return own / max(1, sum(floor)) - match.bots.count(TUNED) / len(match.bots)


def as_table(trial: Trial) -> str:
    """Return the parameters of a trial as the table of the planner."""
    rows = asdict(trial.params)
    made_by = rows.pop("made_by")
    lines = [f"[{OWN_TABLE}]", f'made_by = "{made_by}"']
    return "\n".join([*lines, *(f"{name} = {value}" for name, value in rows.items())])
