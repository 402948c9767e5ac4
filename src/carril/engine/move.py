"""A move in progress: the state so far, and what has happened since the action."""

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
        """Replace these fields of the state."""
        self.state = replace(self.state, **changes)

    def set_company(self, company: Company) -> None:
        """Replace the charter of a company."""
        self.set(companies={**self.state.companies, company.symbol: company})

    def change_company(self, symbol: str, **changes: Any) -> None:
        """Change fields of a company's charter."""
        self.set_company(replace(self.state.companies[symbol], **changes))

    def set_player(self, player: Player) -> None:
        """Replace a player."""
        self.set(players={**self.state.players, player.name: player})

    def tell(self, event: Event) -> None:
        """Record an event."""
        self.events.append(event)

    def push(self, *steps: Step) -> None:
        """Put decisions on the agenda; the last one is due first."""
        self.set(agenda=(*self.state.agenda, *steps))

    def pop(self) -> None:
        """Take the decision that was due off the agenda."""
        self.set(agenda=self.state.agenda[:-1])

    def swap(self, *steps: Step) -> None:
        """Replace the decision that was due by others."""
        self.set(agenda=(*self.state.agenda[:-1], *steps))
