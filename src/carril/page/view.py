"""View models of the table: pure functions of a position, its log and the viewer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from carril.engine.actions import RunTrains
from carril.engine.state import State
from carril.engine.step import Step
from carril.engine.trains import phase_def
from carril.page import cards, chronicle, shelf
from carril.page.option_cache import options_known
from carril.page.panels import Panel, Scene, panel_for, tag_of
from carril.page.panels.run import searching
from carril.page.pictures import map_picture, market_picture
from carril.page.words import Words, words_for
from carril.service.company_runs import last_runs
from carril.service.values import CompanyRun, Entry, GameInfo, Position, User


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
        return words_for(self.state, self.language)


def scene_of(look: Look) -> Scene:
    """Return the scene that the panels are made from."""
    return Scene(look.state, look.words, look.acts, last_runs(look.runs))


def takes_search(look: Look) -> bool:
    """Return whether an earlier position needs a search whose result is not cached.

    An earlier position is shown immediately, and its best run a moment later. At the latest
    position the run comes with the table, because players wait for it.
    """
    state = look.state
    if look.live or not state.agenda or RunTrains not in state.step.allows:
        return False
    return not options_known(state)


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
        "players": _next_players(state) if not subject and state.agenda else [],
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
    earlier: int
    """The number of log entries before the oldest one shown."""
    then: str
    """The next action, when an earlier position is shown."""
    later: bool = False
    """Whether the page must request the best run separately."""


def table(
    look: Look, log: Sequence[Entry], then: Entry | None = None, later: bool = False
) -> Table:
    """Return the table: `log` has the last entries up to the position, `then` the next one.

    `later` leaves the search for the best run to another request.
    """
    words = look.words
    panel = searching(scene_of(look)) if later else panel_for(scene_of(look))
    bots = frozenset(seat.player for seat in look.info.seats if seat.kind == "bot")
    return Table(
        look=look,
        rail=rail(look),
        panel=panel,
        map=picture(look, panel),
        market=market_picture(look.state),
        companies=cards.companies(look.state, words, last_runs(look.runs)),
        players=cards.players(look.state, words, look.info.seats_of(look.user), bots),
        shelf=shelf.shelf(look.state, words),
        log=chronicle.entries(words, log),
        earlier=log[0].number - 1 if log else 0,
        then=chronicle.in_short(words, then.events) if then else "",
        later=later,
    )


def picture(look: Look, panel: Panel) -> str:
    """Return the map with the hexes that the panel highlights."""
    lit = panel.lit if look.acts or panel.template in ("auction", "answer") else {}
    return map_picture(look.state, lit, panel.routes)
