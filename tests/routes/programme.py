"""The same problem as an integer programme for CP-SAT, independent of the solver.

One flow variable for each piece of track and train; a route is a path in the graph
of points. Cycles are excluded lazily: when one turns up, a cut is added and the
programme is solved again. It covers what 18EU needs: city trains with free towns,
ends, stations, one visit per hex, red-to-red bonus, Pullman.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from carril.engine.runs import RunProblem, Train


@dataclass
class Line:
    """The variables of one train."""

    train: Train
    turn: dict[tuple[int, int], cp_model.IntVar] = field(default_factory=dict)
    used: list[cp_model.IntVar] = field(default_factory=list)
    visit: list[cp_model.IntVar] = field(default_factory=list)
    end: list[cp_model.IntVar] = field(default_factory=list)


class Programme:
    """Variables and constraints for all trains of a problem."""

    def __init__(self, problem: RunProblem) -> None:
        self.problem = problem
        self.model = cp_model.CpModel()
        self.at: list[list[int]] = [[] for _ in problem.points]
        for number, piece in enumerate(problem.pieces):
            self.at[piece.a].append(number)
            self.at[piece.b].append(number)
        self.worth: list[cp_model.LinearExprT] = []
        self.lines = [self.line(train, str(n)) for n, train in enumerate(problem.trains)]
        for number in range(len(problem.pieces)):
            self.model.add_at_most_one(line.used[number] for line in self.lines)
        for card in problem.rules.extras:
            assert card.doubles
            self.pullman(card.doubles)
        self.model.maximize(sum(self.worth))

    def line(self, train: Train, name: str) -> Line:
        problem, model = self.problem, self.model
        line = Line(train)
        runs = model.new_bool_var(f"runs {name}")
        line.used = [model.new_bool_var(f"p{n} {name}") for n in range(len(problem.pieces))]
        line.visit = [model.new_bool_var(f"v{n} {name}") for n in range(len(problem.stops))]
        line.end = [model.new_bool_var(f"e{n} {name}") for n in range(len(problem.stops))]
        placed = set()
        for index, point in enumerate(problem.points):
            if point.kind == "stop":
                placed.add(point.stop)
                self.stop_point(line, index, point.stop)
            else:
                self.track_point(line, index, point.kind == "side", point.exclusive)
        for number in range(len(problem.stops)):
            if number not in placed:
                model.add(line.visit[number] == 0)
        model.add(sum(line.end) == 2 * runs)
        tokens = [v for v, stop in zip(line.visit, problem.stops, strict=True) if stop.token]
        model.add(sum(tokens) >= runs)
        self.limits(line)
        self.bonus(line, tokens, name)
        for visit, stop in zip(line.visit, problem.stops, strict=True):
            self.worth.append(visit * (stop.value * train.factor))
        return line

    def stop_point(self, line: Line, index: int, number: int) -> None:
        """Two pieces of a stop that is passed, one of a stop where the route ends."""
        degree = sum(line.used[piece] for piece in self.at[index])
        self.model.add(degree == 2 * line.visit[number] - line.end[number])
        self.model.add(line.end[number] <= line.visit[number])
        if not self.problem.stops[number].through:
            self.model.add(line.end[number] == line.visit[number])

    def track_point(self, line: Line, index: int, side: bool, exclusive: bool) -> None:
        """Pieces meet in pairs; at a hexside, of different hexes."""
        pieces = self.problem.pieces
        pairs: dict[int, list[cp_model.IntVar]] = {number: [] for number in self.at[index]}
        every = []
        for one in self.at[index]:
            for two in self.at[index]:
                if one < two and not (side and pieces[one].hex == pieces[two].hex):
                    turn = self.model.new_bool_var(f"t{index} {one} {two}")
                    line.turn[(one, two)] = turn
                    pairs[one].append(turn)
                    pairs[two].append(turn)
                    every.append(turn)
        for number, turns in pairs.items():
            self.model.add(sum(turns) == line.used[number])
        if exclusive:
            self.model.add_at_most_one(every)

    def limits(self, line: Line) -> None:
        stops = self.problem.stops
        for room in line.train.room:
            if room.count >= 0:
                held = [v for v, s in zip(line.visit, stops, strict=True) if s.kind in room.kinds]
                self.model.add(sum(held) <= room.count)
        for word in {stop.once for stop in stops if stop.once}:
            group = [v for v, stop in zip(line.visit, stops, strict=True) if stop.once == word]
            self.model.add_at_most_one(group)

    def bonus(self, line: Line, tokens: list[cp_model.IntVar], name: str) -> None:
        for bonus in self.problem.rules.bonuses:
            assert bonus.ends
            assert not bonus.has
            paid = self.model.new_int_var(0, bonus.cap, f"bonus {name}")
            stops = self.problem.stops
            ends = [e for e, s in zip(line.end, stops, strict=True) if s.matches(bonus.ends)]
            both = self.model.new_bool_var(f"both {name}")
            self.model.add(sum(ends) >= 2 * both)
            self.model.add(paid <= bonus.cap * both)
            self.model.add(paid <= sum(tokens))
            self.worth.append(paid * bonus.per_token)

    def pullman(self, kinds: tuple[str, ...]) -> None:
        choices = []
        for line in self.lines:
            for visit, stop in zip(line.visit, self.problem.stops, strict=True):
                if stop.kind in kinds:
                    choice = self.model.new_bool_var("pullman")
                    self.model.add(choice <= visit)
                    choices.append(choice)
                    self.worth.append(choice * (stop.value * line.train.factor))
        self.model.add_at_most_one(choices)

    def solve(self, seconds: float) -> int | None:
        """The best value, or None if the time was not enough to prove it."""
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.num_workers = 1
        while solver.solve(self.model) == cp_model.OPTIMAL:
            cycles = [cycle for line in self.lines for cycle in self.cycles(solver, line)]
            if not cycles:
                return round(solver.objective_value)
            for cycle in cycles:
                self.cut(cycle)
        return None

    def cycles(self, solver: cp_model.CpSolver, line: Line) -> list[list[int]]:
        """Return the connected sets of used pieces without an end of the route."""
        used = {n for n, var in enumerate(line.used) if solver.value(var)}
        joined: dict[int, set[int]] = {number: set() for number in used}
        for (one, two), turn in line.turn.items():
            if solver.value(turn):
                joined[one].add(two)
                joined[two].add(one)
        ends = set()
        for index, point in enumerate(self.problem.points):
            here = [number for number in self.at[index] if number in used]
            if point.kind == "stop" and len(here) == 2:
                joined[here[0]].add(here[1])
                joined[here[1]].add(here[0])
            elif point.kind == "stop":
                ends.update(here)
        return [part for part in _parts(joined) if not ends & set(part)]

    def cut(self, cycle: list[int]) -> None:
        """Forbid every train to use a whole cycle with these turns."""
        inside = set(cycle)
        for line in self.lines:
            turns = [t for (a, b), t in line.turn.items() if a in inside and b in inside]
            used = [line.used[number] for number in cycle]
            leaving = [t for (a, b), t in line.turn.items() if (a in inside) != (b in inside)]
            # a route that uses every piece of the cycle must leave it somewhere, or end in it
            ends = [
                line.end[point.stop]
                for index, point in enumerate(self.problem.points)
                if point.kind == "stop" and inside & set(self.at[index])
            ]
            outside = [
                line.used[number]
                for index, point in enumerate(self.problem.points)
                if point.kind == "stop" and inside & set(self.at[index])
                for number in self.at[index]
                if number not in inside
            ]
            assert turns or used
            self.model.add(sum(used) - len(used) + 1 <= sum(leaving) + sum(ends) + sum(outside))


def _parts(joined: dict[int, set[int]]) -> list[list[int]]:
    left = set(joined)
    parts = []
    while left:
        todo, part = [min(left)], {min(left)}
        while todo:
            for other in joined[todo.pop()]:
                if other not in part:
                    part.add(other)
                    todo.append(other)
        left -= part
        parts.append(sorted(part))
    return parts


def best_value(problem: RunProblem, seconds: float = 120) -> int | None:
    """The greatest value by CP-SAT; None if it could not be proven in time."""
    return Programme(problem).solve(seconds)
