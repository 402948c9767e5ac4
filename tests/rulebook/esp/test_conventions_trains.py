"""Where 18xx.games differs: minors in phase 5, takeovers, trains, loans."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import (
    Accept,
    BuyPrivate,
    BuyTrain,
    CombineTrains,
    Decline,
    DiscardTrain,
    Pass,
    RepayLoan,
    TakeOver,
)
from carril.engine.events import TrainExported
from carril.engine.state import Round, State
from carril.engine.step import Step
from carril.engine.steps.discards import DiscardTrains as Discards
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.engine.steps.trains import TrainOffer
from carril.rules.marker import rule
from carril.titles.esp.combining import CombineStep, recyclable
from carril.titles.esp.privates import BuyPrivates, PrivateOffer
from carril.titles.esp.takeover import TakeoverOffer, Takeovers
from carril.titles.esp.title import turn
from tests.rulebook.esp.deviations import BOOK, online
from tests.rulebook.esp.positions import extra, major, memory, minor, operate, stock_round
from tests.rulebook.esp.purchases import buying, company, deck, empty
from tests.table import at, cash, charter, code, events, offered, play

FIVE = BuyTrain("5", "stack", 500)


def first_5(conventions: Any) -> State:
    """N buys the first 5 while MS of Ben, at 144, and CM of Cleo, still new, have trains."""
    state = deck(company(empty("4", conventions=conventions), "N", money=1100, par=100), "5")
    state = minor(state, "MS", "Ben", value=144, trains=("4",), cash=0)
    state = minor(state, "CM", "Cleo", value=80, operated=False)
    return play(cash(buying(cash(state, MS=30), "N"), Ben=0, Cleo=0), FIVE)


@rule("ESP-G2")
def test_minors_that_have_operated_pay_their_director_in_phase_5() -> None:
    book, changed = first_5(BOOK), first_5(online("closed_minors_pay"))
    assert book.companies["MS"].closed
    assert changed.companies["MS"].closed
    assert (book.players["Ben"].cash, changed.players["Ben"].cash) == (0, 144)
    assert (book.players["Cleo"].cash, changed.players["Cleo"].cash) == (0, 0)


@rule("ESP-G3")
def test_trains_of_closed_minors_are_still_for_sale() -> None:
    assert first_5(BOOK).companies["MS"].trains == ()
    assert code(first_5(BOOK), BuyTrain("4", "MS", 1)) == "no-such-seller"
    changed = first_5(online("closed_minors_trade"))
    after = play(changed, BuyTrain("4", "MS", 1))
    assert after.companies["N"].trains == ("5", "4")
    assert after.companies["MS"].trains == ()


def taking(conventions: Any, trains: tuple[str, ...] = ("3",), **shares: Any) -> State:
    """N of Ana, with shares as told, may take over MS of Ben, at 80."""
    state = empty("4", conventions=conventions)
    held = {"Ana": 4} | shares
    state = cash(major(state, "N", held, trains=trains), N=500)
    state = minor(state, "MS", "Ben", trains=("3",))
    steps = (OperatingRound(("N",)), TrainStep("N"), Takeovers("N"))
    return at(state, *steps, round_=Round("OR", 2, 1, 2))


def taken(state: State) -> State:
    """Take MS over, with every consent, and leave the station off the map."""
    while not state.companies["MS"].closed:
        if isinstance(state.step, Takeovers):
            state = play(state, TakeOver("MS"))
        else:
            offer = isinstance(state.step, TakeoverOffer)
            state = play(state, Accept() if offer else Decline())
    return state


@rule("ESP-G4")
def test_a_takeover_with_an_empty_ipo() -> None:
    """Of N four shares are Ana's, one is Cleo's and five lie in the market."""
    spread: dict[str, Any] = {"Cleo": 1, "pool": 5}
    book = taken(taking(BOOK, **spread))
    assert book.companies["N"].shares == {"Ana": 4, "Cleo": 1, "pool": 4, "Ben": 1}
    changed = taken(taking(online("takeover_without_share"), **spread))
    assert changed.companies["MS"].closed
    assert changed.companies["N"].shares == {"Ana": 4, "Cleo": 1, "pool": 5}
    both = taken(taking(online("takeover_without_share")))
    assert both.companies["N"].held("Ben") == 1  # from the IPO as usual


@rule("ESP-G5", "ESP-A32")
def test_trains_above_the_limit_after_a_takeover() -> None:
    full = ("3", "4", "4")  # the limit of phase 4
    book = taken(taking(BOOK, full))
    assert isinstance(book.step, Discards)
    assert play(book, DiscardTrain("3")).companies["N"].trains == ("4", "4", "3")
    changed = taken(taking(online("takeover_discards"), full))
    assert not isinstance(changed.step, Discards)
    assert changed.companies["N"].trains == ("3", "4", "4", "3")


@rule("ESP-G6")
def test_consents_are_not_asked() -> None:
    changed = online("consents_asked")
    assert isinstance(play(taking(BOOK), TakeOver("MS")).step, TakeoverOffer)
    assert not isinstance(play(taking(changed), TakeOver("MS")).step, TakeoverOffer)

    def shop(conventions: Any) -> State:
        state = company(empty("3", conventions=conventions), "N", trains=("3",), money=500)
        state = company(state, "MCP", "Ben", trains=("3", "3"))
        return buying(extra(state, privates={"P3": "Cleo"}), "N")

    train, private = BuyTrain("3", "MCP", 10), BuyPrivate("P3", 10)
    assert isinstance(play(shop(BOOK), train).step, TrainOffer)
    assert play(shop(changed), train).companies["N"].trains == ("3", "3")
    assert isinstance(play(shop(BOOK), private).step, PrivateOffer)
    assert memory(play(shop(changed), private)).privates["P3"] == "N"


@rule("ESP-G24")
def test_interest_is_added_to_each_loan() -> None:
    def in_debt(conventions: Any, *loans: int) -> State:
        """Ana borrows for as many companies as there are loans."""
        state = cash(empty("4", conventions=conventions), Ana=0)
        for symbol, amount in zip(("N", "MCP", "A"), loans, strict=False):
            state = company(state, symbol, money=300 - amount)
            there = buying(state, symbol)
            state = play(there, BuyTrain("4", "stack", 300, loan=amount))
        return state

    def worth(conventions: Any, *loans: int) -> int:
        state = in_debt(conventions, *loans)
        shares = sum(4 * 80 for _ in loans)
        return shares - state.title.worth(state, "Ana")

    changed = online("interest_per_loan")
    assert [worth(c, 2) for c in (BOOK, changed)] == [3, 3]
    assert [worth(c, 1, 1) for c in (BOOK, changed)] == [3, 4]
    book = stock_round(cash(in_debt(BOOK, 100), Ana=500))
    whole = stock_round(cash(in_debt(changed, 100), Ana=500))
    assert code(book, RepayLoan(41)) == ""
    assert code(whole, RepayLoan(41)) == "whole-debt"
    assert play(whole, RepayLoan(150)).players["Ana"].cash == 350


@rule("ESP-G25")
def test_a_directors_help_towards_the_train_of_a_company() -> None:
    def asks(conventions: Any, price: int) -> str:
        state = cash(company(empty("4", conventions=conventions), "N", money=100), Ana=500)
        state = company(state, "MCP", "Ana", trains=("4", "4"))
        return code(buying(state, "N"), BuyTrain("4", "MCP", price))

    assert [asks(BOOK, price) for price in (100, 101, 300)] == [
        "",
        "treasury-short-train",
        "treasury-short-train",
    ]
    changed = online("help_for_company_train")
    assert [asks(changed, price) for price in (100, 300, 301)] == ["", "", "treasury-short-train"]


@rule("ESP-G26")
def test_discarded_trains_leave_the_game() -> None:
    def pool(conventions: Any) -> tuple[str, ...]:
        state = company(deck(empty("5", conventions=conventions), "6"), "N", money=700)
        state = buying(charter(state, "N", trains=("4", "5")), "N")
        return play(state, BuyTrain("6", "stack", 600), DiscardTrain("4")).depot.pool

    assert pool(BOOK) == ("4",)
    assert pool(online("discards_leave")) == ()


@rule("ESP-G27", "ESP-A50")
def test_a_rusted_card_can_be_recycled_again_and_again() -> None:
    def again(conventions: Any) -> str:
        state = company(empty("4", conventions=conventions), "N", trains=("4", "4"), money=900)
        state = buying(extra(state, scrap={"2": 1}), "N")
        return code(play(state, CombineTrains("4", "1+2")), CombineTrains("4", "1+2"))

    assert again(BOOK) == "not-recyclable"
    assert again(online("recycling_endless")) == ""


@rule("ESP-G28", "ESP-A52")
def test_an_exported_card_waits_until_its_kind_has_rusted() -> None:
    def piles(conventions: Any, **more: Any) -> set[str]:
        return set(recyclable(extra(empty("4", conventions=conventions), **more)))

    assert piles(BOOK, exported={"3": 1}) == {"3"}
    assert piles(online("recycling_endless"), exported={"3": 1}) == {"2"}
    older = extra(empty("4", edition="en"), exported={"3": 1}, scrap={"2": 1})
    assert set(recyclable(older)) == {"2"}


@rule("ESP-G29")
def test_combining_is_a_step_after_the_purchases() -> None:
    def at_trains(conventions: Any) -> State:
        state = company(empty("4", conventions=conventions), "N", trains=("4",), money=900)
        state = extra(company(state, "MCP", "Ben", trains=("4",)), scrap={"2": 2})
        steps = tuple(s for s in turn(state, "N") if isinstance(s, EndTurn | CombineStep))
        return at(
            state, OperatingRound(("N",)), *steps, TrainStep("N"), round_=Round("OR", 2, 1, 2)
        )

    combine, same = CombineTrains("4", "1+2"), CombineTrains("4", "2")
    book = at_trains(BOOK)
    assert code(play(book, combine), BuyTrain("4", "stack", 300)) == ""
    assert code(book, same) == "same-gauge"
    changed = at_trains(online("combining_after_buying"))
    assert code(changed, combine) == "combine-later"
    later = play(changed, Pass())
    assert isinstance(later.step, CombineStep)
    assert code(later, combine) == ""
    assert code(later, same) == ""  # the gauges are checked on its screen only
    assert code(later, BuyTrain("4", "stack", 300)) == "not-now"


@rule("ESP-G29")
def test_who_is_asked_to_buy_and_to_combine() -> None:
    """Whoever can pay the next card, or 1 to another company; then who can pay a combination."""

    def asked(money: int, *, others: bool, trains: tuple[str, ...] = ("4",)) -> type[Step]:
        state = empty("4", conventions=online("combining_after_buying"))
        state = extra(company(state, "N", trains=trains, money=money), scrap={"2": 1})
        state = company(state, "MCP", "Ben", trains=("4",) if others else ())
        steps = tuple(s for s in turn(state, "N") if isinstance(s, EndTurn | CombineStep))
        rounds = Round("OR", 2, 1, 2)
        asking = at(state, OperatingRound(("N",)), *steps, TrainStep("N"), round_=rounds).step
        return type(asking) if asking.subject == "N" else Step

    assert asked(300, others=False) is TrainStep
    assert asked(299, others=False) is CombineStep
    assert asked(1, others=True) is TrainStep
    assert asked(0, others=True) is Step
    assert asked(199, others=False) is Step
    assert asked(200, others=False) is CombineStep
    assert asked(299, others=False, trains=("2P", "4|1+2")) is Step


@rule("ESP-G30")
def test_nothing_is_exported_before_the_first_launch() -> None:
    def left(conventions: Any, *, launched: bool) -> int:
        state = empty("2", conventions=conventions)
        done: tuple[str, ...] = ()
        if launched:
            state, done = minor(state, "MS", "Ana"), ("MS",)
        return at(state, OperatingRound(done), round_=Round("OR", 1, 1, 1)).depot.left["2"]

    changed = online("no_export_before_launch")
    assert [left(BOOK, launched=False), left(BOOK, launched=True)] == [9, 9]
    assert [left(changed, launched=False), left(changed, launched=True)] == [10, 9]


@rule("ESP-G41")
def test_a_question_about_tenders_at_the_end_of_a_turn() -> None:
    """Private 5 is gone and no tender is left; N has 80 and none of its own."""

    def ended(conventions: Any, money: int = 80) -> State:
        state = company(empty("3", conventions=conventions), "N", trains=("3",) * 4, money=money)
        state = extra(state, tenders_private=0, tenders_pool=0)
        state = company(state, "MCP", "Ben", trains=("3",))
        there = operate(state, "N")
        while there.step.subject == "N" and not isinstance(there.step, BuyPrivates):
            there = play(there, Pass())
        return there

    assert ended(BOOK).step.subject == "MCP"
    changed = online("privates_asked_last")
    asked = ended(changed)
    assert isinstance(asked.step, BuyPrivates)
    assert len(asked.options()) == 1  # nothing but to pass
    assert not offered(asked, BuyPrivate)
    assert ended(changed, 79).step.subject == "MCP"


@rule("ESP-G30")
def test_the_export_is_told() -> None:
    state = company(empty("2"), "N", trains=("2",), money=500)
    assert TrainExported("2") in events(buying(state, "N"), Pass())
