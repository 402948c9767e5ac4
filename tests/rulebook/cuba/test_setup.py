"""Components and set-up of 18Cuba (ledger CUBA-II, CUBA-III, CUBA-SUM, CUBA-V)."""

from __future__ import annotations

import hashlib
import json

import pytest
from msgspec.structs import replace

from carril import start
from carril.engine.market import price
from carril.engine.money import total
from carril.engine.refusals import BadRecord, BadSetup
from carril.engine.registry import title_named
from carril.engine.setups import all_setups
from carril.engine.state import IPO, State
from carril.notation.save import Game, from_values, to_text
from carril.rules import load
from carril.rules.marker import rule
from carril.titles.cuba.common import cuba
from carril.titles.cuba.figures import figures
from tests.rulebook.cuba.opening import auctioned, drafted
from tests.rulebook.cuba.positions import game
from tests.table import NAMES

SETUPS: dict[str, tuple[int, tuple[str, ...]]] = {
    "2e": (2, ("easy", "east")),
    "2h": (2, ("hard",)),
    "2c": (2, ("challenging",)),
    "3e": (3, ("easy",)),
    "3h": (3, ("hard",)),
    "4": (4, ()),
    "5": (5, ()),
    "6": (6, ()),
}
WEST = (2, ("easy", "west"))


def table(name: str) -> State:
    """Return the first position of one of the eight set-ups."""
    players, variants = SETUPS[name]
    return game(players, variants=variants)


def refused(players: int, *variants: str) -> str:
    """Return the line with which a set-up is refused."""
    with pytest.raises(BadSetup) as caught:
        start("18Cuba", (*NAMES, "Gil")[:players], variants=variants)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@rule("CUBA-III-a", "CUBA-C3")
def test_exactly_eight_set_ups_exist() -> None:
    found = {(n, tuple(sorted(v))) for n, v in all_setups(title_named("18Cuba"))}
    plain = {one for one in found if not {"larger-bank", "less-cash"} & set(one[1])}
    wanted = {(players, tuple(sorted(names))) for players, names in (*SETUPS.values(), WEST)}
    assert plain == wanted


@rule("CUBA-III-a")
def test_any_other_number_of_players_or_level_is_refused_in_one_line() -> None:
    assert refused(1) == "18Cuba is for 2 to 6 players, not 1"
    assert refused(7) == "18Cuba is for 2 to 6 players, not 7"
    assert refused(4, "easy") == "18Cuba for 4 players is played with no variant, not easy"
    assert refused(3, "challenging") == (
        "18Cuba for 3 players is played with easy; hard, not challenging"
    )
    assert refused(2) == (
        "18Cuba for 2 players is played with easy and east; easy and west; hard; challenging; "
        "choose one of these"
    )
    assert "not easy and hard" in refused(3, "easy", "hard")
    assert refused(2, "medium").startswith("18Cuba has no variant 'medium'; it has easy, hard")


@rule("CUBA-III-c")
def test_only_the_easy_game_of_two_needs_a_half_and_no_other_has_one() -> None:
    assert "not easy" in refused(2, "easy")
    assert "not east" in refused(2, "east")
    assert "not east and hard" in refused(2, "hard", "east")
    assert "not east and easy and west" in refused(2, "easy", "east", "west")
    assert "not easy and west" in refused(3, "easy", "west")
    assert "not west" in refused(4, "west")
    # G2: 44 land hexes and 14 harbours in every other set-up
    for name in SETUPS:
        whole = len(table(name).tables.hexes) == 44 + 14
        assert whole == (name != "2e")


@rule("CUBA-III-a")
def test_a_save_of_a_set_up_that_does_not_exist_is_refused_in_one_line() -> None:
    values = json.loads(to_text(Game.begin("18Cuba", NAMES[:4])))
    values["variants"] = ["easy"]
    head = {key: values[key] for key in values if key not in ("chain", "actions", "position")}
    text = json.dumps(head, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    values["chain"] = hashlib.sha256(text.encode()).hexdigest()[:32]
    with pytest.raises(BadRecord) as caught:
        from_values(values, name="a file")
    assert "is played with no variant, not easy" in str(caught.value)
    assert "\n" not in str(caught.value)


@rule("CUBA-III-b")
@pytest.mark.parametrize(
    ("name", "count"),
    [("2e", 1), ("2h", 2), ("2c", 3), ("3e", 1), ("3h", 2), ("4", 1), ("5", 1), ("6", 1)],
)
def test_each_player_may_open_one_to_three_minors(name: str, count: int) -> None:
    assert table(name).tables.setup.draft_turns == count


@rule("CUBA-III.1-a")
def test_everything_is_public_but_the_seed() -> None:
    """Two games that differ in their seeds alone look the same once the players are seated."""
    one, other = game(4, seed=1), game(4, seed=2)
    assert one != other
    seed, stream = one.setup.seed, one.stream
    assert replace(other, setup=replace(other.setup, seed=seed), stream=stream) == one


@rule("CUBA-III.1-b")
def test_no_action_moves_cash_or_shares_between_players() -> None:
    """In the stock round of a player no option names another player."""
    state = drafted(game(3, variants=("easy",)), "M1", "M2", "M3")
    assert str(state.round) == "SR 1"
    for option in state.options():
        named = {getattr(option, field) for field in option.__struct_fields__ if field != "by"}
        assert not named & set(state.players)


@rule("CUBA-III.2-a", "CUBA-C2")
@pytest.mark.parametrize(
    ("name", "cash"),
    [
        ("2e", 720),
        ("2h", 880),
        ("2c", 1100),
        ("3e", 700),
        ("3h", 850),
        ("4", 680),
        ("5", 650),
        ("6", 650),
    ],
)
def test_starting_cash_is_that_of_the_last_page(name: str, cash: int) -> None:
    assert {player.cash for player in table(name).players.values()} == {cash}


@rule("CUBA-III.2-b", "CUBA-C1")
def test_the_bank_of_8000_pays_the_starting_cash() -> None:
    assert game(4).bank == 8000 - 4 * 680 == 5280
    for name in SETUPS:
        assert total(table(name)) == 8000


@rule("CUBA-C1", "CUBA-C2")
def test_the_figures_of_section_iii_can_be_chosen() -> None:
    assert total(game(4, variants=("larger-bank",))) == 9000
    five, six = game(5, variants=("less-cash",)), game(6, variants=("less-cash", "larger-bank"))
    assert {player.cash for player in five.players.values()} == {480}
    assert {player.cash for player in six.players.values()} == {400}
    assert six.bank == 9000 - 6 * 400
    assert refused(4, "less-cash") == "18Cuba for 4 players has no variant 'less-cash'"


@rule("CUBA-III.2-e", "CUBA-II-c")
def test_there_are_eighteen_wagons_in_a_supply_of_their_own() -> None:
    left = game(4).depot.left
    assert {name: left[name] for name in ("1w", "2w", "3w")} == {"1w": 8, "2w": 6, "3w": 4}
    # II: 28 narrow cards, the column of six players: 10 + 8 + 6 + 4
    most = game(6).depot.left
    assert [most[name] for name in ("2n", "3n", "4n", "5n")] == [10, 8, 6, 4]
    assert sum(most[name] for name in ("2", "3", "4", "5", "6")) == 12 + 9 + 6 + 4 + 3


@rule("CUBA-III.2-c", "CUBA-III.2-d")
def test_standard_and_narrow_trains_are_separate_supplies_in_order() -> None:
    trains = game(4).tables.trains
    cards = [name for name, train in trains.items() if train.count or train.count < 0]
    standard = [one for one in cards if not trains[one].supply and not trains[one].card]
    assert [one for one in standard if not trains[one].initial] == ["2", "3", "4", "5", "6", "8"]
    assert [one for one in cards if trains[one].supply == "narrow"] == ["2n", "3n", "4n", "5n"]


@rule("CUBA-III.2-f", "CUBA-C52")
def test_ten_shares_of_the_state_railway_are_offered_at_50() -> None:
    state = game(4)
    assert state.companies["FC"].shares == {IPO: 10}
    assert price(state, "FC") == 50


@rule("CUBA-III.2-g")
def test_the_machine_chart_is_full() -> None:
    prices = cuba(game(4)).machine_prices
    assert {name: len(spaces) for name, spaces in prices.items()} == {"1": 12, "2": 8, "3": 4}


@rule("CUBA-III.2-h", "CUBA-G6")
def test_eight_markers_are_on_their_hexes_or_wait_for_them() -> None:
    state = game(4)
    assert state.board.tokens == {"B7": ((), ("FC",))}
    assert figures(state).central.markers == ("B9", "B11", "C14", "D15", "D19", "E22", "G24")
    assert state.companies["FC"].tokens == 7


@rule("CUBA-III.2-i")
def test_eighteen_cubes_are_in_the_supply_and_none_in_a_box() -> None:
    state = game(4)
    assert figures(state).sugar.cubes == 18
    assert not any(cuba(state).cubes.values())


@rule("CUBA-III.2-j")
def test_the_order_is_drawn_from_the_seed() -> None:
    orders = {tuple(start("18Cuba", NAMES[:4], seed=seed).players) for seed in range(40)}
    assert len(orders) > 10
    one, again = (start("18Cuba", NAMES[:4], seed=7) for _ in range(2))
    assert tuple(one.players) == tuple(again.players)
    assert one.priority == one.acting == next(iter(one.players))


@rule("CUBA-III.2-k")
@pytest.mark.parametrize("name", SETUPS)
def test_all_commissioners_and_concessions_are_on_offer(name: str) -> None:
    first = cuba(table(name))
    assert first.commissioners == dict.fromkeys(("K1", "K2", "K3", "K4", "K5", "K6"), "")
    assert first.concessions == dict.fromkeys(("M1", "M2", "M3", "M4", "M5", "M6"), "")


@rule("CUBA-III.2-k")
def test_four_concessions_leave_the_easy_game_of_two() -> None:
    state = drafted(table("2e"), "M2", "M5")
    assert cuba(state).concessions == {"M2": "Ana", "M5": "Ben"}


@rule("CUBA-III.2-l", "CUBA-V-a")
def test_the_game_opens_with_auction_draft_and_share_dealing() -> None:
    state = game(4)
    assert str(state.round) == "Auction"
    state = auctioned(state)
    assert str(state.round) == "Draft"
    state = drafted(game(4), "", "", "", "M1")
    assert str(state.round) == "SR 1"


@rule("CUBA-III.2-m")
def test_only_the_state_railway_has_a_price_and_a_train() -> None:
    state = game(4)
    assert [marker.company for marker in state.markers] == ["FC"]
    assert {s: c.trains for s, c in state.companies.items() if c.trains} == {"FC": ("1",)}
    assert not any(company.cash for company in state.companies.values())


@rule("CUBA-II-a", "CUBA-C51", "CUBA-IV.3-b", "CUBA-IV.4-b")
def test_certificates() -> None:
    """Majors: one of 20% and eight of 10%; minors: one of 40% and three of 20%; FC: ten of 10%."""
    companies = game(4).tables.companies.values()
    count = {"minor": 0, "major": 0, "central": 0}
    for one in companies:
        count[one.kind] += one.units - one.president_units + bool(one.president_units)
    assert count == {"minor": 6 * 4, "major": 8 * 9, "central": 10}
    assert count["major"] + count["central"] == 82
    sizes = {one.kind: (one.units, one.president_units) for one in companies}
    assert sizes == {"minor": (5, 2), "major": (10, 2), "central": (10, 0)}


@rule("CUBA-II-b", "CUBA-IV.3-g", "CUBA-IV.4-f")
def test_tokens() -> None:
    state = game(4)
    own = {c.kind: c.tokens + c.locked for c in state.companies.values() if c.symbol != "FC"}
    assert own == {"minor": 1, "major": 4}
    assert state.companies["FC"].tokens + 1 == 8  # one is in Havana
    costs = {c.station_costs for c in state.tables.companies.values() if c.kind == "major"}
    assert costs == {(40, 60, 80)}


@rule("CUBA-SUM-a")
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("2e", 54),
        ("2h", 98),
        ("2c", 106),
        ("3e", 94),
        ("3h", 106),
        ("4", 98),
        ("5", 102),
        ("6", 106),
    ],
)
def test_share_totals_of_the_last_page(name: str, most: int) -> None:
    """9 for each major in play, 10 of the FC, 4 for each minor that can be opened."""
    state = table(name)
    majors = sum(company.kind == "major" for company in state.companies.values())
    minors = len(state.players) * state.tables.setup.draft_turns
    assert 9 * majors + 10 + 4 * minors == most


@rule("CUBA-IV.1-a")
def test_six_commissioners_with_tile_and_funding() -> None:
    found = {one.symbol: one for one in figures(game(4)).private}
    assert {name: (c.tile.colour, c.tile.kind, c.funding) for name, c in found.items()} == {
        "K1": ("yellow", "plain", 30),
        "K2": ("yellow", "city", 35),
        "K3": ("green", "plain", 40),
        "K4": ("green", "city", 50),
        "K5": ("brown", "plain", 70),
        "K6": ("brown", "city", 80),
    }


@rule("CUBA-IV.2-a", "CUBA-IV.2-e")
def test_costs_and_bonuses_of_the_concessions() -> None:
    found = figures(game(4)).concession
    assert [one.cost for one in found] == [120, 140, 150, 170, 180, 200]
    bonuses = ["", "wagon", "machine", "share", "mail", "discount"]
    assert [one.bonus for one in found] == bonuses


@rule("CUBA-IV.3-a", "CUBA-IV.3-e", "CUBA-C34")
def test_six_minors_that_differ_in_name_and_colour_alone() -> None:
    minors = [one for one in game(4).tables.companies.values() if one.kind == "minor"]
    assert [one.symbol for one in minors] == ["HG", "JU", "HY", "DQ", "CO", "SB"]
    assert {(one.home, one.units, one.tokens, one.gauge) for one in minors} == {
        (None, 5, 1, "narrow")
    }
    colours = {one.colour for one in game(4).tables.companies.values()}
    assert len(colours) == 6 + 8 + 1


@rule("CUBA-IV.4-a", "CUBA-G5")
def test_eight_majors_with_their_homes() -> None:
    majors = [one for one in game(4).tables.companies.values() if one.kind == "major"]
    assert {one.symbol: one.home.hex if one.home else "" for one in majors} == {
        "Oe": "B7",
        "MS": "B9",
        "CVC": "C14",
        "NPP": "D19",
        "SdC": "G24",
        "TSS": "E22",
        "StSp": "D15",
        "FEC": "",
    }


@rule("CUBA-C40")
def test_the_ledger_names_the_two_chapters_nine_and_no_chapter_eight() -> None:
    ids = {entry.id for entry in load("18Cuba").rules}
    chapters = {name.removeprefix("CUBA-").partition("-")[0].partition(".")[0] for name in ids}
    assert {"IXa", "IXb"} <= chapters
    assert not {"VIII", "IX"} & chapters
    assert set(title_named("18Cuba").cites.values()) <= ids
