"""What a tournament shows: ratings, win shares with their intervals, mean worth, lengths, ends.

A win share is taken over the seats: of two bots with two seats each, both would win half of the
games by chance. Intervals are of 95%.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

from msgspec import Struct
from openskill.models import PlackettLuce

from carril.lab.arena import Played

Z = 1.96
"""Standard deviations on either side of an interval of 95%."""


class Standing(Struct, frozen=True):
    """How one bot did."""

    bot: str
    games: int
    """Games in which it had a seat."""
    share: float
    """The part of these games that one of its seats won."""
    low: float
    high: float
    worth: float
    """The mean over its seats."""
    spread: float
    """The standard deviation of the worth."""
    place: float
    rating: float
    error: float
    """Half of the rating's interval."""


class Report(Struct, frozen=True):
    """A tournament."""

    games: int
    bots: tuple[Standing, ...]
    """The highest rating first."""
    actions: float
    """The mean length of a game."""
    ends: dict[str, int]
    """How many games ended for each reason."""
    faults: tuple[str, ...]


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the interval of a share of wins.

    >>> low, high = wilson(140, 200)
    >>> round(low, 3), round(high, 3)
    (0.633, 0.759)
    """
    if not games:
        return 0.0, 1.0
    share, square = wins / games, Z * Z
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = Z / (1 + square / games) * sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def report(played: Sequence[Played]) -> Report:
    """Return the standings after some games; their order does not matter."""
    games = sorted(played, key=lambda one: one.match.number)
    ratings = rate(games)
    bots = [_standing(bot, games, ratings[bot]) for bot in ratings]
    bots.sort(key=lambda one: (-one.rating, one.bot))
    return Report(
        games=len(games),
        bots=tuple(bots),
        actions=fmean(one.actions for one in games) if games else 0.0,
        ends=dict(Counter(one.ended or "unfinished" for one in games).most_common()),
        faults=tuple(f"game {one.match.number}: {what}" for one in games for what in one.faults),
    )


def _standing(bot: str, games: Sequence[Played], rating: tuple[float, float]) -> Standing:
    seats = [
        (one.worth[seat], one.places[seat])
        for one in games
        for seat, name in enumerate(one.match.bots)
        if name == bot
    ]
    took = [one for one in games if bot in one.match.bots]
    wins = sum(
        won
        for one in took
        for won, name in zip(one.wins, one.match.bots, strict=True)
        if name == bot
    )
    low, high = wilson(wins, len(took))
    worths = [worth for worth, _ in seats]
    return Standing(
        bot=bot,
        games=len(took),
        share=wins / len(took),
        low=low,
        high=high,
        worth=fmean(worths),
        spread=stdev(worths) if len(worths) > 1 else 0.0,
        place=fmean(place for _, place in seats),
        rating=rating[0],
        error=Z * rating[1],
    )


def rate(games: Sequence[Played]) -> dict[str, tuple[float, float]]:
    """Return the rating of each bot and its standard deviation, game after game.

    Several seats of one bot count as a mean of their changes.
    """
    model = PlackettLuce()
    known = {bot: model.rating() for one in games for bot in one.match.bots}
    for one in games:
        teams = [[known[bot]] for bot in one.match.bots]
        changed = model.rate(teams, ranks=[float(place) for place in one.places])
        for bot in dict.fromkeys(one.match.bots):
            new = [
                team[0] for team, name in zip(changed, one.match.bots, strict=True) if name == bot
            ]
            known[bot] = model.rating(
                mu=fmean(each.mu for each in new), sigma=fmean(each.sigma for each in new)
            )
    return {bot: (rating.mu, rating.sigma) for bot, rating in known.items()}
