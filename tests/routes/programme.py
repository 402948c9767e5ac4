"""The same problem as an integer programme for CP-SAT, independent of the solver.

One flow variable for each piece of track and train; a route is a path in the graph
of points. Cycles are excluded lazily: when one turns up, a cut is added and the
programme is solved again. It covers what 18EU needs: city trains with free towns,
ends, stations, one visit per hex, red-to-red bonus, Pullman; and what 18Cuba needs: gauges,
junctions for one train, wagons with cubes, harbours beyond the range, tolls, the premium.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from carril.engine.runs import RunCard, RunProblem, Train


@dataclass
class Line:
    """The variables of one train."""

    train: Train
    turn: dict[tuple[int, int], cp_model.IntVar] = field(default_factory=dict)
    used: list[cp_model.IntVar] = field(default_factory=list)
    visit: list[cp_model.IntVar] = field(default_factory=list)
    end: list[cp_model.IntVar] = field(default_factory=list)
    carry: list[tuple[RunCard, cp_model.IntVar]] = field(default_factory=list)
    beyond: dict[int, cp_model.IntVar] = field(default_factory=dict)


class Programme:
    """Variables and constraints for all trains of a problem."""

    def __init__(self, problem: RunProblem, payable: bool = False) -> None:
        self.problem = problem
        self.payable = payable
        self.model = cp_model.CpModel()
        self.runs: list[cp_model.IntVar] = []
        self.cards = list(dict.fromkeys(c for c in problem.rules.extras if not c.doubles))
        self.at: list[list[int]] = [[] for _ in problem.points]
        for number, piece in enumerate(problem.pieces):
            self.at[piece.a].append(number)
            self.at[piece.b].append(number)
        self.worth: list[cp_model.LinearExprT] = []
        self.lines = [self.line(train, str(n)) for n, train in enumerate(problem.trains)]
        for number in range(len(problem.pieces)):
            self.model.add_at_most_one(line.used[number] for line in self.lines)
        self.exclusive_points()
        for card in problem.rules.extras:
            if card.doubles:
                self.pullman(card.doubles)
        self.shared_cards()
        self.tolls()
        premium = self.model.new_bool_var("premium")
        self.model.add(premium <= sum(self.runs))
        self.worth.append(premium * problem.rules.premium)
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
        self.runs.append(runs)
        model.add(sum(line.end) == 2 * runs)
        self.own_ground(line, runs)
        tokens = [v for v, stop in zip(line.visit, problem.stops, strict=True) if stop.token]
        model.add(sum(tokens) >= runs)
        self.wagon(line, runs, name)
        self.limits(line)
        self.bonus(line, tokens, name)
        for number, stop in enumerate(problem.stops):
            counted = line.visit[number] - line.beyond.get(number, 0)
            self.worth.append(counted * (stop.value * train.factor))
        return line

    def visits(self, line: Line, tag: str) -> list[cp_model.IntVar]:
        stops = self.problem.stops
        return [v for v, stop in zip(line.visit, stops, strict=True) if stop.matches(tag)]

    def own_ground(self, line: Line, runs: cp_model.IntVar) -> None:
        """Gauges, and stops that a train must or may not visit."""
        for number, piece in enumerate(self.problem.pieces):
            if line.train.gauges and piece.gauge not in line.train.gauges:
                self.model.add(line.used[number] == 0)
        for tag in line.train.must:
            self.model.add(sum(self.visits(line, tag)) >= runs)
        for tag in line.train.bars:
            self.model.add(sum(self.visits(line, tag)) == 0)

    def exclusive_points(self) -> None:
        """Two trains do not meet in an exclusive point."""
        for index, point in enumerate(self.problem.points):
            if point.exclusive:
                pairs = ((one, two) for one in self.at[index] for two in self.at[index])
                turns = [
                    line.turn[pair] for pair in pairs for line in self.lines if pair in line.turn
                ]
                self.model.add_at_most_one(turns)

    def wagon(self, line: Line, runs: cp_model.IntVar, name: str) -> None:
        """One card at most, what its route must visit, and one stop beyond the range."""
        for card in self.cards:
            if card.trains and line.train.name not in card.trains:
                continue
            carry = self.model.new_bool_var(f"{card.name} {name}")
            line.carry.append((card, carry))
            for tag in card.must:
                self.model.add(sum(self.visits(line, tag)) >= carry)
        self.model.add(sum(carry for _, carry in line.carry) <= runs)
        for number, stop in enumerate(self.problem.stops):
            able = [carry for card, carry in line.carry if stop.kind in card.beyond]
            if able:
                beyond = self.model.new_bool_var(f"b{number} {name}")
                self.model.add(beyond <= sum(able))
                self.model.add(beyond <= line.visit[number])
                line.beyond[number] = beyond
        self.model.add_at_most_one(line.beyond.values())

    def shared_cards(self) -> None:
        """Cards that the company has, and cubes that its cards share."""
        rules = self.problem.rules
        for card in self.cards:
            carried = [carry for line in self.lines for one, carry in line.carry if one == card]
            self.model.add(sum(carried) <= rules.extras.count(card))
        taken: dict[str, list[cp_model.IntVar]] = {source: [] for source, _ in rules.cubes}
        for line in self.lines:
            loads = []
            for source, count in rules.cubes:
                load = self.model.new_int_var(0, count, f"{source} {line.train.name}")
                self.model.add(load <= count * sum(self.visits(line, source)))
                loads.append(load)
                taken[source].append(load)
                self.worth.append(load * rules.cube_value)
            self.model.add(sum(loads) <= sum(c.capacity * carry for c, carry in line.carry))
            carrying = [carry for card, carry in line.carry if card.capacity]
            self.model.add(sum(loads) >= sum(carrying))
        for source, count in rules.cubes:
            self.model.add(sum(taken[source]) <= count)

    def tolls(self) -> None:
        """Stops that are passed are paid for once, or free for one train."""
        spent = []
        tolled = [(number, stop) for number, stop in enumerate(self.problem.stops) if stop.toll]
        free: list[list[cp_model.IntVar]] = [[] for _ in self.lines]
        for number, stop in tolled:
            paid = self.model.new_bool_var(f"toll {stop.key}")
            spent.append(paid * stop.toll)
            for index, line in enumerate(self.lines):
                free[index].append(self.model.new_bool_var(f"free {stop.key} {index}"))
                passed = line.visit[number] - line.end[number]
                self.model.add(passed <= paid + free[index][-1])
        for index, line in enumerate(self.lines):
            self.model.add(sum(free[index]) <= line.train.free_tolls)
        if self.problem.rules.purse >= 0:
            self.model.add(sum(spent) <= self.problem.rules.purse)
        if not self.payable:
            self.worth.append(-sum(spent))

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
                held = [
                    line.visit[number] - line.beyond.get(number, 0)
                    for number, stop in enumerate(stops)
                    if stop.kind in room.kinds
                ]
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


def best_value(problem: RunProblem, seconds: float = 120, payable: bool = False) -> int | None:
    """The greatest value by CP-SAT; None if it could not be proven in time."""
    return Programme(problem, payable).solve(seconds)
