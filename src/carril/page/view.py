"""View models of the table: pure functions of a position, its log and the viewer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from carril.engine.state import State
from carril.engine.step import Step
from carril.engine.trains import phase_def
from carril.page import cards, chronicle, news, shelf
from carril.page.automatic import automatic_turn
from carril.page.panels import Panel, Scene, panel_for, tag_of
from carril.page.panels.run import searching
from carril.page.pictures import map_picture, market_picture
from carril.page.seat_names import shown_names
from carril.page.shared import shared
from carril.page.study import compared, compared_lines
from carril.page.words import Words, words_for
from carril.service.company_runs import last_runs
from carril.service.errors import Busy, TooMany
from carril.service.jobs import JobFailed
from carril.service.jobs.searches import SearchPending
from carril.service.values import CompanyRun, Entry, GameInfo, Position, Since, User


@dataclass(frozen=True, slots=True)
class Look:
    """A viewer's look at a position of a game, in a language."""

    info: GameInfo
    position: Position
    user: User | None
    language: str = "en"
    runs: tuple[CompanyRun, ...] = ()
    """Every run of a company up to the position."""

    @property
    def state(self) -> State:
        """The position that is shown."""
        return self.position.state

    @property
    def live(self) -> bool:
        """Whether it is the latest position of its line."""
        return self.position.at == self.position.head

    @property
    def mine(self) -> tuple[str, ...]:
        """The players that the viewer acts for: their seats, or everybody in a what-if line."""
        if self.position.fork:
            return tuple(self.state.players)
        return self.info.seats_of(self.user)

    @property
    def acts(self) -> bool:
        """Whether the viewer may act in this position."""
        playable = self.position.fork or not self.info.read_only
        return bool(playable) and self.live and self.state.acting in self.mine

    @property
    def words(self) -> Words:
        """The words for this game."""
        return words_for(self.state, self.language, shown_names(self.info))


def scene_of(look: Look) -> Scene:
    """Return the scene that the panels are made from."""
    return Scene(look.state, look.words, look.acts, last_runs(look.runs))


def rail(look: Look) -> dict[str, Any]:
    """Return the state of the game: the round, the step, who acts and who is next."""
    state, words = look.state, look.words
    kind, *number = str(state.round).split(" ")
    steps = [step for step in reversed(state.agenda) if _decides(step)]
    subject = steps[0].subject if steps else ""
    turn = [tag_of(step) for step in steps if step.subject == subject] if subject else []
    order = state.title.order(state) if kind == "OR" else []
    waiting = order[order.index(subject) + 1 :] if subject in order else []
    return {
        "round": words.name("round", kind),
        "number": " ".join(number),
        "phase": words.say("table.phase", phase=state.phase),
        "colour": phase_def(state).colour,
        "bank": None if state.tables.figures.bank is None else state.bank,
        "broken": state.broken,
        "subject": subject,
        "steps": [words.name("step", tag) for tag in dict.fromkeys(turn)],
        "acting": state.acting,
        "you": look.acts,
        "waiting": waiting[:6],
        "more": max(0, len(waiting) - 6),
        "players": [words.player(one) for one in _next_players(state)]
        if not subject and state.agenda
        else [],
        "ended": bool(state.ended),
    }


def _next_players(state: State) -> list[str]:
    """Return the players after the one who acts, in a round of players."""
    order = [name for name, player in state.players.items() if not player.bankrupt]
    if state.acting not in order:
        return []
    at = order.index(state.acting)
    return (order[at + 1 :] + order[:at])[:5]


def _decides(step: Step) -> bool:
    return bool(step.allows)


@dataclass(frozen=True, slots=True)
class Table:
    """The view models of all parts of a table."""

    look: Look
    rail: dict[str, Any]
    panel: Panel
    map: str
    market: str
    companies: dict[str, Any]
    players: list[dict[str, Any]]
    shelf: dict[str, Any]
    log: list[dict[str, Any]]
    news: dict[str, Any]
    """What has happened since the viewer last acted."""
    earlier: int
    """The number of log entries before the oldest one shown."""
    then: str
    """The next action, when an earlier position is shown."""
    later: bool = False
    """Whether a search goes on, so that the page must request its result separately."""
    automatic: dict[str, Any] | None = None
    """The last turn that nobody decided, step by step."""
    compared: dict[str, Any] | None = None
    """At an earlier position, the run that followed next to the best one."""


def _panel(look: Look) -> tuple[Panel, bool]:
    """Return the panel of the decision, and whether it only says that a search goes on."""
    scene = scene_of(look)
    try:
        return panel_for(scene), False
    except SearchPending as pending:
        return searching(scene, pending), True
    except (JobFailed, TooMany, Busy):
        return searching(scene, None), False


def _compared(look: Look, then: Entry) -> tuple[dict[str, Any] | None, bool]:
    """Return the run that followed next to the best one, and whether that is being searched."""
    try:
        return compared(look.state, look.words, then, searched=True), False
    except SearchPending:
        return compared(look.state, look.words, then, searched=False), True
    except (JobFailed, TooMany, Busy):
        return compared(look.state, look.words, then, searched=False), False


def table(
    look: Look,
    log: Sequence[Entry],
    then: Entry | None = None,
    first: State | None = None,
    since: Since | None = None,
) -> Table:
    """Return the table: `log` has the last entries up to the position, `then` the next one.

    It never waits for a search: the panel says that the result will follow. `first` is the position
    before the oldest entry, `since` what has happened since the viewer last acted.
    """
    words = look.words
    panel, later = _panel(look)
    next_run, pending = _compared(look, then) if then else (None, False)
    if next_run:
        panel = replace(panel, routes=compared_lines(words, next_run))
    bots = frozenset(seat.player for seat in look.info.seats if seat.kind == "bot")
    state, runs, numbers = look.state, last_runs(look.runs), tuple(one.number for one in log)
    heading = chronicle.heading_of(first or state)
    return Table(
        look=look,
        rail=rail(look),
        panel=panel,
        map=picture(look, panel),
        market=market_picture(state),
        companies=shared(state, ("companies", words), lambda: cards.companies(state, words, runs)),
        players=cards.players(look.state, words, look.info.seats_of(look.user), bots),
        shelf=shared(state, ("shelf", words), lambda: shelf.shelf(state, words)),
        log=shared(state, ("log", words, numbers), lambda: chronicle.log(words, log, heading)),
        news=news.news(look.state, words, look.mine, log, since),
        earlier=log[0].number - 1 if log else 0,
        then=chronicle.in_short(words, then.events) if then else "",
        later=later or pending,
        automatic=automatic_turn(look.state, words, log, look.mine),
        compared=next_run,
    )


def picture(look: Look, panel: Panel) -> str:
    """Return the map with the hexes that the panel highlights, and with routes."""
    lit = panel.lit if look.acts or panel.template in ("auction", "answer") else {}
    return map_picture(look.state, lit, panel.routes)
