"""The figures that only 18Cuba has, as `setup.toml` gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import Struct

from carril.engine.figures import Figures, PrivateDef
from carril.engine.state import State
from carril.engine.tables import Home


class TileClass(Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "class"}):
    """The tiles that a commissioner lays: their colour, and "plain" or "city"."""

    colour: str
    kind: str


class Commissioner(PrivateDef, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A commissioner: an extra tile, and what the bank then pays its owner."""

    income: int = 0
    tile: TileClass
    funding: int


class Concession(PrivateDef, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A concession: what it costs, and the bonus of a converted one ("" for none)."""

    income: int = 0
    cost: int
    bonus: str = ""


class OpeningFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """What a concession is worth towards the first shares of a minor, and how many these are."""

    credit: int
    shares: int


class BonusFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """What the bonuses of concessions bring."""

    wagon: str
    discount: int
    mail: Mapping[str, int]
    """What the mail contract pays in each turn, by the colour of the phase."""


class Generation(Struct, frozen=True, forbid_unknown_fields=True):
    """One generation of machines."""

    phase: str
    bonus: int
    prices: tuple[int, ...]
    """The prices of the first ones; the last goes on."""
    count: int


class Machinery(Struct, frozen=True, forbid_unknown_fields=True):
    """The machines of minors."""

    limit: int
    generations: Mapping[str, Generation]


class Sugar(Struct, frozen=True, forbid_unknown_fields=True):
    """Cubes: how many there are, what they are worth, and who produces how many."""

    cubes: int
    delivered: int
    left_over: int
    revenues: tuple[int, ...]
    """The revenue of a minor from which it produces one, two and three cubes."""


class CentralFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """The state railway."""

    symbol: str
    first_marker: Home
    """The marker that is on the map from the start."""
    markers: tuple[str, ...]
    """The hexes where the others wait."""
    markers_from: str
    """The colour of the first tile on which a waiting marker takes a slot."""
    price: int
    fee: int
    """What a major pays to pass one of its tokens."""


class TrackFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """What track costs."""

    cane: int


class StationFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """When the locked stations of a major become usable."""

    unlocked_at: tuple[int, ...]
    """For each of them, the most shares that may be left in the treasury."""


class Readings(Struct, frozen=True, forbid_unknown_fields=True):
    """Readings of the draft that a later ruling may turn."""

    treasury_share_pays_company: bool
    """A share from a major's treasury is paid to the major, not to the bank (C17)."""
    commissioner_havana: bool
    """The commissioners for cities may lay tiles of Havana (G10)."""
    wagons_at_will: bool
    """A wagon that can add revenue need not be used (G23)."""
    most_cash_first: bool
    """After a stock round the order is by cash, most first (C9)."""


class CubaFigures(Figures, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All figures of 18Cuba."""

    private: tuple[Commissioner, ...]
    trade_in_percent: int
    concession: tuple[Concession, ...]
    opening: OpeningFigures
    bonus: BonusFigures
    machinery: Machinery
    sugar: Sugar
    central: CentralFigures
    track: TrackFigures
    stations: StationFigures
    readings: Readings


def figures(state: State) -> CubaFigures:
    """Return the figures of a game of 18Cuba."""
    return cast(CubaFigures, state.tables.figures)
