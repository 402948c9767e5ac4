"""The best runs of a problem, proven."""

from __future__ import annotations

import gc
from math import gcd

from carril.engine.runs.legality import check, validate
from carril.engine.runs.revenue import room_caps
from carril.engine.runs.types import Answer, Run, RunProblem, Train, Value
from carril.routes.alternatives import Alternatives
from carril.routes.certificate import certified, run_of
from carril.routes.combine import Path, Team
from carril.routes.crews import Crew, Member, crews
from carril.routes.diagram import Diagram
from carril.routes.drawing import drawing_of
from carril.routes.hopes import View
from carril.routes.meter import BudgetSpent, Meter
from carril.routes.outline import Outline
from carril.routes.plan import SCALE
from carril.routes.prices import Pricing
from carril.routes.product import Product
from carril.routes.settle import Settlement

_SMALL = 600
"""Arcs of plans up to which all routes are drawn up."""
_TRIES = 2
"""How many trains may be the first to choose when prices suggest a run."""
_ROUNDS = 6
"""Steps of prices between two looks at the gap."""
_GAIN = 16
"""Prices are worth some more rounds if the last ones closed the gap by one part in so many."""
_FIRST_TRY = 3000
"""States of the product that are tried before prices are worth their time."""

Prices = list[list[int]]
Lead = tuple[Settlement, list[Diagram], list[Path]]
"""The best run known: paths through diagrams."""


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

    Of several best runs the one found first is given; the order is fixed.
    """
    if budget is not None and budget < 1:
        raise ValueError(f"a budget is a number of nodes, 1 or more, not {budget}")
    if count < 1:
        raise ValueError(f"the number of runs asked for is 1 or more, not {count}")
    validate(problem)
    if known is not None and (fault := check(problem, known)):
        raise ValueError(f"the run that is known is not legal: {fault.code}")
    collecting = gc.isenabled()
    gc.disable()  # the search makes no rings, and looking for them takes a fifth of its time
    try:
        return _Search(problem, budget or 0, count, payable, known or Run()).answer()
    finally:
        if collecting:
            gc.enable()


class _Search:
    """One question."""

    def __init__(
        self, problem: RunProblem, budget: int, count: int, payable: bool, known: Run
    ) -> None:
        self.problem = problem
        self.count = count
        self.payable = payable
        self.meter = Meter(budget)
        self.drawing = drawing_of(problem)
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
        value = self._certify()
        proven = self.bound == self.best
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
            teams = [self._team(crew) for crew in found]
        else:
            teams, prices = self._promising(found, views)
        self.teams = teams
        teams.sort(key=lambda team: -team.bound)
        self.bound = min(self.bound, max([self.best, *(team.bound for team in teams)]))
        for index, team in enumerate(teams):
            later = max([self.best, *(other.bound for other in teams[index + 1 :])])
            if team.bound >= self.best + self.grain:
                prices = self._search_team(team, later, prices)
            self.bound = min(self.bound, max(later, self.best))

    def _whole(self, view: View) -> Diagram:
        """All routes of one train."""
        diagram = Diagram(view, self.meter)
        diagram.build()
        return diagram

    def _promising(
        self, found: list[Crew], views: dict[Member, View]
    ) -> tuple[list[Team], Prices | None]:
        """Draw up just the routes that can be part of a better run than a first good one.

        The teams that can have such a run are given, and prices to begin with.
        """
        free = {member: view.free.promise() for member, view in views.items()}
        first = max(found, key=lambda crew: sum(free[member] for member in crew))
        outline = self._outline([views[member] for member in first])
        if not self.best:
            self._note(outline.good_run(1))
        outline.best = self.best
        prices = self._priced(outline) if len(first) > 1 else None
        bounds = self._draw_up(found, views, outline)
        teams = [self._team(crew) for crew in bounds]
        for team, bound in zip(teams, bounds.values(), strict=True):
            team.bound = min(team.bound, bound)
        return teams, prices

    def _draw_up(
        self, found: list[Crew], views: dict[Member, View], outline: Outline
    ) -> dict[Crew, int]:
        """Draw up the routes that are worth enough at an outline's prices.

        What a train can hope for at most becomes what its best route is worth, so less is wanted
        of the trains that come later. Given are the crews that can have a better run, each with
        its bound.
        """
        least = (self.best + self.grain) * SCALE
        common = outline.later[0] + outline.settlement.most * SCALE
        tables = outline.prices
        hopes = {m: view.hopes(tables) if tables else view.free for m, view in views.items()}
        worth = {member: hopes[member].promise() for member in views}
        for member in sorted(views, key=lambda member: worth[member]):
            spare = max(common + sum(worth[m] for m in crew) for crew in found if member in crew)
            if spare >= least:
                diagram = self.diagrams[member] = Diagram(views[member], self.meter)
                worth[member] = diagram.build(hopes[member], worth[member] + least - spare)
        bounds = {crew: common + sum(worth[m] for m in crew) for crew in found}
        return {crew: bound // SCALE for crew, bound in bounds.items() if bound >= least}

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

    def _search_team(self, team: Team, later: int, prices: Prices | None) -> Prices | None:
        """Find the best run of one team if it beats what is known; prices for the next team."""
        if prices is None:
            team.greedy()
            self._note(team)
        team.best = max(team.best, self.best)
        if team.bound < team.best + self.grain:
            return prices
        pricing = Pricing(team, prices)
        if not team.shrink(self.grain):
            return pricing.best_prices
        limit = _FIRST_TRY
        product = Product(team, team.best + self.grain, limit)
        while not product.whole:
            pricing.run(self.grain)
            self._note(team)
            self.bound = min(self.bound, max(later, team.bound))
            if team.bound < team.best + self.grain or not team.shrink(self.grain):
                return pricing.best_prices
            limit = 0 if pricing.spent else max(2 * limit, team.arcs())
            product = Product(team, team.best + self.grain, limit)
        ends = product.ends()
        if ends and ends[0][0] > team.best:
            team.offer(product.paths(ends[0][1]))
            assert team.best == ends[0][0]
            self._note(team)
        return pricing.best_prices

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
