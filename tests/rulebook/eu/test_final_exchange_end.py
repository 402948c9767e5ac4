"""The final exchange round: trains above the limit, its end, and what follows."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.actions import (
    Accept,
    CloseMinor,
    Decline,
    DiscardTrain,
    ExchangeMinor,
    LayTile,
    Pass,
    SellShares,
)
from carril.engine.board import tokens_of
from carril.engine.events import (
    PriceMoved,
    TrainDiscarded,
)
from carril.engine.money import total
from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.track import LayTrack
from carril.rules.marker import rule
from tests.rulebook.eu.endgames import berlin, empty_game, exchanging, prices
from tests.table import (
    charter,
    code,
    corporation,
    events,
    offered,
    operate,
    pass_until,
    plain,
    play,
    stock_round,
    tiles,
    tokens,
)

MERGE = ExchangeMinor("9", "KPEV", "treasury")


# --- trains above the limit, and the end of the round ------------------------------------


def _crowded() -> State:
    """KPEV and SNCF get one train too many; SNCF stands higher. Ana and Cleo lead them."""
    owners = {"9": "Ana", "1": "Ben", "8": "Ana", "13": "Ben"}
    state = berlin({"Ana": 5}, owners, trains=("5", "4"), tokens=0)
    state = corporation(state, "SNCF", {"Cleo": 5}, price=100, trains=("5", "P"), tokens=0)
    state = tokens(state, A10=(("1",), ("SNCF",)))
    return exchanging(charter(state, "1", trains=("4",)))


@rule("EU-4.2.2-m")
def test_trains_above_the_limit_are_kept_during_the_round() -> None:
    state = play(_crowded(), MERGE)
    assert state.round.kind == "FER"
    assert state.acting == "Ben"
    assert state.companies["KPEV"].trains == ("5", "4", "3")
    state = play(state, ExchangeMinor("1", "SNCF", "treasury"))
    # what is left closes by itself, and the discards begin with SNCF, the higher price
    told = events(play(_crowded(), MERGE), ExchangeMinor("1", "SNCF", "treasury"))
    assert [event for event in told if isinstance(event, TrainDiscarded)] == [
        TrainDiscarded("SNCF", "P")
    ]
    assert state.companies["SNCF"].trains == ("5", "4")


@rule("EU-4.2.2-m", "EU-4.2.2-n")
def test_at_the_end_each_president_chooses_what_to_discard() -> None:
    state = play(_crowded(), MERGE, ExchangeMinor("1", "SNCF", "treasury"))
    assert isinstance(state.step, DiscardTrains)
    assert (state.round.kind, state.acting) == ("FER", "Ana")
    assert {plain(o) for o in offered(state, DiscardTrain)} == {
        DiscardTrain(name, by="Ana") for name in ("3", "4", "5")
    }
    assert code(state, DiscardTrain("6")) == "no-such-train-owned"
    after = play(state, DiscardTrain("4"))
    assert after.companies["KPEV"].trains == ("5", "3")
    assert str(after.round) == "SR 3"


@rule("EU-4.2.2-m")
def test_discards_go_in_operating_order() -> None:
    for higher, lower in (("KPEV", "SNCF"), ("SNCF", "KPEV")):
        owners = {"8": "Ana", "13": "Ana"}
        state = empty_game(3, "5", owners)
        state = corporation(state, higher, {"Ben": 5}, price=100, trains=("5", "4", "3"))
        state = corporation(state, lower, {"Cleo": 5}, price=90, trains=("5", "4", "3"))
        state = play(exchanging(state), CloseMinor("8"))
        assert state.step.subject == higher
        state = play(state, DiscardTrain("3"))
        assert state.step.subject == lower
        assert play(state, DiscardTrain("3")).round.kind == "SR"


@rule("EU-4.2.2-m")
def test_a_pullman_is_the_first_to_go() -> None:
    """Reported as #7236 and #7251: also in the final exchange a Pullman goes before a train."""
    state = empty_game(3, "5", {"8": "Ana", "13": "Ana"})
    state = corporation(state, "KPEV", {"Ben": 5}, trains=("5", "P", "4", "3"))
    state = play(exchanging(state), CloseMinor("8"))
    assert state.companies["KPEV"].trains == ("5", "4", "3")  # no choice, so no question
    assert play(state, DiscardTrain("5")).companies["KPEV"].trains == ("4", "3")


@rule("EU-4.2.2-m")
def test_a_merger_elsewhere_leaves_the_pullman_of_others_alone() -> None:
    """Reported as #8398: only the corporation that merges is touched, and only at the end."""
    state = corporation(berlin({"Ben": 5}), "SNCF", {"Cleo": 5}, price=100, trains=("5", "P"))
    after = play(exchanging(state), MERGE, Decline())
    while after.round.kind == "FER":
        after = play(after, plain(after.options()[0]))
    assert after.companies["SNCF"].trains == ("5", "P")


@rule("EU-4.2.2-n", "EU-4.2.2-p")
def test_after_the_last_minor_comes_the_stock_round_and_then_corporations_only() -> None:
    state = exchanging(berlin({"Ben": 5}))
    after = play(state, MERGE, Decline())  # minor 8 then closes by itself
    assert str(after.round) == "SR 3"
    assert all(c.closed for c in after.companies.values() if c.kind == "minor")
    assert after.title.order(after) == ["KPEV"]
    after = pass_until(after, LayTrack)
    assert (str(after.round), after.step.subject) == ("OR 3.1", "KPEV")


@rule("EU-4.2.2-n", "EU-4.2.2-d")
def test_the_round_has_no_dead_end_with_all_fifteen_minors() -> None:
    """Reported as #7125 and #10021: at every point something is legal, and the round ends."""
    names = ("Ana", "Ben", "Cleo")
    owners = {str(number): names[number % 3] for number in range(1, 16)}
    for choice in (0, -1):
        state = empty_game(3, "5", owners)
        state = corporation(state, "KBS", {"Ben": 6, "Ana": 3}, price=75, tokens=1)
        state = corporation(state, "FS", {"Cleo": 4}, price=70, floated=False, tokens=4)
        state = tiles(state, I6=("7", 4), J7=("202", 0), J9=("9", 0), J11=("57", 0))
        state = tokens(state, J11=(("KBS",),), H19=(("FS",),))
        state = charter(state, "5", closed=True, owner="")
        state, steps = exchanging(state), 0
        while state.round.kind == "FER":
            assert state.options()
            state, steps = play(state, plain(state.options()[choice])), steps + 1
        assert str(state.round) == "SR 3"
        assert 0 < steps < 40
        assert total(state) == 12000
        assert all(c.closed for c in state.companies.values() if c.kind == "minor")


# --- over 60%, two tokens in a hex, no rise ----------------------------------------------


@rule("EU-4.2.2-o")
def test_an_exchange_may_bring_a_player_over_60_percent_and_he_sells_later() -> None:
    state = exchanging(berlin({"Ana": 6, "Ben": 2}))
    after = play(state, MERGE, Decline())
    assert after.companies["KPEV"].held("Ana") == 7
    assert (str(after.round), after.acting) == ("SR 3", "Ana")
    assert code(after, Pass()) == "must-sell"
    assert code(after, SellShares("KPEV", 1)) == ""


@rule("EU-4.2.2-o")
def test_over_60_percent_of_an_unoperated_corporation_is_kept() -> None:
    """Reported as #9987: the duty to sell must not lock the game."""
    state = exchanging(berlin({"Ana": 6, "Ben": 2}, operated=False))
    after = play(state, MERGE, Decline())
    assert after.companies["KPEV"].held("Ana") == 7
    assert code(after, SellShares("KPEV", 1)) == "not-operated"
    assert code(after, Pass()) == ""


@rule("EU-4.2.2-o")
def test_two_tokens_in_one_hex_stay_until_the_brown_tile_joins_the_cities() -> None:
    """Reported as #7108: the surplus token returns to the charter only then."""
    state = tiles(berlin({"Ben": 5}), J5=("581", 4))
    state = tokens(state, J5=(("9",), ("KPEV",), ()))
    state = play(exchanging(state), MERGE, Accept())
    assert list(tokens_of(state.board, "KPEV")) == [("J5", 0), ("J5", 1)]
    assert state.companies["KPEV"].tokens == 3
    state = operate(state, "KPEV", turn=3)
    brown = [o for o in offered(state, LayTile) if isinstance(o, LayTile) and o.tile == "584"]
    after = play(state, brown[0])
    assert list(tokens_of(after.board, "KPEV")) == [("J5", 0)]
    assert after.companies["KPEV"].tokens == 4


@rule("EU-A-34")
def test_nothing_rises_after_the_final_exchange() -> None:
    state = berlin({"Ben": 5, "Cleo": 4}, price=90)
    state = exchanging(state)
    told = (*events(state, MERGE), *events(play(state, MERGE), Decline()))
    after = play(state, MERGE, Decline())
    assert after.companies["KPEV"].shares == {"Ben": 5, "Cleo": 4, "Ana": 1}  # sold out
    assert not [event for event in told if isinstance(event, PriceMoved)]
    assert (str(after.round), prices(after, "KPEV")) == ("SR 3", [90])
    after = stock_round(replace(after, agenda=()), "Ana", turn=3)
    while after.round.kind == "SR":
        after = play(after, Pass())
    assert prices(after, "KPEV") == [100]  # the stock round does raise it
