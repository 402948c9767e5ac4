"""A move in the making: the state so far and what has happened since the action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

if TYPE_CHECKING:
    from carril.engine.events import Event
    from carril.engine.state import Company, Player, State
    from carril.engine.step import Step


class Move:
    """Carries a state through the changes of one action. States themselves never change."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        """Begin at a state."""
        self.state = state
        self.events: list[Event] = []

    def set(self, **changes: Any) -> None:
        """Go on from a state that differs in these fields."""
        self.state = replace(self.state, **changes)

    def set_company(self, company: Company) -> None:
        """Put a changed charter in the place of the old one."""
        self.set(companies={**self.state.companies, company.symbol: company})

    def change_company(self, symbol: str, **changes: Any) -> None:
        """Change fields of a company's charter."""
        self.set_company(replace(self.state.companies[symbol], **changes))

    def set_player(self, player: Player) -> None:
        """Put a changed player in the place of the old one."""
        self.set(players={**self.state.players, player.name: player})

    def tell(self, event: Event) -> None:
        """Record what happened."""
        self.events.append(event)

    def push(self, *steps: Step) -> None:
        """Put decisions on the agenda; the last one is due first."""
        self.set(agenda=(*self.state.agenda, *steps))

    def pop(self) -> None:
        """Take the decision that was due off the agenda."""
        self.set(agenda=self.state.agenda[:-1])

    def swap(self, *steps: Step) -> None:
        """Put other decisions in the place of the one that was due."""
        self.set(agenda=(*self.state.agenda[:-1], *steps))

    def drop(self, step: Step) -> None:
        """Take one particular decision off the agenda, wherever it stands."""
        self.set(agenda=tuple(other for other in self.state.agenda if other is not step))
