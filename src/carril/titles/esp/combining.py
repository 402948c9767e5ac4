"""Combined trains: a recycled train coupled to one of a company's own (ESP-5.2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from carril.engine.actions import Action, CombineTrains, Option, Pass
from carril.engine.events import TrainsCombined
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep
from carril.engine.steps.train_rules import TrainAction
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import COUPLED, card_of, lose, phase_reached, receive, sides, train_def
from carril.titles.esp.common import STRAWBERRY, conventions, edition, esp, is_minor, set_extra
from carril.titles.esp.duty import can_run
from carril.titles.esp.figures import figures


def recyclable(state: State) -> dict[str, int]:
    """Return the cards that can be recycled and how many of each."""
    extra, record = esp(state), edition(state)
    piles = dict(extra.scrap)
    if conventions(state).recycling_endless:
        rusted = (t for t in state.tables.trains.values() if t.rusted_by and not t.card)
        return {t.name: 1 for t in rusted if phase_reached(state, t.rusted_by)}
    if record.exported_recycled:
        for card, count in extra.exported.items():
            piles[card] = piles.get(card, 0) + count
    return {card: count for card, count in piles.items() if count}


def combining_cost(state: State, recycled: str) -> int:
    """Return what it costs to couple a recycled train to another."""
    return figures(state).combining.price_factor * train_def(state, recycled).price


def combine_refusal(state: State, company: str, train: str, recycled: str) -> Refusal | None:
    """Return why a company may not couple a recycled train to one of its own (ESP-5.2.1)."""
    if not phase_reached(state, figures(state).combining.from_phase):
        return refuse(state, "combined-not-yet", phase=state.phase)
    if is_minor(state, company):
        return refuse(state, "minor-no-combined", company=company)
    if train not in state.companies[company].trains:
        return refuse(state, "no-such-train-owned", train=train)
    if train == STRAWBERRY or recycled == STRAWBERRY:
        return refuse(state, "strawberry-not-combined", train=train)
    if COUPLED in train:
        return refuse(state, "combined-already", train=train)
    tables = state.tables.trains
    if recycled not in tables or card_of(state, recycled) not in recyclable(state):
        return refuse(state, "not-recyclable", train=recycled)
    checked = not conventions(state).combining_after_buying
    if checked and tables[recycled].gauge == tables[train].gauge:
        return refuse(state, "same-gauge", train=train, recycled=recycled)
    cost, cash = combining_cost(state, recycled), state.companies[company].cash
    if cost > cash:
        return refuse(state, "combine-too-dear", cost=cost, cash=cash)
    if edition(state).combine_must_run and not _runs_after(state, company, train, recycled):
        return refuse(state, "combine-cannot-run", train=train, recycled=recycled)
    return None


def _runs_after(state: State, company: str, train: str, recycled: str) -> bool:
    """Return whether some train of the company can run after a combination (ESP-5.2.1-r)."""
    others = list(state.companies[company].trains)
    others.remove(train)
    rest = [name for name in others if name != STRAWBERRY]
    coupled = f"{train}{COUPLED}{recycled}"
    return any(can_run(state, company, name) for name in dict.fromkeys((coupled, *rest)))


def combinations(state: State, company: str) -> Iterator[Option]:
    """Yield every legal combination."""
    by = state.companies[company].owner
    recycled = [side for card in recyclable(state) for side in sides(state, card)]
    for train, side in product(sorted(set(state.companies[company].trains)), recycled):
        if combine_refusal(state, company, train, side) is None:
            yield CombineTrains(train, side, by=by)


def combine(move: Move, company: str, train: str, recycled: str) -> None:
    """Pay for the recycled train and couple the trains for good (ESP-5.2.1-e, -k)."""
    state = move.state
    cost = combining_cost(state, recycled)
    pay(move, company, BANK, cost, "recycling")
    card = card_of(state, recycled)
    if not conventions(state).recycling_endless:
        pile = "scrap" if esp(state).scrap.get(card) else "exported"
        left = dict(getattr(esp(state), pile))
        left[card] -= 1
        set_extra(move, **{pile: left})
    lose(move, company, train)
    receive(move, company, f"{train}{COUPLED}{recycled}")
    move.tell(TrainsCombined(company, train, recycled, cost))


def _is_forced(state: State, step: BuyTrains) -> bool:
    """Return whether the director must help: no combining then (ESP-4.7.1-c)."""
    if not state.companies[step.company].trains or not step.must_buy(state):
        return False
    return step.treasury(state) < step.cheapest(state)


def _options(state: State, step: BuyTrains) -> Iterator[Option]:
    if not conventions(state).combining_after_buying and not _is_forced(state, step):
        yield from combinations(state, step.company)


def _refusal(state: State, step: BuyTrains, action: CombineTrains) -> Refusal | None:
    if conventions(state).combining_after_buying:
        return refuse(state, "combine-later", company=step.company)
    if refused := combine_refusal(state, step.company, action.train, action.recycled):
        return refused
    if _is_forced(state, step):
        return refuse(state, "combine-not-forced", company=step.company)
    return None


def _play(move: Move, step: BuyTrains, action: CombineTrains) -> None:
    combine(move, step.company, action.train, action.recycled)


def _cost(state: State, action: CombineTrains) -> int:
    return combining_cost(state, action.recycled)


COMBINING = TrainAction(CombineTrains, _options, _refusal, _play, _cost)
"""Combining trains in the step in which a company buys them."""


class CombineStep(CompanyStep, tag="combine", frozen=True):
    """On 18xx.games combining is a step of its own, after the purchases (G29)."""

    allows = (CombineTrains, Pass)

    def settle(self, move: Move) -> bool:
        """Asked of a major with a train to combine and the money for the cheapest card."""
        if self._asked(move.state):
            return False
        move.pop()
        return True

    def _asked(self, state: State) -> bool:
        company = state.companies[self.company]
        begins = figures(state).combining.from_phase
        if company.kind == "minor" or not phase_reached(state, begins):
            return False
        able = any(t != STRAWBERRY and COUPLED not in t for t in company.trains)
        cheapest = min((combining_cost(state, card) for card in recyclable(state)), default=0)
        return able and 0 < cheapest <= company.cash

    def options(self, state: State) -> Iterable[Option]:
        """Yield the combinations and the pass."""
        yield from combinations(state, self.company)
        yield Pass(by=self.actor(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check a combination."""
        if isinstance(action, CombineTrains):
            return combine_refusal(state, self.company, action.train, action.recycled)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Combine, or go on."""
        if isinstance(action, CombineTrains):
            combine(move, self.company, action.train, action.recycled)
        else:
            self.passed(move)
