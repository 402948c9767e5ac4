"""Components, the standard set-up and table rules (ledger ESP-1, ESP-DE-1, ESP-DE-2)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril import start
from carril.engine.actions import Action, BuyShare, BuyTrain, Pass, SellShares, any_of
from carril.engine.board import CLOSED
from carril.engine.events import BankBroken, GameEnded, MoneyPaid, RoundBegan
from carril.engine.hexes import neighbour
from carril.engine.money import total
from carril.engine.network import supply
from carril.engine.refusals import BadSetup
from carril.engine.state import IPO, POOL, State
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.engine.trains import stack_top
from carril.rules.marker import rule
from carril.titles.esp.common import RESERVED, esp
from carril.titles.esp.figures import figures
from carril.titles.esp.reservations import kept
from carril.titles.esp.title import PRIVATES
from tests.rulebook.esp.bidding import auctioned, to_private
from tests.rulebook.esp.positions import extra, game, major, minor, privates, stock_round
from tests.table import NAMES, at, cash, charter, code, events, phase, play, tiles

NORTH = {"FdLR", "FdSB", "CFEA", "CFLG"}
SOUTH = {"N", "MZA", "A", "MCP", "CRB", "ZPB"}
MINORS = {"SC", "CM", "AC", "MZ", "ZP", "MS"}
REMOVED = {"SFVA", "FdC", "GSSR", "AVT", "TBF", "MH", "CSE", "CA"}


def group(state: State, kind: str, region: str) -> set[str]:
    """Return the companies in play of a kind and a map."""
    tables = state.title.tables.companies
    return {s for s in esp(state).in_play if (tables[s].kind, tables[s].region) == (kind, region)}


# --- components -------------------------------------------------------------------------------


@rule("ESP-1.3-a", "ESP-1.5.1-q")
def test_two_maps_are_joined_by_four_passes_that_begin_closed() -> None:
    state = game()
    hexes = state.title.tables.hexes
    assert {h.region for h in hexes.values()} == {"north", "south", "pass"}
    passes = {name for name, h in hexes.items() if h.region == "pass"}
    assert passes == {"D12", "H12", "J10", "L8"}
    assert {p: state.board.tokens[p] for p in passes} == dict.fromkeys(passes, ((CLOSED, CLOSED),))
    for name, hex_def in hexes.items():
        met = {hexes[other].region for other in hex_def.neighbours if other}
        if hex_def.region == "pass":
            assert met == {"north", "south"}
        else:
            assert met <= {hex_def.region, "pass"}, name
    gauges = {
        (tile.side, path.gauge)
        for tile in state.title.tables.tiles.values()
        for path in tile.paths
        if path.gauge != "dual"
    }
    assert gauges == {("north", "narrow"), ("south", "broad")}


@rule("ESP-1.3-b")
def test_there_are_seven_privates_minors_in_the_south_and_majors_on_both_maps() -> None:
    state = game()
    assert tuple(esp(state).privates) == PRIVATES == ("P1", "P2", "P3", "P4", "P5", "P6", "P7")
    kinds = [(c.kind, c.region) for c in state.title.tables.companies.values()]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        ("minor", "south"): 9,
        ("major", "north"): 6,
        ("major", "south"): 9,
    }


@rule("ESP-1.3-c")
def test_the_auction_is_followed_by_stock_and_operating_rounds_by_turns() -> None:
    state = game()
    assert state.round.kind == "Auction"
    state = auctioned(state)
    assert str(state.round) == "SR 1"
    for name, between in (("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("8", 3)):
        found = set_of_rounds(phase(privates(state), name))
        assert found == [*(f"OR 1.{number}" for number in range(1, between + 1)), "SR 2"]
    last = extra(phase(privates(state), "8"), last_rounds="on")
    assert set_of_rounds(last) == ["OR 1.1", "OR 1.2", "OR 1.3", "RENFE"]


def set_of_rounds(state: State) -> list[str]:
    """Let everybody pass; nobody has a company. Return the rounds that begin, or the end."""
    state = play(state, Pass(), Pass(), Pass())
    told = events(state, Pass())
    ended = [event.reason for event in told if isinstance(event, GameEnded)]
    return [event.round for event in told if isinstance(event, RoundBegan)] + ended


@rule("ESP-1.3-d")
def test_the_result_is_cash_and_shares_less_debts() -> None:
    state = cash(privates(game()), Ana=200)
    state = major(state, "MZA", {"Ana": 3}, column=10)
    assert state.title.worth(state, "Ana") == 200 + 3 * 100
    debtor = replace(state.players["Ana"], debt=100)
    owing = replace(state, players={**state.players, "Ana": debtor})
    assert owing.title.worth(owing, "Ana") == 500 - 150  # the debt and half of it


@rule("ESP-1.4-a", "ESP-1.5.1-m")
def test_ten_twos_are_for_sale_besides_the_train_of_private_2() -> None:
    left = game().depot.left
    assert left == {"2": 10, "3": 9, "4": 7, "5": 5, "6": 3, "8": -1}
    assert all(not company.trains for company in game().companies.values())


@rule("ESP-1.4-b", "ESP-1.4-c")
def test_a_major_has_nine_certificates_and_a_minor_one() -> None:
    state = privates(game())
    majors = [c for c in state.title.tables.companies.values() if c.kind == "major"]
    assert len(majors) == 15
    assert {(c.units, c.president_units) for c in majors} == {(10, 2)}
    owned = major(state, "MZA", {"Ana": 10})
    assert owned.title.certificates(owned, "Ana") == 9
    shared = major(state, "MZA", {"Ana": 2, "Ben": 8})
    assert [shared.title.certificates(shared, name) for name in ("Ana", "Ben")] == [1, 8]
    minors = [c for c in state.companies.values() if c.kind == "minor"]
    assert len(minors) == 9
    assert [sum(c.shares.values()) for c in minors] == [1] * 9


@rule("ESP-1.4-d", "ESP-1.4-e", "ESP-DE-1.5-a", "ESP-E15")
@pytest.mark.parametrize(("edition", "southern"), [("de", 5), ("en", 6), ("es", 6)])
def test_station_tokens_of_northern_and_southern_majors(edition: str, southern: int) -> None:
    companies = game(edition=edition).companies
    count = {s: c.tokens + c.locked for s, c in companies.items() if c.kind == "major"}
    assert {count[s] for s in NORTH} == {5}
    assert {count[s] for s in SOUTH} == {southern}


@rule("ESP-1.4-f", "ESP-DE-1.5-c", "ESP-E56")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_three_sides_are_impassable_two_of_them_in_the_north(edition: str) -> None:
    tables = game(edition=edition).title.tables
    barred = set()
    for name, hex_def in tables.hexes.items():
        for edge, joined in enumerate(hex_def.neighbours):
            beside = neighbour(name, edge, tables.orientation)
            if not joined and beside in tables.hexes:
                barred.add((hex_def.region, *sorted((name, beside))))
    own_map = {pair for pair in barred if tables.hexes[pair[2]].region == pair[0]}
    assert own_map == {("north", "G5", "G7"), ("north", "G7", "H6"), ("south", "G29", "H30")}


@rule("ESP-DE-1.5-b", "ESP-E56")
def test_the_stock_of_tiles_by_colour() -> None:
    """No list names the two further yellow tiles of the box, nor the red one (G34)."""
    pieces: dict[str, float] = {}
    for tile in game().title.tables.tiles.values():
        pieces[tile.colour] = pieces.get(tile.colour, 0) + tile.count / (2 if tile.back else 1)
    assert pieces == {"yellow": 87 - 2, "green": 55, "brown": 28, "grey": 7}


# --- the standard set-up ----------------------------------------------------------------------


@rule("ESP-1.5.1-a", "ESP-1.5.1-b")
def test_the_companies_of_the_standard_setup() -> None:
    state = game()
    assert group(state, "major", "north") == NORTH
    assert group(state, "major", "south") == SOUTH
    assert group(state, "minor", "south") == MINORS
    assert {s for s, c in state.companies.items() if c.closed} == REMOVED


@rule("ESP-1.5.1-d")
def test_the_seats_are_drawn_and_the_first_has_the_priority() -> None:
    orders = {tuple(start("18ESP", NAMES[:4], seed).players) for seed in range(40)}
    assert len(orders) > 12
    assert {order[0] for order in orders} == set(NAMES[:4])
    for seed in range(5):
        state = start("18ESP", NAMES[:4], seed)
        assert state.priority == state.acting == next(iter(state.players))


@rule("ESP-1.5.1-e", "ESP-E2")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_the_starting_cash_depends_on_the_number_of_players(edition: str) -> None:
    for players, amount in {3: 860, 4: 650, 5: 520, 6: 440}.items():
        state = game(players, edition=edition)
        assert [p.cash for p in state.players.values()] == [amount] * players


@rule("ESP-1.5.1-f", "ESP-DE-2.1-a", "ESP-E1")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_fewer_than_three_or_more_than_six_players_are_refused(edition: str) -> None:
    for players in (1, 2, 7):
        with pytest.raises(BadSetup, match="3 to 6 players"):
            start("18ESP", (*NAMES, "Gus")[:players], edition=edition)
    # the German figures for two are kept until the text of that variant is known
    assert figures(game()).two_players.cash == 500


@rule("ESP-1.5.1-g")
def test_the_bank_never_breaks() -> None:
    state = game(3)
    assert state.bank == -3 * 860
    state = major(cash(privates(state), Ana=0), "MZA", {"Ana": 6}, column=41)
    sale = stock_round(replace(state, bank=-100_000)).apply(SellShares("MZA", 4))
    assert sale.state.players["Ana"].cash == 4 * 400
    assert not sale.state.broken
    assert not any(isinstance(event, BankBroken) for event in sale.events)
    assert sale.state.acting == "Ana"


@rule("ESP-1.5.1-h")
def test_players_deal_with_the_bank() -> None:
    state = major(cash(privates(game()), Ana=500), "MZA", {"Ana": 3, "Ben": 2, POOL: 2}, column=10)
    state = stock_round(phase(state, "3"))
    for action, source, target in (
        (BuyShare("MZA", IPO), "Ana", "bank"),
        (BuyShare("MZA", POOL), "Ana", "bank"),
        (SellShares("MZA", 1), "bank", "Ana"),
    ):
        paid = [event for event in events(state, action) if isinstance(event, MoneyPaid)]
        assert [(event.source, event.target) for event in paid] == [(source, target)]


@rule("ESP-1.5.1-i", "ESP-1.6-b", "ESP-E55")
def test_no_action_moves_money_shares_or_privates_between_players() -> None:
    state = major(cash(privates(game(), P1="Ben"), Ana=500), "MZA", {"Ben": 4, "Ana": 2})
    state = stock_round(phase(state, "3"))
    assert code(state, BuyShare("MZA", "Ben")) == "no-share-there"
    assert code(state, BuyShare("MZA", IPO)) == ""
    # whatever is promised at the table: no kind of action has another player as its object
    fields = {name for kind in any_of(Action).__args__ for name in kind.__struct_fields__}
    assert not fields & {"player", "target", "to", "buyer", "deal", "recipient"}


@rule("ESP-1.5.1-j", "ESP-DE-2.1-c", "ESP-E14")
@pytest.mark.parametrize(("edition", "kept"), [("de", 0), ("en", 1), ("es", 1)])
def test_a_share_of_each_southern_major_is_reserved(edition: str, kept: int) -> None:
    state = game(edition=edition)
    for symbol in SOUTH:
        company = state.companies[symbol]
        assert (company.held(RESERVED), company.held(IPO)) == (kept, 10 - kept)
    for symbol in NORTH:
        assert state.companies[symbol].held(IPO) == 10
    if kept:  # 20% director, 70% in ordinary shares
        assert state.companies["MZA"].held(IPO) == 2 + 7


@rule("ESP-1.5.1-k")
@pytest.mark.parametrize(("edition", "left"), [("de", 9), ("en", 8), ("es", 8)])
def test_zafra_huelva_carries_a_share_of_crb(edition: str, left: int) -> None:
    state = game(edition=edition)
    assert esp(state).share_6 == "CRB"
    sold = auctioned(state)
    company = sold.companies["CRB"]
    assert company.held(IPO) == left  # with the director's 20%: 60% ordinary shares in EN, ES
    assert sum(company.held(name) for name in sold.players) == 1


@rule("ESP-1.5.1-l")
def test_a_northern_director_is_drawn_for_private_7() -> None:
    drawn = {esp(game(seed=seed)).director_7 for seed in range(60)}
    assert drawn == NORTH


@rule("ESP-1.5.1-n", "ESP-DE-2.1-b")
@pytest.mark.parametrize(("edition", "tenders"), [("de", 6), ("en", 5), ("es", 5)])
def test_the_tenders_that_lie_with_private_5(edition: str, tenders: int) -> None:
    state = game(edition=edition)
    # one of them goes with the private itself, the others are for sale
    assert esp(state).tenders_private + 1 == tenders
    assert (esp(state).tenders_pool, esp(state).tenders) == (0, ())


@rule("ESP-1.5.1-o")
def test_only_the_top_of_the_deck_is_for_sale() -> None:
    state = privates(game())
    assert list(state.depot.left) == ["2", "3", "4", "5", "6", "8"]
    state = cash(major(state, "MZA", {"Ana": 4}), MZA=2000)
    state = replace(state, depot=replace(state.depot, left={**state.depot.left, "2": 1}))
    buying = at(state, TrainStep("MZA"))
    assert code(buying, BuyTrain("3", "stack", 200)) == "not-on-top"
    after = play(buying, BuyTrain("2", "stack", 100))
    assert stack_top(after) == "3"
    assert code(after, BuyTrain("2", "stack", 100)) == "not-on-top"
    assert code(after, BuyTrain("3", "stack", 200)) == ""


@rule("ESP-1.5.1-p")
@pytest.mark.parametrize(
    ("card", "narrow"),
    [("2", "1+2"), ("3", "2+3"), ("4", "3+4"), ("5", "4+5"), ("6", "5+6"), ("8", "6+8")],
)
def test_a_card_is_sold_on_either_side_at_one_price(card: str, narrow: str) -> None:
    tables = game().title.tables.trains
    assert tables[narrow].card == card
    assert tables[narrow].price == tables[card].price
    state = phase(privates(game()), card)
    state = at(cash(major(state, "MZA", {"Ana": 4}), MZA=2000), TrainStep("MZA"))
    price = tables[card].price
    for side in (card, narrow):
        bought = play(state, BuyTrain(side, "stack", price))
        assert bought.companies["MZA"].trains == (side,)
        assert bought.depot.left[card] in (state.depot.left[card] - 1, -1)


@rule("ESP-1.5.1-r", "ESP-1.5.1-s")
def test_both_faces_of_a_piece_are_used_up_together() -> None:
    state = game()
    tables = state.title.tables
    assert supply(tables, state.board)["3"] == supply(tables, state.board)["72"] == 3
    north = tiles(state, A3=("72", 0), B4=("72", 0), D2=("72", 0))
    assert supply(tables, north.board)["3"] == supply(tables, north.board)["72"] == 0
    green = tiles(north, A3=("L101", 0))  # the replaced tile is back in the stock
    assert supply(tables, green.board)["3"] == 1


@rule("ESP-DE-2.1-d", "ESP-E57")
def test_the_order_cards_and_no_marker_decide_who_begins() -> None:
    state = cash(to_private(game(), "P7"), Ana=400, Ben=300, Cleo=600, Dan=500)
    dealt = auctioned(state)  # Cleo opens and wins private 7 for 170
    assert list(dealt.players) == ["Ben", "Ana", "Cleo", "Dan"]
    assert dealt.acting == "Ben"
    moved = replace(state, priority="Dan")
    assert auctioned(moved).acting == "Ben"


# --- at the table -----------------------------------------------------------------------------


@rule("ESP-1.6-a")
def test_every_peseta_and_every_share_is_seen_in_the_position() -> None:
    state = game()
    assert total(state) == 0
    state = auctioned(state)
    assert total(state) == 0
    for company in state.companies.values():
        units = state.title.tables.companies[company.symbol].units
        assert sum(company.shares.values()) == units
        assert set(company.shares) <= {IPO, POOL, RESERVED, *state.players}


@rule("ESP-1.6-c")
def test_a_new_director_changes_nothing_that_the_company_owns() -> None:
    state = major(privates(game(), P3="MZA"), "MZA", {"Ana": 4, "Ben": 3}, trains=("3",))
    state = extra(cash(state, MZA=345, Ana=10), tenders=("MZA",))
    sold = play(stock_round(phase(state, "3")), SellShares("MZA", 2))
    before, after = state.companies["MZA"], sold.companies["MZA"]
    assert (before.owner, after.owner) == ("Ana", "Ben")
    assert (after.cash, after.trains, after.tokens) == (345, ("3",), before.tokens)
    assert (esp(sold).privates, esp(sold).tenders) == ({"P3": "MZA"}, ("MZA",))
    assert sold.players["Ben"].cash == state.players["Ben"].cash


@rule("ESP-1.5.1-c")
def test_home_circles_of_removed_companies_are_free_for_anybody() -> None:
    state = minor(privates(game()), "CM", "Ana")
    tables = state.title.tables.companies
    homes = {s: tables[s].home for s in REMOVED}
    alone = {"I29": "GSSR", "K25": "AVT", "L22": "TBF", "E21": "MH", "H32": "CSE"}
    for hex_id, symbol in alone.items():
        home = homes[symbol]
        assert home is not None
        assert home.hex == hex_id
        assert not kept(state, "MZA", hex_id, 0)
    assert kept(state, "MZA", "E33", 0)  # the home of A, which is in play and has not begun
    assert not kept(charter(state, "A", operated=True), "MZA", "E33", 0)


def test_no_player_is_called_like_a_place_where_shares_lie() -> None:
    for name in ("ipo", "Reserved", "pool", "bank", "MZA"):
        with pytest.raises(BadSetup, match="cannot be called"):
            start("18ESP", ("Ana", "Ben", name))
