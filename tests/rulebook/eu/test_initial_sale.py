"""The initial sale of the minors: bids, the falling price, who chooses (ledger EU-4.2)."""

from __future__ import annotations

from carril.engine.actions import Accept, Bid, ChooseLot, LayTile, Pass, Range
from carril.engine.board import tile_at, tokens_of
from carril.engine.events import Event, LotChosen, LotSold, Passed, PriceFell
from carril.engine.money import total
from carril.engine.state import State
from carril.engine.steps.auction import Auction as Sale
from carril.engine.steps.earnings import Earnings as PayOut
from carril.engine.steps.stock import StockRound
from carril.engine.steps.track import LayTrack
from carril.engine.tile import STOP
from carril.rules.marker import rule
from tests.rulebook.eu.dealing import go_on, why
from tests.table import (
    at,
    cash,
    cited,
    code,
    events,
    game,
    offered,
    operate,
    own_minors,
    pass_until,
    plain,
    play,
    sell_all_minors,
)


def on_sale(lot: str = "8", players: int = 4, **amounts: int) -> State:
    """Ana has put a minor up for sale; players may have other sums."""
    return play(cash(game(players), **amounts), ChooseLot(lot))


def stage(state: State) -> str:
    """Return the stage of the sale."""
    assert isinstance(state.step, Sale)
    return state.step.stage


def asked(state: State) -> int:
    """Return the price that is asked."""
    assert isinstance(state.step, Sale)
    return state.step.price


def passes(state: State, count: int) -> State:
    """Let so many players decline."""
    return play(state, *[Pass()] * count)


# --- what a minor is --------------------------------------------------------------------------


@rule("EU-4.2-a")
def test_a_minor_belongs_to_one_player_and_has_no_shares() -> None:
    state = play(on_sale(), Bid(100), Pass(), Pass(), Pass())
    assert state.companies["8"].owner == "Ana"
    assert state.companies["8"].shares == {}


@rule("EU-4.2-b", "EU-4.2.1-h", "EU-4.2.1-i")
def test_the_buyer_pays_the_bank_and_gets_charter_train_and_token() -> None:
    state = play(on_sale("10"), Bid(100), Bid(125), Pass(), Pass())
    assert stage(state) == "bidding"
    sold = play(state, Pass())
    assert (sold.players["Ben"].cash, sold.bank) == (225, 10600 + 125)
    milan = sold.companies["10"]
    assert (milan.owner, milan.trains, milan.cash, milan.tokens) == ("Ben", ("2",), 0, 0)
    assert list(tokens_of(sold.board, "10")) == [("E18", 0)]
    assert total(sold) == 12000


@rule("EU-4.2-c")
def test_a_minor_splits_its_earnings() -> None:
    state = at(own_minors(game(), {"8": "Ben"}), PayOut("8", 90))
    assert (state.players["Ben"].cash, state.companies["8"].cash) == (350 + 45, 45)
    assert state.bank == 10600 - 90


# --- who chooses ------------------------------------------------------------------------------


@rule("EU-4.2.1-a", "EU-4.2.1-b")
def test_the_players_choose_in_order_whoever_buys() -> None:
    state = game()
    told: list[Event] = []
    while state.round.kind == "Sale":
        if stage(state) == "choose":
            outcome = state.apply(plain(offered(state, ChooseLot)[-1]))
        elif stage(state) == "falling" and state.acting == "Dan":
            outcome = state.apply(Accept())
        else:
            outcome = state.apply(Pass())
        told += outcome.events
        state = outcome.state
    auctioneers = [event.player[0] for event in told if isinstance(event, LotChosen)]
    assert "".join(auctioneers) == "ABCDABCDABCDABC"
    sales = [event for event in told if isinstance(event, LotSold)]
    assert [event.lot for event in sales] == [str(number) for number in range(15, 0, -1)]
    assert [event.player for event in sales[:4]] == ["Dan"] * 4
    assert [event.price for event in sales[:5]] == [90, 90, 90, 80, 0]


@rule("EU-4.2.1-b")
def test_the_chooser_takes_any_unsold_minor_and_must_take_one() -> None:
    state = game()
    lots = {option.lot for option in offered(state, ChooseLot) if isinstance(option, ChooseLot)}
    assert lots == {str(number) for number in range(1, 16)}
    assert code(state, Pass()) == "choose-first"
    assert code(state, Bid(100)) == "choose-first"
    assert code(state, ChooseLot("16")) == "no-lot"
    sold = play(state, ChooseLot("8"), Bid(100), Pass(), Pass(), Pass())
    assert sold.acting == "Ben"
    assert code(sold, ChooseLot("8")) == "no-lot"
    assert code(sold, ChooseLot("9")) == ""
    assert code(play(sold, ChooseLot("9")), ChooseLot("10")) == "lot-chosen"


@rule("EU-A-44")
def test_choosing_and_opening_are_two_steps_and_the_auctioneer_opens_first() -> None:
    state = on_sale()
    assert (state.acting, stage(state)) == ("Ana", "open")
    assert offered(state, Bid) == [Range(Bid(100, by="Ana"), "amount", 100, 350, 5)]
    second = play(state, Bid(100), Pass(), Pass(), Pass(), ChooseLot("9"))
    assert (second.acting, stage(second)) == ("Ben", "open")


# --- the auction ------------------------------------------------------------------------------


@rule("EU-4.2.1-c")
def test_nobody_bids_or_buys_above_his_cash() -> None:
    state = on_sale()
    assert code(state, Bid(350)) == ""
    assert code(state, Bid(355)) == "bid-above-cash"
    assert cited(state, Bid(355)) == "EU-4.2.1-c"
    raised = play(state, Bid(200))
    assert code(raised, Bid(355)) == "bid-above-cash"
    poor = on_sale(Ana=89)
    falling = passes(poor, 3)
    assert (stage(falling), asked(falling), falling.acting) == ("falling", 90, "Ben")
    assert why(falling, Accept(by="Ana")) == "not-your-turn"


@rule("EU-4.2.1-d")
def test_an_opening_is_at_least_100_and_a_multiple_of_5() -> None:
    state = on_sale()
    assert code(state, Bid(95)) == "opening-too-low"
    assert code(state, Bid(102)) == "opening-step"
    assert cited(state, Bid(95)) == cited(state, Bid(102)) == "EU-4.2.1-d"
    assert code(state, Bid(100)) == ""
    assert code(state, Bid(105)) == ""
    turns = [passes(state, count).acting for count in range(4)]
    assert turns == ["Ana", "Ben", "Cleo", "Dan"]
    assert code(passes(state, 3), Bid(100)) == ""


@rule("EU-4.2.1-e")
def test_who_declined_to_open_may_bid_once_another_opens() -> None:
    state = play(on_sale(), Pass(), Bid(100), Pass(), Pass())
    assert state.acting == "Ana"
    assert code(state, Bid(105)) == ""
    assert play(state, Bid(105), Pass()).companies["8"].owner == "Ana"


@rule("EU-4.2.1-f")
def test_a_raise_is_a_multiple_of_5() -> None:
    state = play(on_sale(), Bid(100))
    assert code(state, Bid(100)) == "raise-too-low"
    assert code(state, Bid(103)) == "raise-too-low"
    assert code(state, Bid(108)) == "raise-step"
    assert cited(state, Bid(100)) == cited(state, Bid(108)) == "EU-4.2.1-f"
    assert code(state, Bid(105)) == ""
    assert code(state, Bid(150)) == ""
    assert code(state, Pass()) == ""


@rule("EU-4.2.1-g")
def test_who_passed_in_an_open_auction_is_out() -> None:
    state = play(on_sale(), Bid(100), Pass(), Bid(105), Pass(), Bid(110))
    assert state.acting == "Cleo"
    assert why(state, Bid(115, by="Ben")) == "not-your-turn"
    raised = play(state, Bid(115))
    assert raised.acting == "Ana"  # Dan and Ben are passed over
    sold = play(raised, Pass())
    assert sold.companies["8"].owner == "Cleo"
    assert sold.players["Cleo"].cash == 235
    assert code(play(sold, ChooseLot("9")), Bid(100)) == ""  # for the next minor all are in again


@rule("EU-4.2.1-c", "EU-4.2.1-h")
def test_a_bid_of_all_ones_cash_stands() -> None:
    """Reported elsewhere as #7432 and #9945: the leader without money left is not thrown out."""
    state = play(on_sale(Ben=105), Bid(100), Bid(105))
    assert state.acting == "Cleo"
    sold = passes(state, 3)
    assert (sold.companies["8"].owner, sold.players["Ben"].cash) == ("Ben", 0)


@rule("EU-A-45")
def test_who_cannot_raise_is_passed_and_the_auction_may_end_at_once() -> None:
    state = on_sale(Ben=104, Cleo=340, Dan=90)
    told = events(state, Bid(340))
    passed = [(event.player, event.forced) for event in told if isinstance(event, Passed)]
    assert passed == [("Ben", True), ("Cleo", True), ("Dan", True)]
    assert LotSold("Ana", "8", 340) in told
    lower = play(state, Bid(100))
    assert lower.acting == "Cleo"  # Ben lacks 1 for 105


# --- the falling price ------------------------------------------------------------------------


@rule("EU-4.2.1-j")
def test_if_nobody_opens_the_minor_is_offered_at_90() -> None:
    state = on_sale()
    assert code(state, Accept()) == "nothing-offered"
    offer = passes(state, 4)
    assert (offer.acting, stage(offer), asked(offer)) == ("Ana", "falling", 90)
    turns = [passes(offer, count).acting for count in range(4)]
    assert turns == ["Ana", "Ben", "Cleo", "Dan"]
    sold = play(offer, Pass(), Accept())
    assert (sold.companies["8"].owner, sold.players["Ben"].cash) == ("Ben", 260)
    assert sold.acting == "Ben"  # next to choose, as the player after Ana


@rule("EU-4.2.1-k")
def test_the_price_falls_by_tens_and_begins_with_the_auctioneer_again() -> None:
    state = passes(on_sale(), 4)
    prices = []
    while asked(state) > 10:
        state = passes(state, 4)
        assert state.acting == "Ana"
        prices.append(asked(state))
    assert prices == [80, 70, 60, 50, 40, 30, 20, 10]
    assert play(state, Pass(), Pass(), Accept()).players["Cleo"].cash == 340


@rule("EU-4.2.1-l")
def test_in_the_falling_stage_there_are_no_bids() -> None:
    state = passes(on_sale(), 4)
    for amount in (90, 95, 100, 200):
        assert code(state, Bid(amount)) == "price-is-fixed"
    assert cited(state, Bid(100)) == "EU-4.2.1-l"
    assert state.options() == (Accept(by="Ana"), Pass(by="Ana"))


@rule("EU-4.2.1-j", "EU-A-45")
def test_who_cannot_afford_the_falling_price_is_passed() -> None:
    """Reported elsewhere as #7089."""
    state = passes(on_sale(Ana=75, Ben=350, Cleo=60, Dan=85), 1)
    assert (state.acting, asked(state)) == ("Ben", 90)
    state = passes(state, 1)
    assert (state.acting, asked(state)) == ("Ben", 80)
    state = passes(state, 1)
    assert (state.acting, asked(state)) == ("Dan", 80)
    state = passes(state, 1)
    assert (state.acting, asked(state)) == ("Ana", 70)
    assert play(state, Accept()).players["Ana"].cash == 5


@rule("EU-4.2.1-m")
def test_if_nobody_pays_10_the_auctioneer_takes_the_minor_for_nothing() -> None:
    """Reported elsewhere as #9662, #7224 and #7160: its token is placed too."""
    state = passes(on_sale("12"), 4 + 9 * 4)
    amsterdam = state.companies["12"]
    assert (amsterdam.owner, state.players["Ana"].cash, state.bank) == ("Ana", 350, 10600)
    assert list(tokens_of(state.board, "12")) == [("D3", 0)]
    assert state.acting == "Ben"


@rule("EU-4.2.1-m")
def test_without_any_money_the_auctioneer_takes_it_all_the_same() -> None:
    broke = cash(game(), Ana=0, Ben=5, Cleo=0, Dan=9)
    told = events(broke, ChooseLot("12"))
    assert PriceFell("12", 0) in told
    assert LotSold("Ana", "12", 0) in told
    assert list(tokens_of(play(broke, ChooseLot("12")).board, "12")) == [("D3", 0)]


# --- after the sale ---------------------------------------------------------------------------


@rule("EU-4.2.1-n")
def test_the_sale_leaves_the_priority_deal_where_it_was() -> None:
    for players in range(2, 7):
        state = sell_all_minors(game(players))
        assert state.priority == "Ana"
        first = pass_until(cash(state, Ana=400), StockRound)
        assert (str(first.round), first.acting) == ("SR 2", "Ana")


@rule("EU-4.2.1-o", "EU-4.2.1-b")
def test_after_the_sale_come_two_operating_rounds() -> None:
    state = sell_all_minors(game())
    assert str(state.round) == "OR 1.1"
    assert all(company.owner for company in state.companies.values() if company.kind == "minor")
    assert state.step == LayTrack("1", 2, 0, 2)
    second = go_on(state, lambda now: now.round.number == 2).state
    assert str(second.round) == "OR 1.2"


@rule("EU-4.2.1-p")
def test_in_the_first_operating_round_a_minor_lays_two_yellow_tiles_and_runs() -> None:
    state = own_minors(game(), {"8": "Ana"})
    first = operate(state, "8", turn=1, number=1)
    one = play(first, LayTile("M16", "202", 1))
    lays = [option for option in offered(one, LayTile) if isinstance(option, LayTile)]
    assert lays
    assert all(one.title.tables.tiles[lay.tile].colour == "yellow" for lay in lays)
    assert str(one.round) == "OR 1.1"
    assert str(play(one, lays[0]).round) == "OR 1.2"  # no third tile, and nowhere to run to
    second = play(operate(state, "8", turn=1, number=2), LayTile("M16", "202", 1))
    assert code(second, lays[0]) == "not-now"
    # Paris to London by way of Lille in two lays, and the 2 train runs there.
    paris = operate(own_minors(game(), {"1": "Ana"}), "1", turn=1, number=1)
    run = play(paris, LayTile("B9", "8", 1), LayTile("B7", "58", 0))
    ran = play(run, plain(run.options()[0]))
    assert (ran.players["Ana"].cash, ran.companies["1"].cash) == (350 + 45, 45)


HOMES = {
    "1": "Paris",
    "2": "Brussels",
    "3": "Paris",
    "4": "Dresden",
    "5": "Venice",
    "6": "Vienna",
    "7": "Berlin",
    "8": "Budapest",
    "9": "Berlin",
    "10": "Milan",
    "11": "Vienna",
    "12": "Amsterdam",
    "13": "Munich",
    "14": "Strasbourg",
    "15": "Lyon",
}
SOUTH, SOUTH_WEST, NORTH, NORTH_EAST, SOUTH_EAST = 0, 1, 3, 4, 5


@rule("EU-4.2.1-q", "EU-4.2.1-i")
def test_each_minor_has_its_home_and_its_place_in_the_order() -> None:
    """Reported elsewhere as #7046 and #7081: Berlin and Vienna the right way round (A-46)."""
    state = sell_all_minors(game())
    tables = state.title.tables
    where = {symbol: next(tokens_of(state.board, symbol)) for symbol in HOMES}
    assert {symbol: tables.hexes[at_].name for symbol, (at_, _) in where.items()} == HOMES
    sides = {}
    for symbol in ("1", "3", "6", "7", "9", "11"):
        hex_id, city = where[symbol]
        tile = tile_at(tables, state.board, hex_id)
        sides[symbol] = {path.a for path in tile.paths if path.b == STOP + city}
    assert state.title.order(state) == list(HOMES)
    assert sides == {
        "1": {NORTH_EAST},
        "3": {SOUTH_EAST},
        "6": {NORTH},
        "7": {SOUTH_WEST},
        "9": {NORTH_EAST},
        "11": {SOUTH},
    }
