"""Actions as text."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carril.engine import actions as act
from carril.engine.actions import Action, Range
from carril.engine.refusals import BadRecord
from carril.engine.registry import title_named, title_names
from carril.engine.runs import Route
from carril.notation.text import FORMS, forms, parse, write
from tests.contract.walk import Plan, walk

RUN = act.RunTrains(
    (Route("3", ("A6.0", "B7.0", "A10.0")), Route("2", ("A10.1", "B11", "C12.0"))),
    (("pullman", "A10.0"),),
    90,
)

EXAMPLES: list[tuple[str, Action]] = [
    ("pass", act.Pass()),
    ("accept", act.Accept()),
    ("decline", act.Decline()),
    ("bankrupt", act.GoBankrupt()),
    ("choose 8", act.ChooseLot("8")),
    ("bid 105", act.Bid(105)),
    ("bid -5", act.Bid(-5)),
    ("sell 3 FS", act.SellShares("FS", 3)),
    ("buy KKÖ from pool", act.BuyShare("KKÖ", "pool")),
    ("start SNCF at 90", act.StartCompany("SNCF", 90)),
    ("merge 5", act.MergeMinor("5")),
    ("exchange 5 for FS from treasury", act.ExchangeMinor("5", "FS", "treasury")),
    ("close 3", act.CloseMinor("3")),
    ("lay 8/2 on E6", act.LayTile("E6", "8", 2)),
    ("lay 8/2 on E6 with K1", act.LayTile("E6", "8", 2, "K1")),
    ("lay 8/2 on E6 passing C14.0", act.LayTile("E6", "8", 2, passes=("C14.0",))),
    (
        "lay 8/2 on E6 with K1 passing C14.0,D15.0",
        act.LayTile("E6", "8", 2, "K1", passes=("C14.0", "D15.0")),
    ),
    ("token E6.0", act.PlaceToken("E6", 0)),
    ("token E6.0 passing C14.0,D15.0", act.PlaceToken("E6", 0, ("C14.0", "D15.0"))),
    ("run 3: A6.0 B7.0 A10.0; 2: A10.1 B11 C12.0 + pullman A10.0 = 90", RUN),
    ("run nothing", act.RunTrains()),
    ("run nothing = 40", act.RunTrains(claim=40)),
    ("dividend half", act.DeclareDividend("half")),
    ("train 4 from stack for 300", act.BuyTrain("4", "stack", 300)),
    ("train 3 from FS for 120 dropping P", act.BuyTrain("3", "FS", 120, "P")),
    ("train 4n from stack for 190 trading 3n", act.BuyTrain("4n", "stack", 190, trade="3n")),
    ("train 2n from stack for 0 with M6", act.BuyTrain("2n", "stack", 0, private="M6")),
    (
        "train 3n from stack for 60 trading 2n with M6",
        act.BuyTrain("3n", "stack", 60, trade="2n", private="M6"),
    ),
    ("discard 3", act.DiscardTrain("3")),
    ("convert M4 into HG at 70", act.ConvertConcession("M4", "HG", 70)),
    ("bonus M5 to Oe", act.PlaceBonus("M5", "Oe")),
    ("bonus M3 to HG as 2", act.PlaceBonus("M3", "HG", "2")),
    ("machine 1", act.BuyMachine("1")),
    ("issue 2", act.IssueShares(2)),
    ("redeem 1", act.RedeemShares(1)),
    ("Ana: bid 105", act.Bid(105, by="Ana")),
    ("Ben Zoë: pass", act.Pass(by="Ben Zoë")),
    ('"bid 5": pass', act.Pass(by="bid 5")),
    ('"A: B": run nothing', act.RunTrains(by="A: B")),
]


@pytest.mark.parametrize(("text", "action"), EXAMPLES)
def test_text_and_action_are_the_same(text: str, action: Action) -> None:
    assert parse(text) == action
    assert write(action) == text


def test_every_kind_has_a_readable_form() -> None:
    ours = [kind for kind in act.any_of(Action).__args__ if kind.__module__.startswith("carril.")]
    assert {str(kind.__struct_config__.tag) for kind in ours} == {*FORMS, "run"}


def test_typing_is_forgiving_about_space_and_case() -> None:
    assert parse("  Ana :  Bid   105 ") == act.Bid(105, by="Ana")
    assert parse("run 3:A6.0  B7.0;2: C1.0 D2.0 +  pullman  A6.0 =90") == act.RunTrains(
        (Route("3", ("A6.0", "B7.0")), Route("2", ("C1.0", "D2.0"))), (("pullman", "A6.0"),), 90
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bid", "expected bid AMOUNT"),
        ("bid many", "expected bid AMOUNT"),
        ("lay 8 on E6", "expected lay TILE/TURN on HEX"),
        ("train 4 from stack", "expected train TRAIN from SOURCE for PRICE borrowing LOAN or"),
        ("run", "expected run TRAIN"),
        ("run 3 A6.0", "expected run TRAIN"),
        ("dance", "expected one of accept, adopt, bankrupt"),
        ("", "expected one of accept"),
        ("Ana:", "expected one of accept"),
        ('"Ana: bid 3', "the quoted name does not end"),
        ('"Ana" bid 3', "expected a colon"),
        ('bid amount="x"', "Expected `int`, got `str`"),
        ("bid amount=[", "no value"),
        ("bid amount=5 six", "expected bid AMOUNT"),
    ],
)
def test_what_cannot_be_read_is_named_with_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(BadRecord) as caught:
        parse(text)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


words = st.text(max_size=12) | st.sampled_from(["FS", "10", "P1", "2|1+2", "from", "for", "= 3"])
numbers = st.integers(-(2**60), 2**60)
routes = st.lists(st.builds(Route, words, st.lists(words, max_size=3).map(tuple)), max_size=2)
VALUES: dict[Any, st.SearchStrategy[Any]] = {
    str: words,
    int: numbers,
    int | None: st.none() | numbers,
    tuple[str, ...]: st.lists(words, max_size=3).map(tuple),
    tuple[Route, ...]: routes.map(tuple),
    tuple[tuple[str, str], ...]: st.lists(st.tuples(words, words), max_size=2).map(tuple),
}
KINDS = [kind for kind in act.any_of(Action).__args__ if kind.__module__.startswith("carril.")]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__struct_config__.tag))
@given(data=st.data())
def test_every_action_reads_back_whatever_its_values(kind: type[Action], data: Any) -> None:
    fields = {field: VALUES[hint] for field, hint in get_type_hints(kind).items() if field != "by"}
    action = data.draw(st.builds(kind, **fields, by=words))
    text = write(action)
    assert parse(text) == action
    assert write(parse(text)) == text


def test_a_kind_that_a_title_adds_needs_no_form() -> None:
    class Ship(Action, tag="ship", frozen=True):
        port: str
        cubes: tuple[int, ...] = ()
        fast: bool = False

    for action in (
        Ship("Havana", by="Ana"),
        Ship("San Juan; true", (1, 2), True),
        Ship("true"),
    ):
        assert parse(write(action)) == action
    assert write(Ship("Havana", (1, 2), by="Ana")) == "Ana: ship port=Havana cubes=[1,2]"
    assert forms("ship") == "ship port=... cubes=... fast=..."


@pytest.mark.parametrize("title", title_names())
@pytest.mark.parametrize("which", [0, -1])
def test_every_option_of_a_game_reads_back(title: str, which: int) -> None:
    setup = title_named(title).tables.setups[which]
    game = walk(Plan(title, setup.players, seed=12, variants=setup.variants), most=600)
    for number in range(len(game) + 1):
        for option in game.position(number).options():
            action = option.action if isinstance(option, Range) else option
            assert parse(write(action)) == action
