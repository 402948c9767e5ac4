"""Random games in which random programs play for random seats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from carril import start
from carril.bots import Dice, bot_named
from carril.engine.registry import title_named
from carril.engine.state import State
from carril.programs import (
    Act,
    AnswerOffers,
    AnyProgram,
    BidUpTo,
    BuyShares,
    Decision,
    Halt,
    Happened,
    History,
    LayNothing,
    NewPhase,
    Operate,
    OtherBid,
    PassOn,
    PresidentChanges,
    PriceBelow,
    RoundEnds,
    ShareSold,
    Wait,
    decide,
    objection,
    sensible,
)
from carril.programs.kinds import AnyStop

NAMES = ("Ana", "Ben", "Cleo", "Dan")


@dataclass
class Given:
    """A program of a player, and how far it is."""

    player: str
    program: AnyProgram
    start: int
    round: str
    seen: int
    done: int = 0
    halted: Halt | None = None
    acted: list[Happened] = field(default_factory=list)


@dataclass
class ProgramGame:
    """A game of random bots in which programs decide where they can."""

    title: str
    seed: int
    state: State = field(init=False)
    entries: list[Happened] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Set the game up."""
        self.random = Random(self.seed)
        self.dice = Dice(self.seed)
        most = max(setup.players for setup in title_named(self.title).tables.setups)
        self.state = start(self.title, NAMES[:most], seed=self.seed)

    def play(self, most: int) -> None:
        """Play up to a number of actions."""
        for _ in range(most):
            if self.state.ended:
                break
            if self.random.random() < 0.25:
                self.give()
            self.step()

    def give(self) -> None:
        """Give a random player a random program that makes sense."""
        player = self.random.choice(list(self.state.players))
        offered = list(programs_for(self.state, player, self.random))
        if not offered:
            return
        program = self.random.choice(offered)
        if objection(self.state, player, program) is None:
            head = len(self.entries)
            self.given.append(Given(player, program, head, str(self.state.round), head))

    def step(self) -> None:
        """Let a program act if one can, otherwise a bot."""
        for given in [one for one in self.given if one.halted is None]:
            decision = self.ask(given)
            if isinstance(decision, Halt):
                given.halted = decision
            elif isinstance(decision, Act):
                self._apply(decision.action, given)
                return
        bot = bot_named("random").choose(self.state, self.dice)
        self._apply(bot.action, None)

    def ask(self, given: Given) -> Decision:
        """Return what a program decides now."""
        entries = tuple(self.entries[given.seen :])
        since = History(given.round, given.start, given.seen, given.done, entries)
        decision = decide(self.state, given.player, given.program, since)
        if not isinstance(decision, Halt):
            given.seen = len(self.entries)
        return decision

    def _apply(self, action: object, given: Given | None) -> None:
        by = str(self.state.acting)
        assert given is None or given.player == by
        outcome = self.state.apply(action)  # type: ignore[arg-type]
        entry = Happened(len(self.entries) + 1, by, action, outcome.events, given is not None)  # type: ignore[arg-type]
        self.entries.append(entry)
        self.state = outcome.state
        if given:
            given.done += 1
            given.acted.append(entry)


def programs_for(state: State, player: str, random: Random) -> Iterator[AnyProgram]:
    """Yield one random program of each kind that makes sense for a player."""
    found = sensible(state, player)
    stops = tuple(random_stops(found.held, random))
    if found.passing:
        yield PassOn(until=random.choice(("round", "change")), stops=stops)
    if found.buy:
        company, count = random.choice(found.buy), random.randrange(3)
        yield BuyShares(company=company, count=count, until_float=not count, stops=stops)
    if found.lots:
        lot = random.choice(found.lots)
        limit = lot.least + random.randrange(-20, 120)
        then = random.choice(("ask", "pass"))
        yield BidUpTo(lot=lot.lot, limit=max(0, limit), then=then, stops=stops)  # type: ignore[arg-type]
    if found.offers:
        kind, least = random.choice(found.offers), random.choice((0, 0, 50))
        yield AnswerOffers(kind=kind, accept=random.random() < 0.5, least=least, stops=stops)
    if found.operate:
        company = random.choice(("", *found.operate))
        dividend = random.choice(("", *found.dividends))
        yield Operate(company=company, dividend=dividend, stops=stops)  # type: ignore[arg-type]
        track = random.random() < 0.5
        yield LayNothing(company=company, track=track, station=not track, stops=stops)


def random_stops(held: tuple[str, ...], random: Random) -> Iterator[AnyStop]:
    """Yield some stop conditions."""
    plain = (ShareSold(), OtherBid(), PresidentChanges(), NewPhase(), RoundEnds())
    yield from (stop for stop in plain if random.random() < 0.2)
    if held and random.random() < 0.3:
        yield PriceBelow(random.choice(held), random.randrange(50, 200))


__all__ = ["NAMES", "Given", "ProgramGame", "Wait", "programs_for", "random_stops"]
