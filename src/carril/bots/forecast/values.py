"""The result of a forecast."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Purchase(Struct, frozen=True):
    """A train that a company is expected to buy."""

    round: int
    """How many operating rounds from now, the first one 1."""
    company: str
    train: str
    price: int
    helped: int
    """What the president adds."""


class CompanyForecast(Struct, frozen=True):
    """What a company is expected to earn and to pay."""

    symbol: str
    revenue: tuple[int, ...]
    """Round by round until the end."""
    dividends: tuple[float, ...]
    """For each share, round by round."""
    price: int
    """At the end."""

    @property
    def share_worth(self) -> float:
        """What a share brings until the end: all its dividends, and its price then."""
        return sum(self.dividends) + self.price


class Forecast(Struct, frozen=True):
    """The expected course of the rest of a game."""

    rounds: int
    """Operating rounds until the end, a round that is being played included."""
    companies: Mapping[str, CompanyForecast]
    purchases: tuple[Purchase, ...]
    dividends: Mapping[str, int]
    """What each player receives."""
    worth: Mapping[str, int]
    """What each player is worth at the end."""
