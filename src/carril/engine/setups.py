"""The set-ups of a title: which combinations of players and variants can be played."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from carril.engine.cache import Cache
from carril.engine.figures import SetupDef, VariantDef
from carril.engine.refusals import BadSetup
from carril.engine.tables import Tables, load_again

if TYPE_CHECKING:
    from carril.engine.title import Title

_built: Cache[Tables] = Cache(512)
"""The tables by number of players and variants: a few dozen for each title."""


def find_setup(title: Title, players: int, variants: Collection[str] = ()) -> SetupDef:
    """Return the set-up for a number of players with these variants; raise BadSetup if none."""
    tables = title.tables
    counts = sorted({setup.players for setup in tables.setups})
    if players not in counts:
        raise BadSetup(f"{title.name} is for {_span(counts)} players, not {players}")
    for variant in variants:
        if variant not in tables.variants:
            known = ", ".join(tables.variants) or "none"
            raise BadSetup(f"{title.name} has no variant {variant!r}; it has {known}")
        if not _open_to(tables.variants[variant], players):
            raise BadSetup(f"{title.name} for {players} players has no variant {variant!r}")
    wanted = {name for name in variants if not tables.variants[name].optional}
    offered = [setup for setup in tables.setups if setup.players == players]
    for setup in offered:
        if set(setup.variants) == wanted:
            return setup
    choices = "; ".join(" and ".join(setup.variants) or "no variant" for setup in offered)
    played = f"{title.name} for {players} players is played with {choices}"
    named = " and ".join(sorted(wanted))
    raise BadSetup(f"{played}, not {named}" if named else f"{played}; choose one of these")


def _open_to(variant: VariantDef, players: int) -> bool:
    return not variant.players or players in variant.players


def _span(counts: list[int]) -> str:
    return f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])


def tables_for(title: Title, players: int, variants: tuple[str, ...]) -> Tables:
    """Return the tables of a set-up; each is built once."""
    make = partial(_build, title, players, variants)
    return _built.get((players, variants), make, owner=title.tables)


def _build(title: Title, players: int, variants: tuple[str, ...]) -> Tables:
    standard, setup = title.tables, find_setup(title, players, variants)
    tables = standard if setup.map == standard.setup.map else load_again(standard, setup)
    counts = {name: train.count for name, train in tables.trains.items()}
    counts.update(setup.trains)
    bank, cash = tables.figures.bank, setup.cash
    for chosen in (tables.variants[name] for name in variants):
        for train, added in chosen.trains.items():
            counts[train] += added
        bank = bank if chosen.bank is None else chosen.bank
        cash = chosen.cash.get(str(players), cash)
    return replace(
        tables,
        setup=replace(setup, cash=cash),
        figures=replace(tables.figures, bank=bank),
        trains={name: replace(train, count=counts[name]) for name, train in tables.trains.items()},
        companies={s: one for s, one in tables.companies.items() if s not in setup.absent},
    )


def player_counts(title: Title) -> list[int]:
    """Return the numbers of players that a title can be played with."""
    return sorted({setup.players for setup in title.tables.setups})


def optional_variants(title: Title, players: int = 0) -> tuple[str, ...]:
    """Return the variants that can be added to a set-up, of any number of players if 0."""
    rows = title.tables.variants.items()
    return tuple(
        name for name, row in rows if row.optional and (not players or _open_to(row, players))
    )


def all_setups(title: Title) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield players and variants of every set-up, bare and with all optional variants."""
    for setup in title.tables.setups:
        yield setup.players, setup.variants
        if extras := optional_variants(title, setup.players):
            yield setup.players, tuple(sorted((*setup.variants, *extras)))
