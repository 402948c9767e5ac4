"""Setup: money, companies, trains and who begins (ledger EU-1)."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from carril import start
from carril.engine.actions import Bid, BuyTrain, ChooseLot, LayTile, Pass, SellShares, decode_action
from carril.engine.money import total
from carril.engine.play import adjourn
from carril.engine.refusals import BadRecord, BadSetup
from carril.engine.steps.auction import Auction as Sale
from carril.engine.trains import stack_top
from carril.rules.marker import rule
from tests.rulebook.eu.dealing import buy_top, buying
from tests.table import (
    NAMES,
    cash,
    charter,
    code,
    corporation,
    game,
    offered,
    operate,
    own_minors,
    play,
    sell_all_minors,
    stock_round,
    tiles,
)

MOUNTAINS = {"C18", "D17", "E16", "F17", "G18", "H17", "I16", "J15"}


@rule("EU-1.1-a", "EU-A-48")
def test_the_opening_cash_is_paid_out_of_the_twelve_thousand() -> None:
    assert game(4).bank == 10600
    assert {count: game(count).bank for count in (2, 3, 5, 6)} == {
        2: 10500,
        3: 10650,
        5: 10500,
        6: 10500,
    }
    assert total(game(4)) == 12000


@rule("EU-1.1-b")
def test_there_are_eight_corporations_and_fifteen_minors() -> None:
    kinds = [company.kind for company in game().companies.values()]
    assert (kinds.count("major"), kinds.count("minor"), len(kinds)) == (8, 15, 23)


@rule("EU-1.1-c")
def test_ten_shares_are_nine_certificates() -> None:
    state = corporation(game(), "SNCF", {"Ana": 10})
    assert state.title.certificates(state, "Ana") == 9
    shared = corporation(game(), "SNCF", {"Ana": 2, "Ben": 8})
    assert shared.title.certificates(shared, "Ana") == 1
    assert shared.title.certificates(shared, "Ben") == 8


@rule("EU-1.2-a")
def test_two_to_six_can_play_and_nobody_else() -> None:
    assert [len(game(count).players) for count in range(2, 7)] == [2, 3, 4, 5, 6]
    for names in ([], ["Ana"], [*NAMES, "Gus"]):
        with pytest.raises(BadSetup, match="2 to 6 players"):
            start("18EU", names)


@rule("EU-1.2-b")
def test_opening_cash_depends_on_the_number_of_players() -> None:
    opening = {}
    for count in range(2, 7):
        sums = {player.cash for player in game(count).players.values()}
        assert len(sums) == 1
        opening[count] = sums.pop()
    assert opening == {2: 750, 3: 450, 4: 350, 5: 300, 6: 250}


@rule("EU-1.2-c")
def test_the_order_is_drawn_once_from_the_seed_and_stays() -> None:
    names = ["Ana", "Ben", "Cleo"]
    drawn = {seed: tuple(start("18EU", names, seed=seed).players) for seed in range(60)}
    assert set(drawn.values()) == set(permutations(names))
    again = start("18EU", names, seed=7)
    assert tuple(again.players) == drawn[7]
    assert again.priority == drawn[7][0] == again.acting
    assert tuple(sell_all_minors(again).players) == drawn[7]


@rule("EU-1.2-d")
def test_the_first_tile_on_each_of_eight_mountains_costs_120() -> None:
    state = game()
    hexes = state.title.tables.hexes.values()
    dear = {hex_.id for hex_ in hexes if hex_.cost == 120}
    assert dear == MOUNTAINS
    state = own_minors(state, {"10": "Ana"})
    state = operate(tiles(state, E18=("202", 1)), "10")
    lay = LayTile("E16", "9", 0)
    assert code(cash(state, m10=119), lay) == "too-dear"
    built = play(cash(state, m10=120), lay)
    assert built.companies["10"].cash == 0


@rule("EU-1.2-e")
def test_each_minor_has_a_2_train_and_no_money_and_the_stack_has_no_2() -> None:
    state = game()
    minors = [company for company in state.companies.values() if company.kind == "minor"]
    assert {(minor.trains, minor.cash) for minor in minors} == {(("2",), 0)}
    assert "2" not in state.depot.left
    buyer = buying(own_minors(state, {"8": "Ana"}), "8")
    assert code(buyer, BuyTrain("2", "stack", 100)) == "not-on-top"
    assert code(buyer, BuyTrain("3", "stack", 200)) == ""


@rule("EU-1.2-f")
def test_five_pullmans_wait_in_the_pool() -> None:
    state = game()
    assert state.depot.pool == ("P",) * 5
    buyer = buying(own_minors(state, {"8": "Ana"}), "8", trains=("2",))
    assert code(buyer, BuyTrain("P", "pool", 100)) == "pullman-not-yet"


@rule("EU-1.2-g")
def test_the_stack_goes_from_3_to_8() -> None:
    state = corporation(game(), "SNCF", {"Ana": 5})
    assert stack_top(state) == "3"
    bought = []
    for _ in range(16):
        bought.append(stack_top(state))
        state = buy_top(state, "SNCF")
    assert "".join(bought) == "3333344445556688"


@rule("EU-1.2-h")
def test_optional_trains_are_left_out_unless_agreed_on() -> None:
    assert (game().depot.left["3"], game().depot.left["4"]) == (5, 4)
    agreed = game(variants=["extra-3"]).depot.left
    assert (agreed["3"], agreed["4"]) == (6, 4)
    with pytest.raises(BadSetup, match="no variant"):
        game(variants=["extra-5"])


@rule("EU-1.2-i")
def test_all_shares_begin_in_their_own_treasury() -> None:
    majors = [company for company in game().companies.values() if company.kind == "major"]
    assert all(company.shares == {"treasury": 10} for company in majors)
    assert {(company.owner, company.started) for company in majors} == {("", False)}


@rule("EU-1.2-j")
def test_the_game_opens_with_the_initial_sale() -> None:
    state = game()
    assert isinstance(state.step, Sale)
    assert str(state.round) == "Sale"
    assert offered(state, ChooseLot)
    assert code(state, SellShares("SNCF", 1)) == "not-now"


@rule("EU-1.3-a")
def test_whoever_is_worth_most_wins() -> None:
    state = corporation(game(3), "SNCF", {"Ana": 2, "Cleo": 4}, price=100)
    ended = adjourn(cash(state, Ana=300, Ben=550, Cleo=200)).state
    assert ended.result == {"Cleo": 600, "Ben": 550, "Ana": 500}
    assert list(ended.result) == ["Cleo", "Ben", "Ana"]


@rule("EU-1.3-b")
def test_what_companies_own_is_nobodys_worth() -> None:
    poor = own_minors(corporation(game(3), "SNCF", {"Ana": 5}), {"8": "Ben"})
    rich = charter(cash(poor, SNCF=900, m8=400), "SNCF", trains=("5", "6"))
    assert [poor.title.worth(poor, name) for name in poor.players] == [950, 450, 450]
    assert [rich.title.worth(rich, name) for name in rich.players] == [950, 450, 450]


@rule("EU-1.4-a")
def test_holdings_money_and_dealings_lie_open() -> None:
    state = corporation(cash(game(), Ana=340, SNCF=70), "SNCF", {"Ana": 3}, trains=("3",))
    for first in ("Ana", "Ben"):
        seen = msgspec.to_builtins(stock_round(state, first))
        assert [player["cash"] for player in seen["players"].values()] == [340, 350, 350, 350]
        sncf = seen["companies"]["SNCF"]
        assert (sncf["cash"], list(sncf["trains"])) == (70, ["3"])
        assert sncf["shares"] == {"Ana": 3, "treasury": 7}
    told = msgspec.to_builtins(stock_round(state).apply(SellShares("SNCF", 1)).events)
    paid = next(event for event in told if event["event"] == "money-paid")
    assert (paid["source"], paid["target"], paid["amount"]) == ("bank", "Ana", 100)


@rule("EU-1.4-b")
def test_no_deal_between_players_binds_the_game() -> None:
    for kind in ("deal", "promise", "gift"):
        with pytest.raises(BadRecord):
            decode_action(f'{{"type": "{kind}"}}')
    # Ben leaves the first minor to Ana; nothing obliges her to leave him the second.
    state = play(game(2), ChooseLot("1"), Bid(100), Pass(), ChooseLot("2"), Bid(100))
    assert state.acting == "Ana"
    assert code(state, Bid(105)) == ""
