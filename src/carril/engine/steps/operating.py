"""The operating round: which company is next, and the end of its turn."""

from __future__ import annotations

from carril.engine.events import Passed, TurnBegan
from carril.engine.move import Move
from carril.engine.state import State
from carril.engine.step import Step


class OperatingRound(Step, tag="operating-round", frozen=True):
    """Gives each company its turn. The next one is looked up each time, since prices move."""

    done: tuple[str, ...] = ()

    def settle(self, move: Move) -> bool:
        """Begin the next company's turn, or end the round."""
        waiting = [name for name in move.state.title.order(move.state) if name not in self.done]
        if not waiting:
            move.pop()
            move.state.title.next_round(move)
            return True
        company = waiting[0]
        move.swap(OperatingRound((*self.done, company)))
        move.tell(TurnBegan(company))
        move.push(*move.state.title.turn(move.state, company))
        return True


class CompanyStep(Step, frozen=True):
    """Base of the steps of a company's turn: its owner decides, and passing ends the step."""

    company: str

    def actor(self, state: State) -> str:
        """Return the owner or president."""
        return state.companies[self.company].owner

    def passed(self, move: Move) -> None:
        """End the step without a further action."""
        move.pop()
        move.tell(Passed(self.actor(move.state), str(self.__struct_config__.tag)))


class EndTurn(Step, tag="end-turn", frozen=True):
    """The last step of a company's turn: the company has operated."""

    company: str

    def settle(self, move: Move) -> bool:
        """Mark the company, unless it has left the game in its turn."""
        move.pop()
        company = move.state.companies[self.company]
        if not company.operated and not company.closed:
            move.change_company(self.company, operated=True)
        move.state.title.after_turn(move)
        return True


def end_turn_of(move: Move, company: str) -> None:
    """Take every step of a company off the agenda, as when it leaves play in its own turn."""
    move.set(agenda=tuple(step for step in move.state.agenda if step.subject != company))
