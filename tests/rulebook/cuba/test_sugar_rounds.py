"""Whole rounds in which minors produce and majors ship, the last of them those of the game.

Every sum is worked out from the rulebook.
"""

from __future__ import annotations

from carril.engine.actions import Pass, RunTrains, SellShares
from carril.engine.events import BankBroken, GameEnded, RoundBegan, TrainExported
from carril.engine.money import total
from carril.engine.state import State
from carril.rules.marker import rule
from carril.titles.cuba.events import CitiesCounted, CubesScored
from tests.rulebook.cuba import lines
from tests.rulebook.cuba.positions import memory, operate, stock_round
from tests.rulebook.cuba.rounds import FULL, due, end_turn, money, sail, stocks, sugar_coast
from tests.table import cash, cited, code, play

ALL = ("CO", "HG", "MS", "TSS", "FC")


def bank_has(state: State, amount: int) -> State:
    """Leave the bank this much; Dan has the rest."""
    return cash(state, Dan=state.players["Dan"].cash + state.bank - amount)


@rule("CUBA-VII.1-c", "CUBA-VII.3.7-w", "CUBA-VII.3.7-z", "CUBA-VII.3.8-i", "CUBA-VII.3.8-f")
@rule("CUBA-VII.3.12-b", "CUBA-VII.3.12-c", "CUBA-VII.3.12-e", "CUBA-IV.5-i", "CUBA-VII.3.13-a")
def test_minors_produce_two_majors_ship_from_one_box_and_the_fc_takes_the_rest() -> None:
    """The last round of a set, from the first minor to the stock round.

    CO (70, the lowest minor, VII.1): mill 20 + field 10 = 30, one cube (VII.3.8, G12). Paid out, 6
    a share: Dan 18, the treasury 12. 70 goes to 80 (IX.2).
    HG (80): mill 30 + field 10 + machines 20 + 20 = 80, two cubes. 16 a share: Ben 48, the treasury
    32. 80 goes to 90. A machine for 25 (VII.3.11) leaves 7.
    MS (100, the highest major) has 100. It lays a tile beyond Cárdenas, which is full, for 20
    (IV.5). It runs past it for another 20: Havana 30 + Matanzas 20 + Cárdenas 30 + the harbour
    beyond the range of the 3 train 0 + one cube 30 = 110 (VII.3.7). 11 a share: Ana 66, the
    treasury 44. 100 - 40 + 44 = 104. 100 goes to 110.
    TSS (90) has a station in Cárdenas and needs no pass. Its 2-wagon finds one cube in the box of
    HG: 20 + 30 + the harbour in range 10 + 30 = 90. Kept, 90 goes to 80.
    FC: its 4 train outranges its two cities, Havana 30 and Cárdenas 30 (VII.3.12). The cube of CO
    is left: 10. 70 in all, 7 a share: Ana 21, Cleo 14. The fees, 40, go to the bank. 60 goes to 65.
    The set is over: the next 4 is exported (VII.3.13), which begins no phase.
    """
    state = operate(sugar_coast(), "CO", turn=3, number=2, of=2)
    bank, sum_ = state.bank, total(state)
    fours = state.depot.left["4"]
    before = sail(state, first=True)
    assert memory(before).cubes == {"CO": 1, "HG": 0}
    assert before.companies["FC"].cash == 40
    outcome = due(before, "TSS", Pass).apply(Pass())
    told, state = outcome.events, outcome.state
    assert CitiesCounted("FC", "4", ("B11.0", "B7.1"), 60, (30, 30)) in told
    assert CubesScored("FC", 1, 10) in told
    assert stocks(state, *ALL) == ((12, 80), (7, 90), (104, 110), (90, 80), (0, 65))
    assert money(state) == {"Ana": 767, "Ben": 728, "Cleo": 694, "Dan": 698}
    assert sum(memory(state).cubes.values()) == 0
    # Paid: 30 + 80 + 110 + 90 + 35; got: 25 for the machine, 40 in fees.
    assert (state.bank, total(state)) == (bank - 345 + 65, sum_)
    assert [event for event in told if isinstance(event, TrainExported)] == [TrainExported("4")]
    assert (state.depot.left["4"], state.companies["FC"].trains[-1]) == (fours - 1, "4")
    assert (str(state.round), state.phase) == ("SR 4", "4")


@rule("CUBA-VII.3.8-l", "CUBA-G40", "CUBA-VII.3.7-z", "CUBA-IV.5-m")
def test_the_runs_that_the_majors_may_choose_in_that_round() -> None:
    """MS without a pass: Havana 30 + Matanzas 20 + Cárdenas 30 = 80; for a fee of 20: 110.

    A run that pays and earns less than 110, and one that earns less than 80, are refused.
    """
    state = operate(sugar_coast(), "CO", turn=3, number=2, of=2)
    state = due(state, "CO", RunTrains)
    state = end_turn(play(state, lines.run("3n: D13.0 D11.0"), FULL), "CO")
    state = play(due(state, "HG", RunTrains), lines.run("3n: B11.0 B13.0"), FULL)
    state = due(end_turn(state, "HG"), "MS", RunTrains)
    offers = {(value, ("toll", "B11.0") in extras) for value, extras in lines.offered(state)}
    assert offers == {(80, False), (110, True)}
    short = lines.run("3: B9.0 B11.0")
    assert (code(state, short), cited(state, short)) == ("better-run", "CUBA-VII.3.8-c")
    # Matanzas, Cárdenas, the harbour in range and one cube: 20 + 30 + 10 + 30 = 90.
    dear = lines.run("3: B9.0 B11.0 A12.0", extras=("1w 3 HG=1", "toll B11.0"))
    assert code(state, dear) == "better-run"
    unneeded = lines.run("3: B7.1 B9.0 B11.0", extras=("toll B11.0",))
    assert cited(state, unneeded) == "CUBA-IV.5-j"


@rule("CUBA-IXb.1-a", "CUBA-IXb.1-b", "CUBA-IXb.1-d", "CUBA-IXb.2-a", "CUBA-C47")
def test_the_last_set_after_the_bank_breaks_in_its_first_round() -> None:
    """The bank has 100. The first round is that of the sugar coast: it pays 30 for CO, then 80 for
    HG and is broken at -10 (IX.1). It goes on: 100 - 280 = -180 after the FC.

    The second round of the set is still played (IX.1). CO: 30 again, 80 goes to 90. HG: 40 + 20 +
    20 + 10 = 90, 18 a share: Ben 54, the treasury 36; 90 goes to 100. MS: 20 for the pass, 110:
    Ana 66, the treasury 44; 110 goes to 120. TSS keeps 90; 80 falls to 70. FC: 60 + 10: Ana 21,
    Cleo 14, 20 of fees to the bank; 65 goes to 70.
    The bank: -180 - 30 - 90 - 110 - 90 - 35 + 20 = -515. No train is exported, no round follows.
    """
    state = bank_has(sugar_coast(), 100)
    state = operate(state, "CO", turn=3, number=1, of=2)
    dan = state.players["Dan"].cash
    state = end_turn(sail(state, first=True), "TSS")
    assert (str(state.round), state.bank, state.broken) == ("OR 3.2", -180, True)
    before = due(sail(state, first=False), "TSS", Pass)
    outcome = before.apply(Pass())
    assert outcome.events[-1] == GameEnded("bank")
    over = outcome.state
    assert (over.bank, over.finished) == (-515, True)
    assert over.companies["FC"].trains == ("1", "2", "4")
    # HG: 7 + 36. MS: 104 - 20 + 44. TSS: 90 + 90. CO: 12 + 12.
    assert stocks(over, *ALL) == ((24, 90), (43, 100), (128, 120), (180, 70), (0, 70))
    cash_now = {"Ana": 680 + 2 * 87, "Ben": 680 + 102, "Cleo": 680 + 28, "Dan": dan + 36}
    assert money(over) == cash_now
    # Shares: Ana 6 x 120 + 3 x 70, Ben 3 x 100, Cleo 5 x 70 + 2 x 70, Dan 3 x 90 + 70 (IX.2).
    shares = {"Ana": 930, "Ben": 300, "Cleo": 490, "Dan": 340}
    assert over.result == {name: cash_now[name] + shares[name] for name in over.result or ()}


@rule("CUBA-IXb.1-c", "CUBA-IXb.1-d", "CUBA-IXb.2-a", "CUBA-VII.3.12-i", "CUBA-C47")
def test_the_last_set_after_the_bank_breaks_in_a_stock_round() -> None:
    """The bank has 50. Cleo sells a share of the FC for 60: it is broken at -10, and the price of
    the FC stays (IX.3). She ends her turn and all four pass.

    One further complete set follows (IX.1): two rounds in phase 4, those of the sugar coast. But
    Cleo has one share of the FC now and gets 7 in each of them, so the bank pays 7 less: -10 - 273
    = -283, and -283 - 328 = -611.
    """
    state = bank_has(sugar_coast(), 50)
    dan = state.players["Dan"].cash
    sale = stock_round(state, "Cleo", turn=3).apply(SellShares("FC", 1))
    assert BankBroken() in sale.events
    assert (sale.state.bank, str(sale.state.round)) == (-10, "SR 3")
    last = play(sale.state, *(Pass(),) * 4).apply(Pass())
    assert RoundBegan("OR 3.1") in last.events
    state = end_turn(sail(last.state, first=True), "TSS")
    assert (str(state.round), state.bank, state.finished) == ("OR 3.2", -283, False)
    over = end_turn(sail(state, first=False), "TSS")
    assert (over.finished, over.ended, over.bank) == (True, "bank", -611)
    assert stocks(over, *ALL) == ((24, 90), (43, 100), (128, 120), (180, 70), (0, 70))
    # Ana 854 + 930, Ben 782 + 300, Cleo 680 + 60 + 14 + 5 x 70 + 70, Dan 36 more and 340.
    assert over.result == {"Ana": 1784, "Ben": 1082, "Cleo": 1174, "Dan": dan + 36 + 340}
