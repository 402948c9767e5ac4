"""The figures of a title: its set-ups and variants, the bank, limits, auctions, privates."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class VariantDef(Struct, frozen=True, forbid_unknown_fields=True):
    """Something the players may agree on before play."""

    optional: bool = True
    """May be added to every set-up; otherwise only the set-ups that name it have it."""
    players: tuple[int, ...] = ()
    """The numbers of players it can be chosen with; () for any."""
    trains: Mapping[str, int] = {}
    """How many cards of each train it adds to the supply."""
    bank: int | None = None
    """The money in the game, where it is another sum."""
    cash: Mapping[str, int] = {}
    """The starting cash by number of players, where it is another sum."""
    import_name: str = ""
    """The optional rule in files of 18xx.games."""


class SetupDef(Struct, frozen=True, forbid_unknown_fields=True):
    """One way to set up a game: for how many players, with which variants, with which figures."""

    players: int
    cash: int
    certificates: int
    """The certificate limit."""
    variants: tuple[str, ...] = ()
    """The variants that choose this set-up, optional ones aside."""
    map: str = "map"
    """The table that holds its map."""
    trains: Mapping[str, int] = {}
    """How many cards of a train there are, where it is not the number in the train table."""
    absent: tuple[str, ...] = ()
    """Companies that are not in the game."""
    draft_turns: int = 0
    """How many turns a draft has for each player."""


class Limit(Struct, frozen=True, forbid_unknown_fields=True):
    """How much of one company a holder may have: in percent, in ordinary certificates, or both."""

    percent: int = 100
    certificates: int | None = None


class ShareLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """How much of one company each kind of holder may have."""

    player: Limit = Limit()
    pool: Limit = Limit()
    treasury: Limit = Limit()
    kinds: Mapping[str, ShareLimits] = {}
    """The limits for kinds of companies that have others."""


class AuctionFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """Bids of an auction: their steps, the lowest one, and the prices if nobody bids."""

    step: int = 1
    opening_bid: int = 0
    falling_prices: tuple[int, ...] = ()


class PrivateDef(Struct, frozen=True, forbid_unknown_fields=True):
    """A private company."""

    symbol: str
    name: str
    income: int
    """What it pays its owner in each operating round."""
    note: str = ""
    """The code of the sentence that says what it can do."""


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """The figures that all titles have; a title adds its own in a subclass."""

    currency: str = ""
    bank: int | None = None
    """The money in the game; None where the bank never runs out."""
    bank_broken_at: int = -1
    """The bank is broken when a payment leaves it this much or less."""
    share_limit: ShareLimits = ShareLimits()
    auction: AuctionFigures = AuctionFigures()
    private: tuple[PrivateDef, ...] = ()
    """The private companies."""
    trains_traded_from: str = ""
    """The phase from which companies sell each other trains; "" if always."""
    one_circle: tuple[tuple[str, str], ...] = ()
    """Pairs of companies whose tokens share one circle of a city."""
