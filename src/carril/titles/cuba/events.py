"""What happens only in games of 18Cuba, as typed values."""

from __future__ import annotations

from carril.engine.events import Event


class LotsRemoved(Event, tag="lots-removed", frozen=True):
    """Cards that nobody took or used left the game."""

    lots: tuple[str, ...]


class ConcessionConverted(Event, tag="concession-converted", frozen=True):
    """A player opened a company with a concession."""

    player: str
    concession: str
    company: str


class BonusPlaced(Event, tag="bonus-placed", frozen=True):
    """A player gave a company the bonus of a concession; `choice` where there were several."""

    player: str
    concession: str
    company: str
    choice: str


class TokensUnlocked(Event, tag="tokens-unlocked", frozen=True):
    """Locked tokens of a company became usable."""

    company: str
    count: int
