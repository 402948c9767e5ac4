"""The final exchange round: whose turn it is, and where each minor may go."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import (
    Accept,
    BuyTrain,
    CloseMinor,
    Decline,
    ExchangeMinor,
    Pass,
)
from carril.engine.events import Passed, RoundBegan
from carril.engine.play import Outcome, resume
from carril.engine.state import Round, State
from carril.engine.steps.operating import OperatingRound
from carril.rules.marker import rule
from carril.titles.eu.common import EUState
from carril.titles.eu.exchange import FinalExchange
from tests.rulebook.eu.endgames import buying, empty_game, exchanging
from tests.table import (
    at,
    cash,
    charter,
    cited,
    code,
    corporation,
    events,
    pass_until,
    plain,
    play,
    stock_round,
    tiles,
    tokens,
)

# Two cities of a yellow hex stand apart, but a company in one is co-located with the other:
# minor 1 and SNCF in Paris, minor 9 and KPEV in Berlin, minor 6 and KKÖ in Vienna.
PARIS = {"A10": (("1",), ("SNCF",))}
BERLIN = {"J5": (("9",), ("KPEV",))}
VIENNA = {"K14": (("KKÖ",), ("6",))}


def three_pairs(owners: dict[str, str], players: int = 3, **more: object) -> State:
    """SNCF of Ana, KPEV of Ben and KKÖ of Cleo, each beside a minor if somebody owns it."""
    state = empty_game(players, "5", owners, **more)
    state = corporation(state, "SNCF", {"Ana": 3, "Ben": 2}, price=100, tokens=4)
    state = corporation(state, "KPEV", {"Ben": 3, "Cleo": 2}, price=90, tokens=4)
    state = corporation(state, "KKÖ", {"Cleo": 3, "Ana": 2}, price=82, tokens=4)
    for minor, place in (("1", PARIS), ("9", BERLIN), ("6", VIENNA)):
        for hex_id, circles in place.items():
            kept = tuple(tuple(c for c in city if c != minor) for city in circles)
            state = tokens(state, **{hex_id: circles if minor in owners else kept})
    return state


def choices(state: State) -> set[tuple[str, str, str]]:
    """What a player may do with each minor: minor, corporation ("" = close), source."""
    found = set()
    for option in map(plain, state.options()):
        if isinstance(option, ExchangeMinor):
            found.add((option.minor, option.company, option.source))
        elif isinstance(option, CloseMinor):
            found.add((option.minor, "", ""))
    return found


# --- when, and whose turn ----------------------------------------------------------------


def _last_turn(buyer: str, owners: dict[str, str]) -> State:
    """Phase 4, OR 2.2, and the last company is about to buy the first 5 train."""
    state = three_pairs(owners)
    left = {**state.depot.left, "3": 0, "4": 0, "5": 3}
    state = charter(state, "SNCF", trains=("4",))
    state = charter(charter(state, "KPEV", trains=("4",)), "KKÖ", trains=("4",))
    state = replace(state, phase="4", depot=replace(state.depot, left=left))
    return buying(cash(state, **{buyer: 500}), buyer.removeprefix("m"), number=2)


@rule("EU-4.2.2-a", "EU-4-c")
def test_the_president_of_the_buyer_of_the_first_5_train_begins() -> None:
    state = _last_turn("KKÖ", {"1": "Ana", "8": "Ana", "9": "Cleo", "13": "Cleo"})
    assert state.priority == "Ana"
    after = pass_until(play(state, BuyTrain("5", "stack", 500)), FinalExchange)
    assert str(after.round) == "FER"
    assert after.acting == "Cleo"
    assert choices(after) == {("9", "KPEV", "treasury"), ("13", "", "")}


@rule("EU-4.2.2-a")
def test_the_owner_of_a_minor_that_bought_the_first_5_train_begins() -> None:
    state = _last_turn("m9", {"1": "Ana", "8": "Ana", "9": "Ben", "13": "Ben"})
    after = pass_until(play(state, BuyTrain("5", "stack", 500)), FinalExchange)
    assert after.acting == "Ben"


@rule("EU-4.2.2-a", "EU-4-c")
def test_a_5_train_in_the_first_operating_round_waits_for_the_second() -> None:
    state = _last_turn("KKÖ", {"1": "Ana", "8": "Ana"})
    state = at(state, *state.agenda, round_=Round("OR", 2, 1))
    after = play(state, BuyTrain("5", "stack", 500))
    after = play(after, Pass()) if str(after.round) == "OR 2.1" else after
    assert str(after.round) == "OR 2.2"
    assert after.step.subject == "1"  # minors still operate
    assert str(pass_until(after, FinalExchange).round) == "FER"


@rule("EU-4.2.2-a")
def test_turns_follow_the_order_of_players() -> None:
    owners = {"8": "Ana", "13": "Ana", "14": "Ben", "15": "Ben", "2": "Cleo", "12": "Cleo"}
    state = exchanging(three_pairs(owners), "Ben")
    turns = []
    while state.round.kind == "FER":
        turns.append(state.acting)
        state = play(state, plain(state.options()[0]))
    assert turns == ["Ben", "Cleo", "Ana"]  # the second minor of each is no choice any more


@rule("EU-4.2.2-b")
@pytest.mark.parametrize("holder", ["Ana", "Ben", "Cleo"])
def test_the_priority_deal_stays_where_it_is(holder: str) -> None:
    owners = {"8": "Ana", "13": "Ana", "14": "Ben", "15": "Ben"}
    state = replace(exchanging(three_pairs(owners), "Ben"), priority=holder)
    assert state.acting == "Ben"
    while state.round.kind == "FER":
        state = play(state, plain(state.options()[0]))
        assert state.priority == holder
    assert (str(state.round), state.acting) == ("SR 3", holder)


def _after_the_set(state: State, first: str, company: str = "") -> Outcome:
    """The last operating round of the set is over; this player's company bought the 5 train."""
    state = replace(
        state,
        round=Round("OR", 2, 2),
        agenda=(OperatingRound(tuple(state.title.order(state))),),
        extra=EUState(exchange="due", exchange_first=first, exchange_company=company),
    )
    return resume(state)


@rule("EU-4.2.2-n", "EU-2-h")
def test_the_final_exchange_is_held_once() -> None:
    state = three_pairs({"8": "Ben", "13": "Ben"})
    for symbol in ("SNCF", "KPEV", "KKÖ"):
        state = charter(state, symbol, trains=("5",))
    state = play(_after_the_set(state, "Ben").state, CloseMinor("8"))
    assert str(state.round) == "SR 3"
    begun = []
    while str(state.round) != "SR 4":
        option = Pass() if state.refusal(Pass()) is None else plain(state.options()[0])
        outcome = state.apply(option)
        begun += [event.round for event in outcome.events if isinstance(event, RoundBegan)]
        state = outcome.state
    assert begun == ["OR 3.1", "OR 3.2", "SR 4"]


@rule("EU-A-33")
def test_if_the_first_player_is_bankrupt_the_next_one_begins() -> None:
    owners = {"8": "Ben", "13": "Ben", "14": "Cleo", "15": "Cleo"}
    state = three_pairs(owners)
    solvent = _after_the_set(state, "Ana")
    assert solvent.events == (
        RoundBegan("FER"),
        Passed("Ana", "exchange", forced=True),  # she has no minor
    )
    ana = replace(state.players["Ana"], bankrupt=True)
    outcome = _after_the_set(replace(state, players={**state.players, "Ana": ana}), "Ana")
    assert outcome.events == (RoundBegan("FER"),)  # it is nobody's turn but Ben's
    assert outcome.state.acting == "Ben"


@rule("EU-A-33")
def test_whoever_leads_the_buyer_when_the_round_begins_is_first() -> None:
    """Cleo's KKÖ buys the first 5 train; Ben leads it when the round begins."""
    owners = {"8": "Ana", "13": "Ana", "14": "Ben", "15": "Ben", "2": "Cleo", "12": "Cleo"}
    state = play(_last_turn("KKÖ", owners), BuyTrain("5", "stack", 500))
    assert pass_until(state, FinalExchange).acting == "Cleo"
    after = pass_until(charter(state, "KKÖ", owner="Ben"), FinalExchange)
    assert after.acting == "Ben"


@rule("EU-A-33")
def test_without_a_president_the_player_after_the_buyer_begins() -> None:
    owners = {"8": "Ana", "13": "Ana", "14": "Ben", "15": "Ben", "2": "Cleo", "12": "Cleo"}
    state = three_pairs(owners)
    assert _after_the_set(state, "Ben", "KKÖ").state.acting == "Cleo"
    gone = charter(state, "KKÖ", owner="", started=False, floated=False)
    assert _after_the_set(gone, "Ana", "KKÖ").state.acting == "Ben"


# --- one minor a turn, in the order its owner likes --------------------------------------


@rule("EU-4.2.2-c")
def test_a_player_with_minors_may_not_pass() -> None:
    state = exchanging(three_pairs({"1": "Ana", "8": "Ana"}))
    assert code(state, Pass()) == "must-exchange"
    assert cited(state, Pass()) == "EU-4.2.2-c"
    assert code(state, CloseMinor("8")) == ""


@rule("EU-4.2.2-c")
def test_one_minor_goes_in_each_turn() -> None:
    owners = {"8": "Ana", "13": "Ana", "4": "Ana", "14": "Ben", "15": "Ben"}
    state = play(exchanging(three_pairs(owners)), CloseMinor("13"))
    assert state.acting == "Ben"
    assert code(state, CloseMinor("8")) == "not-your-minor"
    state = play(state, CloseMinor("15"))
    assert state.acting == "Ana"
    assert choices(state) == {("8", "", ""), ("4", "", "")}


@rule("EU-4.2.2-c")
def test_a_player_without_minors_passes() -> None:
    owners = {"8": "Ana", "13": "Ana", "4": "Ana"}
    state = exchanging(three_pairs(owners))
    told = events(state, CloseMinor("8"))
    assert [event for event in told if isinstance(event, Passed)] == [
        Passed("Ben", "exchange", forced=True),
        Passed("Cleo", "exchange", forced=True),
    ]
    assert play(state, CloseMinor("8")).acting == "Ana"


@rule("EU-4.2.2-c")
def test_a_player_chooses_the_order_of_his_minors() -> None:
    """Reported as #12766: any of one's minors may go first, not the lowest number."""
    state = exchanging(three_pairs({"1": "Ana", "9": "Ana", "6": "Ana", "13": "Ana"}))
    assert {minor for minor, _, _ in choices(state)} == {"1", "6", "9", "13"}
    for minor, company in (("1", "SNCF"), ("6", "KKÖ"), ("9", "KPEV")):
        after = play(state, ExchangeMinor(minor, company, "treasury"))
        assert after.companies[company].held("Ana") == state.companies[company].held("Ana") + 1
    assert play(state, CloseMinor("13")).companies["13"].closed


def _dresden_line(state: State) -> State:
    """Berlin (minor 7) - Dresden (minor 4) - Prague (KBS): Dresden's one circle is in between."""
    state = corporation(state, "KBS", {"Ben": 3, "Cleo": 2}, price=75, tokens=4)
    state = tiles(state, I6=("7", 4), J7=("202", 0), J9=("9", 0), J11=("57", 0))
    return tokens(state, J5=((), ("7",)), J7=(("4",),), J11=(("KBS",),))


@rule("EU-4.2.2-c", "EU-4.2.2-d")
def test_the_order_of_minors_decides_what_they_are_connected_to() -> None:
    """Reported as #12766: minor 4 stands in minor 7's way until it is gone."""
    state = exchanging(_dresden_line(three_pairs({"7": "Ana", "4": "Ana", "8": "Ana"})))
    assert choices(state) == {("7", "", ""), ("4", "KBS", "treasury"), ("8", "", "")}
    for answer in (Accept(), Decline()):
        after = play(state, ExchangeMinor("4", "KBS", "treasury"), answer)
        assert choices(after) == {("7", "KBS", "treasury"), ("8", "", "")}
    assert play(state, CloseMinor("7")).companies["KBS"].held("Ana") == 0


@rule("EU-4.2.2-d")
def test_a_city_full_of_others_cuts_the_line() -> None:
    state = exchanging(_dresden_line(three_pairs({"7": "Ana", "4": "Ben", "8": "Ana"})))
    assert code(state, ExchangeMinor("7", "KBS", "treasury")) == "not-connected-final"
    assert code(state, CloseMinor("7")) == ""
    open_city = tokens(_dresden_line(three_pairs({"7": "Ana", "8": "Ana"})), J7=((),))
    assert code(exchanging(open_city), ExchangeMinor("7", "KBS", "treasury")) == ""
    assert code(exchanging(open_city), CloseMinor("7")) == "minor-connected"


# --- where a minor may go ----------------------------------------------------------------


@rule("EU-4.2.2-d")
def test_a_connected_minor_must_merge() -> None:
    state = exchanging(three_pairs({"1": "Ana", "8": "Ana"}))
    assert code(state, CloseMinor("1")) == "minor-connected"
    assert cited(state, CloseMinor("1")) == "EU-4.2.2-d"
    assert code(state, ExchangeMinor("1", "KPEV", "treasury")) == "not-connected-final"
    assert cited(state, ExchangeMinor("1", "KPEV", "treasury")) == "EU-4.2.2-d"
    assert code(state, ExchangeMinor("1", "SNCF", "treasury")) == ""
    assert choices(state) == {("1", "SNCF", "treasury"), ("8", "", "")}


@rule("EU-4.2.2-d")
def test_every_connected_corporation_is_offered() -> None:
    """Reported as #7125, #7187, #7981 and #10021: co-located and connected ones, all of them."""
    state = three_pairs({"1": "Ana", "8": "Ben", "13": "Ben"})
    state = corporation(state, "NS", {"Ben": 2}, price=75, tokens=4, floated=False, operated=False)
    state = corporation(state, "FS", {"Cleo": 5}, price=70, tokens=4)
    state = tiles(state, A10=("583", 4))
    state = tokens(state, A10=(("1", "SNCF"), ("NS",)), B17=(("FS",),))
    state = exchanging(state)
    assert choices(state) == {("1", "SNCF", "treasury"), ("1", "NS", "treasury")}
    for company in ("SNCF", "NS"):
        assert code(state, ExchangeMinor("1", company, "treasury")) == ""
    assert code(state, ExchangeMinor("1", "FS", "treasury")) == "not-connected-final"
    assert code(state, ExchangeMinor("1", "DR", "treasury")) == "no-such-stock"
    assert code(state, ExchangeMinor("1", "8", "treasury")) == "no-such-stock"


def _through_hamburg(state: State) -> State:
    """Track from Berlin over I6, I4 and H3 to Hamburg, and on over F3 and E4 to Amsterdam."""
    return tiles(
        state,
        I6=("7", 3),
        I4=("8", 0),
        H3=("9", 2),
        F3=("4", 1),
        E4=("8", 2),
        D3=("202", 5),
    )


@rule("EU-4.2.2-d")
def test_a_line_through_hamburg_connects() -> None:
    """Reported as #11299: connection through Hamburg counts for merging."""
    state = three_pairs({"7": "Ana", "8": "Ana"})
    state = corporation(state, "NS", {"Ben": 5}, price=75, tokens=4)
    state = tokens(state, J5=((), ("7",)), D3=(("NS",),))
    assert ("7", "", "") in choices(exchanging(state))
    joined = exchanging(_through_hamburg(state))
    assert choices(joined) == {("7", "NS", "treasury"), ("8", "", "")}
    gap = exchanging(tiles(_through_hamburg(state), H3=("9", 0)))
    assert choices(gap) == {("7", "", ""), ("8", "", "")}


@rule("EU-4.2.2-k")
def test_a_corporation_that_has_operated_takes_minors_now() -> None:
    state = three_pairs({"1": "Ana", "8": "Ana"})
    assert state.companies["SNCF"].operated
    before = stock_round(state)
    assert code(before, ExchangeMinor("1", "SNCF", "treasury")) == "has-operated"
    assert code(exchanging(state), ExchangeMinor("1", "SNCF", "treasury")) == ""
    assert choices(exchanging(state)) == {("1", "SNCF", "treasury"), ("8", "", "")}
