"""What a route has collected so far, in two small numbers.

The *load* counts the places taken in the train; the *tally* packs whatever else
decides whether the route may go on, what it will earn at its end, and what it
shares with other routes: stations (as far as bonuses count them), tags, ends,
cubes, tolls. Two partial routes with the same load, tally and open ends have the
same future. Loads are kept apart because a small table tells how each grows, while
the tally needs reckoning, which is done once for all its loads.
"""

from __future__ import annotations

from carril.engine.runs_types import Extra, RunProblem, Train
from carril.engine.runs_value import room_caps

Step = tuple[int, int, int, int]
"""A tally, what the step to it earns in all and for the dividend, and the kind of load it adds
(see `Tally.loads`)."""

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
        self.inner = False
        self.bits = (1 << cap.bit_length()) - 1


class Tally:
    """The counters of one train with one extra card, and what they are worth."""

    def __init__(self, problem: RunProblem, train: Train, extra: Extra | None) -> None:
        """Reckon for `train` carrying `extra`."""
        self.problem = problem
        self.train = train
        self.extra = extra
        self.fields: list[Field] = []
        self.width = 0
        self.shared = 0
        self.doubled = self.beyond = -1
        self.barred = [any(s.matches(tag) for tag in train.bars) for s in problem.stops]
        self.roomless = [False] * len(problem.stops)
        self.adds = [0] * len(problem.stops)
        self.size = 1
        self.caps: list[int] = []
        self.counters = 0
        self._fits: dict[tuple[int, ...], list[bool]] = {}
        self._same: dict[tuple[int, ...], list[int]] = {}
        self.loads: list[list[int]] = []
        self._rooms()
        self._counts()
        self.words = self._words()
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
        self.counted = [
            [number for number, field in enumerate(self.fields) if field.stops[stop]]
            for stop in range(len(problem.stops))
        ]
        """For each stop the fields in which a visit counts."""

    def _field(self, cap: int, hard: bool, stops: list[bool]) -> int:
        field = Field(self.width, cap, hard, stops)
        self.width += cap.bit_length()
        self.fields.append(field)
        return len(self.fields) - 1

    def _rooms(self) -> None:
        rooms = self.train.room + (self.extra.room if self.extra else ())
        kinds = sorted({stop.kind for stop in self.problem.stops})
        caps: list[int] = []
        for bound, cap in room_caps(rooms, kinds):
            stops = [stop.kind in bound for stop in self.problem.stops]
            if cap == 0:
                self.roomless = [a or b for a, b in zip(self.roomless, stops, strict=True)]
            elif sum(stops) > cap:
                for index, fits in enumerate(stops):
                    self.adds[index] |= int(fits) << len(caps)
                caps.append(cap)
        self._load_tables(caps)

    def _load_tables(self, caps: list[int]) -> None:
        """For each kind of stop the load after it, by the load before; -1: no room.

        A kind is the set of counters that count the stop. The second half of the
        tables is for stops that complete the route: its load is of no interest then.
        """
        self.caps = caps
        self.counters = len(caps)
        for cap in caps:
            self.size *= cap + 1
        for kind in range(1 << len(caps)):
            table: list[int] = []
            for load in range(self.size):
                after, unit, rest = load, 1, load
                for index, cap in enumerate(caps):
                    if kind >> index & 1:
                        after = after + unit if rest % (cap + 1) < cap and after >= 0 else -1
                    rest //= cap + 1
                    unit *= cap + 1
                table.append(after)
            self.loads.append(table)
        self.loads += [[0 if load >= 0 else -1 for load in table] for table in self.loads]

    def _counts(self) -> None:
        stops = self.problem.stops
        for limit in self.problem.rules.limits:
            matching = [stop.matches(limit.tag) for stop in stops]
            if limit.count == 0 and not limit.inner:
                self.barred = [a or b for a, b in zip(self.barred, matching, strict=True)]
            elif sum(matching) > limit.count:
                self.fields[self._field(limit.count, True, matching)].inner = limit.inner
        for word in sorted({stop.once for stop in stops if stop.once}):
            group = [stop.once == word for stop in stops]
            if sum(group) > 1:
                self._field(1, True, group)

    def _words(self) -> dict[str, int]:
        """For the word of pieces that exclude each other the field that counts them."""
        pieces = [piece.once for piece in self.problem.pieces if piece.once]
        nowhere = [False] * len(self.problem.stops)
        return {
            word: self._field(1, True, nowhere)
            for word in sorted(set(pieces))
            if pieces.count(word) > 1
        }

    def take(self, tally: int, words: list[str]) -> int:
        """Count pieces of track with these words; -1 if two of them exclude each other."""
        for word in words:
            if word in self.words:
                tally = self._count(tally, self.fields[self.words[word]])
                if tally < 0:
                    return -1
        return tally

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

    def visit(self, tally: int, index: int, end: bool) -> list[Step]:
        """The ways to count stop `index` as the next stop, as an end or passing."""
        stop = self.problem.stops[index]
        if self.barred[index] or not (end or stop.through):
            return []
        steps: list[Step] = []
        counted = self._visited(tally, index, end)
        if counted < 0:
            return steps
        value = stop.value * self.train.factor
        worth = value + stop.treasury
        extra = self.extra
        if not self.roomless[index]:
            steps.append((counted, worth, value, self.adds[index]))
            if self.doubled >= 0 and extra and stop.kind in extra.doubles:
                twice = self._count(counted, self.fields[self.doubled])
                if twice >= 0:
                    steps.append((twice, worth + value, 2 * value, self.adds[index]))
        if self.beyond >= 0 and extra and stop.kind in extra.beyond:
            far = self._count(counted, self.fields[self.beyond])
            if far >= 0:
                steps.append((far, stop.treasury, 0, 0))  # beyond the range: no room, no value
        return steps

    def _visited(self, tally: int, index: int, end: bool) -> int:
        """Count a stop in every field that counts it; -1 if one refuses."""
        for entry in self.counted[index]:
            field = self.fields[entry]
            if not (end and field.inner):
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

    def finish(self, tally: int) -> tuple[int, int] | None:
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

    def without(self, left: list[int]) -> tuple[int, list[int]]:
        """What follows from how many stops of each field are still to come.

        The bits that still matter, and the bits of which a route must have some by now.
        """
        keep = (1 << self.width) - 1
        for number, field in enumerate(self.fields):
            if field.hard and not left[number] and any(field.stops):
                keep &= ~(field.bits << field.shift)
        needed = [self.stations]
        for tag in (*self.train.must, *(self.extra.must if self.extra else ())):
            needed.append(self.needs[tag])
        missing = [self.fields[number] for number in needed if not left[number]]
        return keep, [field.bits << field.shift for field in missing]

    def forbidden(self, stops: list[int]) -> int:
        """Bits that a route may not have if it is to call at these stops; -1 if none can."""
        bits = 0
        for stop in stops:
            if self.unvisited(stop):
                return -1
        counts: dict[int, int] = {}
        for stop in stops:
            for number in self.counted[stop]:
                counts[number] = counts.get(number, 0) + 1
        for number, count in counts.items():
            field = self.fields[number]
            if field.hard and not field.inner:
                if count > field.cap:
                    return -1
                if field.cap == 1:
                    bits |= 1 << field.shift
        return bits

    def places(self, stop: int) -> list[int]:
        """How many places of each counter a call at a stop takes for sure."""
        sure = 0 if self._beyond(stop) else self.adds[stop]
        return [sure >> counter & 1 for counter in range(self.counters)]

    def fits(self, needs: tuple[int, ...]) -> list[bool]:
        """For every load whether so many places of each counter are free."""
        found = self._fits.get(needs)
        if found is None:
            found = []
            for load in range(self.size):
                rest, free = load, True
                for index, cap in enumerate(self.caps):
                    free = free and rest % (cap + 1) + needs[index] <= cap
                    rest //= cap + 1
                found.append(free)
            self._fits[needs] = found
        return found

    def same_loads(self, left: list[int]) -> list[int]:
        """For every load one that has the same future, if so many stops are still to come.

        Places that cannot all be asked for any more are as good as taken.
        """
        spare = tuple([max(0, cap - count) for cap, count in zip(self.caps, left, strict=True)])
        found = self._same.get(spare)
        if found is None:
            found = []
            for load in range(self.size):
                same, unit, rest = 0, 1, load
                for index, cap in enumerate(self.caps):
                    same += unit * max(rest % (cap + 1), spare[index])
                    rest //= cap + 1
                    unit *= cap + 1
                found.append(same)
            self._same[spare] = found
        return found

    def unvisited(self, stop: int) -> bool:
        """Whether no route may call at a stop."""
        return self.barred[stop] or (self.roomless[stop] and not self._beyond(stop))

    def _beyond(self, stop: int) -> bool:
        """Whether a stop may stand beyond the range."""
        return self.extra is not None and self.problem.stops[stop].kind in self.extra.beyond

    def simplify(self, tally: int, ends: list[tuple[int, int]]) -> int:
        """Forget counts that can earn nothing more; `ends`: fields, and how many are to come."""
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
