"""The draft of the concessions: one to three turns for each player (CUBA-VI.6-j to -m)."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Action, ChooseLot, Pass
from carril.engine.events import LotSold, Passed
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import players_from
from carril.engine.state import BANK, State
from carril.engine.step import Step, refuse
from carril.titles.cuba.common import concession_def, cuba, set_extra
from carril.titles.cuba.events import LotsRemoved


class DraftConcessions(Step, tag="draft", frozen=True):
    """A player's turn in the draft: take a concession at its cost, or decline."""

    player: str
    turn: int = 1
    """The number of this player's turn."""

    allows = (ChooseLot, Pass)

    def actor(self, state: State) -> str:
        """Return the player whose turn it is."""
        return self.player

    def options(self, state: State) -> Iterable[Action]:
        """Yield the concessions that the player can pay for, and the pass."""
        for concession in left(state):
            if self._refusal(state, concession) is None:
                yield ChooseLot(concession, by=self.player)
        yield Pass(by=self.player)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that a concession is left and that the player has its cost."""
        return self._refusal(state, action.lot) if isinstance(action, ChooseLot) else None

    def _refusal(self, state: State, concession: str) -> Refusal | None:
        if concession not in left(state):
            return refuse(state, "concession-gone", concession=concession)
        cost = concession_def(state, concession).cost
        cash = state.players[self.player].cash
        return refuse(state, "concession-too-dear", cost=cost, cash=cash) if cost > cash else None

    def play(self, move: Move, action: Action) -> None:
        """Take a concession, or use up the turn."""
        if isinstance(action, ChooseLot):
            cost = concession_def(move.state, action.lot).cost
            pay(move, self.player, BANK, cost, "concession")
            move.tell(LotSold(self.player, action.lot, cost))
            owners = {**cuba(move.state).concessions, action.lot: self.player}
            set_extra(move, concessions=owners)
            self._next_turn(move)
        else:
            self._pass(move, forced=False)

    def _pass(self, move: Move, forced: bool) -> None:
        move.tell(Passed(self.player, "draft", forced))
        self._next_turn(move)

    def _next_turn(self, move: Move) -> None:
        following = players_from(move.state, self.player)[1]
        first = following == next(iter(move.state.players))
        move.swap(DraftConcessions(following, self.turn + 1 if first else self.turn))

    def settle(self, move: Move) -> bool:
        """Pass for a player who can pay for nothing; end the draft after the last turn."""
        state = move.state
        if self.turn > state.tables.setup.draft_turns or not left(state):
            move.pop()
            _remove_left(move)
            state.title.next_round(move)
        elif all(self._refusal(state, concession) for concession in left(state)):
            self._pass(move, forced=True)
        else:
            return False
        return True


def left(state: State) -> list[str]:
    """Return the concessions that nobody has taken."""
    return [symbol for symbol, owner in cuba(state).concessions.items() if not owner]


def _remove_left(move: Move) -> None:
    """Take the concessions that nobody has taken out of the game (CUBA-VI.6-m)."""
    if gone := left(move.state):
        owners = cuba(move.state).concessions
        set_extra(move, concessions={one: owner for one, owner in owners.items() if owner})
        move.tell(LotsRemoved(tuple(gone)))
