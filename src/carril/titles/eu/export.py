"""Writing 18EU games as records of 18xx.games."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from carril.engine.actions import (
    Accept,
    Action,
    Bid,
    BuyTrain,
    ChooseLot,
    CloseMinor,
    Decline,
    ExchangeMinor,
    GoBankrupt,
    IssueShares,
    MergeMinor,
    Pass,
    PlaceToken,
    RedeemShares,
)
from carril.engine.board import tokens_in, tokens_of
from carril.engine.runs import Run, Value, value
from carril.engine.state import POOL, TREASURY, State
from carril.engine.steps.auction import Auction
from carril.engine.steps.trains import TrainOffer
from carril.titles.eu.common import PULLMAN
from carril.titles.eu.merging import NO_SHARE, TokenChoice
from carril.titles.export import Played, Writer, Written

_DIVIDENDS = {"full": "payout", "half": "half", "withhold": "withhold"}


class EUWriter(Writer):
    """Combines what 18xx.games records as one action: a chosen lot, an accepted offer."""

    def __init__(self, state: State, ids: Mapping[str, int]) -> None:
        """Begin with all certificates in the treasuries."""
        super().__init__(state, ids, TREASURY)
        self._waiting: list[Written] = []
        """An offer for a train that has not been accepted yet."""
        self._lot = ""
        """A lot that has been chosen, but neither opened nor declined yet."""

    def optional_rules(self) -> list[str]:
        """Return the names of the extra trains."""
        variants = self.state.tables.variants
        return [variants[name].import_name for name in self.state.setup.variants]

    def entity_type(self, company: str) -> str:
        """Return the type of an entity; minors have a separate one."""
        minor = self.state.companies[company].kind == "minor"
        return "minor" if minor else "corporation"

    def can_write(self, state: State, action: Action) -> bool:
        """Leave out what cannot be recorded: a declined offer, an exchange without a share.

        A single minor cannot be closed, and of two minors in one city the first is merged.
        """
        match action:
            case Decline():
                return isinstance(state.step, TokenChoice)
            case CloseMinor() | ExchangeMinor(source="none"):
                return False
            case BuyTrain(discard=discard):
                return not discard
            case MergeMinor(minor=minor):
                return minor == _first_own(state, *next(tokens_of(state.board, minor)))
            case PlaceToken(hex=hex_id, city=city):
                return not _first_own(state, hex_id, city)
        return True

    def kinds(self) -> Mapping[type[Action], Callable[[Played], list[Written]]]:
        """Return how each kind of action is written."""
        return {
            **super().kinds(),
            ChooseLot: self._choose_lot,
            Bid: self._bid,
            Pass: self._pass_or_decline,
            Accept: self._accept,
            Decline: self._pass_of_company,
            MergeMinor: self._merge,
            PlaceToken: self._place_token,
            ExchangeMinor: self._exchange,
            BuyTrain: self._buy_or_offer,
            IssueShares: self._issue,
            RedeemShares: self._redeem,
            GoBankrupt: lambda played: [self.acting(played.before, "bankrupt")],
        }

    # --- the sale ------------------------------------------------------------------------

    def _choose_lot(self, played: Played) -> list[Written]:
        """Choosing is recorded together with opening or declining to open."""
        action, step = played.action, played.after.step
        assert isinstance(action, ChooseLot)
        name = played.before.acting or ""
        if isinstance(step, Auction) and step.stage == "open" and step.turn == name:
            self._lot = action.lot
            return []
        return [self.by_player(name, "bid", minor=action.lot, price=0)]

    def _bid(self, played: Played) -> list[Written]:
        action, step = played.action, played.before.step
        assert isinstance(action, Bid)
        assert isinstance(step, Auction)
        self._lot = ""
        return [self.by_player(step.turn, "bid", minor=step.lot, price=action.amount)]

    def _pass_or_decline(self, played: Played) -> list[Written]:
        if self._lot:
            lot, self._lot = self._lot, ""
            return [self.by_player(played.before.acting or "", "bid", minor=lot, price=0)]
        return self._pass(played)

    def _accept(self, played: Played) -> list[Written]:
        step = played.before.step
        if isinstance(step, Auction):
            return [self.by_player(step.turn, "bid", minor=step.lot, price=step.price)]
        if isinstance(step, TrainOffer):
            waiting, self._waiting = self._waiting, []
            return waiting
        assert isinstance(step, TokenChoice)
        return [self._token(step.company, step.hex, step.city)]

    # --- tokens and mergers --------------------------------------------------------------

    def _token(self, company: str, hex_id: str, city: int) -> Written:
        place, tokener = self.city(hex_id, city), self.symbol(company)
        return self.by_company(company, "place_token", city=place, slot=0, tokener=tokener)

    def _pass_of_company(self, played: Played) -> list[Written]:
        return [self.by_company(played.before.step.subject, "pass")]

    def _merge(self, played: Played) -> list[Written]:
        assert isinstance(played.action, MergeMinor)
        place = next(tokens_of(played.before.board, played.action.minor))
        return [self._token(played.before.step.subject, *place)]

    def _place_token(self, played: Played) -> list[Written]:
        action = played.action
        assert isinstance(action, PlaceToken)
        return [self._token(played.before.step.subject, action.hex, action.city)]

    def _exchange(self, played: Played) -> list[Written]:
        action = played.action
        assert isinstance(action, ExchangeMinor)
        assert action.source != NO_SHARE
        shares = self.shares.names(action.company, action.source, 1)
        return [self.by_company(action.minor, "buy_shares", shares=shares, percent=10)]

    # --- companies -----------------------------------------------------------------------

    def dividend_kind(self, kind: str) -> str:
        """Return the file's word for a dividend."""
        return _DIVIDENDS[kind]

    def _buy_or_offer(self, played: Played) -> list[Written]:
        """An offer is recorded when it is accepted."""
        written = self._buy_train(played)
        if isinstance(played.after.step if played.after.agenda else None, TrainOffer):
            self._waiting = written
            return []
        return written

    def _issue(self, played: Played) -> list[Written]:
        assert isinstance(played.action, IssueShares)
        return self._deal(played, "sell_shares", TREASURY, played.action.count)

    def _redeem(self, played: Played) -> list[Written]:
        assert isinstance(played.action, RedeemShares)
        return self._deal(played, "buy_shares", POOL, played.action.count)

    def _deal(self, played: Played, kind: str, source: str, count: int) -> list[Written]:
        company = played.before.step.subject
        shares = self.shares.names(company, source, count)
        return [self.by_company(company, kind, shares=shares, percent=count * 10)]

    def route_entries(self, state: State, company: str, run: Run, worth: Value) -> list[Written]:
        """Add an entry for each Pullman, with what it adds to the run."""
        problem = state.title.run_problem(state, company)
        bare = Run(run.routes)
        entries = super().route_entries(state, company, bare, value(problem, bare))
        pullmans = [card for card, name in self.trains.owned(company) if name == PULLMAN]
        for number, (card, extra) in enumerate(zip(pullmans, run.extras, strict=False)):
            hex_id = extra[1].partition(".")[0]
            with_it = value(problem, Run(run.routes, run.extras[: number + 1])).total
            without = value(problem, Run(run.routes, run.extras[:number])).total
            entries.append(
                {
                    "train": card,
                    "connections": [["local", hex_id]],
                    "hexes": [hex_id],
                    "revenue": with_it - without,
                    "revenue_str": hex_id,
                    "subsidy": 0,
                    "nodes": [],
                }
            )
        return entries


def _first_own(state: State, hex_id: str, city: int) -> str:
    """Return the first minor in a city that belongs to the player who acts, or ""."""
    for owner in tokens_in(state.board, hex_id, city):
        company = state.companies[owner]
        if company.kind == "minor" and company.owner == state.acting:
            return owner
    return ""
