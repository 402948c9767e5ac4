"""What the first train of a kind sets going: rust, limits, discards (4.4.3, 4.4.6)."""

from carril.engine.actions import BuyTrain, DiscardTrain, LayTile, Pass
from carril.engine.events import PhaseBegan, TrainDiscarded, TrainsRusted
from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.running import RunStep
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from tests.rulebook.eu.lines import (
    best,
    buying,
    pool,
    western_line,
)
from tests.table import (
    cash,
    charter,
    cited,
    code,
    corporation,
    events,
    game,
    offered,
    own_minors,
    pass_until,
    phase,
    play,
    stack_from,
    tokens,
)

FIRST_4 = BuyTrain("4", "stack", 300)
FIRST_5 = BuyTrain("5", "stack", 500)


def companies(state: State, **trains: tuple[str, ...]) -> State:
    """FS (Cleo) at 110, SNCF (Ana) at 100, DR (Ben) at 90, minors 1 and 2 (Dan), with trains."""
    state = own_minors(state, {"1": "Dan", "2": "Dan"})
    state = corporation(state, "FS", {"Cleo": 5, "pool": 5}, at=(2, 5))
    state = corporation(state, "SNCF", {"Ana": 5, "pool": 5}, price=100)
    state = corporation(state, "DR", {"Ben": 5, "pool": 5}, price=90)
    for symbol, owned in trains.items():
        state = charter(state, symbol.removeprefix("m"), trains=owned)
    return cash(state, SNCF=2000)


def before_first_4(**trains: tuple[str, ...]) -> State:
    """SNCF about to buy the first 4 train."""
    return buying(stack_from(phase(companies(game(), **trains), "3"), "4"), "SNCF")


def before_first_5(**trains: tuple[str, ...]) -> State:
    """SNCF about to buy the first 5 train."""
    state = companies(game(), m1=(), m2=(), **trains)
    return buying(stack_from(phase(state, "4"), "5"), "SNCF")


@rule("EU-4.4.6-f")
def test_a_train_that_starts_a_phase_rusts_at_once_and_the_buyer_goes_on() -> None:
    state = before_first_4(SNCF=("2", "2", "3"), DR=("2", "3"), FS=("2",))
    state = pool(state, "2", "P", "2")
    happened = events(state, FIRST_4)
    assert PhaseBegan("4") in happened
    assert TrainsRusted("2", ("1", "2", "FS", "SNCF", "DR")) in happened
    after = play(state, FIRST_4)
    trains = {name: after.companies[name].trains for name in ("1", "2", "FS", "SNCF", "DR")}
    assert trains == {"1": (), "2": (), "FS": (), "SNCF": ("3", "4"), "DR": ("3",)}
    assert after.depot.pool == ("P",)
    assert isinstance(after.step, BuyTrains)
    assert after.acting == "Ana"
    more = play(after, FIRST_4)
    assert more.companies["SNCF"].trains == ("3", "4", "4")
    assert not offered(more, BuyTrain), "the new limit of three is reached"


@rule("EU-4.4.6-f")
def test_a_further_train_of_the_kind_changes_nothing() -> None:
    state = play(before_first_4(SNCF=("3",)), FIRST_4)
    second = events(state, FIRST_4)
    assert not [event for event in second if isinstance(event, PhaseBegan | TrainsRusted)]


@rule("EU-4.4.6-f")
def test_values_and_tiles_of_a_new_phase_hold_for_the_next_company() -> None:
    """SNCF buys the first 5; DR, next in the same round, may lay brown and runs to London at 70."""
    state = western_line(before_first_5(SNCF=("4",), DR=("4",), FS=("4",)))
    state = tokens(state, C8=(("DR",),))
    upgrade = LayTile("D7", "611", 0)
    early = buying(state, "SNCF")
    after = pass_until_company(play(early, FIRST_5, Pass()), "DR")
    assert after.round == early.round
    assert code(after, upgrade) == ""
    assert best(pass_until(after, RunStep)) == 210 + 20
    old = pass_until_company(play(early, Pass()), "DR")
    assert code(old, upgrade) == "colour-not-yet"
    assert best(pass_until(old, RunStep)) == 160 + 10


def pass_until_company(state: State, company: str) -> State:
    """Pass until a step of this company is due."""
    while state.step.subject != company:
        state = play(state, Pass())
    return state


@rule("EU-4.4.6-g")
def test_the_buyer_discards_at_once_when_its_own_purchase_lowers_the_limit() -> None:
    state = before_first_4(SNCF=("3", "3", "3"))
    after = play(state, FIRST_4)
    assert isinstance(after.step, DiscardTrains)
    assert (after.acting, after.step.subject) == ("Ana", "SNCF")
    assert after.options() == (DiscardTrain("3", by="Ana"), DiscardTrain("4", by="Ana"))
    assert code(after, Pass()) == "not-now"
    assert code(after, DiscardTrain("5")) == "no-such-train-owned"
    assert cited(after, DiscardTrain("5")) == "EU-4.4.6-g"
    kept = play(after, DiscardTrain("3"))
    assert kept.companies["SNCF"].trains == ("3", "3", "4")
    assert kept.depot.pool.count("3") == 1
    assert kept.companies["SNCF"].cash == 1700, "nothing is paid for it"


@rule("EU-4.4.6-g")
def test_every_company_above_the_new_limit_discards() -> None:
    """Corporations from four to three, minors from two to one; those within it keep theirs."""
    state = before_first_4(
        SNCF=("3",), DR=("3", "3", "3", "3"), FS=("3", "3", "3"), m1=("3", "3"), m2=("3",)
    )
    after = play(state, FIRST_4)
    held = {name: len(after.companies[name].trains) for name in ("SNCF", "DR", "FS", "1", "2")}
    assert held == {"SNCF": 2, "DR": 3, "FS": 3, "1": 1, "2": 1}
    assert after.depot.pool.count("3") == 2
    assert isinstance(after.step, BuyTrains), "with one kind of train there is nothing to choose"


@rule("EU-4.4.6-g")
def test_the_first_5_lowers_the_limit_to_two() -> None:
    after = play(before_first_5(SNCF=("4",), DR=("3", "4", "4"), FS=("3", "4")), FIRST_5)
    assert after.step.subject == "DR"
    assert after.acting == "Ben"
    kept = play(after, DiscardTrain("3"))
    assert kept.companies["DR"].trains == ("4", "4")
    assert kept.companies["FS"].trains == ("3", "4")
    assert kept.step.subject == "SNCF"


@rule("EU-4.4.3-v")
def test_discards_begin_with_the_operating_company_and_go_round() -> None:
    """SNCF is second of three: after it DR, then FS at the top. Each president chooses."""
    three = ("3", "4", "4")
    state = play(before_first_5(SNCF=("3", "4"), DR=three, FS=three), FIRST_5)
    asked = []
    while isinstance(state.step, DiscardTrains):
        asked.append((state.step.subject, state.acting))
        train = "4" if state.step.subject == "DR" else "3"
        state = play(state, DiscardTrain(train))
    assert asked == [("SNCF", "Ana"), ("DR", "Ben"), ("FS", "Cleo")]
    assert state.companies["SNCF"].trains == ("4", "5")
    assert state.companies["DR"].trains == ("3", "4")
    assert state.companies["FS"].trains == ("4", "4")


@rule("EU-4.4.3-v")
def test_minors_discard_after_the_last_corporation_and_before_the_first() -> None:
    """The order of the round begins with the minors, and it is entered at SNCF."""
    four = ("3", "3", "3", "3")
    state = before_first_4(SNCF=("3",), DR=four, FS=four, m1=("3", "3"), m2=("3", "3"))
    happened = events(state, FIRST_4)
    order = [event.company for event in happened if isinstance(event, TrainDiscarded)]
    assert order == ["DR", "1", "2", "FS"]


@rule("EU-4.4.3-v")
def test_a_pullman_goes_first_in_the_discards_of_a_phase_change() -> None:
    state = before_first_5(SNCF=("4",), DR=("3", "4", "P"), FS=("3", "4", "4"))
    happened = events(pool(state), FIRST_5)
    assert [e for e in happened if isinstance(e, TrainDiscarded)] == [TrainDiscarded("DR", "P")]
    after = play(pool(state), FIRST_5)
    assert after.companies["DR"].trains == ("3", "4")
    assert after.step.subject == "FS", "DR has nothing left to choose"
