"""Starting a corporation: its certificate, its minor or base token, its first money."""

from __future__ import annotations

import pytest

from carril.engine.actions import (
    BuyShare,
    ExchangeMinor,
    MergeMinor,
    Pass,
    PlaceToken,
    SellShares,
    StartCompany,
)
from carril.engine.market import price
from carril.engine.state import Marker, State
from carril.rules.marker import rule
from tests.table import (
    cash,
    charter,
    cited,
    code,
    corporation,
    game,
    offered,
    own_minors,
    phase,
    play,
    stock_round,
    tokens,
)

CITY_HEXES = "B17 C8 D3 D13 E18 G12 H19 J7 M16 B19 D7 D19 E6 E20 F9 I18 J11".split()
TWO_CITIES = "A10 J5 K14".split()


def early() -> State:
    """Ana owns minors 8 and 15, Ben owns 1; stock round 2 in phase 2, Ana to act."""
    state = own_minors(game(), {"8": "Ana", "15": "Ana", "1": "Ben"})
    return stock_round(cash(state, Ana=500, Ben=500, Cleo=500, Dan=500))


def late(**amounts: int) -> State:
    """No minors left; a stock round in phase 5, Ana to act."""
    state = phase(own_minors(game(), {}), "5")
    return stock_round(cash(state, **({"Ana": 500, "Ben": 500, "Cleo": 500} | amounts)), turn=5)


def full_map(state: State, *free: str) -> State:
    """Fill every city circle of the map with tokens of the DR, except in some hexes."""
    one = {at: (("DR",),) for at in CITY_HEXES if at not in free}
    two = {at: (("DR",), ("DR",)) for at in TWO_CITIES if at not in free}
    return tokens(state, **one, **two)


@rule("EU-4.1.3-a")
def test_a_start_costs_twice_the_starting_value() -> None:
    before = early()
    after = play(before, StartCompany("FS", 82), MergeMinor("8"))
    assert before.players["Ana"].cash - after.players["Ana"].cash == 164
    assert after.companies["FS"].owner == "Ana"
    assert after.companies["FS"].par == 82
    assert price(after, "FS") == 82


@rule("EU-4.1.3-a")
def test_a_corporation_is_started_only_once() -> None:
    state = play(early(), StartCompany("FS", 82), MergeMinor("8"))
    assert state.acting == "Ben"
    assert code(state, StartCompany("FS", 100)) == "already-started"
    assert cited(state, StartCompany("FS", 100)) == "EU-4.1.3-a"
    assert code(state, StartCompany("NS", 100)) == ""


@rule("EU-4.1.3-b")
def test_a_new_price_token_goes_under_those_on_the_space() -> None:
    state = own_minors(game(), {"8": "Ana", "15": "Ana"})
    state = corporation(state, "DR", {"Ben": 5}, price=82, tokens=4)
    state = tokens(state, J7=(("DR",),))
    state = stock_round(cash(state, Ana=500))
    after = play(state, StartCompany("FS", 82), MergeMinor("8"))
    assert after.markers == (Marker("DR", 3, 3), Marker("FS", 3, 3))
    floated = charter(after, "FS", floated=True)
    assert floated.title.order(floated) == ["15", "DR", "FS"]


@rule("EU-4.1.3-c")
def test_a_start_must_be_paid_in_full() -> None:
    state = cash(early(), Ana=199)
    assert code(state, StartCompany("FS", 100)) == "start-too-dear"
    assert cited(state, StartCompany("FS", 100)) == "EU-4.1.3-c"
    assert code(state, StartCompany("FS", 90)) == ""
    assert code(cash(state, Ana=200), StartCompany("FS", 100)) == ""


@rule("EU-4.1.3-d")
def test_before_phase_5_the_starter_exchanges_a_minor_at_once_and_holds_30_percent() -> None:
    state = play(early(), StartCompany("FS", 82))
    assert state.acting == "Ana"
    assert {o.minor for o in state.options() if isinstance(o, MergeMinor)} == {"8", "15"}
    assert code(state, Pass()) == "not-now"
    assert code(state, MergeMinor("1")) == "not-your-minor"
    after = play(state, MergeMinor("15"))
    assert after.companies["FS"].held("Ana") == 3
    assert after.companies["FS"].held("treasury") == 7
    assert after.companies["15"].closed
    assert not after.companies["8"].closed
    assert after.acting == "Ben"


def test_the_starter_is_asked_where_the_home_token_goes() -> None:
    """With several minors the place of the first token is a choice (reported as #7414)."""
    state = play(early(), StartCompany("FS", 82))
    assert state.board.tokens["M16"] == (("8",),)
    in_lyon = play(state, MergeMinor("15"))
    in_budapest = play(state, MergeMinor("8"))
    assert in_lyon.board.tokens["B17"] == (("FS",),)
    assert in_budapest.board.tokens["M16"] == (("FS",),)


@rule("EU-4.1.3-e")
def test_before_phase_5_a_player_without_a_minor_starts_nothing() -> None:
    state = play(early(), StartCompany("DR", 70), MergeMinor("8"), BuyShare("DR", "treasury"))
    assert state.acting == "Cleo"
    assert code(state, StartCompany("FS", 70)) == "no-minor"
    assert cited(state, StartCompany("FS", 70)) == "EU-4.1.3-e"
    assert offered(state, StartCompany) == []
    assert code(stock_round(state, "Ben"), StartCompany("FS", 70)) == ""


@rule("EU-4.1.3-f")
def test_only_a_start_gives_two_certificates_in_one_turn() -> None:
    state = early()
    ana = state.title.certificates(state, "Ana")
    started = play(state, StartCompany("FS", 82), MergeMinor("8"))
    assert started.companies["FS"].held("Ana") == 3
    # two minors before; then one minor, the president's certificate and a single share
    assert (ana, started.title.certificates(started, "Ana")) == (2, 3)
    # an ordinary purchase gives one, and the turn is over: no second, no exchange
    bought = play(started, BuyShare("FS", "treasury"))
    assert bought.companies["FS"].held("Ben") == 1
    assert bought.acting == "Cleo"
    for more in (BuyShare("FS", "treasury", by="Ben"), ExchangeMinor("1", "FS", "pool", by="Ben")):
        refused = bought.refusal(more)
        assert refused is not None
        assert refused.code == "not-your-turn"


@rule("EU-4.3-a", "EU-4.3-b", "EU-4.4.2-f")
def test_the_minors_cash_trains_and_token_go_to_the_new_corporation() -> None:
    state = charter(cash(early(), m8=134), "8", trains=("2", "2"))
    bank = state.bank
    after = play(state, StartCompany("KKÖ", 100), MergeMinor("8"))
    corporation_ = after.companies["KKÖ"]
    assert corporation_.cash == 200 + 134 - 100
    assert corporation_.trains == ("2", "2")
    assert after.board.tokens["M16"] == (("KKÖ",),)
    assert corporation_.tokens == 4
    assert after.bank == bank + 100


@rule("EU-A-2")
@pytest.mark.parametrize("late_start", [False, True])
def test_tokens_are_paid_for_when_the_corporation_is_started(late_start: bool) -> None:
    if late_start:
        state = play(late(), StartCompany("KKÖ", 75), PlaceToken("M16", 0))
    else:
        state = play(early(), StartCompany("KKÖ", 75), MergeMinor("8"))
    assert state.companies["KKÖ"].cash == 150 - 100
    assert not state.companies["KKÖ"].floated
    assert state.companies["KKÖ"].tokens == 4


@rule("EU-4.3-c")
def test_a_merged_minor_is_gone_for_good() -> None:
    state = play(early(), StartCompany("FS", 82), MergeMinor("8"))
    minor = state.companies["8"]
    assert minor.closed
    assert (minor.owner, minor.cash, minor.trains) == ("", 0, ())
    assert all("8" not in city for circles in state.board.tokens.values() for city in circles)
    assert "8" not in state.title.order(state)
    again = stock_round(state, "Ana")
    assert code(again, ExchangeMinor("8", "FS", "treasury")) == "not-your-minor"
    assert code(play(again, StartCompany("NS", 70)), MergeMinor("8")) != ""


@rule("EU-4.3-s", "EU-A-31")
def test_from_phase_5_a_start_takes_no_minor_but_places_a_base_token() -> None:
    state = play(late(), StartCompany("NS", 100))
    places = {(o.hex, o.city) for o in state.options() if isinstance(o, PlaceToken)}
    # every city is free: the unbuilt ones, and both circles of Paris, Berlin and Vienna
    expected = {(at, 0) for at in CITY_HEXES + TWO_CITIES} | {(at, 1) for at in TWO_CITIES}
    assert places == expected
    assert offered(state, MergeMinor) == []
    after = play(state, PlaceToken("E6", 0))
    assert after.board.tokens["E6"] == (("NS",),)
    assert after.companies["NS"].held("Ana") == 2
    assert after.companies["NS"].tokens == 4
    assert not after.companies["NS"].floated


@rule("EU-4.3-s")
def test_a_base_token_needs_an_open_circle() -> None:
    state = tokens(late(), E6=(("DR",),), J5=(("DR",), ()))
    state = play(state, StartCompany("NS", 100))
    assert code(state, PlaceToken("E6", 0)) == "no-free-base"
    assert cited(state, PlaceToken("E6", 0)) == "EU-4.3-s"
    assert code(state, PlaceToken("J5", 0)) == "no-free-base"
    assert code(state, PlaceToken("J5", 1)) == ""
    assert code(state, PlaceToken("D7", 0)) == ""


@rule("EU-A-31")
@pytest.mark.parametrize("place", ["G2", "A6", "D1", "B7"])
def test_hamburg_and_other_places_without_a_circle_take_no_base_token(place: str) -> None:
    state = play(late(), StartCompany("NS", 100))
    assert code(state, PlaceToken(place, 0)) == "no-free-base"


@rule("EU-4.3-s")
def test_without_an_open_circle_nothing_can_be_started() -> None:
    state = full_map(late())
    assert code(state, StartCompany("NS", 100)) == "no-open-city"
    assert cited(state, StartCompany("NS", 100)) == "EU-4.3-s"
    assert offered(state, StartCompany) == []
    one_free = full_map(late(), "E20")
    one_free = play(one_free, StartCompany("NS", 100))
    # one possible place only: the token is there already
    assert one_free.board.tokens["E20"] == (("NS",),)


@rule("EU-4.3-t", "EU-4.3-u", "EU-4.3-v")
def test_from_phase_5_the_bank_takes_the_last_five_shares() -> None:
    state = play(late(), StartCompany("NS", 100), PlaceToken("E6", 0))
    assert state.companies["NS"].cash == 100
    state = play(state, BuyShare("NS", "treasury"), BuyShare("NS", "treasury"))
    assert state.companies["NS"].cash == 300
    assert not state.companies["NS"].floated
    state = play(cash(state, Dan=500), BuyShare("NS", "treasury"))
    after = state.companies["NS"]
    assert after.floated
    assert after.cash == 900
    assert (after.held("pool"), after.held("treasury")) == (5, 0)
    assert price(state, "NS") == 100
    # the five in the pool are ordinary pool shares: the bank gets the money
    bank = state.bank
    bought = play(state, BuyShare("NS", "pool"))
    assert bought.companies["NS"].cash == 900
    assert bought.bank == bank + 100
    full = charter(cash(state, Ben=500), "NS", operated=True)
    assert code(stock_round(full, "Ben"), SellShares("NS", 1)) == "pool-full"


@rule("EU-4.3-u")
@pytest.mark.parametrize("value", [70, 75, 82, 90, 100])
def test_a_late_corporation_is_worth_ten_times_its_starting_value(value: int) -> None:
    state = play(late(), StartCompany("NS", value), PlaceToken("E6", 0))
    state = cash(state, Dan=500)
    for _ in range(3):
        state = play(state, BuyShare("NS", "treasury"))
    assert state.companies["NS"].cash == 10 * value - 100
