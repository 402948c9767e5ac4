"""Passes in runs: tokens of the state railway that trains ignore (IV.5, VII.3.7-q, -r, G40)."""

from carril.engine.actions import RunTrains
from carril.engine.state import State
from carril.rules.marker import rule
from tests.rulebook.cuba.lines import (
    blocked,
    earned,
    matanzas,
    mill,
    north_coast,
    offered,
    run,
    running,
    worth,
)
from tests.table import cash, charter, cited, code, play, tiles, tokens

SHORT = "B9.0 C10 B11.0"
"""Matanzas 20 and Cárdenas 30, where FC and TSS have the two slots."""
THROUGH = f"{SHORT} A12.0"
"""The same and the harbour 10."""
PAID = "toll B11.0"


def refused(state: State, action: RunTrains) -> tuple[str, str]:
    """Return the code and the rule of a refusal."""
    return code(state, action), cited(state, action)


@rule("CUBA-VII.3.8-l", "CUBA-VII.3.8-c", "CUBA-G40", "CUBA-VII.3.7-r")
def test_a_run_with_a_pass_and_one_without_are_both_legal() -> None:
    """A 3-train earns 50 without a pass and 60 with one; 40 (Cienfuegos) is refused."""
    state = running(blocked("3"), "MS")
    assert earned(state, run(f"3: {SHORT}")) == 50
    assert earned(state, run(f"3: {THROUGH}", extras=(PAID,))) == 60
    less = run("3: B9.0 C10 C12 D13.0")
    assert worth(state, "MS", less).total == 40
    assert refused(state, less) == ("better-run", "CUBA-VII.3.8-c")
    assert offered(state).keys() == {(50, ()), (60, (("toll", "B11.0"),))}


@rule("CUBA-IV.5-g", "CUBA-IV.5-i", "CUBA-C11", "CUBA-IV.5-h")
def test_the_fee_goes_from_the_treasury_to_the_state_railway() -> None:
    state = running(cash(blocked("3"), MS=100, FC=0), "MS")
    after = play(state, run(f"3: {THROUGH}", extras=(PAID,)))
    assert (after.companies["MS"].cash, after.companies["FC"].cash) == (80, 20)
    # the next run needs a new pass
    again = running(after, "MS")
    assert refused(again, run(f"3: {THROUGH}")) == ("run-toll-unpaid", "CUBA-VII.3.7-r")


@rule("CUBA-IV.5-k", "CUBA-G40")
def test_the_fee_must_be_in_the_treasury_before_the_run() -> None:
    state = running(blocked("3", cash=19), "MS")
    action = run(f"3: {THROUGH}", extras=(PAID,))
    assert refused(state, action) == ("run-toll-too-dear", "CUBA-IV.5-k")
    assert offered(state).keys() == {(50, ())}
    assert code(running(blocked("3", cash=20), "MS"), action) == ""


@rule("CUBA-IV.5-j", "CUBA-G41")
def test_a_pass_that_is_not_used_is_refused() -> None:
    state = running(blocked("3"), "MS")
    ends = run(f"3: {SHORT}", extras=(PAID,))
    assert refused(state, ends) == ("run-toll-unused", "CUBA-IV.5-j"), "a route that ends there"
    elsewhere = run(f"3: {SHORT}", extras=("toll D13.0",))
    assert refused(state, elsewhere) == ("run-toll-unused", "CUBA-IV.5-j")
    twice = run(f"3: {THROUGH}", extras=(PAID, PAID))
    assert refused(state, twice) == ("run-toll-unused", "CUBA-IV.5-j")


@rule("CUBA-IV.5-j", "CUBA-IV.5-e")
def test_no_fee_is_due_in_a_city_with_a_free_slot_or_an_own_station() -> None:
    for there in (("FC",), ("FC", "MS")):
        state = running(tokens(blocked("3"), B11=(there,)), "MS")
        paid = run(f"3: {THROUGH}", extras=(PAID,))
        assert refused(state, paid) == ("run-toll-unused", "CUBA-IV.5-j")
        assert earned(state, run(f"3: {THROUGH}")) == 60


@rule("CUBA-G41", "CUBA-IV.5-e", "CUBA-VII.2-g")
def test_only_the_token_of_the_state_railway_can_be_ignored() -> None:
    """Its slot counts as free also where all others are taken; without it nothing helps."""
    state = running(tokens(blocked("3"), B11=(("StSp", "TSS"),)), "MS")
    action = run(f"3: {THROUGH}", extras=(PAID,))
    assert code(state, action) == "run-no-such-place"


@rule("CUBA-IV.5-l", "CUBA-C49")
def test_minors_do_not_pass_at_all() -> None:
    """A narrow train may have no other city on its way, whatever is paid."""
    state = mill(matanzas(), trains=("3n",), cash=100)
    state = tiles(state, B11=("L56", 2), B13=("L49", 0), C14=("L67", 4), C16=("L49", 0))
    state = running(tokens(state, B11=(("HG",),), C14=(("FC", "TSS", "CVC"),)), "HG")
    paid = run("3n: B11.0 B13.0 C14.0", extras=("toll C14.0",))
    assert refused(state, paid) == ("run-stop-barred", "CUBA-VII.3.7-f")
    paid = run("3n: B11.0 B13.0", extras=("toll C14.0",))
    assert refused(state, paid) == ("run-toll-unused", "CUBA-IV.5-j")


@rule("CUBA-IV.5-o", "CUBA-VII.3.7-r")
def test_a_token_of_the_state_railway_is_no_station() -> None:
    state = running(blocked("3"), "MS")
    assert refused(state, run("3: B11.0 A12.0")) == ("run-route-no-station", "CUBA-VII.2-b")


def two_ways(*trains: str, **more: int) -> State:
    """Matanzas (20) with two tracks to Cárdenas (30, blocked by FC and TSS).

    From there one track leads to the harbour A12, one over B13 to Santa Clara (20).
    """
    state = matanzas(**({"cash": 100, "trains": trains} | more))
    state = tiles(state, B9=("5", 4), C10=("7", 2), B11=("14", 0), B13=("8", 5), C14=("57", 2))
    return tokens(state, B11=(("FC", "TSS"),))


@rule("CUBA-IV.5-m", "CUBA-C13")
def test_one_payment_covers_all_trains_at_a_token() -> None:
    """Two trains through Cárdenas: 20 + 30 + 10 over B9's east, 20 + 30 + 20 over C10 and B13."""
    state = running(two_ways("3", "3"), "MS")
    action = run("3: B9.0 B11.0 A12.0", "3: B9.0 C10 B11.0 B13 C14.0", extras=(PAID,))
    assert earned(state, action) == 60 + 70
    after = play(state, action)
    assert after.companies["MS"].cash == 80


@rule("CUBA-VII.3.7-q", "CUBA-G25")
def test_a_plus_train_ignores_one_token_free_of_charge() -> None:
    state = running(blocked("3+", cash=0), "MS")
    assert earned(state, run(f"3+: {THROUGH}")) == 60
    assert offered(state).keys() == {(60, ())}
    short = run(f"3+: {SHORT}")
    assert refused(state, short) == ("better-run", "CUBA-VII.3.8-c"), "a free pass counts"
    rich = running(blocked("3+", cash=100), "MS")
    needless = run(f"3+: {THROUGH}", extras=(PAID,))
    assert refused(rich, needless) == ("run-toll-unused", "CUBA-IV.5-j")


@rule("CUBA-VII.3.7-q", "CUBA-IV.5-m")
def test_the_free_pass_serves_its_train_only() -> None:
    """A 3+ and a 3 through Cárdenas: the 3 pays."""
    state = running(two_ways("3+", "3"), "MS")
    action = ("3+: B9.0 B11.0 A12.0", "3: B9.0 C10 B11.0 B13 C14.0")
    assert refused(state, run(*action)) == ("run-toll-unpaid", "CUBA-VII.3.7-r")
    assert earned(state, run(*action, extras=(PAID,))) == 130
    # without a paid pass: the 3+ 70, and the 3 as far as Cárdenas 50
    assert offered(state).keys() == {(120, ()), (130, (("toll", "B11.0"),))}


def line_of_two(*trains: str, cash: int = 100) -> State:
    """Matanzas (20), Cárdenas (30) and Santa Clara (30), both blocked, Cienfuegos (20)."""
    state = matanzas(cash=cash, trains=trains)
    state = tiles(state, B9=("5", 4), B11=("14", 0), B13=("8", 5), C14=("619", 2), D13=("5", 3))
    return tokens(state, B11=(("FC", "TSS"),), C14=(("StSp", "FC"),))


LONG = "B9.0 B11.0 B13 C14.0 D13.0"


@rule("CUBA-VII.3.7-q", "CUBA-G25", "CUBA-IV.5-h")
def test_further_tokens_cost_20_each_and_the_director_picks_the_free_one() -> None:
    """20 + 30 + 30 + 20: a 4 pays 40, a 4+ pays 20 for either token."""
    plain = running(line_of_two("4"), "MS")
    both = ("toll B11.0", "toll C14.0")
    assert earned(plain, run(f"4: {LONG}", extras=both)) == 100
    assert play(plain, run(f"4: {LONG}", extras=both)).companies["MS"].cash == 60
    plus = running(line_of_two("4+"), "MS")
    for toll in both:
        assert earned(plus, run(f"4+: {LONG}", extras=(toll,))) == 100
    assert refused(plus, run(f"4+: {LONG}", extras=both)) == ("run-toll-unused", "CUBA-IV.5-j")


@rule("CUBA-G40", "CUBA-VII.3.8-l")
def test_each_set_of_passes_that_raises_the_dividend_is_offered() -> None:
    """A 4: 50 to Cárdenas; for one pass 80 to Santa Clara (harbour: 60); for two 100.

    A pass for Santa Clara alone opens nothing. With 20 in the treasury the third run is out of
    reach.
    """
    state = running(line_of_two("4"), "MS")
    one, two = (("toll", "B11.0"),), (("toll", "B11.0"), ("toll", "C14.0"))
    assert offered(state).keys() == {(50, ()), (80, one), (100, two)}
    poor = running(line_of_two("4", cash=39), "MS")
    assert offered(poor).keys() == {(50, ()), (80, one)}
    # a run that earns less than one with the same pass or with fewer is refused
    assert refused(state, run("4: B9.0 B11.0 A12.0", extras=(PAID,))) == (
        "better-run",
        "CUBA-VII.3.8-c",
    )


@rule("CUBA-G40")
def test_at_equal_dividends_the_director_may_choose_to_pay() -> None:
    """By a pass to A12 20 + 30 + 10; for nothing to a green Cienfuegos and E14, 20 + 30 + 10."""
    state = running(tiles(blocked("3"), D13=("14", 1)), "MS")
    assert earned(state, run("3: B9.0 C10 C12 D13.0 E14.0")) == 60
    assert earned(state, run(f"3: {THROUGH}", extras=(PAID,))) == 60
    assert offered(state).keys() == {(60, ())}, "a pass that raises nothing is not offered"
    assert refused(state, run(f"3: {SHORT}")) == ("better-run", "CUBA-VII.3.8-c")


@rule("CUBA-G40", "CUBA-VII.3.8-l")
def test_fees_make_no_run_better_or_worse() -> None:
    """The dividend is compared before the fee: 60 for 20 beats 50 for nothing, though it costs."""
    state = running(blocked("3"), "MS")
    action = run(f"3: {THROUGH}", extras=(PAID,))
    value = worth(state, "MS", action)
    assert (value.payable, value.tolls) == (60, 20)
    assert code(state, action) == ""


@rule("CUBA-VII.3.7-o", "CUBA-VII.3.8-l", "CUBA-G45")
def test_a_pass_may_open_the_way_to_a_harbour_for_sugar() -> None:
    """The mill of HG in Cárdenas, full with FC: 20 + 20 without a pass, with one 40 + 30."""
    state = tokens(north_coast("2", "1w", cubes=1, cash=20), B11=(("HG", "FC"),))
    state = running(state, "MS")
    loaded = (("1w", "2 HG=1"), ("toll", "B11.0"))
    assert offered(state).keys() == {(40, ()), (70, loaded)}


@rule("CUBA-IV.5-m")
def test_a_company_without_trains_pays_nothing() -> None:
    state = running(charter(blocked("3"), "MS", trains=()), "MS")
    assert not state.agenda
    assert state.companies["MS"].cash == 100
