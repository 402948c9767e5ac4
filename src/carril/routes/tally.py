"""What a route has collected so far, packed into one small number.

A tally holds just what decides whether the route may go on, what it will earn
at its end, and what it shares with other routes: places taken in the train,
stations (as far as bonuses count them), tags, ends, cubes, tolls. Two partial
routes with the same tally and the same open ends have the same future.
"""

from __future__ import annotations

from carril.engine.runs_types import Extra, RunProblem, Stop, Train
from carril.engine.runs_value import room_caps

Step = tuple[int, int]
"""A tally and what the step to it earns."""

_SPOILT = 3
"""In a count of ends with some tag: the route cannot have two of them any more."""


class Field:
    """A counter inside a tally."""

    def __init__(self, shift: int, cap: int, hard: bool, stops: list[bool]) -> None:
        """Count `stops` up to `cap`: a hard cap refuses more, a soft one stops counting."""
        self.shift = shift
        self.cap = cap
        self.hard = hard
        self.stops = stops
        self.bits = (1 << cap.bit_length()) - 1


class Tally:
    """The counters of one train with one extra card, and what they are worth."""

    def __init__(
        self, problem: RunProblem, train: Train, extra: Extra | None, payable: bool
    ) -> None:
        """Reckon for `train` carrying `extra`; `payable` leaves treasury money out."""
        self.problem = problem
        self.train = train
        self.extra = extra
        self.payable = payable
        self.fields: list[Field] = []
        self.width = 0
        self.shared = 0
        self.doubled = self.beyond = -1
        self.barred = [any(s.matches(tag) for tag in train.bars) for s in problem.stops]
        self.roomless = [False] * len(problem.stops)
        self._rooms()
        self.rooms = len(self.fields)
        self._counts()
        self.stations = self._stations()
        self.needs = {tag: self._tag(tag) for tag in self._tags()}
        self.ends = {bonus.ends: self._ends(bonus.ends) for bonus in problem.rules.bonuses}
        bonuses = problem.rules.bonuses
        self.count_by_ends = all(bonus.ends for bonus in bonuses if bonus.per_token)
        self.mills: list[tuple[int, int]] = []
        self.tolls: list[tuple[int, int]] = []
        self._shared_fields()
        if extra is not None and extra.doubles:
            self.doubled = self._field(1, True, [False] * len(problem.stops))
        if extra is not None and extra.beyond:
            self.beyond = self._field(1, True, [False] * len(problem.stops))

    def _field(self, cap: int, hard: bool, stops: list[bool]) -> int:
        field = Field(self.width, cap, hard, stops)
        self.width += cap.bit_length()
        self.fields.append(field)
        return len(self.fields) - 1

    def _rooms(self) -> None:
        rooms = self.train.room + (self.extra.room if self.extra else ())
        kinds = sorted({stop.kind for stop in self.problem.stops})
        for bound, cap in room_caps(rooms, kinds):
            stops = [stop.kind in bound for stop in self.problem.stops]
            if cap == 0:
                self.roomless = [a or b for a, b in zip(self.roomless, stops, strict=True)]
            elif sum(stops) > cap:
                self._field(cap, True, stops)

    def _counts(self) -> None:
        stops = self.problem.stops
        for limit in self.problem.rules.limits:
            matching = [stop.matches(limit.tag) for stop in stops]
            if limit.count == 0:
                self.barred = [a or b for a, b in zip(self.barred, matching, strict=True)]
            elif sum(matching) > limit.count:
                self._field(limit.count, True, matching)
        for word in sorted({stop.once for stop in stops if stop.once}):
            group = [stop.once == word for stop in stops]
            if sum(group) > 1:
                self._field(1, True, group)

    def _stations(self) -> int:
        caps = [b.cap for b in self.problem.rules.bonuses if b.per_token]
        count = sum(stop.token for stop in self.problem.stops)
        cap = max(1, min(max([1, *caps]), count))
        return self._field(cap, False, [stop.token for stop in self.problem.stops])

    def _tags(self) -> list[str]:
        tags = set(self.train.must) | set(self.extra.must if self.extra else ())
        for bonus in self.problem.rules.bonuses:
            tags |= set(bonus.has)
        return sorted(tags)

    def _tag(self, tag: str) -> int:
        return self._field(1, False, [stop.matches(tag) for stop in self.problem.stops])

    def _ends(self, tag: str) -> int:
        return self._field(_SPOILT, False, [False] * len(self.problem.stops)) if tag else -1

    def _shared_fields(self) -> None:
        """Fields that other routes of the run care about, side by side."""
        rules, stops = self.problem.rules, self.problem.stops
        first = self.width
        if self.extra is not None and self.extra.capacity:
            for box, (mill, cubes) in enumerate(rules.cubes):
                if cubes > 0:
                    matching = [stop.matches(mill) for stop in stops]
                    self.mills.append((self._field(1, False, matching), box))
        for index, stop in enumerate(stops):
            if stop.toll:
                self.tolls.append((self._field(1, False, [False] * len(stops)), index))
        self.paid = -1
        if rules.premium:
            self.paid = self._field(1, False, [stop.value > 0 for stop in stops])
        self.shared = ((1 << self.width) - 1) & ~((1 << first) - 1)

    def get(self, tally: int, field: int) -> int:
        """The count of one field."""
        entry = self.fields[field]
        return (tally >> entry.shift) & entry.bits

    def _count(self, tally: int, field: Field) -> int:
        """One more in a field; -1 if its hard cap forbids it."""
        count = (tally >> field.shift) & field.bits
        if count < field.cap:
            return tally + (1 << field.shift)
        return -1 if field.hard else tally

    def worth(self, stop: Stop) -> int:
        """What a visit adds to the objective."""
        value = stop.value * self.train.factor
        return value if self.payable else value + stop.treasury

    def visit(self, tally: int, index: int, end: bool) -> list[Step]:
        """The ways to count stop `index` as the next stop, as an end or passing."""
        stop = self.problem.stops[index]
        if self.barred[index] or not (end or stop.through):
            return []
        steps: list[Step] = []
        counted = -1 if self.roomless[index] else self._visited(tally, index, end, False)
        if counted >= 0:
            steps.append((counted, self.worth(stop)))
            if self.doubled >= 0 and self.extra and stop.kind in self.extra.doubles:
                twice = self._count(counted, self.fields[self.doubled])
                if twice >= 0:
                    steps.append((twice, self.worth(stop) + stop.value * self.train.factor))
        if self.beyond >= 0 and self.extra and stop.kind in self.extra.beyond:
            far = self._visited(tally, index, end, True)
            far = self._count(far, self.fields[self.beyond]) if far >= 0 else -1
            if far >= 0:
                steps.append((far, self.worth(stop) - stop.value * self.train.factor))
        return steps

    def _visited(self, tally: int, index: int, end: bool, beyond: bool) -> int:
        """Count a stop in every field that counts it; a stop beyond the range takes no room."""
        rooms = self.rooms if beyond else 0
        for number, field in enumerate(self.fields):
            if field.stops[index] and number >= rooms:
                tally = self._count(tally, field)
                if tally < 0:
                    return -1
        if end:
            for tag, number in self.ends.items():
                if number >= 0 and self.problem.stops[index].matches(tag):
                    tally = self._count(tally, self.fields[number])
                elif number >= 0:
                    tally |= _SPOILT << self.fields[number].shift
        else:
            for number, toll in self.tolls:
                if toll == index:
                    tally = self._count(tally, self.fields[number])
        return tally

    def finish(self, tally: int) -> Step | None:
        """Close a route: what it shares with others, and its bonuses; None if not legal."""
        if not self.get(tally, self.stations):
            return None
        extra = self.extra
        for tag in (*self.train.must, *(extra.must if extra else ())):
            if not self.get(tally, self.needs[tag]):
                return None
        reward = 0
        if extra is not None and extra.capacity:
            rules = self.problem.rules
            cubes = sum(rules.cubes[box][1] for field, box in self.mills if self.get(tally, field))
            if not cubes:
                return None
            reward += min(cubes, extra.capacity) * rules.cube_value
        return tally & self.shared, reward + self._bonuses(tally)

    def _bonuses(self, tally: int) -> int:
        total = 0
        for bonus in self.problem.rules.bonuses:
            if not all(self.get(tally, self.needs[tag]) for tag in bonus.has):
                continue
            if bonus.ends and self.get(tally, self.ends[bonus.ends]) != 2:
                continue
            stations = min(self.get(tally, self.stations), bonus.cap)
            total += bonus.amount + bonus.per_token * stations
        return total

    def forgetting(self, later: list[int]) -> tuple[int, list[tuple[int, int]]]:
        """What no longer matters when only the stops `later` are left to visit.

        Bits to keep, and for each field of ends how many of these stops could be one.
        """
        keep = (1 << self.width) - 1
        for field in self.fields:
            if field.hard and not any(field.stops[stop] for stop in later) and any(field.stops):
                keep &= ~(field.bits << field.shift)
        ends: list[tuple[int, int]] = []
        for tag, number in self.ends.items():
            if number >= 0:
                stops = self.problem.stops
                ends.append((number, sum(stops[stop].matches(tag) for stop in later)))
        return keep, ends

    def simplify(self, tally: int, keep: int, ends: list[tuple[int, int]]) -> int:
        """The same future, told in one way: forget what can make no difference any more."""
        tally &= keep
        spoilt = bool(ends) and self.count_by_ends
        for number, possible in ends:
            shift = self.fields[number].shift
            if ((tally >> shift) & _SPOILT) + possible < 2:
                tally |= _SPOILT << shift
            spoilt = spoilt and (tally >> shift) & _SPOILT == _SPOILT
        if spoilt and self.get(tally, self.stations) > 1:
            field = self.fields[self.stations]
            tally = tally & ~(field.bits << field.shift) | 1 << field.shift
        return tally
