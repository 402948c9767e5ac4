"""What a route has collected so far, in one number.

The *tally* packs whatever, beside the room in the train, decides whether the route may
go on, what it will earn at its end, and what it shares with other routes: stations (as
far as bonuses count them), tags, ends, cubes, tolls. Two partial routes with the same
load, tally and open ends have the same future.
"""

from __future__ import annotations

from carril.engine.runs.types import RunCard, RunProblem, Train

Step = tuple[int, int, int, int]
"""A tally, what the step to it earns in all and for the dividend, and whether it takes a place."""

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
        self.lasting = False
        """Whether the count matters although no stop and no track to come adds to it."""
        self.bits = (1 << cap.bit_length()) - 1
        self.mask = self.bits << shift

    def only_once(self) -> bool:
        """Whether a route may count one at most, wherever it ends."""
        return self.hard and self.cap == 1 and not self.inner


class Outlook:
    """What the stops and the track still to come mean for tallies."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.keep = 0
        """The bits that can still forbid something, or earn."""
        self.lacking: list[int] = []
        """Bits of which a route must have some by now."""
        self.ends: list[tuple[int, int]] = []
        """Fields that count ends with some tag, and how many such stops are to come."""
        self.bonuses: list[tuple[int, int]] = []
        """For each bonus the bits of its tags, and those that must be there by now."""
        self.tags = 0
        """The bits of tags that nothing but bonuses asks for."""


class Tally:
    """The counters of one train with one extra card, and what they are worth."""

    def __init__(self, problem: RunProblem, train: Train, extra: RunCard | None) -> None:
        """Reckon for `train` carrying `extra`."""
        self.problem = problem
        self.train = train
        self.extra = extra
        self.must = train.must + (extra.must if extra else ())
        self.fields: list[Field] = []
        self.width = 0
        self.shared = 0
        self.doubled = self.beyond = -1
        self.barred = [any(s.matches(tag) for tag in train.bars) for s in problem.stops]
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
            self.fields[self.doubled].lasting = True
        if extra is not None and extra.beyond:
            self.beyond = self._field(1, True, [False] * len(problem.stops))
            self.fields[self.beyond].lasting = True
        self.counted = [
            [number for number, field in enumerate(self.fields) if field.stops[stop]]
            for stop in range(len(problem.stops))
        ]
        """For each stop the fields in which a visit counts."""
        self.once = [
            sum([1 << f.shift for f in self.fields if f.stops[stop] and f.only_once()])
            for stop in range(len(problem.stops))
        ]
        """For each stop the bits of which a route that calls there may have none."""

    def _field(self, cap: int, hard: bool, stops: list[bool]) -> int:
        field = Field(self.width, cap, hard, stops)
        self.width += cap.bit_length()
        self.fields.append(field)
        return len(self.fields) - 1

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
        tags = set(self.must)
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
        steps.append((counted, worth, value, 1))
        if self.doubled >= 0 and extra and stop.kind in extra.doubles:
            twice = self._count(counted, self.fields[self.doubled])
            if twice >= 0:
                steps.append((twice, worth + value, 2 * value, 1))
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
        for tag in self.must:
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

    def outlook(self, left: list[int], ends: list[int]) -> Outlook:
        """What follows from how many stops of each field, and of each tag of ends, are to come."""
        found = Outlook()
        found.keep = (1 << self.width) - 1
        for number, field in enumerate(self.fields):
            if field.hard and not left[number] and not field.lasting:
                found.keep &= ~field.mask
        must = [self.needs[tag] for tag in self.must]
        found.lacking = [self.fields[n].mask for n in (self.stations, *must) if not left[n]]
        numbers = list(self.ends.values())
        found.ends = [(n, ends[index]) for index, n in enumerate(numbers) if n >= 0]
        for bonus in self.problem.rules.bonuses:
            tags = [self.needs[tag] for tag in bonus.has]
            whole = sum([self.fields[n].mask for n in set(tags)])
            gone = sum([self.fields[n].mask for n in set(tags) if not left[n]])
            found.bonuses.append((whole, gone))
            found.tags |= whole
        for number in must:
            found.tags &= ~self.fields[number].mask
        return found

    def forbidden(self, stops: list[int]) -> int:
        """Bits that a route may not have if it is to call at these stops; -1 if none can."""
        bits = 0
        for index, stop in enumerate(stops):
            if stop < 0 or stop in stops[:index]:
                continue
            once = self.once[stop]
            if once & bits or self.barred[stop]:
                return -1
            bits |= once
        return bits

    def simplify(self, tally: int, outlook: Outlook) -> int:
        """Forget what can forbid and earn nothing more."""
        tally &= outlook.keep
        spoilt = bool(outlook.ends) and self.count_by_ends
        for number, possible in outlook.ends:
            shift = self.fields[number].shift
            if ((tally >> shift) & _SPOILT) + possible < 2:
                tally |= _SPOILT << shift
            spoilt = spoilt and (tally >> shift) & _SPOILT == _SPOILT
        if spoilt and self.get(tally, self.stations) > 1:
            field = self.fields[self.stations]
            tally = tally & ~field.mask | 1 << field.shift
        idle = outlook.tags
        for whole, gone in outlook.bonuses:
            if tally & gone == gone:
                idle &= ~whole
        return tally & ~idle
