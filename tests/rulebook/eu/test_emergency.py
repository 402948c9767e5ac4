"""The duty to own a train, the president's help, and the sales that pay for it."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.actions import (
    Accept,
    BuyTrain,
    GoBankrupt,
    IssueShares,
    Pass,
    SellShares,
)
from carril.engine.events import TrainsRun
from carril.engine.market import marker
from carril.engine.money import total
from carril.engine.state import State
from carril.engine.steps.emergency import Emergency
from carril.engine.steps.track import LayTrack
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from tests.rulebook.eu.endgames import buying, empty_game, for_sale, needy, prices
from tests.table import (
    cash,
    charter,
    cited,
    code,
    corporation,
    events,
    game,
    offered,
    operate,
    own_minors,
    phase,
    plain,
    play,
)

FOUR = BuyTrain("4", "stack", 300)
POOL_THREE = BuyTrain("3", "pool", 200)


def pool(state: State, *trains: str) -> State:
    """Put trains into the pool, beside the Pullmans."""
    depot = replace(state.depot, pool=(*trains, *state.depot.pool))
    return replace(state, depot=depot)


# --- the duty ----------------------------------------------------------------------------


@rule("EU-4.5.1-a", "EU-4.5.1-b")
def test_the_sums_of_an_emergency() -> None:
    """The cheapest train costs 300."""
    state = buying(cash(needy(), SNCF=299, Ana=0), "SNCF")
    step = state.step
    assert isinstance(step, BuyTrains)
    assert step.emergency(state) == Emergency("Ana", 300, 299, help=1, cash=0, missing=1)
    assert step.emergency(cash(state, SNCF=300)) is None


@rule("EU-4.5-a")
def test_a_corporation_without_a_train_may_not_end_its_turn() -> None:
    state = cash(needy(), SNCF=1000)
    assert code(buying(state, "SNCF"), Pass()) == "must-buy-train"
    assert cited(buying(state, "SNCF"), Pass()) == "EU-4.5-a"
    with_train = charter(state, "SNCF", trains=("4",))
    assert code(buying(with_train, "SNCF"), Pass()) == ""


@rule("EU-4.5-a", "EU-A-39")
def test_a_pullman_alone_does_not_fulfil_the_duty() -> None:
    """Reported as #6277: a Pullman never satisfies the duty to own a train."""
    state = cash(charter(needy(), "SNCF", trains=("P",)), SNCF=1000)
    assert code(buying(state, "SNCF"), Pass()) == "must-buy-train"


@rule("EU-4.5-b")
def test_a_rich_corporation_may_buy_any_train_of_stack_or_pool() -> None:
    state = buying(cash(pool(needy(), "3"), SNCF=1000), "SNCF")
    found = [plain(option) for option in offered(state, BuyTrain)]
    assert found == [replace(FOUR, by="Ana"), replace(POOL_THREE, by="Ana")]
    after = play(state, FOUR, POOL_THREE)
    assert after.companies["SNCF"].trains == ("4", "3")
    assert after.companies["SNCF"].cash == 500


@rule("EU-4.5-c", "EU-A-38")
def test_no_help_towards_a_dear_train_while_the_treasury_can_pay_one_of_the_pool() -> None:
    state = buying(cash(pool(needy(), "3"), SNCF=250, Ana=500), "SNCF")
    assert code(state, FOUR) == "treasury-pays-cheaper"
    assert cited(state, FOUR) == "EU-4.5-c"
    after = play(state, POOL_THREE)
    assert (after.companies["SNCF"].cash, after.players["Ana"].cash) == (50, 500)


@rule("EU-4.5-c", "EU-4.5.2-a")
def test_another_companys_train_may_take_the_place_of_the_pools() -> None:
    state = corporation(pool(needy(), "3"), "KPEV", {"Ben": 5}, price=90, trains=("4", "4"))
    state = buying(cash(state, SNCF=250, Ana=500), "SNCF")
    after = play(state, BuyTrain("4", "KPEV", 250), Accept())
    assert after.companies["SNCF"].trains == ("4",)
    assert (after.companies["KPEV"].cash, after.players["Ana"].cash) == (250, 500)


# --- the president's help ----------------------------------------------------------------


@rule("EU-4.5.1-a")
def test_the_president_helps_only_with_the_cheapest_train() -> None:
    state = buying(cash(pool(needy(), "3"), SNCF=100, Ana=500), "SNCF")
    assert code(state, FOUR) == "only-cheapest"
    assert cited(state, FOUR) == "EU-4.5.1-a"
    after = play(state, POOL_THREE)
    assert (after.companies["SNCF"].cash, after.players["Ana"].cash) == (0, 400)


@rule("EU-A-39")
def test_a_pullman_is_never_the_cheapest_train() -> None:
    """The five Pullmans in the pool at 100 do not stop help towards the train at 300."""
    state = buying(cash(needy(), SNCF=150, Ana=500), "SNCF")
    assert state.depot.pool == ("P",) * 5
    assert code(state, BuyTrain("P", "pool", 100)) == "pullman-needs-train"
    assert play(state, FOUR).players["Ana"].cash == 350


@rule("EU-4.5.1-b")
def test_the_treasury_is_used_up_before_the_president_pays() -> None:
    state = buying(cash(needy(), SNCF=220, Ana=500), "SNCF")
    after = play(state, FOUR)
    assert after.companies["SNCF"].trains == ("4",)
    assert (after.companies["SNCF"].cash, after.players["Ana"].cash) == (0, 420)
    assert after.bank == state.bank + 300
    assert total(after) == 12000


@rule("EU-4.5.1-a", "EU-4.5.1-b")
def test_a_corporation_with_a_train_gets_no_help() -> None:
    state = charter(cash(needy(), SNCF=220, Ana=500), "SNCF", trains=("3",))
    state = buying(state, "SNCF")
    assert code(state, FOUR) == "no-help"
    assert code(state, BuyTrain("P", "pool", 100)) == ""


@rule("EU-4.5.1-c")
def test_treasury_stock_is_not_sold_for_a_train() -> None:
    state = buying(cash(needy(), SNCF=220, Ana=80), "SNCF")
    assert code(state, IssueShares(1)) == "not-now"
    after = play(state, FOUR)
    assert code(after, IssueShares(1)) == ""


@rule("EU-4.5.1-d")
def test_a_president_short_of_cash_sells_shares_of_his_choice() -> None:
    state = corporation(needy({"Ana": 5, "Ben": 2}), "KPEV", {"Ben": 4, "Ana": 4}, price=90)
    state = corporation(state, "FS", {"Cleo": 4, "Ana": 3}, price=82)
    state = buying(cash(state, SNCF=100, Ana=20), "SNCF")  # 180 missing
    assert code(state, FOUR) == "president-short"
    assert code(state, Pass()) == "must-buy-train"
    assert code(state, GoBankrupt()) == "can-still-sell"
    assert for_sale(state) == {"SNCF": (1, 2), "KPEV": (1, 2), "FS": (1, 3)}
    after = play(state, SellShares("KPEV", 1), SellShares("FS", 2))
    assert after.players["Ana"].cash == 20 + 90 + 164
    done = play(after, FOUR)
    assert done.companies["SNCF"].trains == ("4",)
    assert done.players["Ana"].cash == 74
    assert total(done) == 12000


@rule("EU-4.5.1-d")
def test_nothing_is_sold_while_the_cash_is_enough() -> None:
    state = corporation(needy(), "KPEV", {"Ben": 4, "Ana": 3}, price=90)
    enough = buying(cash(state, SNCF=100, Ana=200), "SNCF")
    assert code(enough, SellShares("KPEV", 1)) == "enough-money"
    short = buying(cash(state, SNCF=100, Ana=199), "SNCF")
    assert code(short, SellShares("KPEV", 1)) == ""


@rule("EU-4.5.1-d")
def test_without_the_duty_nothing_is_sold() -> None:
    state = corporation(needy(), "KPEV", {"Ben": 4, "Ana": 3}, price=90)
    state = charter(cash(state, SNCF=100, Ana=0), "SNCF", trains=("3",))
    state = buying(state, "SNCF")
    assert code(state, SellShares("KPEV", 1)) == "no-emergency"
    assert code(state, GoBankrupt()) == "no-emergency"


@rule("EU-4.5.1-d")
def test_emergency_sales_keep_to_the_limits_of_pool_and_presidency() -> None:
    state = corporation(needy(), "KPEV", {"Ana": 4, "Ben": 1, "pool": 3}, price=90)
    state = corporation(state, "FS", {"Ben": 2, "Ana": 2, "pool": 5}, price=82)
    state = corporation(state, "KBS", {"Ana": 3, "Ben": 1, "pool": 0}, price=70)
    state = buying(cash(state, SNCF=0, Ana=0), "SNCF")
    assert code(state, SellShares("FS", 1)) == "pool-full"
    assert code(state, SellShares("KPEV", 3)) == "no-heir"
    assert code(state, SellShares("KPEV", 2)) == ""
    assert code(state, SellShares("KBS", 2)) == "no-heir"
    assert code(state, SellShares("KBS", 4)) == "not-held"
    assert code(state, SellShares("KBS", 0)) == "not-held"
    assert code(state, SellShares("KBS", 1)) == ""


@rule("EU-4.5.1-e", "EU-A-16")
def test_stock_of_a_corporation_in_its_first_turn_is_not_sold_in_the_emergency() -> None:
    state = corporation(needy({"Ana": 5}, operated=False), "KPEV", {"Ben": 4, "Ana": 3}, price=90)
    state = corporation(state, "FS", {"Cleo": 4, "Ana": 3}, price=82, operated=False)
    state = buying(cash(state, SNCF=0, Ana=0), "SNCF")
    assert code(state, SellShares("SNCF", 1)) == "not-operated"
    assert code(state, SellShares("FS", 1)) == "not-operated"
    assert code(state, SellShares("KPEV", 1)) == ""
    later = buying(charter(state, "SNCF", operated=True), "SNCF")
    assert code(later, SellShares("SNCF", 1)) == ""


@rule("EU-A-16")
def test_a_corporation_has_operated_when_its_first_turn_is_over() -> None:
    state = needy({"Ana": 5}, operated=False)
    state = operate(cash(state, SNCF=300, Ana=0), "SNCF")
    state = play(state, Pass())  # no track; it earns nothing and owes itself a train
    assert isinstance(state.step, BuyTrains)
    assert not state.companies["SNCF"].operated
    after = play(state, FOUR)
    assert str(after.round) == "OR 2.2"
    assert after.companies["SNCF"].operated


@rule("EU-4.5.1-f")
def test_the_presidency_of_the_operating_corporation_stays() -> None:
    state = buying(cash(needy({"Ana": 5, "Ben": 4}), SNCF=0, Ana=0), "SNCF")
    assert code(state, SellShares("SNCF", 2)) == "keeps-presidency"
    assert cited(state, SellShares("SNCF", 2)) == "EU-4.5.1-f"
    after = play(state, SellShares("SNCF", 1))  # a tie: the president stays
    assert after.companies["SNCF"].owner == "Ana"
    assert after.players["Ana"].cash == 100


@rule("EU-4.5.1-g")
def test_the_presidency_of_another_corporation_may_be_lost() -> None:
    state = corporation(needy(), "KPEV", {"Ana": 3, "Ben": 2}, price=90)
    state = buying(cash(state, SNCF=120, Ana=0), "SNCF")
    after = play(state, SellShares("KPEV", 2))
    assert after.companies["KPEV"].owner == "Ben"
    assert after.companies["KPEV"].shares == {"Ana": 1, "Ben": 2, "pool": 2, "treasury": 5}
    assert after.acting == "Ana"


@rule("EU-4.5.1-h")
def test_emergency_sales_pay_the_price_and_lower_it() -> None:
    state = corporation(needy(), "KPEV", {"Ben": 4, "Ana": 4}, price=100)
    state = buying(cash(state, SNCF=0, Ana=0), "SNCF")
    after = play(state, SellShares("KPEV", 3))
    assert after.players["Ana"].cash == 300
    found = marker(after, "KPEV")
    assert found is not None
    assert (found.row, found.column) == (5, 4)
    assert prices(after, "KPEV", "SNCF") == [75, 100]


@rule("EU-A-13")
def test_no_share_more_than_needed_is_sold() -> None:
    state = corporation(needy(), "KPEV", {"Ben": 4, "Ana": 4}, price=100)
    state = buying(cash(state, SNCF=100, Ana=50), "SNCF")  # 150 missing
    assert code(state, SellShares("KPEV", 3)) == "over-selling"
    assert code(state, SellShares("KPEV", 2)) == ""
    exact = buying(cash(state, SNCF=100, Ana=0), "SNCF")  # 200 missing: two are exactly enough
    assert code(exact, SellShares("KPEV", 3)) == "over-selling"
    assert play(exact, SellShares("KPEV", 2)).players["Ana"].cash == 200


# --- trains of other companies -----------------------------------------------------------


def _seller(state: State) -> State:
    return corporation(state, "KPEV", {"Ben": 4, "Ana": 3}, price=90, trains=("4", "4"))


@rule("EU-4.5.2-a")
def test_a_train_of_another_company_for_one_pound() -> None:
    state = buying(cash(_seller(needy()), SNCF=50, Ana=0), "SNCF")
    assert code(state, BuyTrain("4", "KPEV", 0)) == "price-too-low"
    asked = play(state, BuyTrain("4", "KPEV", 1))
    assert asked.acting == "Ben"
    after = play(asked, Accept())
    assert after.companies["SNCF"].trains == ("4",)
    assert (after.companies["SNCF"].cash, after.companies["KPEV"].cash) == (49, 1)


@rule("EU-4.5.2-b")
def test_with_an_empty_treasury_the_president_pays_up_to_the_face_price() -> None:
    state = buying(cash(_seller(needy()), SNCF=0, Ana=400), "SNCF")
    assert code(state, BuyTrain("4", "KPEV", 301)) == "above-face-price"
    assert cited(state, BuyTrain("4", "KPEV", 301)) == "EU-4.5.2-b"
    after = play(state, BuyTrain("4", "KPEV", 300), Accept())
    assert (after.players["Ana"].cash, after.companies["KPEV"].cash) == (100, 300)


@rule("EU-4.5.2-b")
def test_with_money_in_the_treasury_the_president_adds_nothing() -> None:
    state = buying(cash(_seller(needy()), SNCF=1, Ana=400), "SNCF")
    assert code(state, BuyTrain("4", "KPEV", 2)) == "treasury-not-empty"
    after = play(state, BuyTrain("4", "KPEV", 1), Accept())
    assert (after.players["Ana"].cash, after.companies["KPEV"].cash) == (400, 1)


@rule("EU-4.5.2-b")
def test_the_president_pays_another_company_from_the_cash_in_his_hand() -> None:
    state = buying(cash(_seller(needy()), SNCF=0, Ana=200), "SNCF")
    assert code(state, BuyTrain("4", "KPEV", 201)) == "president-short"
    assert code(state, BuyTrain("4", "KPEV", 200)) == ""


@rule("EU-4.5.2-c")
def test_no_shares_are_sold_for_another_companys_train() -> None:
    state = buying(cash(_seller(needy()), SNCF=0, Ana=50), "SNCF")
    assert code(state, BuyTrain("4", "KPEV", 50)) == ""
    sold = play(state, SellShares("KPEV", 1))
    assert sold.players["Ana"].cash == 140
    assert code(sold, BuyTrain("4", "KPEV", 60)) == "no-sales-for-company-train"
    assert cited(sold, BuyTrain("4", "KPEV", 60)) == "EU-4.5.2-c"


# --- minors ------------------------------------------------------------------------------


def _minor(**money: int) -> State:
    state = own_minors(game(3), {"8": "Ana", "4": "Ben"})
    state = phase(charter(state, "8", trains=()), "3")
    return cash(charter(state, "4", trains=("3",)), **money)


@rule("EU-4.5.3-a")
def test_a_minor_need_not_own_a_train() -> None:
    """Reported as #6954: minors need no train."""
    state = buying(_minor(m8=200, Ana=500), "8")
    assert code(state, Pass()) == ""
    after = play(state, Pass())
    assert after.companies["8"].trains == ()
    assert not after.companies["8"].closed


@rule("EU-4.5.3-b")
def test_an_owner_does_not_help_his_minor_to_a_train() -> None:
    state = buying(_minor(m8=199, Ana=500), "8")
    assert code(state, BuyTrain("3", "stack", 200)) == "minor-no-help"
    assert cited(state, BuyTrain("3", "stack", 200)) == "EU-4.5.3-b"
    assert code(state, BuyTrain("3", "4", 200)) == "minor-no-help"
    assert code(state, BuyTrain("3", "4", 199)) == ""
    assert code(state, SellShares("SNCF", 1)) == "no-emergency"


@rule("EU-4.5.3-c")
def test_a_minor_buys_from_stack_pool_or_company_with_its_own_money() -> None:
    state = buying(pool(_minor(m8=200, Ana=0), "3"), "8")
    for source in ("stack", "pool"):
        after = play(state, BuyTrain("3", source, 200))
        assert (after.companies["8"].trains, after.companies["8"].cash) == (("3",), 0)
    after = play(state, BuyTrain("3", "4", 70), Accept())
    assert (after.companies["8"].trains, after.companies["4"].cash) == (("3",), 70)


@rule("EU-4.5.3-d")
def test_a_minor_without_a_train_takes_its_turn_and_earns_nothing() -> None:
    state = operate(_minor(m8=200, Ana=0), "8")
    assert isinstance(state.step, LayTrack)
    assert state.acting == "Ana"
    told = events(state, Pass())
    assert TrainsRun("8", 0) in told
    after = play(state, Pass())
    assert isinstance(after.step, BuyTrains)
    assert after.step.company == "8"
    assert (after.players["Ana"].cash, after.companies["8"].cash) == (0, 200)


@rule("EU-4.5.3-a")
def test_a_corporation_beside_it_must_buy_what_a_minor_need_not() -> None:
    state = corporation(empty_game(), "KPEV", {"Ana": 5}, price=90)
    state = buying(cash(state, KPEV=300), "KPEV")
    assert code(state, Pass()) == "must-buy-train"
    assert code(state, FOUR) == ""
