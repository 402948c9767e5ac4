"""The figures that only 18ESP has, as `setup.toml` gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import Struct

from carril.engine.figures import Figures, PrivateDef
from carril.engine.state import State


class Costs(Struct, frozen=True, forbid_unknown_fields=True):
    """Fixed prices."""

    second_tile: int
    tender: int
    tender_owner: int
    """The part of a tender's price that goes to the owner of the private that sells it."""
    mine: int


class TileLays(Struct, frozen=True, forbid_unknown_fields=True):
    """How many tiles may be laid in a turn, mines aside."""

    minor: int
    early: int
    """For a major before the phase in which the edition allows a second one."""
    major: int


class MineHelp(Struct, frozen=True, forbid_unknown_fields=True):
    """The private that makes a mine cheaper."""

    private: str
    amount: int


class PassHelp(Struct, frozen=True, forbid_unknown_fields=True):
    """The private that makes a pass cheaper, and the pass that it opens free of charge."""

    private: str
    amount: int
    free: str


class StrawberryRun(Struct, frozen=True, forbid_unknown_fields=True):
    """The places that the strawberry train must visit on its first run."""

    aranjuez: str
    madrid: str


class EarlyHarbour(Struct, frozen=True, forbid_unknown_fields=True):
    """The value of a harbour in one phase, where 18xx.games has another one (G33)."""

    hex: str
    phase: str
    revenue: int


class Bonuses(Struct, frozen=True, forbid_unknown_fields=True):
    """Bonuses of a run, and the places between which the north-south one is paid."""

    north_south: int
    east_west: int
    north: tuple[str, ...]
    south: tuple[str, ...]


class Combining(Struct, frozen=True, forbid_unknown_fields=True):
    """When a train out of the game can be coupled to another, and for how many times its price."""

    from_phase: str
    price_factor: int


class LastSet(Struct, frozen=True, forbid_unknown_fields=True):
    """How many cards of a train leave the deck before the last set, and its operating rounds."""

    train: str
    cards: int
    rounds: int


class Duty(Struct, frozen=True, forbid_unknown_fields=True):
    """What the duty to own a train that can run goes by."""

    longest: tuple[str, ...]
    """The trains with the greatest range, one for each map."""


class Starting(Struct, frozen=True, forbid_unknown_fields=True):
    """When companies and par values become available."""

    late_region: str
    late_region_from: str
    """The phase from which majors of that region are offered."""
    high_par: int
    """The lowest of the par values that become available later."""


class TwoPlayers(Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of a variant whose rules are not known."""

    cash: int
    certificates: int


class ESPPrivate(PrivateDef, frozen=True, forbid_unknown_fields=True):
    """A private company of 18ESP."""

    comes_with: str = ""
    """What its buyer gets with it: a "share", a "directorship", or nothing."""


class Powers(Struct, frozen=True, forbid_unknown_fields=True):
    """Which private has which power."""

    train: str
    """The company that buys it gets a train."""
    strawberry: str
    """It becomes the strawberry train of the company that owns it."""
    tenders: str
    """Its owner sells tenders."""
    share: str
    """It comes with a share."""
    directorship: str
    """It comes with a director's certificate."""


class ESPFigures(Figures, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All figures of 18ESP."""

    private: tuple[ESPPrivate, ...]
    costs: Costs
    tile_lays: TileLays
    passes_from_phase: str
    """The phase from which passes can be opened."""
    takeovers_from_phase: str
    """The phase from which minors can be taken over."""
    powers: Powers
    mine_help: MineHelp
    pass_help: PassHelp
    strawberry: StrawberryRun
    early_harbour: EarlyHarbour
    combining: Combining
    last_set: LastSet
    duty: Duty
    starting: Starting
    private_price: Mapping[str, int]
    """How much of its face value a company may pay for a private, in percent, by phase."""
    bonus: Bonuses
    random: Mapping[str, int]
    """How many companies of each group the random set-up keeps."""
    two_players: TwoPlayers


def figures(state: State) -> ESPFigures:
    """Return the figures of a game of 18ESP."""
    return cast(ESPFigures, state.tables.figures)
