"""Trains above the limit."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Action, DiscardTrain
from carril.engine.events import TrainDiscarded
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import Step, refuse
from carril.engine.trains import (
    COUPLED,
    card_of,
    discard,
    lose,
    over_limit,
    phase_reached,
    train_def,
    train_limit,
    trains_counted,
)
from carril.titles.esp.common import conventions, edition, esp, order, set_extra


def push_discards(move: Move, first: str = "") -> None:
    """Put the discards on the agenda: the company that caused them first, then in order (A37)."""
    over = {company.symbol for company in over_limit(move.state) if not company.closed}
    if not over:
        return
    if conventions(move.state).discards_leave:
        sequence = list(move.state.companies)
    else:
        sequence = [first, *order(move.state)]
    names = tuple(dict.fromkeys(symbol for symbol in sequence if symbol in over))
    if names:
        move.push(Discards(names))


def to_scrap(move: Move, train: str, kind: str = "scrap") -> None:
    """Keep count of cards that can be recycled; a coupled one counts by itself."""
    piles = dict(getattr(esp(move.state), kind))
    for part in train.split(COUPLED):
        if part in move.state.tables.trains:
            card = card_of(move.state, part)
            piles[card] = piles.get(card, 0) + 1
    set_extra(move, **{kind: piles})


def leave(move: Move, train: str) -> None:
    """A train leaves the game: its cards can be recycled once their kind has rusted (A51)."""
    for part in train.split(COUPLED):
        rusted_by = train_def(move.state, part).rusted_by
        rusted = bool(rusted_by) and phase_reached(move.state, rusted_by)
        to_scrap(move, part, "scrap" if rusted else "lost")


class Discards(Step, tag="esp-discards", frozen=True):
    """Companies above their limit give up trains of their choice."""

    companies: tuple[str, ...]

    allows = (DiscardTrain,)

    def actor(self, state: State) -> str:
        """Return the director of the company that is next."""
        return state.companies[self.companies[0]].owner

    @property
    def subject(self) -> str:
        """The company that is next."""
        return self.companies[0] if self.companies else ""

    def _choices(self, state: State) -> list[str]:
        trains = state.companies[self.companies[0]].trains
        return sorted({name for name in trains if train_def(state, name).limited})

    def settle(self, move: Move) -> bool:
        """Go on to the next company, or take what is no choice."""
        if not self.companies:
            move.pop()
            return True
        company = move.state.companies[self.companies[0]]
        if trains_counted(move.state, company) <= train_limit(move.state, company):
            move.swap(Discards(self.companies[1:]))
            return True
        choices = self._choices(move.state)
        if len(choices) == 1 and not move.state.setup.conventions.single_choices_asked:
            self.play(move, DiscardTrain(choices[0]))
            return True
        return False

    def options(self, state: State) -> Iterable[Action]:
        """Yield each kind of train that may go."""
        by = self.actor(state)
        return tuple(DiscardTrain(name, by=by) for name in self._choices(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that the company owns the train and that it counts."""
        assert isinstance(action, DiscardTrain)
        if action.train not in self._choices(state):
            return refuse(state, "no-such-train-owned", train=action.train)
        return None

    def play(self, move: Move, action: Action) -> None:
        """To the open market, or out of the game (E43, G26)."""
        assert isinstance(action, DiscardTrain)
        company = self.companies[0]
        if edition(move.state).discards_leave or conventions(move.state).discards_leave:
            lose(move, company, action.train)
            leave(move, action.train)
            move.tell(TrainDiscarded(company, action.train))
        else:
            discard(move, company, action.train)
