"""Section VII.3.14: what each phase brings, and the order of its effects."""

from __future__ import annotations

import pytest

from carril.engine.actions import BuyTrain
from carril.engine.events import PhaseBegan, TrainsAged, TrainsRusted
from carril.engine.play import resume
from carril.engine.trains import phase_def, phase_reached
from carril.rules.marker import rule
from tests.rulebook.cuba.positions import buying, four_companies, game, pool, reach, supply
from tests.table import charter, code, events, play


@rule("CUBA-VII.3.14-a", "CUBA-C24")
@pytest.mark.parametrize(
    ("before", "train", "price", "begins"),
    [
        ("1", "2", 100, "2"),
        ("2", "3", 200, "3"),
        ("2", "3+", 230, "3"),
        ("3", "4+", 340, "4"),
        ("4", "5", 500, "5"),
        ("5", "6+", 660, "6"),
        ("6", "8", 700, "7"),
        ("6", "4D", 800, "7"),
    ],
)
def test_either_version_of_the_first_card_begins_a_phase(
    before: str, train: str, price: int, begins: str
) -> None:
    state = four_companies(before)
    gone = {name: 0 for name in ("2", "3", "4", "5", "6") if name < train[0] or train == "4D"}
    state = buying(supply(state, gone), "MS", MS=900)
    action = BuyTrain(train, "stack", price)
    assert PhaseBegan(begins) in events(state, action)
    assert play(state, action).phase == begins


@rule("CUBA-VII.3.14-a")
def test_the_second_card_and_trains_of_the_pool_begin_nothing() -> None:
    state = buying(four_companies("3"), "MS", MS=900)
    assert play(state, BuyTrain("3", "stack", 200)).phase == "3"
    old = buying(pool(four_companies("2"), "4"), "MS", MS=900)
    assert play(old, BuyTrain("4", "pool", 300)).phase == "2"
    narrow = buying(four_companies("3"), "HG", HG=900)
    assert play(narrow, BuyTrain("3n", "stack", 180)).phase == "3"


@rule(
    "CUBA-VII.3.14-b",
    "CUBA-VII.3.14-c",
    "CUBA-VII.3.14-d",
    "CUBA-VII.3.14-e",
    "CUBA-VII.3.14-f",
    "CUBA-VII.3.14-g",
    "CUBA-VII.3.14-h",
    "CUBA-VII.3.5-b",
    "CUBA-VII.3.4-c",
)
def test_colours_and_rounds_of_each_phase() -> None:
    """Yellow alone until the first 3, brown with the 5, grey with the 8; 1, 2, then 3 rounds."""
    found = []
    for name in "1234567":
        phase = phase_def(reach(game(), name))
        found.append((phase.tiles[-1], phase.operating_rounds))
    yellow, green, brown, grey = ("yellow", 1), ("green", 2), ("brown", 3), ("grey", 3)
    assert found == [yellow, yellow, green, green, brown, brown, grey]


@rule("CUBA-VII.3.14-e", "CUBA-VII.3.14-g", "CUBA-VII.3.14-h", "CUBA-VII.3.14-i")
@pytest.mark.parametrize(
    ("train", "goes", "becomes"),
    [
        ("2", "4", ""),
        ("2n", "4", ""),
        ("3", "6", ""),
        ("3+", "6", ""),
        ("4", "7", ""),
        ("4+", "7", ""),
        ("4n", "7", "4-1n"),
        ("5", "", ""),
        ("5+", "", ""),
        ("6", "", ""),
        ("6+", "", ""),
        ("8", "", ""),
        ("4D", "", ""),
        ("5n", "", ""),
    ],
)
def test_when_trains_are_scrapped_or_turned(train: str, goes: str, becomes: str) -> None:
    owner = "HG" if train.endswith("n") else "MS"
    for phase in "234567":
        state = reach(charter(four_companies("1"), owner, trains=(train,)), phase)
        over = bool(goes) and phase >= goes
        wanted = ((becomes,) if becomes else ()) if over else (train,)
        assert state.companies[owner].trains == wanted, phase


@rule("CUBA-VII.3.14-f", "CUBA-VII.3.14-g")
def test_a_3n_ages_in_phase_5_and_goes_in_phase_6() -> None:
    found = [
        reach(charter(four_companies("1"), "HG", trains=("3n",)), phase).companies["HG"].trains
        for phase in "4567"
    ]
    assert found == [("3n",), ("3-1n",), (), ()]


@rule("CUBA-VII.3.14-j")
def test_scrapping_hits_the_pool_and_unsold_cards_but_not_the_fc() -> None:
    """The first 4 is bought while two 2n and one 2 of the pool are left; the FC keeps its 2."""
    state = charter(pool(four_companies("3"), "2", "2n"), "FC", trains=("1", "2"))
    state = buying(supply(state, {"3": 0, "2n": 2}), "MS", MS=300)
    state = play(state, BuyTrain("4", "stack", 300))
    assert state.depot.pool == ()
    assert state.depot.left["2n"] == 0
    assert state.companies["FC"].trains == ("1", "2")


@rule("CUBA-VII.3.14-k", "CUBA-G24")
def test_phase_scrapping_ageing_then_discards() -> None:
    """The first 8: grey tiles, all 4 trains go, 4n trains age. No company is then over its limit,

    although MS had two trains before its purchase and the limit is 2.
    """
    state = charter(four_companies("6"), "MS", trains=("4",))
    state = charter(state, "HG", trains=("4n",))
    state = charter(state, "NPP", trains=("4", "4+"))
    state = buying(supply(state, {"6": 0}), "MS", MS=700)
    told = events(state, BuyTrain("8", "stack", 700))
    kinds = [event for event in told if isinstance(event, PhaseBegan | TrainsRusted | TrainsAged)]
    assert kinds == [
        PhaseBegan("7"),
        TrainsRusted("4", ("MS", "NPP")),
        TrainsRusted("4+", ("NPP",)),
        TrainsAged("4n", "4-1n", ("HG",)),
    ]
    after = play(state, BuyTrain("8", "stack", 700))
    assert after.companies["MS"].trains == ("8",)
    assert after.companies["NPP"].trains == ()


@rule("CUBA-VII.3.14-l")
def test_a_company_without_a_train_waits_for_its_own_train_step() -> None:
    """NPP has lost its only train to MS's purchase; nobody asks Ben for another one now."""
    state = charter(four_companies("3"), "NPP", trains=("2",))
    state = buying(supply(state, {"3": 0}), "MS", MS=300)
    after = resume(play(state, BuyTrain("4", "stack", 300))).state
    assert after.companies["NPP"].trains == ()
    assert after.acting != "Ben"


@rule("CUBA-VII.3.14-e", "CUBA-IV.4-d", "CUBA-C55")
def test_fec_is_offered_from_phase_4() -> None:
    definition = game().tables.companies["FEC"]
    assert [phase_reached(reach(game(), name), definition.offered_from) for name in "345"] == [
        False,
        True,
        True,
    ]


@rule("CUBA-VII.3.9-d", "CUBA-VII.3.14-k")
def test_what_a_purchase_scraps_counts_before_the_discards() -> None:
    """Phase 3, limit 4: MS owns three 2 trains and buys the first 4; the limit of 3 is kept."""
    state = charter(four_companies("3"), "MS", trains=("2", "2", "2"))
    state = buying(supply(state, {"3": 0}), "MS", MS=300)
    action = BuyTrain("4", "stack", 300)
    assert code(state, action) == ""
    assert play(state, action).companies["MS"].trains == ("4",)
