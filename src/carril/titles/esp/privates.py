"""Private companies and tenders in the hands of companies: buying them at any moment of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from carril.engine.actions import (
    Action,
    BuyPrivate,
    BuyTender,
    ChooseSide,
    Option,
    Pass,
    Range,
)
from carril.engine.asides import Aside
from carril.engine.events import PrivateSold, TenderBought
from carril.engine.launch import is_late
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, POOL, State
from carril.engine.step import Step, refuse
from carril.engine.steps.operating import CompanyStep, EndTurn
from carril.engine.steps.question import Question
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import phase_reached, receive, train_def
from carril.titles.esp.common import (
    close_private,
    conventions,
    edition,
    esp,
    face_value,
    is_minor,
    set_extra,
    spendable,
)
from carril.titles.esp.discards import push_discards
from carril.titles.esp.events import PrivateOffered
from carril.titles.esp.figures import figures

PRIVATE = "private"
TRAIN_2 = "2"
NARROW_2 = "1+2"


def highest_price(state: State, private: str) -> int:
    """Return the most a company may pay for a private in this phase (ESP-2.2-e to -h)."""
    percent = figures(state).private_price.get(state.phase, 0)
    return face_value(state, private) * percent // 100


def private_refusal(state: State, company: str, private: str, price: int) -> Refusal | None:
    """Return why a company may not buy a private at a price."""
    if refused := _resale_refusal(state, private):
        return refused
    most = highest_price(state, private)
    if not 1 <= price <= most:
        return refuse(state, "private-price", private=private, price=price, most=most)
    cash = spendable(state, company)
    if price > cash:
        return refuse(state, "treasury-short-private", cost=price, cash=cash)
    return None


def _resale_refusal(state: State, private: str) -> Refusal | None:
    """Return why no company may buy a private, at any price."""
    owner = esp(state).privates.get(private)
    if owner is None or is_late(state):
        return refuse(state, "private-closed", private=private)
    if owner not in state.players:
        return refuse(state, "private-not-resold", private=private)
    if private == figures(state).powers.directorship:
        return refuse(state, "private-7-not-sold", private=private)
    return None


def tender_refusal(state: State, company: str, source: str) -> Refusal | None:
    """Return why a company may not buy a tender."""
    if company in esp(state).tenders:
        return refuse(state, "second-tender", company=company)
    stock = esp(state).tenders_private if source == PRIVATE else esp(state).tenders_pool
    seller = esp(state).privates.get(figures(state).powers.tenders, "")
    if (
        source not in (PRIVATE, POOL)
        or not stock
        or (source == PRIVATE and seller not in state.players)
    ):
        return refuse(state, "no-tender-there", source=source)
    cost, cash = figures(state).costs.tender, spendable(state, company)
    if cost > cash:
        return refuse(state, "treasury-short-private", cost=cost, cash=cash)
    return None


def buyer(state: State) -> str:
    """Return the company that may buy privates and tenders now, or "" (ESP-2.2-c, ESP-4.8-a).

    It may do so at any moment of its turn after its home station is placed; on 18xx.games also
    while another decision is pending (G55).
    """
    if conventions(state).purchases_interrupt:
        turns = (step.company for step in reversed(state.agenda) if isinstance(step, EndTurn))
        return next(turns, "")
    step = state.step
    return step.company if isinstance(step, CompanyStep) and step.mechanism != "home" else ""


def _buying_director(state: State) -> str:
    company = buyer(state)
    return state.companies[company].owner if company else ""


def _declined(state: State) -> tuple[str, ...]:
    """Return what owners have declined in the step that is due: privates, or tenders."""
    mechanism = state.step.mechanism
    return tuple(private for where, private in esp(state).declined if where == mechanism)


def private_options(state: State) -> Iterator[Option]:
    """Yield the privates that the company can buy now."""
    company = state.companies[buyer(state)]
    if treasury_bound(state):
        return
    declined, cash = _declined(state), spendable(state, company.symbol)
    for private in esp(state).privates:
        most = min(highest_price(state, private), cash)
        if most > 0 and private not in declined and _resale_refusal(state, private) is None:
            yield Range(BuyPrivate(private, 1, by=company.owner), "price", 1, most)


def tender_options(state: State) -> Iterator[Option]:
    """Yield the tenders that the company can buy now."""
    company = state.companies[buyer(state)]
    if treasury_bound(state):
        return
    declined = _declined(state)
    for source in (PRIVATE, POOL):
        if source not in declined and tender_refusal(state, company.symbol, source) is None:
            yield BuyTender(source, by=company.owner)


def treasury_bound(state: State) -> Refusal | None:
    """Return why the treasury may not be spent on anything but a train now (ESP-4.7.1-d).

    Once shares are sold for a train, all of it goes into the train.
    """
    step = state.step
    if conventions(state).forced_sales_free or not isinstance(step, BuyTrains):
        return None
    if step.sold and step.must_buy(state):
        return refuse(state, "treasury-for-train", company=step.company)
    return None


def _buy_private_refusal(state: State, action: BuyPrivate) -> Refusal | None:
    if bound := treasury_bound(state):
        return bound
    if action.private in _declined(state):
        return refuse(state, "offer-declined", price=action.price, seller=action.private)
    return private_refusal(state, buyer(state), action.private, action.price)


def _buy_tender_refusal(state: State, action: BuyTender) -> Refusal | None:
    if bound := treasury_bound(state):
        return bound
    if action.source in _declined(state):
        return refuse(state, "tender-declined", price=figures(state).costs.tender)
    return tender_refusal(state, buyer(state), action.source)


def _offer_private(move: Move, action: BuyPrivate) -> None:
    """Ask the owner of a private, unless it is the company's own director."""
    company, owner = buyer(move.state), esp(move.state).privates[action.private]
    if owner == move.state.companies[company].owner or not conventions(move.state).consents_asked:
        buy_private(move, company, action.private, action.price)
    else:
        move.tell(PrivateOffered(company, owner, action.private, action.price))
        move.push(PrivateOffer(company, action.private, action.price))


def _offer_for_tender(move: Move, action: BuyTender) -> None:
    """Ask the owner of private 5 for one of its tenders, unless it is the director (A69)."""
    private = figures(move.state).powers.tenders
    company, owner = buyer(move.state), esp(move.state).privates.get(private, "")
    own = owner == move.state.companies[company].owner or action.source == POOL
    if own or not conventions(move.state).consents_asked:
        buy_tender(move, company, action.source)
    else:
        price = figures(move.state).costs.tender
        move.tell(PrivateOffered(company, owner, private, price, tender=True))
        move.push(TenderOffer(company, private, price))


ASIDES = (
    Aside(BuyPrivate, _buying_director, private_options, _buy_private_refusal, _offer_private),
    Aside(BuyTender, _buying_director, tender_options, _buy_tender_refusal, _offer_for_tender),
)


class _Offer(Question, frozen=True):
    """Base of the offers of a company to the owner of a private."""

    company: str
    private: str
    price: int

    def actor(self, state: State) -> str:
        """Return the owner of the private."""
        return esp(state).privates[self.private]

    @property
    def about(self) -> str:
        """The private."""
        return self.private


def _remember_declined(move: Move, what: str) -> None:
    answer = (move.state.step.mechanism, what)
    set_extra(move, declined=(*esp(move.state).declined, answer))


class PrivateOffer(_Offer, tag="private-offer", frozen=True):
    """The owner's answer to a company that wants their private."""

    def answered(self, move: Move, accepted: bool) -> None:
        """Sell the private, or remember the answer."""
        if accepted:
            buy_private(move, self.company, self.private, self.price)
        else:
            _remember_declined(move, self.private)


class TenderOffer(_Offer, tag="tender-offer", frozen=True):
    """The answer of the owner of private 5 to a company that wants one of its tenders (A69)."""

    def answered(self, move: Move, accepted: bool) -> None:
        """Sell the tender, or remember the answer."""
        if accepted:
            buy_tender(move, self.company, PRIVATE)
        else:
            _remember_declined(move, PRIVATE)


def buy_private(move: Move, company: str, private: str, price: int) -> None:
    """Pay the owner and give a company the private with its power."""
    owner = esp(move.state).privates[private]
    pay(move, company, owner, price, "private")
    set_extra(move, privates={**esp(move.state).privates, private: company})
    move.tell(PrivateSold(company, private, price))
    powers = figures(move.state).powers
    if private == powers.train:
        _take_private_2(move, company)
    elif private == powers.tenders:
        _take_private_5(move, company)


def _take_private_2(move: Move, company: str) -> None:
    """Give a company the Barcelona-Mataró train unless its kind has rusted (ESP-2.2-q to -u)."""
    state = move.state
    if phase_reached(state, train_def(state, TRAIN_2).rusted_by):
        if conventions(state).private_2_closes or not edition(state).private_2_without_train:
            close_private(move, figures(move.state).powers.train)
        return
    close_private(move, figures(move.state).powers.train)
    move.push(TakeTrain(company))


class TakeTrain(Step, tag="private-train", frozen=True):
    """The company chooses the side of the train of private 2."""

    company: str

    allows = (ChooseSide,)

    def actor(self, state: State) -> str:
        """Return the director."""
        return state.companies[self.company].owner

    def _sides(self, state: State) -> tuple[str, ...]:
        return (TRAIN_2,) if is_minor(state, self.company) else (TRAIN_2, NARROW_2)

    def settle(self, move: Move) -> bool:
        """Take the only side without asking: a minor has no choice."""
        return self.take_only_option(move)

    def options(self, state: State) -> Iterable[Action]:
        """Yield the sides the company may use."""
        by = self.actor(state)
        return tuple(ChooseSide(side, by=by) for side in self._sides(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the side."""
        assert isinstance(action, ChooseSide)
        if action.train not in self._sides(state):
            return refuse(state, "no-such-side", train=action.train)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Give the company the train, which rests in this operating round (ESP-2.2-s)."""
        assert isinstance(action, ChooseSide)
        move.pop()
        receive(move, self.company, action.train)
        resting = {**esp(move.state).resting, self.company: action.train}
        set_extra(move, resting=resting, mataro=(self.company, action.train))
        push_discards(move, self.company)
        if conventions(move.state).private_7_by_free_train:
            first_train(move, self.company)


def first_train(move: Move, company: str) -> None:
    """Close private 7 when its company gets its first train (ESP-2.2-bc)."""
    private = figures(move.state).powers.directorship
    if company == esp(move.state).director_7 and private in esp(move.state).privates:
        close_private(move, private)


def _take_private_5(move: Move, company: str) -> None:
    """Give a company the tender, the open market the unsold ones (ESP-2.2-an, -ap, A45)."""
    rest = esp(move.state).tenders_private
    set_extra(move, tenders_pool=esp(move.state).tenders_pool + rest, tenders_private=0)
    close_private(move, figures(move.state).powers.tenders)
    give_tender(move, company)


def give_tender(move: Move, company: str) -> None:
    """Give a company a tender; a second one goes to the open market."""
    own = esp(move.state).tenders
    if company in own:
        set_extra(move, tenders_pool=esp(move.state).tenders_pool + 1)
    else:
        set_extra(move, tenders=(*own, company))


def buy_tender(move: Move, company: str, source: str) -> None:
    """Buy a tender; the owner of private 5 gets a part of the price of theirs (ESP-2.2-al, -aq)."""
    costs = figures(move.state).costs
    if source == PRIVATE:
        share = costs.tender_owner
        pay(
            move,
            company,
            esp(move.state).privates[figures(move.state).powers.tenders],
            share,
            "tender",
        )
        pay(move, company, BANK, costs.tender - share, "tender")
        set_extra(move, tenders_private=esp(move.state).tenders_private - 1)
    else:
        pay(move, company, BANK, costs.tender, "tender")
        set_extra(move, tenders_pool=esp(move.state).tenders_pool - 1)
    set_extra(move, tenders=(*esp(move.state).tenders, company))
    move.tell(TenderBought(company, source))


class BuyPrivates(CompanyStep, tag="privates", frozen=True):
    """On 18xx.games privates and tenders are also a step at the end of the turn (G41)."""

    allows = (Pass,)

    def settle(self, move: Move) -> bool:
        """Skip the step unless a private or a tender might be bought."""
        if self._asked(move.state):
            return False
        move.pop()
        return True

    def _asked(self, state: State) -> bool:
        cash = state.companies[self.company].cash
        early = not is_late(state)
        held = (
            owner in state.players and private != figures(state).powers.directorship
            for private, owner in esp(state).privates.items()
        )
        if early and cash >= 1 and any(held):
            return True
        if self.company in esp(state).tenders:
            return False
        phantom = early and figures(state).powers.tenders not in esp(state).privates
        stock = esp(state).tenders_private + esp(state).tenders_pool + phantom
        return cash >= figures(state).costs.tender and stock > 0

    def options(self, state: State) -> Iterable[Option]:
        """Yield only the pass."""
        return (Pass(by=self.actor(state)),)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Refuse nothing: a pass is always legal."""
        return None

    def play(self, move: Move, action: Action) -> None:
        """End the step."""
        self.passed(move)
