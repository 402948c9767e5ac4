"""Shares sold for a train: several blocks, and nothing that makes the purchase impossible."""

from __future__ import annotations

from carril.engine.actions import BuyTrain, GoBankrupt, SellShares
from carril.rules.marker import rule
from tests.rulebook.eu.endgames import buying, for_sale, needy, prices
from tests.table import cash, charter, cited, code, corporation, play

FOUR = BuyTrain("4", "stack", 300)


@rule("EU-A-14")
def test_several_blocks_of_a_corporation_in_one_emergency() -> None:
    state = corporation(needy(), "KPEV", {"Ben": 4, "Ana": 4}, price=100)
    state = buying(cash(state, SNCF=0, Ana=0), "SNCF")  # 300 missing
    after = play(state, SellShares("KPEV", 1))
    assert prices(after, "KPEV") == [90]
    assert code(after, SellShares("KPEV", 3)) == ""  # 200 missing, two bring 180
    done = play(after, SellShares("KPEV", 3), FOUR)
    assert (done.companies["SNCF"].trains, done.players["Ana"].cash) == (("4",), 70)


@rule("EU-A-14", "EU-4.5.1-i")
def test_who_can_pay_sells_nothing_that_makes_it_impossible() -> None:
    """Three at 100 are 300; one at 100 and two at 90, or two at 100 and one at 82, are less."""
    state = corporation(needy(), "KPEV", {"Ben": 4, "Ana": 3}, price=100)
    state = buying(cash(state, SNCF=0, Ana=0), "SNCF")
    assert [code(state, SellShares("KPEV", n)) for n in (1, 2, 3)] == [
        *("sells-too-little", "sells-too-little", "")
    ]
    assert cited(state, SellShares("KPEV", 1)) == "EU-4.5.1-i"
    assert for_sale(state) == {"KPEV": (3, 3)}
    assert code(state, GoBankrupt()) == "can-still-sell"
    assert play(state, SellShares("KPEV", 3), FOUR).players["Ana"].cash == 0
    # With 18 more in hand two and one are just enough; with 17 more they are not.
    assert code(cash(state, Ana=18), SellShares("KPEV", 2)) == ""
    assert code(cash(state, Ana=17), SellShares("KPEV", 2)) == "sells-too-little"


@rule("EU-A-14")
def test_shares_of_all_corporations_count_for_what_can_be_raised() -> None:
    state = corporation(needy(), "KPEV", {"Ben": 4, "Ana": 2}, price=100)
    state = corporation(state, "FS", {"Cleo": 4, "Ana": 2}, price=82)
    state = buying(cash(state, SNCF=0, Ana=0), "SNCF")  # 200 + 164 for 300
    assert for_sale(state) == {"KPEV": (1, 2), "FS": (1, 2)}
    tight = cash(state, SNCF=0, Ana=0)
    tight = charter(tight, "FS", shares={"Cleo": 4, "Ana": 1, "treasury": 5})
    tight = cash(tight, Ana=18)  # 200 + 82 for 282: no share of KPEV may lose value
    assert code(tight, SellShares("KPEV", 1)) == "sells-too-little"
    assert code(tight, SellShares("KPEV", 2)) == ""
    assert code(tight, SellShares("FS", 1)) == ""


@rule("EU-A-14", "EU-4.5.1-i")
def test_who_cannot_pay_anyway_sells_as_they_like() -> None:
    state = corporation(needy(), "KPEV", {"Ben": 4, "Ana": 2}, price=100)
    state = buying(cash(state, SNCF=0, Ana=0), "SNCF")
    assert for_sale(state) == {"KPEV": (1, 2)}
    state = play(state, SellShares("KPEV", 1))
    assert code(state, GoBankrupt()) == "can-still-sell"
    state = play(state, SellShares("KPEV", 1))
    assert code(state, GoBankrupt()) == ""
