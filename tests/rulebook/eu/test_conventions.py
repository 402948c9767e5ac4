"""Where 18xx.games differs: each situation once by the rulebook, once with that field changed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import fields, replace

from carril.engine.actions import (
    Accept,
    BuyShare,
    CloseMinor,
    DiscardTrain,
    ExchangeMinor,
    LayTile,
    Pass,
    PlaceToken,
    RunTrains,
    SellShares,
    StartCompany,
)
from carril.engine.events import TileLaid
from carril.engine.money import total
from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.running import RunStep
from carril.engine.steps.stock import StockRound
from carril.engine.steps.track import LayTrack
from carril.rules.marker import rule
from carril.titles.eu.consent import Consent
from carril.titles.eu.conventions import ONLINE, RULEBOOK, EUConventions
from carril.titles.eu.merging import TokenChoice
from carril.titles.eu.starting import Founding
from tests.rulebook.eu.endgames import empty_game, exchanging, prices, turn_at
from tests.table import (
    cash,
    charter,
    code,
    corporation,
    events,
    game,
    offered,
    operate,
    play,
    sell_all_minors,
    stock_round,
    tiles,
    tokens,
)


def online(**changed: Any) -> EUConventions:
    """The rulebook's conventions, with just these fields as they are on 18xx.games."""
    assert all(getattr(ONLINE, name) == value for name, value in changed.items())
    assert all(getattr(RULEBOOK, name) != value for name, value in changed.items())
    return EUConventions(**changed)


def test_the_two_presets_differ_in_every_field_but_one() -> None:
    """The bank breaks on 18xx.games as A-5 reads the rulebook (G-18)."""
    same = [
        field.name
        for field in fields(EUConventions)
        if getattr(ONLINE, field.name) == getattr(RULEBOOK, field.name)
    ]
    assert same == ["broken_at_zero"]


@rule("EU-G-1")
def test_minors_count_as_certificates() -> None:
    def buys(conventions: Any) -> str:
        minors = {"8": "Ana", "13": "Ana", "4": "Ana"}
        state = empty_game(6, "4", minors, conventions=conventions)  # the limit is 11
        state = corporation(state, "SNCF", {"Ana": 5, "Ben": 1})
        state = corporation(state, "KPEV", {"Ana": 5, "Ben": 1})
        state = corporation(state, "FS", {"Ben": 3})
        return code(stock_round(cash(state, Ana=500)), BuyShare("FS", "treasury"))

    assert buys(RULEBOOK) == "certificate-limit"
    assert buys(online(minors_are_certificates=False)) == ""


@rule("EU-G-2")
@pytest.mark.parametrize(("players", "name"), [(2, "Ben"), (3, "Ana"), (4, "Dan"), (6, "Dan")])
def test_the_initial_sale_moves_the_priority_deal(players: int, name: str) -> None:
    changed = online(priority_kept_in_sale=False)
    assert sell_all_minors(game(players)).priority == "Ana"
    assert sell_all_minors(game(players, conventions=changed)).priority == name


def _full(conventions: Any) -> State:
    """SNCF, not yet operated, has as many trains as it may, and a minor with a train joins it."""
    state = empty_game(3, "4", {"1": "Ana", "8": "Ana"}, conventions=conventions)
    state = corporation(
        state, "SNCF", {"Ben": 4, "Ana": 1}, tokens=4, operated=False, trains=("3", "3", "4")
    )
    return charter(tokens(state, A10=(("1",), ("SNCF",))), "1", trains=("4",))


@rule("EU-G-3")
def test_discards_after_a_merger_of_the_stock_round() -> None:
    merge = ExchangeMinor("1", "SNCF", "treasury")
    state = play(stock_round(_full(RULEBOOK)), merge)
    assert isinstance(state.step, TokenChoice)
    assert len(play(state, Accept()).companies["SNCF"].trains) == 4
    state = play(stock_round(_full(online(merger_discards_wait=False))), merge)
    assert isinstance(state.step, DiscardTrains)
    state = play(state, DiscardTrain("3"))
    assert isinstance(state.step, TokenChoice)
    assert state.companies["SNCF"].trains == ("3", "4", "4")


@rule("EU-G-5")
def test_discards_after_the_final_exchange() -> None:
    def first(conventions: Any) -> tuple[str, list[str]]:
        state = empty_game(3, "5", {"8": "Ana", "13": "Ana"}, conventions=conventions)
        for symbol, price in (("DR", 100), ("SNCB", 90), ("KBS", 82), ("FS", 70)):
            state = corporation(state, symbol, {"Ben": 5}, price=price, trains=("5", "4", "3"))
        state = play(exchanging(state), CloseMinor("8"))
        round_, order = str(state.round), []
        while isinstance(state.step, DiscardTrains):
            order.append(state.step.subject)
            state = play(state, DiscardTrain("3"))
        assert str(state.round) == "SR 3"
        return round_, order

    assert first(RULEBOOK) == ("FER", ["DR", "SNCB", "KBS", "FS"])
    changed = online(exchange_discards_at_end=False)
    assert first(changed) == ("SR 3", ["SNCB", "FS", "KBS", "DR"])


@rule("EU-G-6")
def test_pullmans_above_the_limit_in_the_final_exchange() -> None:
    def trains(conventions: Any) -> tuple[str, ...]:
        minors = {"1": "Ana", "8": "Ana", "13": "Ben", "14": "Ben"}
        state = empty_game(3, "5", minors, conventions=conventions)
        state = corporation(state, "SNCF", {"Ben": 5}, tokens=0, trains=("5", "P"))
        state = charter(tokens(state, A10=(("1",), ("SNCF",))), "1", trains=("4",))
        state = play(exchanging(state), ExchangeMinor("1", "SNCF", "treasury"))
        assert state.round.kind == "FER"
        return state.companies["SNCF"].trains

    assert trains(RULEBOOK) == ("5", "P", "4")
    assert trains(online(pullman_goes_by_itself=True)) == ("5", "4")


@rule("EU-G-6")
def test_two_pullmans_in_one_corporation() -> None:
    def trains(conventions: Any) -> tuple[str, ...]:
        state = empty_game(3, "3", {"1": "Ana", "8": "Ana"}, conventions=conventions)
        state = corporation(state, "SNCF", {"Ben": 4}, tokens=0, operated=False)
        state = tokens(charter(state, "SNCF", trains=("3", "P")), A10=(("1",), ("SNCF",)))
        state = stock_round(charter(state, "1", trains=("3", "P")))
        return play(state, ExchangeMinor("1", "SNCF", "treasury")).companies["SNCF"].trains

    assert trains(RULEBOOK) == ("3", "P", "3")
    assert trains(online(pullman_goes_by_itself=True)) == ("3", "P", "3", "P")


@rule("EU-G-14")
def test_consent_to_a_tile() -> None:
    def lay(conventions: Any) -> State:
        state = empty_game(3, "3", {"4": "Ana", "7": "Ben"}, conventions=conventions)
        state = operate(tiles(state, J7=("202", 2)), "4")
        return play(state, LayTile("I6", "9", 2))

    asked = lay(RULEBOOK)
    assert isinstance(asked.step, Consent)
    assert (asked.acting, "I6" in asked.board.laid) == ("Ben", False)
    laid = lay(online(consent_asked=False))
    assert laid.board.laid["I6"] == ("9", 2)
    assert not isinstance(laid.step, Consent)


@rule("EU-G-15")
def test_the_connection_of_a_merging_minor() -> None:
    def merges(conventions: Any, final: bool) -> str:
        state = empty_game(3, "5" if final else "4", {"8": "Ana", "13": "Ana"})
        state = replace(state, setup=replace(state.setup, conventions=conventions))
        state = corporation(state, "SNCF", {"Ben": 4}, tokens=4, operated=False)
        state = tokens(state, A10=((), ("SNCF",)))
        state = exchanging(state) if final else stock_round(state)
        return code(state, ExchangeMinor("8", "SNCF", "treasury"))

    assert merges(RULEBOOK, final=False) == "minor-not-connected"
    assert merges(RULEBOOK, final=True) == "not-connected-final"
    changed = online(merger_checked=False)
    assert [merges(changed, final=False), merges(changed, final=True)] == ["", ""]


@rule("EU-G-16")
def test_a_pass_in_the_final_exchange() -> None:
    def state_of(conventions: Any, **held: int) -> State:
        minors = {"1": "Ana", "8": "Ana", "13": "Ana", "14": "Ben"}
        state = empty_game(3, "5", minors, conventions=conventions)
        state = corporation(state, "SNCF", {"Ben": 5, **held}, tokens=4)
        return exchanging(tokens(state, A10=(("1",), ("SNCF",))))

    assert code(state_of(RULEBOOK, Cleo=5), Pass()) == "must-exchange"
    changed = online(pass_closes_minors=True)
    assert code(state_of(changed), Pass()) == "minor-connected"  # SNCF still has stock
    after = play(state_of(changed, Cleo=5), Pass())
    assert [after.companies[minor].closed for minor in ("1", "8", "13")] == [True] * 3
    assert after.companies["SNCF"].held("Ana") == 0


@rule("EU-G-17")
def test_the_best_run() -> None:
    def running(conventions: Any) -> State:
        state = empty_game(3, "3", {"7": "Ana"}, conventions=conventions)
        state = tiles(charter(state, "7", trains=("3",)), I6=("7", 4), J7=("202", 0))
        return turn_at(state, "7", RunStep)

    assert code(running(RULEBOOK), RunTrains()) == "better-run"
    assert code(running(RULEBOOK), RunTrains(claim=44)) == "wrong-claim"
    best = offered(running(RULEBOOK), RunTrains)[0]
    assert isinstance(best, RunTrains)
    assert play(running(RULEBOOK), best).companies["7"].cash == 30  # half of 30 + 30
    changed = running(online(best_run_enforced=False))
    assert play(changed, RunTrains()).companies["7"].cash == 0
    assert play(changed, RunTrains(claim=44)).companies["7"].cash == 22


@rule("EU-G-18")
def test_an_empty_bank() -> None:
    """18xx.games reads it as A-5 does; that an empty bank is broken is the other reading."""

    def broken(conventions: EUConventions, left: int) -> bool:
        state = empty_game(3, "4", conventions=conventions)
        state = corporation(state, "SNCF", {"Ana": 5, "Ben": 2})
        state = cash(state, Cleo=state.bank + state.players["Cleo"].cash - left)
        return play(stock_round(state), SellShares("SNCF", 1)).broken

    same = EUConventions(broken_at_zero=ONLINE.broken_at_zero)
    assert [broken(same, 99), broken(same, 100)] == [True, False]
    other = EUConventions(broken_at_zero=True)
    assert [broken(other, 100), broken(other, 101)] == [True, False]


@rule("EU-G-19")
def test_a_returned_mountain_tile() -> None:
    def upgrade_costs(conventions: Any) -> list[int]:
        """Upgrade the mountain C18, lay its old tile on the clear B15, upgrade that one."""
        state = empty_game(3, "4", conventions=conventions)
        state = corporation(state, "SNCF", {"Ana": 5}, tokens=4, trains=("4",))
        state = tokens(cash(state, SNCF=500), B17=(("SNCF",),))
        state = tiles(state, B17=("202", 3), C18=("7", 2), L7=("7", 0), L11=("7", 0), L13=("7", 0))
        costs = []
        for hex_id, colour in (("C18", "green"), ("B15", "7"), ("B15", "green")):
            state = operate(state, "SNCF")
            lay = _lay(state, hex_id, colour)
            told = events(state, lay)
            costs += [event.cost for event in told if isinstance(event, TileLaid)]
            state = play(state, lay)
        return costs

    assert upgrade_costs(RULEBOOK) == [60, 0, 0]
    assert upgrade_costs(online(mountain_cost_stays=True)) == [60, 0, 60]


def _lay(state: State, hex_id: str, kind: str) -> LayTile:
    """A tile on this hex, of this number or colour."""
    tables = state.title.tables.tiles
    for option in offered(state, LayTile):
        assert isinstance(option, LayTile)
        if option.hex == hex_id and kind in (option.tile, tables[option.tile].colour):
            return option
    raise AssertionError(f"no {kind} on {hex_id}")


@rule("EU-G-21")
def test_the_owner_of_a_minor_above_60_percent_may_pass() -> None:
    def passes(conventions: Any, **minors: str) -> str:
        owned = {name[1:]: owner for name, owner in minors.items()}
        state = empty_game(3, "4", owned, conventions=conventions)
        state = corporation(state, "SNCF", {"Ana": 7, "Ben": 2})
        return code(stock_round(state), Pass())

    changed = online(minor_owner_may_pass=True)
    assert passes(RULEBOOK, m8="Ana") == "must-sell"
    assert passes(changed, m8="Ana") == ""
    assert passes(changed, m8="Ben") == "must-sell"


@rule("EU-G-22")
def test_decisions_without_a_choice() -> None:
    changed = online(single_choices_asked=True)

    def last_minor(conventions: Any) -> State:
        state = empty_game(3, "5", {"8": "Ben"}, conventions=conventions)
        return exchanging(corporation(state, "SNCF", {"Cleo": 5}, trains=("5",)))

    assert last_minor(RULEBOOK).round.kind == "SR"
    asked = last_minor(changed)
    assert (asked.round.kind, asked.acting) == ("FER", "Ben")  # Ana, without a minor, is skipped
    assert play(asked, CloseMinor("8")).round.kind == "SR"
    idle = [
        stock_round(cash(empty_game(3, "4", {"8": "Ana"}, conventions=c), Ana=0, Ben=0, Cleo=0))
        for c in (RULEBOOK, changed)
    ]
    assert not isinstance(idle[0].step, StockRound)  # nobody can do anything
    assert isinstance(idle[1].step, StockRound)
    assert idle[1].acting == "Ana"


@rule("EU-G-23")
def test_the_names_of_the_corporations() -> None:
    """The engine knows one name for each, whatever the conventions; records are read by theirs."""
    for conventions in (RULEBOOK, ONLINE):
        state = game(conventions=conventions)
        majors = {c.symbol for c in state.title.tables.of_kind("major")}
        assert majors <= set(state.companies)
    assert state.title.online is not None
    symbols = state.title.online(state, {}).symbols
    assert {theirs: ours for theirs, ours in symbols.items() if ours in majors} == {
        "BNR": "SNCB",
        "DR": "NS",
        "FS": "FS",
        "RBSR": "KBS",
        "RPR": "KPEV",
        "AIRS": "KKÖ",
        "SNCF": "SNCF",
        "GSR": "DR",
    }


@rule("EU-G-24")
def test_the_first_token_in_the_open_circle_of_green_berlin() -> None:
    def founding(conventions: Any) -> State:
        state = empty_game(3, "4", {"9": "Ana", "7": "Ana"}, conventions=conventions)
        state = tokens(tiles(state, J5=("581", 4)), J5=(("9",), ("7",), ()))
        return play(stock_round(cash(state, Ana=500)), StartCompany("KPEV", 100))

    assert isinstance(founding(RULEBOOK).step, Founding)
    assert code(founding(RULEBOOK), PlaceToken("J5", 2)) == "no-free-base"
    after = play(founding(online(home_in_any_circle=True)), PlaceToken("J5", 2))
    assert after.board.tokens["J5"] == (("9",), ("7",), ("KPEV",))
    assert after.companies["KPEV"].held("Ana") == 2
    assert not after.companies["9"].closed


@rule("EU-G-26")
def test_the_space_after_200() -> None:
    for conventions, value in ((RULEBOOK, 220), (online(price_after_200=225), 225)):
        state = empty_game(3, "4", conventions=conventions)
        state = corporation(state, "SNCF", {"Ana": 5}, at=(0, 10))
        state = corporation(state, "KPEV", {"Ana": 5}, at=(1, 11))
        assert prices(state, "SNCF", "KPEV") == [value, value]
        assert total(state) == 12000
        assert isinstance(operate(state, "SNCF").step, LayTrack)
