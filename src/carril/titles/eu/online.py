"""Reading 18EU games recorded by 18xx.games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from carril.engine.actions import (
    Accept,
    Action,
    Bid,
    BuyShare,
    BuyTrain,
    ChooseLot,
    DeclareDividend,
    Decline,
    DiscardTrain,
    ExchangeMinor,
    GoBankrupt,
    IssueShares,
    LayTile,
    MergeMinor,
    Pass,
    PlaceToken,
    RedeemShares,
    RunTrains,
    SellShares,
    StartCompany,
)
from carril.engine.asides import takes
from carril.engine.board import tokens_in
from carril.engine.refusals import BadRecord
from carril.engine.runs import Route, Run, check, value
from carril.engine.state import POOL, TREASURY, State
from carril.engine.steps.auction import Auction
from carril.engine.steps.stock import StockRound
from carril.engine.steps.trains import BuyTrains, TrainOffer
from carril.titles.eu.common import PULLMAN
from carril.titles.eu.exchange import FinalExchange
from carril.titles.eu.merging import TokenChoice, share_source
from carril.titles.eu.starting import Founding
from carril.titles.online import Reader, Recorded
from carril.titles.routing import readings
from carril.titles.serials import TrainSerials

# The kinds of our actions that a recorded type can become, for a company's steps.
_KINDS: dict[str, tuple[type[Action], ...]] = {
    "lay_tile": (LayTile,),
    "place_token": (PlaceToken, MergeMinor),
    "run_routes": (RunTrains,),
    "dividend": (DeclareDividend,),
    "buy_train": (BuyTrain,),
    "discard_train": (DiscardTrain,),
    "buy_shares": (RedeemShares,),
    "sell_shares": (IssueShares,),
    "bankrupt": (GoBankrupt,),
    "pass": (Pass,),
}

_DIVIDENDS = {"payout": "full", "half": "half", "withhold": "withhold"}


class EUReader(Reader):
    """Keeps track of certificates in treasuries and of trains by their serial numbers."""

    def __init__(self, state: State, players: Mapping[object, str]) -> None:
        """Begin with all certificates in the treasuries and a 2 train on each minor."""
        super().__init__(state, players)
        majors = [c for c in state.tables.companies.values() if c.kind == "major"]
        self.treasury = {c.symbol: self._all_certificates(c.symbol) for c in majors}
        first = [(owner, name) for owner, c in state.companies.items() for name in c.trains]
        pooled = [(POOL, name) for name in state.depot.pool]
        numbers: Counter[str] = Counter()
        self.trains = TrainSerials()
        for owner, name in first + pooled:
            self.trains.give(f"{name}-{numbers[name]}", owner)
            numbers[name] += 1

    def _all_certificates(self, company: str) -> set[str]:
        symbol = self.state.tables.companies[company].import_symbol
        return {f"{symbol}_{number}" for number in range(9)}

    # --- which decision ------------------------------------------------------------------

    def is_offer(self) -> bool:
        """Return whether an offer for a train is open: only accepted offers are recorded."""
        return bool(self.state.agenda) and isinstance(self.state.step, TrainOffer)

    def answers(self, record: Recorded) -> bool:
        """Return whether the decision that is due belongs to the entity and the type."""
        step, kind = self.state.step, record["type"]
        if record.get("entity_type") == "player":
            return self._player_answers(record)
        symbol = self.company(record["entity"])
        if kind == "buy_shares" and self.state.companies[symbol].kind == "minor":
            owner = self.state.companies[symbol].owner
            return isinstance(step, StockRound | FinalExchange) and step.player == owner
        if isinstance(step, TokenChoice):
            return step.company == symbol and kind in ("place_token", "pass")
        if step.subject != symbol:
            return False
        return any(takes(self.state, wanted) for wanted in _KINDS.get(kind, ()))

    def _player_answers(self, record: Recorded) -> bool:
        step, name = self.state.step, self.player(record["entity"])
        if step.actor(self.state) != name:
            return False
        if isinstance(step, BuyTrains):
            return record["type"] in ("sell_shares", "bankrupt")
        return isinstance(step, Auction | StockRound | FinalExchange)

    # --- what it means -------------------------------------------------------------------

    def read(self, record: Recorded) -> None:
        """Play one recorded action."""
        reader = getattr(self, f"_{record['type']}", None)
        if reader is None:
            raise BadRecord(f"unknown kind of action {record['type']!r}")
        reader(record)

    def _pass(self, record: Recorded) -> None:
        declines = isinstance(self.state.step, TokenChoice)
        self.play(Decline() if declines else Pass())

    def _bid(self, record: Recorded) -> None:
        step, price = self.state.step, record["price"]
        assert isinstance(step, Auction)
        if step.stage == "choose":
            self.play(ChooseLot(str(record["minor"])))
            if not price:
                self._decline_opening(self.player(record["entity"]))
                return
        step = self.state.step
        falling = isinstance(step, Auction) and step.stage == "falling"
        self.play(Accept() if falling else Bid(price))

    def _decline_opening(self, name: str) -> None:
        """Choosing without a bid counts as declining to open."""
        step = self.state.step
        if isinstance(step, Auction) and step.stage == "open" and step.turn == name:
            self.play(Pass())

    def _par(self, record: Recorded) -> None:
        price = int(record["share_price"].split(",")[0])
        company = self.company(record["corporation"])
        # A corporation that was closed by a bankruptcy has all its certificates again.
        self.treasury[company] = self._all_certificates(company) - {f"{record['corporation']}_0"}
        self.play(StartCompany(company, price))

    def _place_token(self, record: Recorded) -> None:
        step = self.state.step
        if isinstance(step, TokenChoice):
            self.play(Accept())
            return
        hex_id, city = self.place(record["city"])
        if isinstance(step, Founding):
            for owner in tokens_in(self.state.board, hex_id, city):
                company = self.state.companies[owner]
                if company.kind == "minor" and company.owner == step.actor(self.state):
                    self.play(MergeMinor(owner))
                    self._recount(step.company)
                    return
        self.play(PlaceToken(hex_id, city))

    def _recount(self, company: str) -> None:
        """Forget certificates that went to the pool at flotation or to a starter by exchange.

        Which singles leave in an exchange does not matter: they are alike, and their number is
        known.
        """
        held = self.state.companies[company].held(TREASURY)
        certificates = self.treasury[company]
        while len(certificates) > held:
            certificates.discard(min(certificates))

    def _buy_shares(self, record: Recorded) -> None:
        certificates = record["shares"]
        company = self.company(certificates[0].rpartition("_")[0])
        charter = self.state.companies[company]
        source, other = TREASURY, POOL
        if certificates[0] not in self.treasury[company]:
            source, other = POOL, TREASURY
        if not charter.held(source) and charter.held(other):
            source = other
        if record["entity_type"] == "player":
            self.play(BuyShare(company, source))
        elif record["entity_type"] == "minor":
            minor = str(record["entity"])
            if isinstance(self.state.step, FinalExchange):
                source = share_source(self.state, company)
            self.play(ExchangeMinor(minor, company, source))
        else:
            self.play(RedeemShares(record["percent"] // 10))
            self.treasury[company].update(certificates)
            return
        self.treasury[company].difference_update(certificates)
        self._recount(company)

    def _sell_shares(self, record: Recorded) -> None:
        certificates = record["shares"]
        company = self.company(certificates[0].rpartition("_")[0])
        count = record["percent"] // 10
        if record["entity_type"] == "corporation":
            self.treasury[company].difference_update(certificates)
            self.play(IssueShares(count))
        else:
            self.play(SellShares(company, count))

    def _lay_tile(self, record: Recorded) -> None:
        hex_id, tile = record["hex"], record["tile"]
        self.tiles[tile] = hex_id
        number, _, piece = tile.rpartition("-")
        self.play(LayTile(hex_id, number, record["rotation"], piece=piece))

    def _dividend(self, record: Recorded) -> None:
        self.play(DeclareDividend(_DIVIDENDS.get(record["kind"], str(record["kind"]))))

    def _buy_train(self, record: Recorded) -> None:
        train = record["train"]
        name, source = self.trains.name(train), self.train_source(train)
        self.play(BuyTrain(name, source, record["price"]))
        if self.is_offer():
            self.play(Accept())
        self.trains.give(train, self.company(record["entity"]))

    def _discard_train(self, record: Recorded) -> None:
        train = record["train"]
        self.play(DiscardTrain(self.trains.name(train)))
        self.trains.give(train, POOL)

    def _bankrupt(self, record: Recorded) -> None:
        self.play(GoBankrupt())

    # --- runs ----------------------------------------------------------------------------

    def _run_routes(self, record: Recorded) -> None:
        """Read the routes; keep the recorded revenue, and report a difference."""
        company = self.company(record["entity"])
        entries = record["routes"]
        claim = sum(entry["revenue"] for entry in entries) + record.get("extra_revenue", 0)
        run = self._run(entries)
        problem = self.state.title.run_problem(self.state, company)
        if fault := check(problem, run):
            self.findings.append(f"{company}: a recorded run reads as {fault.code}")
        elif (total := value(problem, run).total) != claim:
            self.findings.append(f"{company}: a recorded run of {claim} is worth {total}")
        self.play(RunTrains(run.routes, run.extras, claim=claim))

    def _run(self, entries: list[Recorded]) -> Run:
        """Return the run, route by route the first reading that is legal so far."""
        step = self.state.step
        problem = self.state.title.run_problem(self.state, step.subject)
        routes: tuple[Route, ...] = ()
        for entry in entries:
            train = entry["train"].rpartition("-")[0]
            if train == PULLMAN:
                continue
            found = [Route(train, path) for path in self._readings(entry)]
            legal = (r for r in found if check(problem, Run((*routes, r))) is None)
            chosen = next(legal, found[0] if found else None)
            if chosen:
                routes = (*routes, chosen)
        return Run(routes, self._pullmans(entries, routes))

    def _readings(self, entry: Recorded) -> list[tuple[str, ...]]:
        return list(readings(self.state.tables, self.state.board, entry))

    def _pullmans(
        self, entries: list[Recorded], routes: tuple[Route, ...]
    ) -> tuple[tuple[str, str], ...]:
        """Return the stops that Pullmans double: an entry names only the hex."""
        places = [place for route in routes for place in route.path if "." in place]
        doubled = []
        for entry in entries:
            if entry["train"].rpartition("-")[0] == PULLMAN and entry.get("hexes"):
                hex_id = entry["hexes"][0]
                stop = next((p for p in places if p.partition(".")[0] == hex_id), f"{hex_id}.0")
                doubled.append(("pullman", stop))
        return tuple(doubled)
