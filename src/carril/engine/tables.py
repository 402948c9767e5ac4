"""The tables of a title: map, tiles, market, companies, trains and phases, as typed values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct, convert

from carril.engine.figures import Figures, Limit, SetupDef, VariantDef
from carril.engine.hexes import EDGES, neighbour
from carril.engine.table_files import read_table
from carril.engine.tile import Tile, read_tile

Rows: TypeAlias = tuple[tuple[int, ...], ...]
"""The prices of a market, row by row."""


class HexDef(Struct, frozen=True):
    """A hex of the map: its print, its ground and its neighbours by edge ("" = none)."""

    id: str
    name: str
    print: Tile
    terrain: str
    cost: int
    upgrade_cost: Mapping[str, int]
    consent_of: str
    """The company whose owner has a say in the first tile; "" for none."""
    neighbours: tuple[str, ...]
    region: str = ""
    last_colour: str = ""
    """The colour of the last tile that may be laid here; "" where all may."""
    must_reach: tuple[int, ...] = ()
    """The edges that the track of every tile here must reach."""

    @property
    def buildable(self) -> bool:
        """Whether tiles can be laid here: on open hexes and on printed yellow ones."""
        return self.print.colour in ("white", "yellow")


def same_kind(hex_def: HexDef, current: Tile, new: Tile) -> bool:
    """Return whether a tile has the label and kind of the current one, up to the last colour."""
    same = new.label == current.label and new.kind == current.kind
    return same and current.colour != hex_def.last_colour


class Par(Struct, frozen=True):
    """A space of the market where a company may start."""

    price: int
    row: int
    column: int


class Home(Struct, frozen=True):
    """Where a company's first token goes."""

    hex: str
    city: int = 0
    """-1 where its owner chooses one of the cities of the hex."""


class Launch(Struct, frozen=True, forbid_unknown_fields=True):
    """The terms on which a company floats."""

    shares: int = 0
    """How many of its shares players must hold."""
    phase: str = ""
    """The phase from which these terms are valid; "" from the start."""
    capital: int = 0
    """How many times the par value the bank pays the company."""
    rest_to_pool: bool = False
    """Whether the bank buys the shares in its treasury at par and puts them into the pool."""


class CompanyDef(Struct, frozen=True):
    """A company as the tables describe it."""

    symbol: str
    kind: str
    name: str
    import_symbol: str
    english: str = ""
    colour: str = "#888888"
    home: Home | None = None
    region: str = ""
    destination: str = ""
    standard: bool = True
    offered_from: str = ""
    """The phase from which its shares are offered; "" from the start."""
    gauge: str = ""
    """The gauge of all its trains; "" where they may differ."""
    tokens: int = 1
    token_price: int = 0
    """What its tokens cost together when it starts."""
    station_costs: tuple[int, ...] = ()
    """What its stations cost after the home, one after the other; the last figure goes on."""
    units: int = 0
    """How many shares it has; 0 where it has an owner and no shares."""
    president_units: int = 1
    """How many shares the president's certificate counts as; 0 where it has no president."""
    start_units: int = 1
    """How many times the par value its first certificate costs."""
    launch: tuple[Launch, ...] = ()
    """The terms of floating, by phase."""
    price_falls: bool = True
    """Whether its price falls when players sell shares."""
    train: str = ""
    keeps_trains: bool = False
    """Whether its trains never rust, never age and are not limited."""

    @property
    def has_shares(self) -> bool:
        """Whether shares of it can be held."""
        return self.units > 0

    @property
    def has_president(self) -> bool:
        """Whether somebody decides for it."""
        return self.president_units > 0

    @property
    def sole_owner(self) -> bool:
        """Whether it belongs to one player as a whole."""
        return self.units <= 1


class Distance(Struct, frozen=True):
    """How many stops of these kinds a train visits; -1 is any number."""

    stops: tuple[str, ...]
    count: int = -1


class TrainDef(Struct, frozen=True):
    """A kind of train. A count of -1 never runs out."""

    name: str
    price: int
    count: int = -1
    supply: str = ""
    """The supply its cards are in, in the order of the table."""
    rusted_by: str = ""
    """The phase that removes it from play."""
    aged_by: str = ""
    """The phase that turns its cards over, sold or not."""
    ages_to: str = ""
    """The train on the other side of a card that ages."""
    traded_for: str = ""
    """The train that it can be traded in for; "" if for none."""
    distance: tuple[Distance, ...] = ()
    kind: str = "train"
    initial: str = ""
    available_from: str = ""
    """The phase from which it can be bought, whatever else is left in its supply; "" if it must
    wait for the cards above it."""
    limit: int = 0
    gauge: str = ""
    factor: int = 1
    """What the values of its stops are multiplied by."""
    free_tolls: int = 0
    """How many tolls of its route it need not pay."""
    capacity: int = 0
    """How many cubes it carries, for a wagon."""
    card: str = ""
    """The card this is a side of; "" when the card has its name."""
    counted_as: str = "train"
    """The class of trains whose limit it counts against; "" if none."""


class PhaseDef(Struct, frozen=True):
    """A phase: the tiles, train limits and operating rounds while it lasts."""

    name: str
    colour: str
    tiles: tuple[str, ...]
    train_limit: Mapping[str, int | Mapping[str, int]]
    """How many trains of each class a company may own, by kind of company: one number for every
    class, or a number by class."""
    operating_rounds: int
    train: str = ""
    """The card that begins it when it is sold or exported; "" where it has the phase's name."""
    event: str = ""
    """What else happens when it begins; the title knows what that means."""


class Tables(Struct, frozen=True):
    """Everything that the tables say about one set-up of a title."""

    package: str
    """The package that holds the tables."""
    orientation: str
    hexes: Mapping[str, HexDef]
    tiles: Mapping[str, Tile]
    rows: Rows
    pars: tuple[Par, ...]
    companies: Mapping[str, CompanyDef]
    trains: Mapping[str, TrainDef]
    phases: tuple[PhaseDef, ...]
    phase_numbers: Mapping[str, int]
    """The place of each phase in their order."""
    begun_by: Mapping[str, str]
    """The phase that begins when the first card of a name leaves its supply."""
    setup: SetupDef
    setups: tuple[SetupDef, ...]
    """All set-ups of the title."""
    variants: Mapping[str, VariantDef]
    figures: Figures
    market: Mapping[str, Any]
    replaces: Callable[[HexDef, Tile, Tile], bool] = same_kind
    """Whether a tile is of the right sort for what lies on a hex."""
    areas: Mapping[str, tuple[str, ...]] = {}
    """The parts of a large map that can be shown by themselves, each with its regions."""
    layouts: dict[str | tuple[str, int], Any] = {}
    """The track of hexes and tiles, ready to walk (`engine.network.layout`); a few hundred for each
    map, made when first asked for and shared by the set-ups with that map."""

    def share_limit(self, holder: str, company: str) -> int:
        """Return how many shares of a company a "player", the "pool" or its "treasury" may hold.

        A company that belongs to one player as a whole has no limit.
        """
        definition = self.companies[company]
        if definition.sole_owner:
            return definition.units
        limits = self.figures.share_limit.kinds.get(definition.kind, self.figures.share_limit)
        limit: Limit = getattr(limits, holder)
        most = limit.percent * definition.units // 100
        return most if limit.certificates is None else min(most, limit.certificates)

    def of_kind(self, kind: str) -> Iterator[CompanyDef]:
        """Yield the companies of a kind, in the order of the table."""
        return (company for company in self.companies.values() if company.kind == kind)


def _hexes(table: Mapping[str, Any]) -> dict[str, HexDef]:
    names = {row["at"] for row in table["hex"]}
    orientation = table["orientation"]

    def around(row: Mapping[str, Any]) -> tuple[str, ...]:
        links, blocked = row.get("links", {}), row.get("impassable", ())
        found = (links.get(str(edge), neighbour(row["at"], edge, orientation)) for edge in EDGES)
        return tuple(
            other if other in names and edge not in blocked else ""
            for edge, other in enumerate(found)
        )

    return {
        row["at"]: HexDef(
            id=row["at"],
            name=row.get("name", ""),
            print=read_tile(row["at"], row),
            terrain=row.get("terrain", ""),
            cost=row.get("cost", 0),
            upgrade_cost=row.get("upgrade_cost", {}),
            consent_of=row.get("consent_of", ""),
            neighbours=around(row),
            region=row.get("region", ""),
            last_colour=row.get("last_colour", ""),
            must_reach=tuple(row.get("must_reach", ())),
        )
        for row in table["hex"]
    }


def _companies(table: Mapping[str, Any]) -> dict[str, CompanyDef]:
    found = {}
    for kind in table["kinds"]:
        common = dict(table.get(f"every_{kind}", {}))
        if shares := common.pop("shares", None):
            unit = min(shares)
            president = max(shares) // unit if common.pop("president", True) else 0
            common |= {"units": sum(shares) // unit, "president_units": president}
            common.setdefault("start_units", president)
        for row in table[kind]:
            full = {"kind": kind, "import_symbol": row["symbol"]} | common | row
            found[row["symbol"]] = convert(full, CompanyDef)
    return found


def _tiles(table: Mapping[str, Any]) -> dict[str, Tile]:
    return {row["number"]: read_tile(row["number"], row) for row in table["tile"]}


def _map(
    table: Mapping[str, Any],
) -> tuple[str, dict[str, HexDef], Mapping[str, tuple[str, ...]]]:
    areas = {name: tuple(regions) for name, regions in table.get("areas", {}).items()}
    return table["orientation"], _hexes(table), areas


def _market(table: Mapping[str, Any]) -> tuple[Rows, tuple[Par, ...], Mapping[str, Any]]:
    return convert(table["rows"], Rows), convert(table["par"], tuple[Par, ...]), table


def _setups(
    figures: type[Figures], table: dict[str, Any]
) -> tuple[Figures, tuple[SetupDef, ...], dict[str, VariantDef]]:
    setups = convert(table.pop("setup"), tuple[SetupDef, ...])
    variants = convert(table.pop("variants", {}), dict[str, VariantDef])
    return convert(table, figures), setups, variants


def load_tables(
    package: str,
    figures: type[Figures] = Figures,
    replaces: Callable[[HexDef, Tile, Tile], bool] = same_kind,
    setup: SetupDef | None = None,
) -> Tables:
    """Load the tables of a title's package for one of its set-ups, the first one if None."""
    own, setups, variants = read_table(package, "setup", partial(_setups, figures))
    chosen = setup or setups[0]
    orientation, hexes, areas = read_table(package, chosen.map, _map)
    rows, pars, market = read_table(package, "market", _market)
    trains = read_table(package, "trains", lambda t: convert(t["train"], tuple[TrainDef, ...]))
    phases = read_table(package, "phases", lambda t: convert(t["phase"], tuple[PhaseDef, ...]))
    return Tables(
        package=package,
        orientation=orientation,
        hexes=hexes,
        tiles=read_table(package, "tiles", _tiles),
        rows=rows,
        pars=pars,
        companies=read_table(package, "companies", _companies),
        trains={train.name: train for train in trains},
        phases=phases,
        phase_numbers={phase.name: number for number, phase in enumerate(phases)},
        begun_by={phase.train or phase.name: phase.name for phase in phases},
        setup=chosen,
        setups=setups,
        variants=variants,
        figures=own,
        market=market,
        replaces=replaces,
        areas=areas,
    )


def load_again(tables: Tables, setup: SetupDef) -> Tables:
    """Load the tables of a title once more for a set-up with another map."""
    return load_tables(tables.package, type(tables.figures), tables.replaces, setup)
