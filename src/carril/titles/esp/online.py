"""Reading 18ESP games recorded by 18xx.games."""

from __future__ import annotations

from collections.abc import Mapping

from carril.engine.actions import (
    Accept,
    Action,
    Bid,
    BuyPrivate,
    BuyShare,
    BuyTender,
    BuyTrain,
    ChooseSide,
    CombineTrains,
    DeclareDividend,
    Decline,
    DiscardTrain,
    LayTile,
    OpenPass,
    Pass,
    PlaceToken,
    ReachDestination,
    RepayLoan,
    RunTrains,
    SellShares,
    StartCompany,
    TakeOver,
)
from carril.engine.asides import takes
from carril.engine.board import has_token_in, tile_at
from carril.engine.launch import is_late
from carril.engine.refusals import BadRecord
from carril.engine.runs import Route, Run, check, value
from carril.engine.state import IPO, POOL, State
from carril.engine.steps.auction import Auction
from carril.engine.steps.home import PlaceHome, home_of
from carril.engine.steps.running import RunStep
from carril.engine.steps.stock import StockRound
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import COUPLED, STACK
from carril.titles.esp import forced
from carril.titles.esp.auction import SetPar
from carril.titles.esp.build import Build
from carril.titles.esp.common import STRAWBERRY, esp
from carril.titles.esp.figures import figures
from carril.titles.esp.privates import PRIVATE, TakeTrain, buyer
from carril.titles.esp.running import able_trains, has_ground
from carril.titles.esp.takeover import StationChoice
from carril.titles.online import Reader, Recorded
from carril.titles.routing import readings

# The kinds of our actions that a recorded type can become, for a company's steps.
_KINDS: dict[str, tuple[type[Action], ...]] = {
    "lay_tile": (LayTile,),
    "place_token": (PlaceToken,),
    "run_routes": (RunTrains,),
    "dividend": (DeclareDividend,),
    "buy_train": (BuyTrain,),
    "discard_train": (DiscardTrain,),
    "combined_trains": (CombineTrains,),
    "merge": (TakeOver,),
    "destination_connection": (ReachDestination,),
    "pass": (Pass,),
}

# Purchases that the company whose turn it is makes at any moment (G55).
_PURCHASES = ("buy_company", "special_buy")

STRAWBERRY_ID = "2P-0"

_PLAYER_STEPS = (Auction, SetPar, StockRound)


class ESPReader(Reader):
    """Keeps track of trains by their serial numbers and of the tender chosen for a run."""

    def __init__(self, state: State, players: Mapping[object, str]) -> None:
        """Begin with all trains in the deck."""
        super().__init__(state, players)
        self.tender = self.carrier = ""
        """The train that carries the tender in the coming run, and its company."""
        majors = state.tables.of_kind("major")
        self.ipo = {c.symbol: {f"{c.symbol}_{n}" for n in range(9)} for c in majors}
        """Certificates that have not been bought."""

    # --- which decision ------------------------------------------------------------------

    def entity(self, record: Recorded) -> str:
        """Return our name for the entity that acts; a private acts for the company in turn."""
        if record.get("entity_type") == "company":
            return self.state.step.subject
        return super().entity(record)

    def answers(self, record: Recorded) -> bool:
        """Return whether the decision that is due belongs to the entity and the type."""
        step, kind = self.state.step, record["type"]
        if record.get("entity_type") == "player":
            name = self.player(record["entity"])
            if step.actor(self.state) != name:
                return False
            return isinstance(step, _PLAYER_STEPS) or (
                isinstance(step, BuyTrains) and kind == "sell_shares"
            )
        if kind in _PURCHASES:
            return buyer(self.state) == self.entity(record)
        if step.subject != self.entity(record):
            return False
        if kind == "choose":
            return isinstance(step, TakeTrain | StationChoice | RunStep | Build)
        if kind == "choose_ability":
            return isinstance(step, Build)
        return any(takes(self.state, wanted) for wanted in _KINDS.get(kind, ()))

    def filler(self, record: Recorded) -> Action | None:
        """Return a pass to fill in; idle trains and withheld earnings are recorded."""
        if isinstance(self.state.step, PlaceHome):
            return None
        return super().filler(record)

    def _note_strawberry(self) -> None:
        """Note the strawberry train, which private 3 becomes without an action."""
        if STRAWBERRY_ID not in self.trains and is_late(self.state):
            for company in self.state.companies.values():
                if STRAWBERRY in company.trains:
                    self.trains.give(STRAWBERRY_ID, company.symbol, STRAWBERRY)

    def take(self, record: Recorded) -> None:
        """Play a recorded action; note what the program does without an action."""
        self._note_strawberry()
        if self._is_placed(record):
            for following in record.get("auto_actions", ()):
                self.take(following)
        else:
            super().take(record)
        self._note_private_share()

    def _is_placed(self, record: Recorded) -> bool:
        """Return whether an action places a home token that we have placed (MZ in Madrid).

        While a city is to be chosen the action is that choice, of whichever token (G56).
        """
        choosing = self.state.agenda and isinstance(self.state.step, PlaceHome)
        if record["type"] != "place_token" or choosing:
            return False
        company = self.entity(record)
        home = home_of(self.state, company).hex
        placed = has_token_in(self.state.board, company, home)
        return placed and self.place(record["city"])[0] == home

    # --- what it means -------------------------------------------------------------------

    def read(self, record: Recorded) -> None:
        """Play one recorded action."""
        reader = getattr(self, f"_{record['type']}", None)
        if reader is None:
            raise BadRecord(f"unknown kind of action {record['type']!r}")
        reader(record)

    def _pass(self, record: Recorded) -> None:
        self.play(Pass())

    def _bid(self, record: Recorded) -> None:
        self.play(Bid(record["price"]))

    def _note_private_share(self) -> None:
        """The share that comes with a private is the first one after the director's."""
        symbol = esp(self.state).share_6
        if symbol in self.ipo and esp(self.state).privates.get(figures(self.state).powers.share):
            self.ipo[symbol].discard(f"{symbol}_1")

    def _give_last_certificate(self, company: str) -> None:
        """The share given in a takeover is the one with the highest number of the IPO."""
        certificates = self.ipo[company]
        singles = self.state.companies[company].held(IPO)
        while len(certificates) > singles:
            certificates.remove(max(certificates))

    def _par(self, record: Recorded) -> None:
        price = int(record["share_price"].split(",")[0])
        company = self.company(record["corporation"])
        self.ipo.get(company, set()).discard(f"{company}_0")
        self.play(StartCompany(company, price))

    def _buy_shares(self, record: Recorded) -> None:
        certificate = record["shares"][0]
        company = self.company(certificate.rpartition("_")[0])
        charter = self.state.companies[company]
        known = certificate in self.ipo.get(company, ())
        source = IPO if known and charter.held(IPO) else POOL
        if not charter.held(source):
            source = IPO if source == POOL else POOL
        self.ipo.get(company, set()).difference_update(record["shares"])
        self.play(BuyShare(company, source))

    def _sell_shares(self, record: Recorded) -> None:
        company = self.company(record["shares"][0].rpartition("_")[0])
        self.ipo.get(company, set()).difference_update(record["shares"])
        self.play(SellShares(company, record["percent"] // 10))

    def _payoff_player_debt(self, record: Recorded) -> None:
        name = self.player(record["entity"])
        self.play(RepayLoan(self.state.players[name].debt))

    def _lay_tile(self, record: Recorded) -> None:
        hex_id, tile = record["hex"], record["tile"]
        self.tiles[tile] = hex_id
        helped = record.get("entity_type") == "company"
        private = figures(self.state).mine_help.private if helped else ""
        self.play(LayTile(hex_id, tile.rpartition("-")[0], record["rotation"], private))

    def _place_token(self, record: Recorded) -> None:
        self.play(PlaceToken(*self.place(record["city"])))

    def _destination_connection(self, record: Recorded) -> None:
        self.play(ReachDestination())

    def _choose_ability(self, record: Recorded) -> None:
        self.play(OpenPass(record["choice"], figures(self.state).pass_help.private))

    def _choose(self, record: Recorded) -> None:
        step, choice = self.state.step, str(record["choice"])
        if isinstance(step, TakeTrain):
            self.trains.give("2-0", step.company, choice)
            self.play(ChooseSide(choice))
        elif isinstance(step, StationChoice):
            self.play(Accept() if choice == "map" else Decline())
            self._give_last_certificate(step.company)
        elif isinstance(step, RunStep):
            self.carrier = step.company
            self.tender = self._tender_train(step.company, int(choice))
        else:
            self.play(OpenPass(choice))

    def _tender_train(self, company: str, index: int) -> str:
        """Return the id of the train that carries the tender, an index among those that may run.

        Trains that have no station on their own map are left out.
        """
        able = list(able_trains(self.state, company))
        ids = []
        for train in self.trains.owned_by(company):
            side = self.trains.name(train)
            if side in able:
                able.remove(side)
                if has_ground(self.state, company, side):
                    ids.append(train)
        return ids[index] if index < len(ids) else ""

    def _merge(self, record: Recorded) -> None:
        self.play(TakeOver(self.company(record["corporation"])))

    def _dividend(self, record: Recorded) -> None:
        minor = self.state.companies[self.state.step.subject].kind == "minor"
        paid = "half" if minor else "full"
        self.play(DeclareDividend(paid if record["kind"] == "payout" else "withhold"))

    def _discard_train(self, record: Recorded) -> None:
        train = record["train"]
        self.play(DiscardTrain(self.trains.name(train)))
        self.trains.give(train, POOL if self.trains.name(train) in self.state.depot.pool else "")

    def _buy_train(self, record: Recorded) -> None:
        train, price = record["train"], record["price"]
        source, side, loan = self.train_source(train), self.trains.name(train), 0
        if source == STACK:
            step = self.state.step
            assert isinstance(step, BuyTrains)
            side = record.get("variant") or side
            loan = forced.loan_for(self.state, step, price)
        self.play(BuyTrain(side, source, price, loan=loan))
        self.trains.give(train, self.company(record["entity"]), side)

    def _combined_trains(self, record: Recorded) -> None:
        base = record["base"]
        side, recycled = self.trains.name(base), record["additional_train_variant"]
        self.play(CombineTrains(side, recycled))
        self.trains.rename(base, f"{side}{COUPLED}{recycled}")

    def _buy_company(self, record: Recorded) -> None:
        self.play(BuyPrivate(record["company"], record["price"]))

    def _special_buy(self, record: Recorded) -> None:
        bank = "bank" in record["description"]
        self.play(BuyTender(POOL if bank else PRIVATE))

    def shown_trains(self, company: str) -> list[str]:
        """Return trains by the names they have there: with a tender, or combined."""
        names, tender = [], self.trains.name(self.tender) if company == self.carrier else ""
        for train in self.state.companies[company].trains:
            name = _combined_name(self.state, train) if COUPLED in train else train
            if self.tender and train == tender:
                name, tender = f"{name}+1", ""
            names.append(name)
        return names

    # --- runs ----------------------------------------------------------------------------

    def _run_routes(self, record: Recorded) -> None:
        """Read the routes; keep the recorded sums, and report a difference."""
        company = self.state.step.subject
        entries = record["routes"]
        claim = sum(entry["revenue"] for entry in entries) + (record.get("extra_revenue") or 0)
        subsidy = sum(entry.get("subsidy") or 0 for entry in entries)
        run = self._run(company, entries)
        problem = self.state.title.run_problem(self.state, company)
        if fault := check(problem, run):
            self.findings.append(f"{company}: a recorded run reads as {fault.code}")
        else:
            worth = value(problem, run)
            if (worth.payable, worth.treasury) != (claim, subsidy):
                self.findings.append(
                    f"{company}: a recorded run of {claim} and {subsidy} is worth "
                    f"{worth.payable} and {worth.treasury}"
                )
        self.tender = self.carrier = ""
        self.play(RunTrains(run.routes, run.extras, claim=claim, subsidy=subsidy))

    def _run(self, company: str, entries: list[Recorded]) -> Run:
        """Return the run, route by route the first reading that is legal so far."""
        problem = self.state.title.run_problem(self.state, company)
        run = Run()
        for entry in entries:
            train = self.trains.name(entry["train"])
            extras = run.extras
            if entry["train"] == self.tender:
                before = sum(route.train == train for route in run.routes)
                extras = (("tender", f"{train}/{before + 1}" if before else train),)
            paths = self._readings(entry)
            found = [Run((*run.routes, Route(train, path)), extras) for path in paths]
            legal = (one for one in found if check(problem, one) is None)
            run = next(legal, found[0] if found else run)
        return run

    def _readings(self, entry: Recorded) -> list[tuple[str, ...]]:
        """Strip the scenery of the passes and turn their node numbers into ours."""
        tables, board = self.state.tables, self.state.board
        chains = [[h for h in chain if h in tables.hexes] for chain in entry["connections"]]
        nodes = [self._node(node) for node in entry.get("nodes", ())]
        return list(readings(tables, board, {"connections": chains, "nodes": nodes}))

    def _node(self, node: str) -> str:
        """Swap mine and town on laid tiles, where 18xx.games counts the mine first."""
        hex_id, _, number = node.rpartition("-")
        tables, board = self.state.tables, self.state.board
        if hex_id not in tables.hexes:
            return node
        tile = tile_at(tables, board, hex_id)
        both = {stop.kind for stop in tile.stops} == {"mine", "town"}
        if both and hex_id in board.laid:
            return f"{hex_id}-{1 - int(number)}"
        return node


def _combined_name(state: State, train: str) -> str:
    """Return the range of a combined train as 18xx.games writes it: "5+2C"."""
    parts = [state.tables.trains[part] for part in train.split(COUPLED)]
    stops = sum(part.distance[0].count for part in parts)
    towns = sum(part.distance[1].count for part in parts if len(part.distance) > 1)
    return f"{stops}+{towns}C"
