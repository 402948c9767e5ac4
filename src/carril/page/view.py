"""The table as view models: pure functions from a position, its log and who looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from carril.engine.actions import RunTrains
from carril.engine.events import RoundBegan
from carril.engine.state import State
from carril.engine.step import Step
from carril.engine.trains import phase_def
from carril.page import cards, chronicle, shelf
from carril.page.option_cache import offered
from carril.page.panels import Panel, Scene, panel_for, tag_of
from carril.page.panels.run import searching
from carril.page.pictures import map_picture, market_picture
from carril.page.words import Words, words_for
from carril.service.values import Entry, GameInfo, Position, User


@dataclass(frozen=True, slots=True)
class Look:
    """Who looks at which line of a game, and in which language."""

    info: GameInfo
    position: Position
    user: User | None
    language: str = "en"

    @property
    def state(self) -> State:
        """The position that is shown."""
        return self.position.state

    @property
    def live(self) -> bool:
        """Whether it is the newest position of its line."""
        return self.position.at == self.position.head

    @property
    def mine(self) -> tuple[str, ...]:
        """The players one acts for: one's seats, and everybody in a line of one's own."""
        if self.position.fork:
            return tuple(self.state.players)
        return self.info.seats_of(self.user)

    @property
    def acts(self) -> bool:
        """Whether one may act in the position shown."""
        playable = self.position.fork or not self.info.read_only
        return bool(playable) and self.live and self.state.acting in self.mine

    @property
    def words(self) -> Words:
        """The words for this game."""
        return words_for(self.state, self.language)


def scene_of(look: Look) -> Scene:
    """Return what the panels are made from."""
    return Scene(look.state, look.words, look.acts)


def takes_search(look: Look) -> bool:
    """Return whether an earlier position needs a search that nobody has made yet.

    Whoever goes through the history sees it at once, and the best run a moment later. At the
    newest position the run is what one waits for, so that it comes with the table.
    """
    state = look.state
    if look.live or not state.agenda or RunTrains not in state.step.allows:
        return False
    return not offered.knows(state)


def rail(look: Look) -> dict[str, Any]:
    """Return where the game is: the round, the step, who acts, what comes next."""
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
        "bank": None if state.title.endless_bank else state.bank,
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
    """Return who comes after the one who acts, in a round of players."""
    order = [name for name, player in state.players.items() if not player.bankrupt]
    if state.acting not in order:
        return []
    at = order.index(state.acting)
    return (order[at + 1 :] + order[:at])[:5]


def _decides(step: Step) -> bool:
    return bool(step.allows)


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that the table shows of a position."""

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
    """How many entries the log leaves out before the oldest it shows."""
    then: str
    """What was done next, when an earlier position is shown."""
    later: bool = False
    """Whether the page has to ask again for what takes a search."""


def table(
    look: Look, log: Sequence[Entry], then: Sequence[Entry] = (), later: bool = False
) -> Table:
    """Return the table: `log` are the last entries up to the position, `then` what followed.

    `later` leaves the search for the best run for another request.
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
        companies=cards.companies(look.state, words),
        players=cards.players(look.state, words, look.info.seats_of(look.user), bots),
        shelf=shelf.shelf(look.state, words),
        log=chronicle.entries(words, log),
        earlier=log[0].number - 1 if log else 0,
        then=chronicle.in_short(words, then[0].events) if then else "",
        later=later,
    )


def picture(look: Look, panel: Panel) -> str:
    """Return the map with what the panel points out."""
    lit = panel.lit if look.acts or panel.template in ("auction", "answer") else {}
    return map_picture(look.state, lit, panel.routes)


def rounds(log: Sequence[Entry]) -> list[tuple[int, str]]:
    """Return where each round began: the number of the position and the name of the round."""
    return [
        (entry.number, event.round)
        for entry in log
        for event in entry.events
        if isinstance(event, RoundBegan)
    ]
