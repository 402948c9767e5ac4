"""Set-ups: which are found, which are refused, and what their tables say."""

from __future__ import annotations

from dataclasses import replace as changed

import pytest
from msgspec.structs import replace

from carril.engine.figures import SetupDef, VariantDef
from carril.engine.refusals import BadSetup
from carril.engine.registry import title_named
from carril.engine.setups import all_setups, find_setup, optional_variants, tables_for
from carril.engine.title import Title


def title_with_fixed_variants() -> Title:
    """Return a title that two play easy, east or west, and three without a variant."""
    base = title_named("18EU")
    setups = (
        SetupDef(2, 500, 20, ("easy", "east")),
        SetupDef(2, 500, 20, ("easy", "west"), trains={"3": 1}),
        SetupDef(3, 400, 15),
    )
    fixed = {name: VariantDef(optional=False) for name in ("easy", "east", "west")}
    variants = {**fixed, "extra-4": VariantDef(trains={"4": 2})}
    tables = replace(base.tables, setups=setups, setup=setups[0], variants=variants)
    return changed(base, name="fixed", tables=tables)


def test_a_set_up_is_found_by_players_and_exactly_its_variants() -> None:
    title = title_with_fixed_variants()
    assert find_setup(title, 2, ("west", "easy")).trains == {"3": 1}
    assert find_setup(title, 3).cash == 400
    assert find_setup(title, 3, ("extra-4",)).cash == 400


@pytest.mark.parametrize(
    ("players", "variants", "message"),
    [
        (4, (), "fixed is for 2 to 3 players, not 4"),
        (2, ("south",), "fixed has no variant 'south'; it has easy, east, west, extra-4"),
        (
            2,
            (),
            "fixed for 2 players is played with easy and east; easy and west; choose one of these",
        ),
        (2, ("easy",), "easy and east; easy and west, not easy"),
        (3, ("easy",), "fixed for 3 players is played with no variant, not easy"),
    ],
)
def test_other_combinations_are_refused(
    players: int, variants: tuple[str, ...], message: str
) -> None:
    with pytest.raises(BadSetup, match=message):
        find_setup(title_with_fixed_variants(), players, variants)


def test_train_counts_come_from_the_set_up_and_from_optional_variants() -> None:
    title = title_with_fixed_variants()
    base = {name: train.count for name, train in title.tables.trains.items()}
    west = tables_for(title, 2, ("easy", "extra-4", "west")).trains
    assert (west["3"].count, west["4"].count) == (1, base["4"] + 2)
    assert west["2"].count == base["2"]


def test_set_ups_with_one_map_share_it() -> None:
    title = title_named("18EU")
    two, three = tables_for(title, 2, ()), tables_for(title, 3, ("extra-3",))
    assert two.hexes is three.hexes
    assert (two.setup.cash, three.setup.cash) == (750, 450)


def test_all_set_ups_are_listed_bare_and_with_every_optional_variant() -> None:
    title = title_with_fixed_variants()
    assert optional_variants(title) == ("extra-4",)
    assert list(all_setups(title)) == [
        (2, ("easy", "east")),
        (2, ("east", "easy", "extra-4")),
        (2, ("easy", "west")),
        (2, ("easy", "extra-4", "west")),
        (3, ()),
        (3, ("extra-4",)),
    ]
