"""Writing 18ESP games as records of 18xx.games."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from carril.engine.actions import (
    Accept,
    Action,
    Bid,
    BuyPrivate,
    BuyTender,
    BuyTrain,
    ChooseSide,
    CombineTrains,
    Decline,
    LayTile,
    OpenPass,
    PlaceToken,
    ReachDestination,
    RepayLoan,
    RunTrains,
    TakeOver,
)
from carril.engine.board import tile_at
from carril.engine.events import GoalReached, SharesMoved, TakenOver, TokenPlaced
from carril.engine.runs import Run, Value, value
from carril.engine.state import IPO, POOL, State
from carril.engine.steps.auction import Auction
from carril.engine.steps.home import PlaceHome
from carril.engine.trains import card_of
from carril.titles.esp.common import STRAWBERRY, esp
from carril.titles.esp.figures import figures
from carril.titles.esp.privates import NARROW_2, TRAIN_2
from carril.titles.esp.running import has_ground
from carril.titles.export import Played, Writer, Written, cards_for

_TENDER = "tender"
_SPECIAL = {TRAIN_2: f"{TRAIN_2}-0", NARROW_2: f"{TRAIN_2}-0", STRAWBERRY: f"{STRAWBERRY}-0"}
"""The cards that come with privates."""


class ESPWriter(Writer):
    """Knows the cards of the privates and the certificates given in takeovers."""

    def __init__(self, state: State, ids: Mapping[str, int]) -> None:
        """Begin with all certificates in the IPO; the first 2 train belongs to a private."""
        super().__init__(state, ids, IPO)
        self.trains.reserve(TRAIN_2)

    def optional_rules(self) -> list[str]:
        """Return the optional rules; there the standard set-up is one."""
        return [] if "random" in self.state.setup.variants else ["core"]

    def can_write(self, state: State, action: Action) -> bool:
        """Return False for a train given up for another: a record has no such action."""
        return not (isinstance(action, BuyTrain) and action.discard)

    def write(self, played: Played) -> list[Written]:
        """Record automatic actions together with the action that led to them."""
        written = super().write(played)
        if following := self._following(played):
            written[-1]["auto_actions"] = following
        return written

    def _following(self, played: Played) -> list[Written]:
        """Return destinations reached, and home tokens of minors that share another's circle."""
        found = []
        declared = isinstance(played.action, ReachDestination)
        for event in played.events:
            match event:
                case GoalReached(company, "destination") if not declared:
                    found.append(self._connection(company))
                case TokenPlaced(company, hex_id, city) if self._shares_circle(company):
                    place = self.city(hex_id, city)
                    found.append(self.by_company(company, "place_token", city=place, slot=0))
        return found

    def _connection(self, company: str) -> Written:
        symbol = self.symbol(company)
        return self.by_company(company, "destination_connection", corporations=[symbol])

    def _shares_circle(self, company: str) -> bool:
        minor = self.state.companies[company].kind == "minor"
        pairs = self.state.tables.figures.one_circle
        return minor and any(company in pair for pair in pairs)

    def follow(self, played: Played) -> None:
        """The share given in a takeover is the last certificate of the IPO."""
        for place, event in enumerate(played.events):
            taken = any(isinstance(one, TakenOver) for one in played.events[:place])
            if taken and isinstance(event, SharesMoved):
                self.shares[event.company].give_last(event.source, event.target)
            else:
                self.shares.follow((event,))
        self.trains.follow(played.before, played.events, _SPECIAL)

    def kinds(self) -> Mapping[type[Action], Callable[[Played], list[Written]]]:
        """Return how each kind of action is written."""
        return {
            **super().kinds(),
            Accept: self._station,
            Bid: self._bid,
            BuyPrivate: self._buy_private,
            BuyTender: self._buy_tender,
            ChooseSide: self._choose_side,
            CombineTrains: self._combine,
            Decline: self._station,
            LayTile: self._lay_with_private,
            OpenPass: self._open_pass,
            PlaceToken: self._place_token,
            ReachDestination: self._destination,
            RepayLoan: self._repay,
            RunTrains: self._run_with_tender,
            TakeOver: self._take_over,
        }

    def _bid(self, played: Played) -> list[Written]:
        step, action = played.before.step, played.action
        assert isinstance(step, Auction)
        assert isinstance(action, Bid)
        return [self.by_player(step.turn, "bid", company=step.lot, price=action.amount)]

    def _repay(self, played: Played) -> list[Written]:
        return [self.by_player(played.before.acting or "", "payoff_player_debt")]

    # --- track and tokens ----------------------------------------------------------------

    def _lay_with_private(self, played: Played) -> list[Written]:
        assert isinstance(played.action, LayTile)
        (written,) = self._lay_tile(played)
        return [_by_private(written, played.action.private)]

    def _open_pass(self, played: Played) -> list[Written]:
        action = played.action
        assert isinstance(action, OpenPass)
        kind = "choose_ability" if action.private else "choose"
        written = self.acting(played.before, kind, choice=action.hex)
        return [_by_private(written, action.private)]

    def _destination(self, played: Played) -> list[Written]:
        return [self._connection(played.before.step.subject)]

    def _place_token(self, played: Played) -> list[Written]:
        action, step = played.action, played.before.step
        assert isinstance(action, PlaceToken)
        company = step.company if isinstance(step, PlaceHome) else step.subject
        city, tokener = self.city(action.hex, action.city), self.symbol(company)
        return [self.acting(played.before, "place_token", city=city, slot=0, tokener=tokener)]

    # --- privates, takeovers, trains -----------------------------------------------------

    def _buy_private(self, played: Played) -> list[Written]:
        action = played.action
        assert isinstance(action, BuyPrivate)
        details = {"company": action.private, "price": action.price}
        return [self.acting(played.before, "buy_company", **details)]

    def _buy_tender(self, played: Played) -> list[Written]:
        assert isinstance(played.action, BuyTender)
        known = figures(played.before)
        owner = esp(played.before).privates.get(known.powers.tenders, "")
        seller = "bank" if played.action.source == POOL else owner
        details = {
            "description": f"Tender from {seller}",
            "cost": figures(played.before).costs.tender,
        }
        return [self.acting(played.before, "special_buy", **details)]

    def _choose_side(self, played: Played) -> list[Written]:
        assert isinstance(played.action, ChooseSide)
        return [self.acting(played.before, "choose", choice=played.action.train)]

    def _take_over(self, played: Played) -> list[Written]:
        assert isinstance(played.action, TakeOver)
        minor = self.symbol(played.action.minor)
        return [self.acting(played.before, "merge", corporation=minor)]

    def _station(self, played: Played) -> list[Written]:
        choice = "map" if isinstance(played.action, Accept) else "charter"
        return [self.acting(played.before, "choose", choice=choice)]

    def _combine(self, played: Played) -> list[Written]:
        action = played.action
        assert isinstance(action, CombineTrains)
        return [
            self.acting(
                played.before,
                "combined_trains",
                base=self.trains.find(played.before.step.subject, action.train),
                additional_train=f"{card_of(played.before, action.recycled)}-0",
                additional_train_variant=action.recycled,
            )
        ]

    # --- runs ----------------------------------------------------------------------------

    def running_cards(self, state: State, company: str) -> list[tuple[str, str]]:
        """Leave out the train of a private in its first round, and trains without a map."""
        resting = esp(state).resting.get(company, "")
        cards = self.trains.owned(company)
        first = _SPECIAL.get(resting, "")
        return [
            (card, name)
            for card, name in cards
            if not (first and card == first and name == resting)
            and has_ground(state, company, name)
        ]

    def _run_with_tender(self, played: Played) -> list[Written]:
        """The train with the tender is chosen first, by its place among those that may run."""
        action, company = played.action, played.before.step.subject
        assert isinstance(action, RunTrains)
        run = Run(action.routes, action.extras)
        cards = self.running_cards(played.before, company)
        entries = self.route_entries(played.before, company, run, self._worth(played, run))
        subsidy = sum(entry["subsidy"] for entry in entries)
        written = self.acting(
            played.before, "run_routes", routes=entries, extra_revenue=0, subsidy=subsidy
        )
        carriers = [detail for name, detail in run.extras if name == _TENDER]
        if not carriers:
            return [written]
        name, _, which = carriers[0].partition("/")
        routes = [n for n, route in enumerate(run.routes) if route.train == name]
        card = cards_for(run.routes, cards)[routes[int(which or 1) - 1]]
        choice = str([one for one, _ in cards].index(card))
        return [self.acting(played.before, "choose", choice=choice), written]

    def _worth(self, played: Played, run: Run) -> Value:
        company = played.before.step.subject
        return value(played.before.title.run_problem(played.before, company), run)

    def node(self, state: State, place: str) -> str:
        """On laid tiles with mine and town the mine is number 0 there."""
        hex_id, _, number = place.partition(".")
        kinds = {stop.kind for stop in tile_at(state.tables, state.board, hex_id).stops}
        if kinds == {"mine", "town"} and hex_id in state.board.laid:
            return f"{hex_id}-{1 - int(number)}"
        return f"{hex_id}-{number}"


def _by_private(written: Written, private: str) -> Written:
    """Let a private act instead of its company."""
    if not private:
        return written
    return written | {"entity": private, "entity_type": "company"}
