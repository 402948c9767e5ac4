"""Watching games of bots for moves that no good player would make.

- a train that cannot run on the track of the company that buys it;
- a company's only train sold to another player for next to nothing;
- an emergency purchase that withholding the last dividend would have avoided;
- a share bought and sold again at a loss in the next stock turn, while its company is no worse and
  nothing better is bought for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from carril.bots import Dice, bot_named
from carril.bots.greedy import outlook
from carril.engine.actions import (
    Action,
    BuyShare,
    BuyTrain,
    DeclareDividend,
    SellShares,
    StartCompany,
)
from carril.engine.market import price
from carril.engine.shares import company_def
from carril.engine.state import State
from carril.engine.trains import running_trains, train_def
from carril.lab.arena import MOST_ACTIONS, Match, first_position

NOTHING = 0.1
"""A train is sold for next to nothing below this part of its price."""
RECENT = 3
"""Of how many operating rounds, the present one included, a dividend could have been withheld."""


class Silly(Struct, frozen=True):
    """A move that should not have been made."""

    kind: str
    number: int
    round: str
    player: str
    what: str


def watch(match: Match) -> tuple[Silly, ...]:
    """Play a match and return the silly moves of its bots."""
    state, watcher = first_position(match), Watcher()
    bots = dict(zip(match.players, map(bot_named, match.bots), strict=True))
    dice, number = Dice(match.seed), 0
    while not state.finished and number < MOST_ACTIONS:
        action = bots[state.acting or ""].choose(state, dice).action
        after = state.apply(action).state
        watcher.look(number, state, action, after)
        state, number = after, number + 1
    return tuple(watcher.found)


class Watcher:
    """Remembers what is needed to judge the moves of a game."""

    def __init__(self) -> None:
        """Begin a game."""
        self.found: list[Silly] = []
        self._rounds: list[str] = []
        """The operating rounds so far."""
        self._paid: dict[str, tuple[str, int]] = {}
        """By company: the round of its last dividend, and what withholding it would have kept."""
        self._bought: dict[tuple[str, str], tuple[int, int, int]] = {}
        """By player and company: the stock round, the price and the earnings at a purchase."""
        self._sold: list[Silly] = []
        """Sales at a loss in a turn that is not over."""

    def look(self, number: int, state: State, action: Action, after: State) -> None:
        """Judge a move and remember it."""
        player = state.acting or ""
        if state.round.kind == "OR" and str(state.round) not in self._rounds[-1:]:
            self._rounds.append(str(state.round))
        self._settle(player, action)
        for kind, what in self._judged(state, action, after):
            found = Silly(kind, number, str(state.round), player, what)
            if isinstance(action, SellShares):
                self._sold.append(found)
            else:
                self.found.append(found)
        self._remember(state, action, after)

    def _settle(self, player: str, action: Action) -> None:
        """Forgive the sales of a player who buys something better with the money at once."""
        if isinstance(action, SellShares) or not any(one.player == player for one in self._sold):
            return
        if not isinstance(action, BuyShare | StartCompany):
            self.found += self._sold
        self._sold.clear()

    def _judged(self, state: State, action: Action, after: State) -> Iterator[tuple[str, str]]:
        if isinstance(action, BuyTrain) and state.step.subject in state.companies:
            yield from self._train(state, action, after)
        elif isinstance(action, SellShares) and state.round.kind == "SR":
            yield from self._sale(state, action)

    def _train(self, state: State, action: BuyTrain, after: State) -> Iterator[tuple[str, str]]:
        symbol, owner = state.step.subject, state.acting or ""
        bought = len(after.companies[symbol].trains) >= len(state.companies[symbol].trains)
        if bought and not outlook.usable(state, symbol, action.train):
            yield "useless-train", f"{symbol} buys a {action.train} that cannot run on its track"
        seller = state.companies.get(action.source)
        last = seller is not None and len(running_trains(state, seller)) == 1
        cheap = action.price < NOTHING * train_def(state, action.train).price
        if seller is not None and last and cheap and seller.owner != owner:
            what = f"{seller.symbol} sells its only train for {action.price}"
            yield "train-for-nothing", what
        helped = state.players[owner].cash - after.players[owner].cash
        paid_in, kept = self._paid.get(symbol, ("", 0))
        if helped > 0 and kept >= helped and paid_in in self._rounds[-RECENT:]:
            yield (
                "avoidable-emergency",
                f"{symbol} takes {helped} from its president after paying {kept} in {paid_in}",
            )

    def _sale(self, state: State, action: SellShares) -> Iterator[tuple[str, str]]:
        player, symbol = state.acting or "", action.company
        turn, cost, earned = self._bought.get((player, symbol), (-1, 0, 0))
        soon = turn in (state.round.turn, state.round.turn - 1)
        if soon and price(state, symbol) < cost and outlook.income(state, symbol) >= earned > 0:
            yield "bought-and-dumped", f"{symbol} bought at {cost}, sold at {price(state, symbol)}"

    def _remember(self, state: State, action: Action, after: State) -> None:
        symbol = state.step.subject
        if isinstance(action, DeclareDividend):
            kept = state.step.earnings if action.kind != "withhold" else 0  # type: ignore[attr-defined]
            half = action.kind == "half" or company_def(state, symbol).sole_owner
            self._paid[symbol] = (str(state.round), kept // 2 if half else kept)
        elif isinstance(action, BuyShare) and state.round.kind == "SR":
            cost = state.players[state.acting or ""].cash - after.players[state.acting or ""].cash
            key = (state.acting or "", action.company)
            self._bought[key] = (state.round.turn, cost, outlook.income(state, action.company))
