"""What is drawn up once for all questions about a problem."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from carril.engine.runs.revenue import room_caps
from carril.engine.runs.types import RunCard, RunProblem
from carril.routes.crews import Member
from carril.routes.diagram import Diagram
from carril.routes.drafting import Draft
from carril.routes.ends import Ends
from carril.routes.hopes import Fit, View
from carril.routes.load import Load
from carril.routes.meter import Meter
from carril.routes.network import Network
from carril.routes.plan import Plan
from carril.routes.tally import Tally


class Drawing:
    """The network of a problem and its plans, for all questions about it."""

    def __init__(self, problem: RunProblem) -> None:
        """Compress the track; plans are drawn up when they are asked for."""
        self.problem = problem
        self.network = Network(problem)
        self.kinds, self.room = _most_calls(problem)
        self._ends: dict[tuple[str, ...], tuple[Ends, int]] = {}
        self._plans: dict[Member, tuple[Plan, int]] = {}
        self._fits: dict[Member, Fit] = {}

    def views(self, members: Iterable[Member], payable: bool, meter: Meter) -> dict[Member, View]:
        """What trains with cards can hope for.

        The nodes of plans count, whether or not they were there before: so what a question
        costs does not depend on the one before it.
        """
        kinds = {member: _kind(member) for member in members}
        plans = {kind: self._plan(kind, meter) for kind in dict.fromkeys(kinds.values())}
        self._tidy()
        return {
            member: View(self._fit(member, plans[kind]), payable) for member, kind in kinds.items()
        }

    def _tidy(self) -> None:
        """Let go of what plans were made from: they are all there now."""
        self._ends.clear()
        for layer in self.network.layers:
            layer.moves.clear()

    def _fit(self, member: Member, plan: Plan) -> Fit:
        if member not in self._fits:
            like = next((fit for fit in self._fits.values() if fit.train == member[0]), None)
            self._fits[member] = Fit(plan, *member, like)
        return self._fits[member]

    def sketch(self, member: Member, payable: bool, width: int, meter: Meter) -> Diagram:
        """Some good routes, in a moment."""
        plan = Plan(self.network, Tally(self.problem, *member))
        Draft(plan, meter).sketch(Load(self.problem, *member), width)
        diagram = Diagram(View(Fit(plan, *member, None), payable), meter)
        diagram.build()
        return diagram

    def _plan(self, kind: Member, meter: Meter) -> Plan:
        if kind in self._plans:
            plan, nodes = self._plans[kind]
            meter.add(nodes)
            return plan
        before = meter.nodes
        plan = Plan(self.network, Tally(self.problem, *kind))
        draft = Draft(plan, meter)
        draft.draw(self._ways(draft), self.kinds, self.room)
        self._plans[kind] = plan, meter.nodes - before
        return plan

    def _ways(self, draft: Draft) -> Ends:
        gauges, meter = draft.tally.train.gauges, draft.meter
        if gauges in self._ends:
            ends, nodes = self._ends[gauges]
            meter.add(nodes)
            return ends
        before = meter.nodes
        ends = Ends(draft.crossings, meter)
        self._ends[gauges] = ends, meter.nodes - before
        return ends


def _kind(member: Member) -> Member:
    """What decides on a plan: all but names and room."""
    train, extra = member
    if extra is not None:
        extra = replace(extra, name="", room=(), trains=())
    return replace(train, name="", room=()), None if extra == RunCard("") else extra


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


_last: list[Drawing] = []
"""The drawing of the last problem: the next question is often about the same one."""


def drawing_of(problem: RunProblem) -> Drawing:
    """The drawing of a problem, perhaps the one that is there already."""
    for drawing in _last:
        if drawing.problem is problem:
            return drawing
    made = Drawing(problem)
    _last[:] = [made]
    return made
