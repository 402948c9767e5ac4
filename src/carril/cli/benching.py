"""`carril bench engine`: how fast the engine is. Figures are printed, never judged."""

from __future__ import annotations

import gc
import platform
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Annotated, Any, NamedTuple

import typer
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from carril.bots import Bot, Decision, Dice, bot_named
from carril.cli.common import aside, print_json, screen, title_called
from carril.cli.playing import NAMES, play_out
from carril.cli.showing import AsJson
from carril.cli.tables import table
from carril.engine import runs
from carril.engine.figures import SetupDef
from carril.engine.refusals import BadSetup
from carril.engine.registry import title_named, title_names
from carril.engine.state import State
from carril.notation.files import Record, open_record
from carril.notation.position import decode, encode
from carril.notation.save import Game

SEED = 1
Figures = dict[str, Any]
Clock = Callable[[], float]
Cpu = Annotated[bool, typer.Option("--cpu", help="Count processor time: for a busy machine.")]


def bench_engine(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Recorded games to measure, not games of bots.")
    ] = None,
    games: Annotated[int, typer.Option(help="Games of bots for each player count.")] = 1,
    title: Annotated[
        list[str] | None, typer.Option(help="Only this title; may be repeated.")
    ] = None,
    setups: Annotated[bool, typer.Option("--setups", help="Each set-up by itself.")] = False,
    cpu: Cpu = False,
    as_json: AsJson = False,
) -> None:
    """Measure random and greedy play, replay, options and snapshots, for each title and edition."""
    clock = time.process_time if cpu else time.perf_counter
    records = [open_record(path) for path in files or ()]
    if games < 1 and not records:
        raise BadSetup(f"{games} games cannot be measured")
    if setups and records:
        raise BadSetup("--setups is for games of bots: a record has its own set-up")
    wanted = [title_called(name) for name in title or ()] or list(title_names())
    subjects = _recorded(records, wanted) if records else _subjects(wanted, setups)
    figures = engine_figures(records, subjects, games, clock)
    if as_json:
        print_json(figures)
    else:
        _show(figures)


class Subject(NamedTuple):
    """What is measured by itself: an edition of a title, in these set-ups."""

    title: str
    edition: str
    setups: tuple[SetupDef, ...] = ()
    setup: str = ""
    """The name of the only set-up, where each is measured by itself."""

    @property
    def label(self) -> str:
        """The names of title, edition and set-up."""
        name = f"{self.title} {self.edition}".strip()
        return f"{name}, {self.setup}" if self.setup else name


def engine_figures(
    records: list[Record],
    subjects: list[Subject],
    games: int,
    clock: Clock = time.perf_counter,
) -> Figures:
    """Measure each subject on its records, or on games of bots if there are none."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=aside(), transient=True) as progress:
        task = progress.add_task("", total=5 * len(subjects))
        measured = []
        for subject in subjects:

            def tell(what: str, label: str = subject.label) -> None:
                progress.update(task, advance=1, description=f"{label}: {what}")

            own = [one for one in records if _edition_of(one) == (subject.title, subject.edition)]
            measured.append(_measured(subject, own, games, clock, tell))
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "titles": measured,
    }


def _subjects(titles: list[str], apart: bool) -> list[Subject]:
    """Return every edition of these titles, with every other set-up, or each set-up `apart`.

    A title without editions has one, "".
    """
    found = []
    for name in titles:
        title = title_named(name)
        for edition in title.editions or ("",):
            if apart:
                each = title.tables.setups
                found += [Subject(name, edition, (one,), setup_name(one)) for one in each]
            else:
                found.append(Subject(name, edition, title.tables.setups[::2]))
    return found


def setup_name(setup: SetupDef) -> str:
    """Return the name of a set-up.

    >>> setup_name(SetupDef(2, 720, 20, ("easy", "east")))
    '2 players, easy, east'
    """
    return ", ".join([f"{setup.players} players", *setup.variants])


def _recorded(records: list[Record], titles: list[str]) -> list[Subject]:
    found = dict.fromkeys(_edition_of(record) for record in records)
    return [Subject(*pair) for pair in found if pair[0] in titles]


def _edition_of(record: Record) -> tuple[str, str]:
    setup = record.position(0).setup
    first = next(iter(title_named(setup.title).editions), "")
    return setup.title, setup.edition or first


def _measured(
    subject: Subject,
    records: list[Record],
    games: int,
    clock: Clock,
    tell: Callable[[str], None],
) -> Figures:
    """Measure one subject; without records it is played at random first."""
    found: Figures = {"title": subject.title, "edition": subject.edition, "setup": subject.setup}
    tell("random play")
    if not records:
        played, found["random_play"] = _play(subject, "random", games, clock)
        records = list(played)
        tell("greedy play")
        found["greedy_play"] = _play(subject, "greedy", games, clock)[1]
    gc.collect()
    gc.freeze()  # the collector would look through the games again and again while others run
    found |= {"games": len(records), "actions": sum(record.playable() for record in records)}
    tell("replay")
    found["replay"] = _replay(records, clock)
    tell("options")
    found["options"] = _options(records, clock)
    tell("snapshots")
    found["snapshot"] = _snapshots(records, clock)
    return found


def _play(subject: Subject, name: str, games: int, clock: Clock) -> tuple[list[Game], Figures]:
    """Play whole games with each set-up; the random bot lists all options each time."""
    bot = _Stopwatch(bot_named(name), clock)
    played, times = [], []
    for setup in subject.setups:
        for number in range(games):
            begun = clock()
            names = NAMES[: setup.players]
            more = {"edition": subject.edition, "variants": setup.variants}
            game = Game.begin(subject.title, names, SEED + number, **more)
            play_out(game, dict.fromkeys(names, bot), Dice(SEED + number))
            played.append(game)
            times.append(clock() - begun)
    actions = sum(len(game) for game in played)
    return played, {
        "actions": actions,
        "per_second": round(actions / sum(times)),
        "game_s_median": round(median(times), 6),
        "game_s_max": round(max(times), 6),
        "decision": _milliseconds(bot.times),
    }


class _Stopwatch:
    """A bot whose decisions are timed."""

    def __init__(self, bot: Bot, clock: Clock) -> None:
        self.name, self._bot, self._clock = bot.name, bot, clock
        self.times: list[float] = []

    def choose(self, state: State, dice: Dice) -> Decision:
        begun = self._clock()
        decision = self._bot.choose(state, dice)
        self.times.append(self._clock() - begun)
        return decision


def _states(record: Record) -> list[State]:
    return [record.position(number) for number in range(record.playable() + 1)]


def _replay(records: list[Record], clock: Clock) -> Figures:
    """Time every action, checked and applied; the solver has forgotten its answers."""
    times = []
    for record in records:
        actions = getattr(record, "actions", ())
        state = record.position(0)
        runs.forget()
        for action in actions:
            begun = clock()
            state = state.apply(action).state
            times.append(clock() - begun)
    return _milliseconds(times)


def _options(records: list[Record], clock: Clock) -> Figures:
    """Time all options of every position."""
    times, counts = [], []
    for record in records:
        runs.forget()
        for state in _states(record):
            begun = clock()
            options = state.options()
            times.append(clock() - begun)
            counts.append(len(options))
    found = _milliseconds(times)
    found |= {"per_position_median": median(counts), "per_position_max": max(counts)}
    return found


def _snapshots(records: list[Record], clock: Clock) -> Figures:
    """Time a copy, an encode and a decode of every tenth position."""
    states = [state for record in records for state in _states(record)[::10]]
    snapshots = [encode(state) for state in states]
    decode(snapshots[0])  # the first one in a process builds the decoder
    return {
        "bytes_median": median(len(data) for data in snapshots),
        "copy": _milliseconds([_timed(clock, replace, state) for state in states]),
        "encode": _milliseconds([_timed(clock, encode, state) for state in states]),
        "decode": _milliseconds([_timed(clock, decode, data) for data in snapshots]),
    }


def _timed(clock: Clock, work: Callable[[Any], object], on: object) -> float:
    begun = clock()
    work(on)
    return clock() - begun


def _milliseconds(times: list[float]) -> Figures:
    if len(times) < 2:
        times = [*times, 0.0, 0.0]
    return {
        "median_ms": round(median(times) * 1000, 4),
        "p99_ms": round(quantiles(times, n=100, method="inclusive")[98] * 1000, 4),
        "max_ms": round(max(times) * 1000, 4),
        "total_s": round(sum(times), 3),
    }


def _show(figures: Figures) -> None:
    console = screen()
    console.print(f"Python {figures['python']}, {figures['machine']}")
    for found in figures["titles"]:
        _show_title(console, found)


def _show_title(console: Console, found: Figures) -> None:
    name = Subject(found["title"], found["edition"], setup=found["setup"]).label
    heading = f"{name}: {found['games']} games, {found['actions']} actions"
    made = table(heading, "what", "median ms#", "99th percentile ms#", "most ms#", "all s#")
    options, snapshot = found["options"], found["snapshot"]
    greedy = found.get("greedy_play")
    for what, row in (
        ("an action, checked and applied", found["replay"]),
        ("all options of a position", options),
        *((("a decision of a greedy bot", greedy["decision"]),) if greedy else ()),
        ("a copy of a state", snapshot["copy"]),
        ("a snapshot encoded", snapshot["encode"]),
        ("a snapshot decoded", snapshot["decode"]),
    ):
        made.add_row(
            what,
            *(f"{row[key]:g}" for key in ("median_ms", "p99_ms", "max_ms")),
            f"{row['total_s']:g}",
        )
    console.print(made)
    told = [
        f"options per position: median {options['per_position_median']:g}, "
        f"most {options['per_position_max']}",
        f"snapshot: {snapshot['bytes_median']:g} bytes",
    ]
    if greedy:
        random = found["random_play"]
        told[:0] = [
            f"random play: {random['per_second']} actions a second",
            f"a greedy game: median {greedy['game_s_median']:.3g} s,"
            f" most {greedy['game_s_max']:.3g} s",
        ]
    console.print("; ".join(told))
