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


class TrainTraded(Event, tag="train-traded", frozen=True):
    """A company gave an old train for a new one; what the old one was worth."""

    company: str
    train: str
    buys: str
    credit: int


class DiscountUsed(Event, tag="discount-used", frozen=True):
    """A concession made a train cheaper, and is used up."""

    player: str
    concession: str
    company: str
    train: str
    amount: int


class MachineBought(Event, tag="machine-bought", frozen=True):
    """A minor bought a machine."""

    company: str
    generation: str
    price: int


class CitiesCounted(Event, tag="cities-counted", frozen=True):
    """The state railway earned the values of its best cities, up to the range of its train."""

    company: str
    train: str
    cities: tuple[str, ...]
    revenue: int
    values: tuple[int, ...] = ()
    """What each of the cities is worth."""


class CubesScored(Event, tag="cubes-scored", frozen=True):
    """The state railway earned something for each cube that nobody had shipped."""

    company: str
    cubes: int
    revenue: int
