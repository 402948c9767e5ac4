"""The best runs of a problem, proven."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from itertools import permutations
from math import gcd

from msgspec.structs import replace

from carril.engine.runs_check import validate
from carril.engine.runs_types import Answer, Extra, Run, RunProblem, Train, Value
from carril.engine.runs_value import room_caps
from carril.routes.alternatives import Alternatives
from carril.routes.certificate import certified, run_of
from carril.routes.combine import Path, Team
from carril.routes.diagram import Diagram
from carril.routes.ends import Ends
from carril.routes.hopes import Fit, View
from carril.routes.load import Load
from carril.routes.meter import BudgetSpent, Meter
from carril.routes.network import Network
from carril.routes.outline import Outline
from carril.routes.plan import SCALE, Plan
from carril.routes.prices import Pricing
from carril.routes.product import Product
from carril.routes.settle import Settlement
from carril.routes.tally import Tally

_SMALL = 600
"""Arcs of plans up to which all routes are drawn up."""
_TRIES = 2
_ROUNDS = 6
_GAIN = 16
"""Prices are worth some more rounds if the last ones closed the gap by one part in so many."""
_FIRST_TRY = 3000
"""States of the product that are tried before prices are worth their time."""

Member = tuple[Train, Extra | None]
"""A train and the card that it carries."""
Prices = list[list[int]]
Lead = tuple[Settlement, list[Diagram], list[Path]]
"""The best run known: paths through diagrams."""
Crew = tuple[Member, ...]
"""Which train carries which extra card, equal pairs side by side."""


def solve(
    problem: RunProblem,
    budget: int | None = None,
    count: int = 1,
    payable: bool = False,
    known: Run | None = None,
) -> Answer:
    """The best `count` runs of `problem`.

    The value maximised is the total, or with `payable` the payable part. With a
    `budget` (nodes, not seconds, so that the answer is the same everywhere) the
    search may stop early; `bound` then says how much better a run could be. A good
    run is then made in a quarter of the budget more. A legal run that is `known`
    spares the search for a first one, and is given if there is none better.

    Of several best runs the one found first is given. The order is fixed: layers
    of the network, then moves, in the order of the problem's points and pieces.
    """
    if budget is not None and budget < 1:
        raise ValueError(f"a budget is a number of nodes, 1 or more, not {budget}")
    if count < 1:
        raise ValueError(f"the number of runs asked for is 1 or more, not {count}")
    validate(problem)
    collecting = gc.isenabled()
    gc.disable()  # the search makes no rings, and looking for them takes a fifth of its time
    try:
        return _Search(problem, budget or 0, count, payable, known or Run()).answer()
    finally:
        if collecting:
            gc.enable()


class _Drawing:
    """The network of a problem and its plans, for all questions about it."""

    def __init__(self, problem: RunProblem) -> None:
        self.problem = problem
        self.network = Network(problem)
        self.kinds, self.room = _most_calls(problem)
        self._ends: dict[tuple[str, ...], tuple[Ends, int]] = {}
        self._plans: dict[Member, tuple[Plan, int]] = {}
        self._fits: dict[Member, Fit] = {}

    def views(self, members: Iterable[Member], payable: bool, meter: Meter) -> dict[Member, View]:
        """What trains with cards can hope for; nodes count however often plans are used."""
        return {member: View(self._fit(member, meter), payable) for member in members}

    def _fit(self, member: Member, meter: Meter) -> Fit:
        plan = self._plan(member, meter)
        if member not in self._fits:
            like = next((fit for fit in self._fits.values() if fit.train == member[0]), None)
            self._fits[member] = Fit(plan, *member, like)
        return self._fits[member]

    def sketch(self, member: Member, payable: bool, width: int, meter: Meter) -> Diagram:
        """Some good routes, in a moment."""
        plan = Plan(self.network, Tally(self.problem, *member))
        plan.sketch(Load(self.problem, *member), width, meter)
        diagram = Diagram(View(Fit(plan, *member, None), payable), meter)
        diagram.build()
        return diagram

    def _plan(self, member: Member, meter: Meter) -> Plan:
        kind = _kind(member)
        if kind in self._plans:
            plan, nodes = self._plans[kind]
            meter.add(nodes)
            return plan
        before = meter.nodes
        plan = Plan(self.network, Tally(self.problem, *kind))
        plan.draw(self._ways(plan, meter), self.kinds, self.room, meter)
        self._plans[kind] = plan, meter.nodes - before
        return plan

    def _ways(self, plan: Plan, meter: Meter) -> Ends:
        gauges = plan.tally.train.gauges
        if gauges in self._ends:
            ends, nodes = self._ends[gauges]
            meter.add(nodes)
            return ends
        before = meter.nodes
        ends = Ends(plan.crossings, meter)
        self._ends[gauges] = ends, meter.nodes - before
        return ends


def _kind(member: Member) -> Member:
    """What decides on a plan: all but names and room."""
    train, extra = member
    if extra is not None:
        extra = replace(extra, name="", room=(), trains=())
    return replace(train, name="", room=()), None if extra == Extra("") else extra


def _most_calls(problem: RunProblem) -> tuple[frozenset[str], int]:
    """Kinds of stops that every train counts together, and how many of them any may call at."""
    kinds = sorted({stop.kind for stop in problem.stops})
    bounds = []
    for train in problem.trains:
        for extra in (None, *problem.rules.extras):
            rooms = train.room + (extra.room if extra else ())
            bounds.append(max(room_caps(rooms, kinds), key=lambda b: len(b[0]), default=None))
    if not bounds or None in bounds:
        return frozenset(), 0
    found = [bound for bound in bounds if bound is not None]
    return frozenset.intersection(*(b for b, _ in found)), max(cap for _, cap in found)


_last: list[_Drawing] = []
"""The drawing of the last problem: the next question is often about the same one."""


def _drawing(problem: RunProblem) -> _Drawing:
    for drawing in _last:
        if drawing.problem is problem:
            return drawing
    made = _Drawing(problem)
    _last[:] = [made]
    return made


class _Search:
    """One question."""

    def __init__(
        self, problem: RunProblem, budget: int, count: int, payable: bool, known: Run
    ) -> None:
        self.problem = problem
        self.count = count
        self.payable = payable
        self.meter = Meter(budget)
        self.drawing = _drawing(problem)
        self.diagrams: dict[Member, Diagram] = {}
        self.grain = _grain(problem)
        self.teams: list[Team] = []
        self.run = known
        self.best = self._worth(certified(problem, known))
        self.lead: Lead | None = None
        self.bound = -1

    def answer(self) -> Answer:
        """Search, and say what is proven."""
        self.bound = _crude_bound(self.problem, self.payable)
        for_guess = self.meter.budget // 4
        try:
            if self.drawing.network.layers and self.problem.trains:
                self._search()
            self.bound = self.best
        except BudgetSpent:
            self.bound = max(self.bound, self.best)
            self._guess(for_guess)
        proven = self.bound == self.best
        value = self._certify()
        nodes = self.meter.nodes
        runs = self._runs() if proven and self.count > 1 else (self.run,)
        parts = (value.payable, value.treasury)
        return Answer(runs, self.best, self.bound, proven, nodes, *parts)

    def _guess(self, nodes: int) -> None:
        """After the budget is spent on a proof: a good run from narrow diagrams."""
        crew = crews(self.problem)[-1]
        layers = len(self.drawing.network.layers)
        if nodes < layers:
            return
        self.diagrams = {}
        self.meter.budget = 0
        width = max(1, nodes // (4 * layers * len(set(crew))))
        for member in crew:
            diagram = self.drawing.sketch(member, self.payable, width, self.meter)
            self.diagrams[member] = diagram
        team = self._team(crew)
        team.greedy()
        self._note(team)

    def _runs(self) -> tuple[Run, ...]:
        """The best run and the next best."""
        self.meter.budget = 0
        found = Alternatives(self.problem, self.teams, self.run, self.best)
        return found.runs(self.count, self.grain)

    def _search(self) -> None:
        found = crews(self.problem)
        members = dict.fromkeys(member for crew in found for member in crew)
        views = self.drawing.views(members, self.payable, self.meter)
        size = sum(len(arcs.source) for view in views.values() for arcs in view.plan.arcs)
        prices: Prices | None = None
        if self.count > 1 or size < _SMALL:
            self.diagrams = {m: self._whole(view) for m, view in views.items()}
        else:
            found, prices = self._promising(found, views)
        teams = self.teams = [self._team(crew) for crew in found]
        teams.sort(key=lambda team: -team.bound)
        self.bound = min(self.bound, max([self.best, *(team.bound for team in teams)]))
        for index, team in enumerate(teams):
            later = max([self.best, *(other.bound for other in teams[index + 1 :])])
            if team.bound >= self.best + self.grain:
                self._search_team(team, later, prices)
            self.bound = min(self.bound, max(later, self.best))

    def _whole(self, view: View) -> Diagram:
        """All routes of one train."""
        diagram = Diagram(view, self.meter)
        diagram.build()
        return diagram

    def _promising(
        self, found: list[Crew], views: dict[Member, View]
    ) -> tuple[list[Crew], Prices | None]:
        """Draw up just the routes that can be part of a better run than a first good one.

        The crews that can have such a run are given, and prices to begin with.
        """
        outlines = [self._outline([views[member] for member in crew]) for crew in found]
        first = max(outlines, key=lambda outline: outline.bound)
        if not self.best:
            self._note(first.good_run(1))
        first.best = self.best
        prices = self._priced(first) if len(first.views) > 1 else None
        least = (self.best + self.grain) * SCALE
        bounds = [outline.reprice(prices or outline.free()) for outline in outlines]
        kept = [index for index, bound in enumerate(bounds) if bound >= least]
        slack: dict[Member, tuple[int, int, int]] = {}
        for index in kept:
            for place, member in enumerate(found[index]):
                here = (bounds[index] - least, index, place)
                slack[member] = max(slack.get(member, here), here)
        for member, (spare, index, place) in slack.items():
            outline = outlines[index]
            need = outline.hopes[place].promise() - spare
            self.diagrams[member] = outline.routes(place, need)
        return [found[index] for index in kept], prices

    def _priced(self, outline: Outline) -> Prices:
        """Prices that bring the bound down, and the run that they suggest."""
        pricing = Pricing(outline)
        fallen, gap = 1, 0
        while not pricing.spent and fallen > gap // _GAIN:
            before = pricing.best_bound
            pricing.run(self.grain, _ROUNDS)
            fallen = before - pricing.best_bound
            gap = pricing.best_bound - self.best * SCALE
        if outline.bound >= self.best + self.grain:
            self._note(outline.good_run(_TRIES))
        return pricing.best_prices

    def _outline(self, views: list[View]) -> Outline:
        tallies = [view.plan.tally for view in views]
        settlement = Settlement(self.problem, tallies, self.payable)
        return Outline(self.drawing.network, views, settlement, self.meter)

    def _team(self, crew: Crew) -> Team:
        diagrams = [self.diagrams[member] for member in crew]
        tallies = [diagram.view.plan.tally for diagram in diagrams]
        return Team(diagrams, Settlement(self.problem, tallies, self.payable), self.meter)

    def _search_team(self, team: Team, later: int, prices: Prices | None) -> None:
        """Find the best run of one team if it beats what is known."""
        if prices is None:
            team.greedy()
            self._note(team)
        team.best = max(team.best, self.best)
        if team.bound < team.best + self.grain:
            return
        pricing = Pricing(team, prices)
        if not team.shrink(self.grain):
            return
        limit = _FIRST_TRY
        product = Product(team, team.best + self.grain, limit)
        while not product.whole:
            pricing.run(self.grain)
            self._note(team)
            self.bound = min(self.bound, max(later, team.bound))
            if team.bound < team.best + self.grain or not team.shrink(self.grain):
                return
            limit = 0 if pricing.spent else max(2 * limit, team.arcs())
            product = Product(team, team.best + self.grain, limit)
        ends = product.ends()
        if ends and ends[0][0] > team.best:
            team.offer(product.paths(ends[0][1]))
            assert team.best == ends[0][0]
            self._note(team)

    def _note(self, team: Team) -> None:
        """Take over a better run: its diagrams may change, so they are kept with it."""
        if team.best > self.best:
            self.best = team.best
            self.lead = team.settlement, list(team.diagrams), list(team.paths)

    def _certify(self) -> Value:
        """Turn the best paths into a run, and let the engine's checker pass it.

        A narrow diagram may miss the best stop for a card: the certificate's word counts.
        """
        if self.lead is not None:
            self.run = run_of(*self.lead)
        value = certified(self.problem, self.run)
        worth = self._worth(value)
        assert worth == self.best or (worth > self.best and self.bound > self.best)
        self.best = worth
        return value

    def _worth(self, value: Value) -> int:
        return value.payable if self.payable else value.total


def crews(problem: RunProblem) -> list[Crew]:
    """Every different way to give the extra cards to trains; none that is plainly worse."""
    cards = problem.rules.extras
    trains = problem.trains
    slots: list[Extra | None] = [None] * max(0, len(trains))
    found: dict[Crew, None] = {}
    for chosen in sorted(set(permutations(range(-len(trains), len(cards)), len(trains)))):
        given = [cards[number] if number >= 0 else slots[0] for number in chosen]
        if not _sensible(problem, given):
            continue
        members = zip(trains, given, strict=True)
        crew = tuple(sorted(members, key=lambda member: _rank(problem, member)))
        found[crew] = None
    return list(found)


def _rank(problem: RunProblem, member: Member) -> tuple[int, int]:
    train, extra = member
    return problem.trains.index(train), problem.rules.extras.index(extra) + 1 if extra else 0


def _sensible(problem: RunProblem, given: list[Extra | None]) -> bool:
    """Each card on a train that may carry it; no card idle that could only do good."""
    for train, card in zip(problem.trains, given, strict=True):
        if card is not None and card.trains and train.name not in card.trains:
            return False
    left = list(problem.rules.extras)
    for card in given:
        if card is not None:
            left.remove(card)
    for card in left:
        if card.must or card.capacity:
            continue
        for train, other in zip(problem.trains, given, strict=True):
            if other is None and (not card.trains or train.name in card.trains):
                return False
    return True


def _grain(problem: RunProblem) -> int:
    """What all values are multiples of: a run that is better at all is better by this."""
    rules = problem.rules
    grain = gcd(rules.premium, rules.cube_value)
    for stop in problem.stops:
        grain = gcd(grain, gcd(stop.value, gcd(stop.treasury, stop.toll)))
    for bonus in rules.bonuses:
        grain = gcd(grain, gcd(bonus.amount, bonus.per_token))
    return max(1, grain)


def _crude_bound(problem: RunProblem, payable: bool) -> int:
    """What no run can exceed, without looking at track."""
    rules = problem.rules
    total = rules.premium + rules.cube_value * sum(count for _, count in rules.cubes)
    for train in problem.trains:
        total += _crude_route(problem, train, payable)
    factor = max([1, *(train.factor for train in problem.trains)])
    most = max([0, *(stop.value * factor + stop.treasury for stop in problem.stops)])
    for extra in rules.extras:
        places = sum(max(0, room.count) for room in extra.room)
        total += most * (places + bool(extra.doubles) + bool(extra.beyond))
    return total


def _crude_route(problem: RunProblem, train: Train, payable: bool) -> int:
    """The best stops that fit, wherever they are, and every bonus."""
    worth = [
        (stop.kind, stop.value * train.factor + (0 if payable else stop.treasury))
        for stop in problem.stops
    ]
    least = sum(value for _, value in worth)
    for bound, cap in room_caps(train.room, sorted({kind for kind, _ in worth})):
        inside = sorted((value for kind, value in worth if kind in bound), reverse=True)[:cap]
        least = min(least, sum(inside) + sum(v for kind, v in worth if kind not in bound))
    for bonus in problem.rules.bonuses:
        least += max(0, bonus.amount) + max(0, bonus.per_token * bonus.cap)
    return least
