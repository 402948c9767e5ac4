"""Taking over minors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from carril.engine.actions import (
    Accept,
    Action,
    Decline,
    Option,
    Pass,
    TakeOver,
)
from carril.engine.board import (
    allot_tokens,
    has_token_in,
    place_token,
    remove_token,
    tokens_in,
    tokens_of,
)
from carril.engine.events import CompanyClosed, TakenOver
from carril.engine.launch import is_late
from carril.engine.market import price, remove_price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import (
    check_president,
    company_def,
    hand_over,
    held_by_players,
    return_shares,
)
from carril.engine.state import BANK, IPO, POOL, Company, State
from carril.engine.step import refuse
from carril.engine.steps.home import PlaceHome, home_cities, home_of
from carril.engine.steps.operating import CompanyStep
from carril.engine.steps.question import Question
from carril.engine.trains import hand_train, lose, phase_reached
from carril.titles.esp.common import (
    RESERVED,
    PaysLater,
    conventions,
    edition,
    esp,
    is_minor,
    reach_goal,
    region,
    set_extra,
)
from carril.titles.esp.discards import leave, push_discards
from carril.titles.esp.events import TakeoverAsked
from carril.titles.esp.figures import figures
from carril.titles.esp.privates import give_tender

UNLAUNCHED_PRICE = 100
"""What a minor that was never launched costs from phase 5 on (ESP-4.6.1-g)."""


def share_for(state: State, major: Company) -> str:
    """Return where the share for a minor's director comes from, or "" if there is none."""
    if edition(state).reserved_share:
        return RESERVED if major.held(RESERVED) else ""
    if major.held(IPO):
        return IPO
    return POOL if major.held(POOL) and not conventions(state).takeover_without_share else ""


def cost_of(state: State, minor: str) -> int:
    """Return what a takeover costs: the minor's price once, or 100 for one never launched."""
    return price(state, minor) if state.companies[minor].floated else UNLAUNCHED_PRICE


class Takeovers(CompanyStep, tag="takeover", frozen=True):
    """A Southern major may take over minors after its earnings, from phase 3 on."""

    refused: tuple[str, ...] = ()
    """Minors whose directors have declined in this step."""
    agreed: tuple[str, ...] = ()
    """Minors whose directors have agreed, for the major to choose from."""

    allows = (TakeOver, Pass)

    def settle(self, move: Move) -> bool:
        """Skip the step when no minor can be taken over; 18xx.games always asks."""
        if conventions(move.state).single_choices_asked:
            return False
        if next(self._minors(move.state), None) is not None:
            return False
        move.pop()
        return True

    def _minors(self, state: State) -> Iterator[str]:
        for symbol in esp(state).in_play:
            if is_minor(state, symbol) and self._refusal(state, symbol) is None:
                yield symbol

    def options(self, state: State) -> Iterable[Option]:
        """Yield the minors that can be asked, and the pass."""
        by = self.actor(state)
        for minor in self._minors(state):
            yield TakeOver(minor, by=by)
        yield Pass(by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the major, the phase, the minor, the share and the money."""
        return self._refusal(state, action.minor) if isinstance(action, TakeOver) else None

    def _refusal(self, state: State, symbol: str) -> Refusal | None:
        if is_minor(state, self.company) or region(state, self.company) != "south":
            return refuse(state, "only-southern", company=self.company)
        if not phase_reached(state, figures(state).takeovers_from_phase):
            return refuse(state, "takeovers-not-yet", phase=state.phase)
        minor = state.companies.get(symbol)
        if minor is None or minor.kind != "minor" or symbol not in esp(state).in_play:
            return refuse(state, "no-such-minor", minor=symbol)
        if minor.closed:
            late = is_late(state) and not edition(state).minors_freeze
            return refuse(state, "no-minors-left" if late else "no-such-minor", minor=symbol)
        if symbol in self.refused:
            return refuse(state, "minor-refuses", minor=symbol)
        if refused := self._major_refusal(state):
            return refused
        if refused := self._minor_refusal(state, minor):
            return refused
        cost, cash = cost_of(state, symbol), state.companies[self.company].cash
        if cost > cash:
            return refuse(state, "takeover-too-dear", cost=cost, cash=cash)
        return None

    def _major_refusal(self, state: State) -> Refusal | None:
        major, record = state.companies[self.company], edition(state)
        if record.one_takeover and self.company in esp(state).takers:
            return refuse(state, "one-takeover", company=self.company)
        if record.minors_freeze and self.company in esp(state).late:
            return refuse(state, "late-no-takeover", company=self.company)
        everything = held_by_players(state, major) == company_def(state, self.company).units
        if not record.reserved_share and everything:
            return refuse(state, "no-share-to-give", company=self.company)
        return None

    def _minor_refusal(self, state: State, minor: Company) -> Refusal | None:
        """Check that a minor has operated or run, as the edition asks, unless it is frozen."""
        if minor.symbol in esp(state).frozen:
            return None
        needed = (
            minor.symbol in esp(state).ran if edition(state).takeover_needs_run else minor.operated
        )
        if not minor.floated or not needed:
            return refuse(state, "minor-not-operated", minor=minor.symbol)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Ask the minor's director, or end the step."""
        if not isinstance(action, TakeOver):
            self.passed(move)
            return
        minor = move.state.companies[action.minor]
        frozen = minor.symbol in esp(move.state).frozen
        own = minor.owner == self.actor(move.state) or minor.symbol in self.agreed
        if own or frozen or not conventions(move.state).consents_asked:
            move.tell(TakeoverAsked(self.company, "", action.minor))
            begin_takeover(move, self.company, action.minor)
        else:
            move.tell(TakeoverAsked(self.company, minor.owner, action.minor))
            move.push(TakeoverOffer(self.company, action.minor))


class TakeoverOffer(Question, tag="takeover-offer", frozen=True):
    """The answer of a minor's director (ESP-4.6-d)."""

    company: str
    minor: str

    def actor(self, state: State) -> str:
        """Return the minor's director."""
        return state.companies[self.minor].owner

    @property
    def about(self) -> str:
        """The minor."""
        return self.minor

    def answered(self, move: Move, accepted: bool) -> None:
        """Take the minor over, or remember the answer (ESP-4.6-f, ESP-DE-5.6-f)."""
        step = move.state.step
        assert isinstance(step, Takeovers)
        if not accepted:
            move.swap(replace(step, refused=(*step.refused, self.minor)))
        elif edition(move.state).takeover_choice:
            move.swap(replace(step, agreed=(*step.agreed, self.minor)))
        else:
            begin_takeover(move, self.company, self.minor)


def begin_takeover(move: Move, company: str, minor: str) -> None:
    """Ask the major's director whether its station replaces the minor's."""
    move.push(StationChoice(company, minor))


class StationChoice(PaysLater, tag="takeover-station", frozen=True):
    """The major's director decides whether a free station replaces the minor's."""

    company: str
    minor: str

    allows = (Accept, Decline)

    def actor(self, state: State) -> str:
        """Return the major's director."""
        return state.companies[self.company].owner

    def due(self, state: State) -> int:
        """Return the price of the minor."""
        return cost_of(state, self.minor)

    def _map_refusal(self, state: State) -> Refusal | None:
        major = state.companies[self.company]
        if not major.tokens and not edition(state).takeover_unlocks:
            return refuse(state, "no-spare-token", company=self.company)
        hex_id = home_of(state, self.minor).hex
        if self._own_token(state, hex_id):
            return refuse(state, "token-there", hex=hex_id, company=self.company)
        if self.minor == "MZ" and "MZA" in esp(state).in_play:
            return refuse(state, "mz-with-mza", minor=self.minor)
        return None

    def _own_token(self, state: State, hex_id: str) -> bool:
        """Return whether one station per hex, or per city, leaves no place (A33, E25)."""
        if edition(state).one_station_per_hex:
            return has_token_in(state.board, self.company, hex_id)
        return all(
            self.company in tokens_in(state.board, hex_id, city)
            for city in station_cities(state, self.minor)
        )

    def settle(self, move: Move) -> bool:
        """Decide without asking if no station can be placed."""
        return self.take_only_option(move)

    def options(self, state: State) -> Iterable[Action]:
        """Yield yes, if a station can be placed, and no."""
        by = self.actor(state)
        if self._map_refusal(state) is None:
            yield Accept(by=by)
        yield Decline(by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that a station can go there."""
        return self._map_refusal(state) if isinstance(action, Accept) else None

    def play(self, move: Move, action: Action) -> None:
        """Carry out the takeover."""
        move.pop()
        take_over(move, self.company, self.minor, on_map=isinstance(action, Accept))


def station_cities(state: State, minor: str) -> list[int]:
    """Return the cities of a minor's home hex where its taker's station may go.

    It is the city of the minor's own token; if it has none, its home city, which on an OO tile is
    to be chosen (ESP-4.3-s).
    """
    placed = [city for _, city in tokens_of(state.board, minor)]
    if placed:
        return placed
    return home_cities(state, home_of(state, minor))


def take_over(move: Move, company: str, minor: str, on_map: bool) -> None:
    """Pay, take everything, give the share, replace or remove the token (ESP-4.6-h to -m)."""
    state = move.state
    charter, launched = state.companies[minor], state.companies[minor].floated
    director, cost = charter.owner, cost_of(state, minor)
    pay(move, company, director if launched else BANK, cost, "takeover")
    move.tell(TakenOver(minor, company, cost))
    _take_assets(move, company, minor)
    if edition(state).takeover_unlocks:
        reach_goal(move, company, "takeover", unlocks=edition(state).takeover_unlocks)
        set_extra(move, takers=(*esp(move.state).takers, company))
    _replace_token(move, company, minor, on_map)
    _give_share(move, company, minor, director)
    close_minor(move, minor)
    free_reserved(move)
    if conventions(move.state).takeover_discards:
        push_discards(move, company)


def _take_assets(move: Move, company: str, minor: str) -> None:
    charter = move.state.companies[minor]
    pay(move, minor, company, charter.cash, "takeover")
    for train in charter.trains:
        hand_train(move, minor, company, train)
    privates = {p: company if o == minor else o for p, o in esp(move.state).privates.items()}
    resting = dict(esp(move.state).resting)
    if minor in resting:
        resting[company] = resting.pop(minor)
    mataro = esp(move.state).mataro
    if mataro[:1] == (minor,):
        mataro = (company, *mataro[1:])
    set_extra(move, privates=privates, resting=resting, mataro=mataro)
    if minor in esp(move.state).tenders:
        rest = tuple(owner for owner in esp(move.state).tenders if owner != minor)
        set_extra(move, tenders=rest)
        give_tender(move, company)


def _replace_token(move: Move, company: str, minor: str, on_map: bool) -> None:
    cities = station_cities(move.state, minor)
    for hex_id, city in list(tokens_of(move.state.board, minor)):
        remove_token(move, minor, hex_id, city)
    if not on_map:
        return
    hex_id = home_of(move.state, minor).hex
    if len(cities) > 1:
        move.push(PlaceHome(company, hex_id, company))
    else:
        place_token(move, company, hex_id, cities[0], beside=True)


def _give_share(move: Move, company: str, minor: str, director: str) -> None:
    """Give the director of a minor that had operated a share (ESP-4.6-j, ESP-DE-5.6-e)."""
    source = share_for(move.state, move.state.companies[company])
    if not source:
        return
    late = is_late(move.state)
    if late and minor not in esp(move.state).ran:
        hand_over(move, company, source, IPO, 1)  # ESP-4.6.1-f, -g
        return
    hand_over(move, company, source, director, 1)
    check_president(move, company)


def free_reserved(move: Move) -> None:
    """From phase 5 on, move reserved shares to the IPO once they can no longer be given away.

    That is immediately for a major that is not launched (ESP-4.6.1-c), and for the others when no
    frozen minor is left that has run a train (ESP-4.6.1-d).
    """
    if not is_late(move.state):
        return
    extra = esp(move.state)
    none_left = not any(minor in extra.ran for minor in extra.frozen)
    for symbol in extra.in_play:
        company = move.state.companies[symbol]
        if company.held(RESERVED) and (none_left or not company.floated):
            hand_over(move, symbol, RESERVED, IPO, 1)


def close_minor(move: Move, minor: str) -> None:
    """Take a minor out of play; what it still has goes to the bank."""
    charter = move.state.companies[minor]
    pay(move, minor, BANK, charter.cash, "closure")
    for hex_id, city in list(tokens_of(move.state.board, minor)):
        remove_token(move, minor, hex_id, city)
    remove_price(move, minor)
    frozen = tuple(symbol for symbol in esp(move.state).frozen if symbol != minor)
    tenders = tuple(owner for owner in esp(move.state).tenders if owner != minor)
    set_extra(move, frozen=frozen, tenders=tenders)
    for train in () if conventions(move.state).closed_minors_trade else charter.trains:
        lose(move, minor, train)
        leave(move, train)
    return_shares(move, minor, IPO)
    move.change_company(
        minor,
        closed=True,
        started=False,
        floated=False,
    )
    allot_tokens(move, minor, 0)
    move.tell(CompanyClosed(minor))
