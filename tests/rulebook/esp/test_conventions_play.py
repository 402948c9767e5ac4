"""Where 18xx.games differs in single actions: sales, mines, first companies, asked choices."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from carril.engine.actions import (
    Accept,
    BuyTrain,
    ChooseSide,
    DeclareDividend,
    Decline,
    DiscardTrain,
    LayTile,
    Pass,
    PlaceToken,
    RepayLoan,
    SellShares,
    StartCompany,
    TakeOver,
)
from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from carril.titles.esp.privates import BuyPrivates, TakeTrain
from carril.titles.esp.takeover import StationChoice, Takeovers
from tests.rulebook.esp.deviations import BOOK, online
from tests.rulebook.esp.lines import turn_at
from tests.rulebook.esp.positions import (
    extra,
    game,
    major,
    memory,
    minor,
    operate,
    privates,
    stock_round,
)
from tests.rulebook.esp.purchases import buying, company, empty
from tests.rulebook.esp.works import LANGREO
from tests.table import at, cash, charter, code, offered, phase, play, tiles, tokens

# --- a forced purchase -------------------------------------------------------------------


def short_of_money(conventions: Any) -> State:
    """N lacks 300; Ana has nothing but a share of MCP at 80, which cannot suffice."""
    state = company(empty("4", conventions=conventions), "N", money=0, held=2)
    state = major(state, "MCP", {"Ben": 3, "Ana": 1}, trains=("4", "4"))
    return buying(cash(state, Ana=0), "N")


@rule("ESP-G45")
def test_shares_that_cannot_suffice_are_sold_and_a_loan_follows() -> None:
    changed = online("forced_sales_free")
    sale = SellShares("MCP", 1)
    assert code(short_of_money(BOOK), sale) == "sales-not-enough"
    sold = play(short_of_money(changed), sale)
    assert sold.players["Ana"].cash == 80
    after = play(sold, BuyTrain("4", "stack", 300, loan=220))
    assert after.companies["N"].trains == ("4",)
    assert after.players["Ana"].debt == 220


@rule("ESP-G45")
def test_after_a_sale_another_companys_train_may_be_bought() -> None:
    fields = ("forced_sales_free", "help_for_company_train", "consents_asked")
    sold = play(short_of_money(online(*fields)), SellShares("MCP", 1))
    assert code(sold, BuyTrain("4", "MCP", 80)) == ""
    assert code(sold, BuyTrain("4", "MCP", 81)) != ""


# --- income and price --------------------------------------------------------------------


@rule("ESP-G46")
def test_mines_and_harbours_pay_with_the_dividend() -> None:
    def paid(conventions: Any) -> list[int]:
        """Return the treasury before the dividend is declared, and after."""
        state = major(empty("3", conventions=conventions), "N", {"Ana": 5}, trains=("3",))
        state = extra(state, goals={"N": ("destination",)})
        there = turn_at(state, "N", BuyTrains("N"), Earnings("N", earnings=100, subsidy=20))
        after = play(there, DeclareDividend("withhold"))
        return [there.companies["N"].cash, after.companies["N"].cash]

    assert paid(BOOK) == [20, 120]
    assert paid(online("subsidy_with_dividend")) == [0, 120]


@rule("ESP-G50")
def test_a_company_has_operated_from_its_first_dividend_on() -> None:
    def sells(conventions: Any) -> str:
        """N, in its first turn, has paid; Ana would sell a share of it for a train."""
        state = company(empty("4", conventions=conventions), "N", operated=False)
        state = charter(state, "N", shares={"Ana": 4, "Ben": 2, "ipo": 4})
        steps = (OperatingRound(("N",)), EndTurn("N"), BuyTrains("N"), Earnings("N"))
        there = at(cash(state, Ana=240, N=0), *steps)
        assert isinstance(there.step, BuyTrains)
        return code(there, SellShares("N", 1))

    assert sells(BOOK) == "not-operated"
    assert sells(online("operated_from_dividend")) == ""


# --- track -------------------------------------------------------------------------------


@rule("ESP-G47", "ESP-A16")
def test_a_mine_is_laid_and_dismantled_in_one_turn() -> None:
    def dismantles(conventions: Any) -> set[str]:
        """CFLG lays the mine of Langreo and would dismantle it at once."""
        state = company(empty("3", conventions=conventions), "CFLG", trains=("2+3",), money=500)
        state = tiles(state, E3=LANGREO["E3"], E5=LANGREO["E5"])
        state = tokens(extra(state, goals={"CFLG": ("destination",)}), E3=(("CFLG",),))
        laid = play(turn_at(state, "CFLG", Build("CFLG")), LayTile("E7", *LANGREO["E7"]))
        tiles_there = [o for o in offered(laid, LayTile) if isinstance(o, LayTile)]
        return {o.hex for o in tiles_there if o.hex == "E7"}

    assert dismantles(BOOK) == set()
    assert dismantles(online("mine_hex_twice")) == {"E7"}


# --- the stock round ---------------------------------------------------------------------


@rule("ESP-G48")
def test_southern_majors_start_in_phase_2_and_lay_two_tiles() -> None:
    def early(conventions: Any) -> str:
        state = stock_round(cash(privates(game(3, conventions=conventions)), Ana=500))
        return code(state, StartCompany("N", 80))

    changed = online("south_from_start")
    assert early(BOOK) == "south-not-yet"
    assert early(changed) == ""

    def second_lay(conventions: Any, symbol: str) -> bool:
        state = company(empty("2", conventions=conventions), symbol, trains=("2",), money=500)
        step = Build(symbol, normal=1, hexes=("E23",))
        state = tokens(tiles(state, E23=("8", 3)), F24=((), ("N",), ()), I5=(("FdSB",),))
        return bool(offered(turn_at(state, symbol, step), LayTile))

    assert not second_lay(BOOK, "N")
    assert second_lay(changed, "N")
    assert not second_lay(changed, "FdSB"), "a Northern major waits for phase 3"


@rule("ESP-G49")
def test_shares_are_sold_after_a_repayment() -> None:
    def sells(conventions: Any) -> str:
        state = major(empty("3", conventions=conventions), "N", {"Ben": 4, "Ana": 2})
        ana = state.players["Ana"]
        owing = replace(state, players={**state.players, "Ana": replace(ana, cash=500, debt=100)})
        return code(play(stock_round(owing), RepayLoan(100)), SellShares("N", 1))

    assert sells(BOOK) == "repaid-before"
    assert sells(online("sale_after_repayment")) == ""


# --- choices with one answer -------------------------------------------------------------

ASKED = online("single_choices_asked")


@rule("ESP-G51")
def test_a_single_city_of_an_oo_tile_is_asked() -> None:
    def begins(conventions: Any) -> State:
        """CFEA begins in Oviedo, where another company has one of the two cities."""
        state = company(game(conventions=conventions), "CFEA", trains=(), operated=False)
        state = tiles(phase(privates(state), "3"), D6=("L134", 0))
        return operate(tokens(state, D6=(("FdSB",), ())), "CFEA")

    assert begins(BOOK).board.tokens["D6"] == (("FdSB",), ("CFEA",))
    asked = begins(ASKED)
    assert isinstance(asked.step, PlaceHome)
    assert [type(option) for option in asked.options()] == [PlaceToken]


@rule("ESP-G51")
def test_the_steps_of_takeovers_and_stations_are_asked() -> None:
    def at_takeovers(conventions: Any) -> State:
        state = company(empty("3", conventions=conventions), "N", trains=("3",), tokens=0)
        state = extra(minor(state, "MS", "Ana"), goals={"N": ("destination",)})
        return turn_at(cash(state, N=money), "N", BuyTrains("N"), Takeovers("N"))

    money = 0
    assert not isinstance(at_takeovers(BOOK).step, Takeovers), "no minor can be paid for"
    assert isinstance(at_takeovers(ASKED).step, Takeovers)
    money = 500
    assert at_takeovers(BOOK).apply(TakeOver("MS")).state.companies["MS"].closed
    asked = play(at_takeovers(ASKED), TakeOver("MS"))
    assert isinstance(asked.step, StationChoice)
    assert [type(option) for option in asked.options()] == [Decline]
    assert code(asked, Accept()) == "no-spare-token"


@rule("ESP-G51")
def test_the_side_of_a_minors_train_and_a_single_discard_are_asked() -> None:
    def takes(conventions: Any) -> State:
        state = minor(empty("3", conventions=conventions), "MS", "Ana")
        return turn_at(state, "MS", BuyTrains("MS"), TakeTrain("MS"))

    assert takes(BOOK).companies["MS"].trains == ("2",)
    assert takes(ASKED).options() == (ChooseSide("2", by="Ana"),)

    def discards(conventions: Any) -> State:
        state = company(empty("4", conventions=conventions), "N", trains=("4",) * 4)
        return turn_at(state, "N", BuyTrains("N"), DiscardTrains(("N",)))

    assert discards(BOOK).companies["N"].trains == ("4",) * 3
    assert discards(ASKED).options() == (DiscardTrain("4", by="Ana"),)


@rule("ESP-G51")
def test_passing_is_an_action_where_the_track_step_offers_something() -> None:
    state = company(empty("3", conventions=ASKED), "N", trains=("3",), money=500)
    there = turn_at(tokens(state, F24=((), ("N",), ())), "N", BuyTrains("N"), Build("N"))
    assert isinstance(there.step, Build)
    assert not isinstance(play(there, Pass()).step, Build)
    assert memory(there).in_play


@rule("ESP-G41")
def test_in_phase_5_nobody_is_asked_about_tenders_when_none_is_left() -> None:
    def ends(tenders: int) -> State:
        state = company(empty("5", conventions=online("privates_asked_last")), "N", trains=("5",))
        state = extra(cash(state, N=80), tenders_private=0, tenders_pool=tenders)
        return turn_at(company(state, "MCP", "Ben", trains=("5",)), "N", BuyPrivates("N"))

    assert isinstance(ends(1).step, BuyPrivates)
    assert not isinstance(ends(0).step, BuyPrivates)


@rule("ESP-G41")
def test_whoever_can_pay_1_is_asked_about_the_privates_of_players() -> None:
    def ends(money: int, owner: str) -> State:
        state = company(empty("3", conventions=online("privates_asked_last")), "N", trains=("3",))
        state = privates(cash(state, N=money), P2=owner)
        return turn_at(company(state, "MCP", "Ben", trains=("3",)), "N", BuyPrivates("N"))

    assert isinstance(ends(1, "Ben").step, BuyPrivates)
    assert not isinstance(ends(0, "Ben").step, BuyPrivates)
    assert not isinstance(ends(1, "MCP").step, BuyPrivates)
