"""The sentence of a stock round: what the player may do, or which limit makes them sell."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.actions import (
    Action,
    BuyShare,
    ConvertConcession,
    ExchangeMinor,
    Pass,
    RepayLoan,
    SellShares,
    StartCompany,
)
from carril.engine.shares import certificate_limit, percent
from carril.page.panels.base import Scene

_POSSIBLE: tuple[tuple[type[Action], str], ...] = (
    (RepayLoan, "stock.may-repay"),
    (SellShares, "stock.may-sell"),
    (BuyShare, "stock.may-buy"),
    (StartCompany, "stock.may-start"),
    (ConvertConcession, "stock.may-convert"),
    (ExchangeMinor, "stock.may-exchange"),
    (Pass, "stock.may-pass"),
)


def stock_sentence(scene: Scene) -> str:
    """Return what the player may do in this turn, or why they must sell."""
    say, player = scene.words.say, scene.actor
    if _must_sell(scene):
        limits = list(_exceeded(scene))
        return say("stock.must-sell", player=player, limits=say("stock.and").join(limits))
    deeds = [say(key) for kind, key in _POSSIBLE if scene.has(kind)]
    if len(deeds) < 2:
        return say("stock.sentence", player=player, deeds=deeds[0])
    listed = say("stock.or", first=", ".join(deeds[:-1]), last=deeds[-1])
    return say("stock.sentence", player=player, deeds=listed)


def _must_sell(scene: Scene) -> bool:
    """Return whether the player is above a limit and can only sell."""
    return not scene.has(Pass) and bool(list(_exceeded(scene)))


def _exceeded(scene: Scene) -> Iterator[str]:
    """Yield each limit that the player is above, with what they hold."""
    state, words, player = scene.state, scene.words, scene.actor
    for company in state.companies.values():
        held, most = company.held(player), state.tables.share_limit("player", company.symbol)
        if held > most:
            yield words.say(
                "stock.above-share-limit",
                company=company.symbol,
                percent=percent(state, company, held),
                limit=percent(state, company, most),
            )
    count, limit = state.title.certificates(state, player), certificate_limit(state)
    if count > limit:
        yield words.say("stock.above-certificate-limit", count=count, limit=limit)
