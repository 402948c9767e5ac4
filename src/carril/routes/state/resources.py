"""The resource label of a partial route, packed into one integer.

Besides the frontier state and the load, the *label* holds everything that decides whether the
route may go on, what it earns when it is complete, and what it shares with other routes: limits
and exclusive groups, stations (as far as bonuses count them), tags, tagged ends, sources of cubes,
tolls. Two partial routes with the same frontier state, label and load have the same future;
`Resources.canonical` makes as many labels equal as it can.
"""

from __future__ import annotations

from carril.engine.runs.types import RunCard, RunProblem, Train

Extension = tuple[int, int, int, int]
"""A label, what extending a route to it earns in total and in payable value, and whether the
visit takes a place in the train (0 or 1)."""

_NOT_BOTH = 3
"""Value of a counter of tagged ends if the route can no longer have two such ends."""


class Counter:
    """A bit field of the label that counts something."""

    def __init__(self, shift: int, cap: int, hard: bool, stops: list[bool]) -> None:
        """Count visits to `stops`; at `cap`, a hard counter refuses more, a soft one saturates."""
        self.shift = shift
        self.cap = cap
        self.hard = hard
        self.stops = stops
        self.inner = False
        """Whether visits at the ends of a route do not count."""
        self.lasting = False
        """Whether the count matters although no remaining stop or segment adds to it."""
        self.max = (1 << cap.bit_length()) - 1
        self.mask = self.max << shift

    def at_most_once(self) -> bool:
        """Return whether a route may count only one, wherever it ends."""
        return self.hard and self.cap == 1 and not self.inner


class RemainingResources:
    """What the stops and segments after a layer imply for labels."""

    def __init__(self) -> None:
        """Start without any implication; see `Resources.limits`."""
        self.relevant = 0
        """The bits that can still forbid or earn something."""
        self.required: list[int] = []
        """Masks of which a label must have some bit by now."""
        self.ends: list[tuple[int, int]] = []
        """Counters of tagged ends, each with the number of such stops remaining."""
        self.bonuses: list[tuple[int, int]] = []
        """For each bonus the bits of its tags, and those of tags that no remaining stop has."""
        self.bonus_tags = 0
        """The bits of tags that only bonuses need."""


class Resources:
    """The counters in the label of one train with one card, and how routes change them."""

    def __init__(self, problem: RunProblem, train: Train, card: RunCard | None) -> None:
        """Lay out the label of `train` carrying `card`."""
        self.problem = problem
        self.train = train
        self.card = card
        self.must = train.must + (card.must if card else ())
        self.counters: list[Counter] = []
        self.bits = 0
        """The width of a label."""
        self.coupling_mask = 0
        """The bits that other routes of the run depend on."""
        self.barred = [any(s.matches(tag) for tag in train.bars) for s in problem.stops]
        self._add_limits()
        self._add_stop_groups()
        self.piece_groups = self._add_piece_groups()
        """For each exclusive group of pieces its counter."""
        self.stations = self._add_stations()
        self.tags = {tag: self._add_tag(tag) for tag in self._relevant_tags()}
        self.ends = {bonus.ends: self._add_ends(bonus.ends) for bonus in problem.rules.bonuses}
        bonuses = problem.rules.bonuses
        self._stations_need_ends = all(bonus.ends for bonus in bonuses if bonus.per_token)
        self.sources: list[tuple[int, int]] = []
        """Counters of sources of cubes, each with the index of its source."""
        self.tolls: list[tuple[int, int]] = []
        """Counters of tolls, each with its stop."""
        self.pays = -1
        """Counter of stops with a payable value, or -1."""
        self._add_coupling()
        self.doubled = self._add_once(card is not None and bool(card.doubles))
        self.beyond = self._add_once(card is not None and bool(card.beyond))
        self.counted_by = [
            [number for number, counter in enumerate(self.counters) if counter.stops[stop]]
            for stop in range(len(problem.stops))
        ]
        """For each stop the counters that count a visit."""
        self._excluded_by = [
            sum([1 << c.shift for c in self.counters if c.stops[stop] and c.at_most_once()])
            for stop in range(len(problem.stops))
        ]
        """For each stop the bits that a route visiting it later may not have."""

    # --- layout ------------------------------------------------------------------------------

    def _add(self, cap: int, hard: bool, stops: list[bool]) -> int:
        self.counters.append(Counter(self.bits, cap, hard, stops))
        self.bits += cap.bit_length()
        return len(self.counters) - 1

    def _nowhere(self) -> list[bool]:
        return [False] * len(self.problem.stops)

    def _add_limits(self) -> None:
        for limit in self.problem.rules.limits:
            matching = [stop.matches(limit.tag) for stop in self.problem.stops]
            if limit.count == 0 and not limit.inner:
                self.barred = [a or b for a, b in zip(self.barred, matching, strict=True)]
            elif sum(matching) > limit.count:
                self.counters[self._add(limit.count, True, matching)].inner = limit.inner
        self._add_free_passes()

    def _no_toll_is_payable(self) -> bool:
        """Return whether tolled stops can be passed free of charge only."""
        purse = self.problem.rules.purse
        return purse >= 0 and all(stop.toll > purse for stop in self.problem.stops if stop.toll)

    def _add_free_passes(self) -> None:
        """Limit the tolled stops that the train passes if no toll can be paid."""
        tolled = [stop.toll > 0 for stop in self.problem.stops]
        if self._no_toll_is_payable() and sum(tolled) > self.train.free_tolls:
            self.counters[self._add(self.train.free_tolls, True, tolled)].inner = True

    def _add_stop_groups(self) -> None:
        stops = self.problem.stops
        for group in sorted({stop.once for stop in stops if stop.once}):
            members = [stop.once == group for stop in stops]
            if sum(members) > 1:
                self._add(1, True, members)

    def _add_piece_groups(self) -> dict[str, int]:
        groups = [piece.once for piece in self.problem.pieces if piece.once]
        return {
            group: self._add(1, True, self._nowhere())
            for group in sorted(set(groups))
            if groups.count(group) > 1
        }

    def _add_stations(self) -> int:
        caps = [b.cap for b in self.problem.rules.bonuses if b.per_token]
        count = sum(stop.token for stop in self.problem.stops)
        cap = max(1, min(max([1, *caps]), count))
        return self._add(cap, False, [stop.token for stop in self.problem.stops])

    def _relevant_tags(self) -> list[str]:
        tags = set(self.must)
        for bonus in self.problem.rules.bonuses:
            tags |= set(bonus.has)
        return sorted(tags)

    def _add_tag(self, tag: str) -> int:
        return self._add(1, False, [stop.matches(tag) for stop in self.problem.stops])

    def _add_ends(self, tag: str) -> int:
        return self._add(_NOT_BOTH, False, self._nowhere()) if tag else -1

    def _add_coupling(self) -> None:
        """Add the counters that other routes of the run depend on, next to each other."""
        rules, stops = self.problem.rules, self.problem.stops
        first = self.bits
        if self.card is not None and self.card.capacity:
            for index, (tag, cubes) in enumerate(rules.cubes):
                if cubes > 0:
                    matching = [stop.matches(tag) for stop in stops]
                    self.sources.append((self._add(1, False, matching), index))
        if not self._no_toll_is_payable():
            for index, stop in enumerate(stops):
                if stop.toll:
                    self.tolls.append((self._add(1, False, self._nowhere()), index))
        if rules.premium:
            self.pays = self._add(1, False, [stop.value > 0 for stop in stops])
        self.coupling_mask = ((1 << self.bits) - 1) & ~((1 << first) - 1)

    def _add_once(self, needed: bool) -> int:
        """Add a counter for something that `extend` does once at most; -1 if not needed."""
        if not needed:
            return -1
        number = self._add(1, True, self._nowhere())
        self.counters[number].lasting = True
        return number

    # --- transitions -------------------------------------------------------------------------

    def get(self, label: int, number: int) -> int:
        """Return the count of one counter."""
        counter = self.counters[number]
        return (label >> counter.shift) & counter.max

    def _count(self, label: int, counter: Counter) -> int:
        """Return the label with one more in a counter; -1 if its hard cap forbids that."""
        count = (label >> counter.shift) & counter.max
        if count < counter.cap:
            return label + (1 << counter.shift)
        return -1 if counter.hard else label

    def count_groups(self, label: int, groups: list[str]) -> int:
        """Return the label after using pieces of these groups; -1 if that is not allowed."""
        for group in groups:
            if group in self.piece_groups:
                label = self._count(label, self.counters[self.piece_groups[group]])
                if label < 0:
                    return -1
        return label

    def extend(self, label: int, index: int, end: bool) -> list[Extension]:
        """Return the ways to visit stop `index`, as an end of the route or passing through."""
        stop = self.problem.stops[index]
        if self.barred[index] or not (end or stop.through):
            return []
        found: list[Extension] = []
        counted = self._visit(label, index, end)
        if counted < 0:
            return found
        value = stop.value * self.train.factor
        total = value + stop.treasury
        card = self.card
        found.append((counted, total, value, 1))
        if self.doubled >= 0 and card and stop.kind in card.doubles:
            twice = self._count(counted, self.counters[self.doubled])
            if twice >= 0:
                found.append((twice, total + value, 2 * value, 1))
        if self.beyond >= 0 and card and stop.kind in card.beyond:
            far = self._count(counted, self.counters[self.beyond])
            if far >= 0:
                found.append((far, stop.treasury, 0, 0))  # beyond the range: no place, no value
        return found

    def _visit(self, label: int, index: int, end: bool) -> int:
        """Return the label with a stop counted wherever it counts; -1 if a limit forbids it."""
        for number in self.counted_by[index]:
            counter = self.counters[number]
            if not (end and counter.inner):
                label = self._count(label, counter)
                if label < 0:
                    return -1
        if end:
            for tag, number in self.ends.items():
                if number >= 0 and self.problem.stops[index].matches(tag):
                    label = self._count(label, self.counters[number])
                elif number >= 0:
                    label |= _NOT_BOTH << self.counters[number].shift
        else:
            for number, toll in self.tolls:
                if toll == index:
                    label = self._count(label, self.counters[number])
        return label

    def complete(self, label: int) -> tuple[int, int] | None:
        """Return the coupling part of a complete route's label, and what it earns besides stops.

        None if the route is not legal. Cubes are counted as if no other route loaded any.
        """
        if not self.get(label, self.stations):
            return None
        for tag in self.must:
            if not self.get(label, self.tags[tag]):
                return None
        reward = 0
        card = self.card
        if card is not None and card.capacity:
            rules = self.problem.rules
            cubes = sum(rules.cubes[i][1] for number, i in self.sources if self.get(label, number))
            if not cubes:
                return None
            reward += min(cubes, card.capacity) * rules.cube_value
        return label & self.coupling_mask, reward + self._bonuses(label)

    def _bonuses(self, label: int) -> int:
        total = 0
        for bonus in self.problem.rules.bonuses:
            if not all(self.get(label, self.tags[tag]) for tag in bonus.has):
                continue
            if bonus.ends and self.get(label, self.ends[bonus.ends]) != 2:
                continue
            stations = min(self.get(label, self.stations), bonus.cap)
            total += bonus.amount + bonus.per_token * stations
        return total

    # --- look-ahead --------------------------------------------------------------------------

    def limits(self, remaining: list[int], ends: list[int]) -> RemainingResources:
        """Return what follows if `remaining` stops and segments may still add to each counter.

        `ends` has the same for each tag of ends.
        """
        found = RemainingResources()
        found.relevant = (1 << self.bits) - 1
        for number, counter in enumerate(self.counters):
            if counter.hard and not remaining[number] and not counter.lasting:
                found.relevant &= ~counter.mask
        must = [self.tags[tag] for tag in self.must]
        masks = [counter.mask for counter in self.counters]
        found.required = [masks[n] for n in (self.stations, *must) if not remaining[n]]
        numbers = list(self.ends.values())
        found.ends = [(n, ends[index]) for index, n in enumerate(numbers) if n >= 0]
        for bonus in self.problem.rules.bonuses:
            tags = {self.tags[tag] for tag in bonus.has}
            all_tags = sum([masks[n] for n in tags])
            gone = sum([masks[n] for n in tags if not remaining[n]])
            found.bonuses.append((all_tags, gone))
            found.bonus_tags |= all_tags
        for number in must:
            found.bonus_tags &= ~masks[number]
        return found

    def excluded_by(self, stops: list[int]) -> int:
        """Return the bits that a route may not have if it will visit all of these stops.

        -1 if no route can visit them all; -1 among the stops is ignored.
        """
        bits = 0
        for index, stop in enumerate(stops):
            if stop < 0 or stop in stops[:index]:
                continue
            excluded = self._excluded_by[stop]
            if excluded & bits or self.barred[stop]:
                return -1
            bits |= excluded
        return bits

    def canonical(self, label: int, remaining: RemainingResources) -> int:
        """Return the representative of all labels that have the same future as this one.

        Four facts are forgotten: hard counters to which nothing remaining can add; the number of
        tagged ends once there cannot be two; the number of stations beyond the first once no
        bonus can count them; tags of bonuses that can no longer be earned.
        """
        label &= remaining.relevant
        uncounted = bool(remaining.ends) and self._stations_need_ends
        for number, possible in remaining.ends:
            shift = self.counters[number].shift
            if ((label >> shift) & _NOT_BOTH) + possible < 2:
                label |= _NOT_BOTH << shift
            uncounted = uncounted and (label >> shift) & _NOT_BOTH == _NOT_BOTH
        if uncounted and self.get(label, self.stations) > 1:
            counter = self.counters[self.stations]
            label = label & ~counter.mask | 1 << counter.shift
        irrelevant = remaining.bonus_tags
        for all_tags, gone in remaining.bonuses:
            if label & gone == gone:
                irrelevant &= ~all_tags
        return label & ~irrelevant
