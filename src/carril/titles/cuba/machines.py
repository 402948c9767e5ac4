"""Machines of minors: bought after the trains, the cheapest of a generation first."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Action, BuyMachine, Pass
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep
from carril.engine.trains import phase_reached
from carril.titles.cuba.common import cuba, set_extra
from carril.titles.cuba.events import MachineBought
from carril.titles.cuba.figures import figures


def machine_refusal(state: State, minor: str, generation: str) -> Refusal | None:
    """Return why a minor may not get a machine of a generation, whatever it costs."""
    machinery = figures(state).machinery
    known = machinery.generations.get(generation)
    if known is None:
        return refuse(state, "no-such-machine", generation=generation)
    if not phase_reached(state, known.phase):
        return refuse(state, "machine-not-yet", generation=generation, phase=known.phase)
    if not cuba(state).machine_prices[generation]:
        return refuse(state, "no-machine-left", generation=generation)
    if len(cuba(state).machines.get(minor, ())) >= machinery.limit:
        return refuse(state, "machine-limit", company=minor, limit=machinery.limit)
    return None


def take_machine(move: Move, minor: str, generation: str, *, dearest: bool = False) -> int:
    """Give a minor a machine from the cheapest or the dearest space; return the price there."""
    now = cuba(move.state)
    prices = now.machine_prices[generation]
    price, rest = (prices[-1], prices[:-1]) if dearest else (prices[0], prices[1:])
    owned = (*now.machines.get(minor, ()), generation)
    set_extra(
        move,
        machine_prices={**now.machine_prices, generation: rest},
        machines={**now.machines, minor: owned},
    )
    return price


class BuyMachines(CompanyStep, tag="machines", frozen=True):
    """Buy machines with the minor's own money, as many as it has room for."""

    allows = (BuyMachine, Pass)

    def settle(self, move: Move) -> bool:
        """Skip the step when no machine can be bought."""
        if self._machines(move.state):
            return False
        move.pop()
        return True

    def _machines(self, state: State) -> list[BuyMachine]:
        by = self.actor(state)
        every = (BuyMachine(name, by=by) for name in figures(state).machinery.generations)
        return [action for action in every if self.refusal(state, action) is None]

    def options(self, state: State) -> Iterable[Action]:
        """Yield the generations on sale, and the pass."""
        return (*self._machines(state), Pass(by=self.actor(state)))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the generation, the room and the money."""
        if not isinstance(action, BuyMachine):
            return None
        if refused := machine_refusal(state, self.company, action.generation):
            return refused
        cost = cuba(state).machine_prices[action.generation][0]
        cash = state.companies[self.company].cash
        if cost > cash:
            return refuse(state, "machine-too-dear", cost=cost, cash=cash)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Buy a machine, or end the step."""
        if not isinstance(action, BuyMachine):
            self.passed(move)
            return
        price = take_machine(move, self.company, action.generation)
        pay(move, self.company, BANK, price, "machine")
        move.tell(MachineBought(self.company, action.generation, price))
