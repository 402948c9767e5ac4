"""Where 18xx.games differs, in the turn of a company from its trains on."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from carril.engine.actions import (
    BuyTrain,
    DiscardTrain,
    GoBankrupt,
    IssueShares,
    Pass,
    RedeemShares,
    SellShares,
)
from carril.engine.money import total
from carril.engine.state import State
from carril.engine.steps.dealing import DealStock
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.track import LayTrack
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from carril.titles.eu.conventions import RULEBOOK
from carril.titles.eu.trains import PullmanChoice
from tests.rulebook.eu.endgames import buying, dealing, empty_game, needy, prices, turn_at
from tests.rulebook.eu.test_conventions import online
from tests.table import cash, charter, code, corporation, offered, operate, play, tiles, tokens

FOUR = BuyTrain("4", "stack", 300)


@rule("EU-G-4")
def test_discards_after_a_phase_change() -> None:
    def first_5(conventions: Any) -> State:
        """SNCF buys the first 5 train; it, KPEV above it and SNCB below it are over the limit."""
        state = needy(in_phase="4", price=90, trains=("3", "4"), conventions=conventions)
        left = {**state.depot.left, "4": 0}
        state = replace(state, depot=replace(state.depot, left=left))
        state = corporation(state, "KPEV", {"Ben": 5}, price=100, trains=("3", "4", "4"))
        state = corporation(state, "SNCB", {"Cleo": 5}, price=82, trains=("3", "4", "4"))
        state = buying(cash(state, SNCF=1100), "SNCF")
        return play(state, BuyTrain("5", "stack", 500))

    def order(state: State) -> list[str]:
        found = []
        while isinstance(state.step, DiscardTrains):
            found.append(state.step.subject)
            state = play(state, DiscardTrain("4"))
        return found

    at_once = first_5(RULEBOOK)
    assert order(at_once) == ["SNCF", "SNCB", "KPEV"]
    later = first_5(online(phase_discards_at_once=False))
    assert not isinstance(later.step, DiscardTrains)
    assert later.companies["SNCF"].trains == ("3", "4", "5")
    while not isinstance(later.step, DiscardTrains):
        assert later.step.subject == "SNCF"
        later = play(later, Pass())
    assert order(later) == ["SNCB", "KPEV", "SNCF"]


@rule("EU-G-7")
def test_giving_up_a_pullman() -> None:
    def state_of(conventions: Any) -> State:
        state = needy(trains=("4", "P"), conventions=conventions)  # below the limit of 3
        return cash(state, SNCF=900)

    by_the_book = buying(state_of(RULEBOOK), "SNCF")
    assert code(by_the_book, DiscardTrain("P")) == "not-now"
    assert code(by_the_book, replace(FOUR, discard="P")) == "discard-not-needed"
    asked = turn_at(state_of(online(free_pullman_discard=True)), "SNCF", PullmanChoice)
    assert code(asked, DiscardTrain("4")) == "no-voluntary-discard"
    after = play(asked, DiscardTrain("P"))
    assert after.companies["SNCF"].trains == ("4",)
    assert code(after, Pass()) == ""  # no duty to buy


@rule("EU-G-8")
def test_buying_back_in_the_first_operating_round() -> None:
    def state_of(conventions: Any, operated: bool = False) -> State:
        held = {"Ana": 5, "pool": 3}
        state = needy(held, trains=("4",), operated=operated, conventions=conventions)
        state = corporation(state, "FS", {"Ben": 5}, price=70, trains=("4",))
        return dealing(cash(state, SNCF=500), "SNCF")

    assert code(state_of(RULEBOOK), RedeemShares(1)) == ""
    changed = online(first_turn_redeem=False)
    assert state_of(changed).step.subject == "FS"  # SNCF is not even asked
    assert code(state_of(changed, operated=True), RedeemShares(1)) == ""


@rule("EU-G-9")
def test_one_deal_in_own_stock() -> None:
    def bought(conventions: Any) -> State:
        state = needy({"Ana": 5, "pool": 3}, trains=("4",), conventions=conventions)
        state = corporation(state, "FS", {"Ben": 5}, price=70, trains=("4",))
        return play(dealing(cash(state, SNCF=500), "SNCF"), RedeemShares(1))

    assert code(bought(RULEBOOK), RedeemShares(2)) == ""
    assert bought(online(one_stock_deal=True)).step.subject == "FS"


@rule("EU-G-10")
def test_who_must_own_a_train() -> None:
    def passes(conventions: Any, **laid: tuple[str, int]) -> str:
        """SNCF in Marseille, with a port to its south."""
        state = empty_game(3, "4", conventions=conventions)
        state = corporation(state, "SNCF", {"Ana": 5}, tokens=4)
        state = tokens(tiles(state, **laid), B19=(("SNCF",),))
        return code(buying(cash(state, SNCF=900), "SNCF"), Pass())

    port: dict[str, tuple[str, int]] = {"B19": ("57", 0)}
    lyon: dict[str, tuple[str, int]] = {**port, "B17": ("202", 4)}  # its track meets Marseille's
    changed = online(train_only_with_route=True)
    assert [passes(RULEBOOK, **laid) for laid in ({}, port, lyon)] == ["must-buy-train"] * 3
    assert [passes(changed, **laid) for laid in ({}, port, lyon)] == ["", "", "must-buy-train"]


@rule("EU-G-11")
def test_help_towards_another_companys_train() -> None:
    def state_of(conventions: Any, treasury: int, hand: int) -> State:
        state = needy(conventions=conventions)
        state = corporation(state, "KPEV", {"Ben": 4, "Ana": 3}, price=90, trains=("4", "4"))
        return buying(cash(state, SNCF=treasury, Ana=hand), "SNCF")

    def price(amount: int) -> BuyTrain:
        return BuyTrain("4", "KPEV", amount)

    changed = online(help_with_treasury=True)
    assert code(state_of(RULEBOOK, 40, 400), price(41)) == "treasury-not-empty"
    assert code(state_of(changed, 40, 400), price(300)) == ""
    assert code(state_of(changed, 40, 400), price(301)) == "above-face-price"
    assert code(state_of(changed, 40, 100), price(141)) == "president-short"
    assert code(state_of(changed, 40, 100), price(140)) == ""
    sell = SellShares("KPEV", 3)
    assert code(play(state_of(RULEBOOK, 40, 0), sell), price(41)) == "no-sales-for-company-train"
    assert code(play(state_of(changed, 40, 0), sell), price(130)) == ""
    assert code(play(state_of(changed, 0, 40), sell), price(1)) == "no-sales-for-company-train"


@rule("EU-G-12")
def test_help_towards_a_train_that_is_not_the_cheapest() -> None:
    def state_of(conventions: Any, treasury: int, hand: int = 500) -> State:
        state = needy(conventions=conventions)
        state = replace(state, depot=replace(state.depot, pool=("3",)))
        state = corporation(state, "KPEV", {"Ben": 4, "Ana": 4}, price=90)
        return buying(cash(state, SNCF=treasury, Ana=hand), "SNCF")

    changed = online(help_with_any_train=True)
    assert code(state_of(RULEBOOK, 100), FOUR) == "only-cheapest"
    assert code(state_of(RULEBOOK, 200), FOUR) == "treasury-pays-cheaper"
    assert play(state_of(changed, 100), FOUR).players["Ana"].cash == 300
    assert play(state_of(changed, 200), FOUR).players["Ana"].cash == 400
    # sales still go by the cheapest train: 100 are missing for the 3 train
    assert code(state_of(changed, 100, 0), SellShares("KPEV", 3)) == "over-selling"
    assert code(state_of(changed, 100, 0), SellShares("KPEV", 2)) == ""


@rule("EU-G-13")
def test_own_stock_in_the_first_operating_round() -> None:
    def sells(conventions: Any) -> str:
        state = needy({"Ana": 5}, operated=False, conventions=conventions)
        state = operate(cash(state, SNCF=0, Ana=0), "SNCF")
        assert isinstance(state.step, LayTrack)
        state = play(state, Pass())  # the dividend of nothing follows by itself
        assert isinstance(state.step, BuyTrains)
        return code(state, SellShares("SNCF", 1))

    assert sells(RULEBOOK) == "not-operated"
    assert sells(online(operated_from_dividend=True)) == ""


@rule("EU-G-20")
def test_who_sells_the_shares_of_a_bankrupt() -> None:
    def state_of(conventions: Any) -> State:
        state = needy({"Ana": 3, "Ben": 3}, conventions=conventions)
        state = corporation(state, "KPEV", {"Ben": 4, "Ana": 2, "pool": 4}, price=90)
        return buying(cash(state, SNCF=50, Ana=10), "SNCF")

    by_the_book = state_of(RULEBOOK)
    assert code(by_the_book, GoBankrupt()) == "can-still-sell"
    chosen = play(by_the_book, SellShares("KPEV", 1), GoBankrupt())
    assert chosen.companies["SNCF"].cash == 50 + 10 + 90
    assert prices(chosen, "SNCF", "KPEV") == [100, 82]  # the rest moved no price
    # On 18xx.games it is sold for her: one at 90 fills the pool. SNCF keeps its president.
    changed = online(bankrupt_chooses_sales=False)
    sold = play(state_of(changed), GoBankrupt())
    assert sold.companies["KPEV"].held("pool") == 6
    assert sold.companies["SNCF"].held("pool") == 3
    assert sold.companies["SNCF"].cash == 50 + 10 + 90
    assert prices(sold, "SNCF", "KPEV") == [100, 82]
    assert sold.companies["SNCF"].owner == "Ben"
    assert total(sold) == total(chosen) == 12000
    # Whoever can raise the money is not bankrupt there either.
    able = charter(state_of(RULEBOOK), "KPEV", shares={"Ben": 5, "Ana": 3, "pool": 2})
    able = replace(able, setup=replace(able.setup, conventions=changed))
    assert code(able, SellShares("KPEV", 3)) == ""
    assert code(able, GoBankrupt()) == "can-still-sell"
    assert code(cash(able, SNCF=20, Ana=10), GoBankrupt()) == "can-still-sell"  # 3 x 90 for 270
    assert code(cash(able, SNCF=20, Ana=9), GoBankrupt()) == ""


@rule("EU-G-25")
def test_the_price_of_a_train_from_the_stack() -> None:
    def state_of(conventions: Any) -> State:
        return buying(cash(needy(conventions=conventions), SNCF=900), "SNCF")

    odd = BuyTrain("4", "stack", 250)
    assert code(state_of(RULEBOOK), odd) == "face-price"
    changed = state_of(online(stack_price_checked=False))
    assert play(changed, odd).companies["SNCF"].cash == 650
    prices_offered = [o.price for o in offered(changed, BuyTrain) if isinstance(o, BuyTrain)]
    assert prices_offered == [300]  # what is offered is the face price all the same


@rule("EU-4.4.8-a", "EU-4.4.8-c", "EU-G-8", "EU-G-13")
def test_a_first_turn_stays_one_when_the_dividend_already_counts() -> None:
    """Having operated by G-13, a corporation still has its first turn by the stock rules."""
    changed = online(operated_from_dividend=True, first_turn_redeem=False)
    for conventions, sale, purchase in (
        (online(operated_from_dividend=True), "issue-first-turn", ""),
        (changed, "issue-first-turn", "redeem-first-turn"),
    ):
        state = needy({"Ana": 5, "pool": 3}, trains=("4",), operated=False, conventions=conventions)
        step = state.title.turn(state, "SNCF")[1]
        assert isinstance(step, DealStock)
        state = charter(cash(state, SNCF=500), "SNCF", operated=True)
        for action, expected in ((IssueShares(1), sale), (RedeemShares(1), purchase)):
            refused = step.refusal(state, action)
            assert (refused.code if refused else "") == expected
