"""What a program does in a position: act, stop, or wait for its player."""

from __future__ import annotations

from carril.engine.actions import (
    Accept,
    Action,
    Bid,
    BuyShare,
    ConvertConcession,
    DeclareDividend,
    Decline,
    ExchangeMinor,
    LayTile,
    OpenPass,
    Pass,
    PlaceToken,
    Range,
    SellShares,
    StartCompany,
)
from carril.engine.events import LotSold
from carril.engine.shares import share_cost
from carril.engine.state import POOL, State
from carril.engine.step import Step
from carril.engine.steps.auction import Auction
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.question import Question
from carril.engine.steps.running import RunStep
from carril.engine.steps.stock import StockRound
from carril.notation.words import say
from carril.programs.best_run import best_run
from carril.programs.history import Act, Decision, Halt, History, Reason, Wait, halt
from carril.programs.kinds import (
    AnswerOffers,
    AnyProgram,
    BidUpTo,
    BuyShares,
    LayNothing,
    Operate,
    PassOn,
    Plan,
    PriceBelow,
    ShareSold,
)
from carril.programs.planning import follow
from carril.programs.stopping import (
    president_changed,
    price_changed,
    round_over,
    share_sold,
    stopped,
    told,
)

BY_HAND = (BuyShare, StartCompany, SellShares, Bid, ExchangeMinor, ConvertConcession)
"""Actions in rounds of players that end a program that passes."""


def decide(state: State, player: str, program: AnyProgram, since: History) -> Decision:
    """Return what a program of a player does in a position, given what has happened."""
    if state.ended:
        return halt("game-over")
    if isinstance(program, Plan):
        return follow(state, program, since)
    if over := stopped(state, player, program, since) or _over(state, player, program, since):
        return over
    if state.acting != player:
        return Wait()
    return _choose(state, player, program, since)


def objection(state: State, player: str, program: AnyProgram) -> Reason | None:
    """Return why a program makes no sense in a position, or None."""
    known = [*state.companies, ""]
    named = [getattr(program, "company", "")]
    named += [one.company for one in program.stops if isinstance(one, ShareSold | PriceBelow)]
    if unknown := [one for one in named if one not in known]:
        return Reason("no-company", {"company": unknown[0]})
    if isinstance(program, BuyShares) and not (program.until_float or program.count):
        return Reason("no-end")
    if isinstance(program, LayNothing) and not (program.track or program.station):
        return Reason("no-effect")
    if isinstance(program, Operate) and not (program.run or program.dividend):
        return Reason("no-effect")
    if isinstance(program, AnswerOffers) and program.kind not in offers(state):
        return Reason("no-offer", {"kind": program.kind})
    now = History(round=str(state.round))
    over = stopped(state, player, program, now) or _over(state, player, program, now)
    return over.reason if over else None


def offers(state: State) -> tuple[str, ...]:
    """Return the kinds of offers that players answer in a game of this title."""
    kinds = state.title.questions
    return tuple(str(kind.__struct_config__.tag) for kind in kinds)


# --- when a program is over ----------------------------------------------------------------


def _over(state: State, player: str, program: AnyProgram, since: History) -> Halt | None:
    match program:
        case PassOn():
            return _passed_enough(state, player, program, since)
        case BuyShares():
            return _bought_enough(state, program, since)
        case BidUpTo():
            return _sold(state, program, since)
        case Operate(company=symbol) | LayNothing(company=symbol) if symbol:
            owned = state.companies[symbol].owner == player
            return None if owned else halt("not-yours", company=symbol)
    return None


def _passed_enough(state: State, player: str, program: PassOn, since: History) -> Halt | None:
    hands = (one for one in since.entries if one.by == player and not one.programmed)
    if any(isinstance(one.action, BY_HAND) for one in hands):
        return halt("by-hand")
    if program.until == "round":
        return round_over(state, since)
    return (
        share_sold(state, player, "", since)
        or president_changed(state, player, "", since)
        or price_changed(state, player, since)
    )


def _bought_enough(state: State, program: BuyShares, since: History) -> Halt | None:
    company = state.companies[program.company]
    if company.closed:
        return halt("closed", company=program.company)
    if program.until_float and company.floated:
        return halt("floated", company=program.company)
    if program.count and since.done >= program.count:
        return halt("bought", company=program.company, count=since.done)
    return None


def _sold(state: State, program: BidUpTo, since: History) -> Halt | None:
    lot = program.lot
    for event in told(since, LotSold):
        if event.lot == lot:
            return halt("lot-sold", lot=lot, player=event.player, price=event.price)
    on_sale = any(isinstance(step, Auction) and step.lot == lot for step in state.agenda)
    left = any(isinstance(step, Auction) for step in state.agenda)
    if on_sale or (left and lot in state.title.auction.lots(state)):
        return None
    return halt("no-lot", lot=lot)


# --- what a program does -------------------------------------------------------------------


def _choose(state: State, player: str, program: AnyProgram, since: History) -> Decision:
    step = state.step
    match program:
        case PassOn() if _is_pass(state, step):
            return _taken(state, Pass(by=player), "must-act")
        case BuyShares() if isinstance(step, StockRound):
            return _buy(state, player, program)
        case BidUpTo(lot=lot) if isinstance(step, Auction) and step.lot == lot:
            return _bid(state, step, program)
        case AnswerOffers() if isinstance(step, Question):
            return _answer(step, player, program)
        case Operate() if program.company in ("", step.subject):
            return _operate(state, step, player, program)
        case LayNothing() if step.subject and program.company in ("", step.subject):
            return _skip(state, step, player, program)
    return Wait()


def _is_pass(state: State, step: Step) -> bool:
    """Return whether a decision is one of a round of players in which one can pass."""
    choosing = isinstance(step, Auction) and step.stage == "choose"
    return not step.subject and Pass in step.allowed(state) and not choosing


def _taken(state: State, action: Action, otherwise: str) -> Decision:
    """Return an action, or that the program is over because the rules refuse it."""
    if refused := state.refusal(action):
        return halt(otherwise, why=say(refused))
    return Act(action)


def _buy(state: State, player: str, program: BuyShares) -> Decision:
    symbol = program.company
    places = [source.place for source in state.title.stock.sources]
    wanted = [place for place in places if program.source in ("", place)]
    buys = [BuyShare(symbol, place, by=player) for place in wanted]
    legal = [buy for buy in buys if state.refusal(buy) is None]
    if not legal:
        why = state.refusal(buys[0]) if buys else None
        return halt("cannot-buy", company=symbol, why=say(why) if why else "")

    def rank(buy: BuyShare) -> tuple[bool, int]:
        # Shares of the pool do not help a company to float.
        late = program.until_float and buy.source == POOL
        return late, share_cost(state, symbol, buy.source)

    return Act(min(legal, key=rank))


def _bid(state: State, step: Auction, program: BidUpTo) -> Decision:
    if step.stage == "choose":
        return Wait()
    falling = step.stage == "falling"
    asked = step.price if falling else step.least
    action: Action = Accept(by=step.turn) if falling else Bid(asked, by=step.turn)
    if asked <= program.limit and state.refusal(action) is None:
        return Act(action)
    leave = Pass(by=step.turn)
    if program.then == "pass" and state.refusal(leave) is None:
        return Act(leave)
    return halt("limit", lot=program.lot, price=asked)


def _answer(step: Question, player: str, program: AnswerOffers) -> Decision:
    if step.mechanism != program.kind or program.company not in ("", step.subject):
        return Wait()
    if not program.accept:
        return Act(Decline(by=player))
    offered: int | None = getattr(step, "price", None)
    if offered is not None and offered < program.least:
        return Wait()
    return Act(Accept(by=player))


def _operate(state: State, step: Step, player: str, program: Operate) -> Decision:
    if isinstance(step, RunStep) and program.run:
        return Act(best_run(state, step))
    if isinstance(step, Earnings) and program.dividend:
        return _taken(state, DeclareDividend(program.dividend, by=player), "no-dividend")
    return Wait()


def _skip(state: State, step: Step, player: str, program: LayNothing) -> Decision:
    """Pass if everything else that can be done now is to be left undone."""
    kinds: list[type[Action]] = []
    kinds += [LayTile, OpenPass] if program.track else []
    kinds += [PlaceToken] if program.station else []
    allowed = step.allowed(state)
    if Pass not in allowed or not any(kind in allowed for kind in kinds):
        return Wait()
    actions = (one.action if isinstance(one, Range) else one for one in step.options(state))
    if any(not isinstance(one, (*kinds, Pass)) for one in actions):
        return Wait()
    leave = Pass(by=player)
    return Wait() if state.refusal(leave) else Act(leave)
