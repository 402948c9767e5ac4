"""What 18Cuba adds to laying track: two gauges, the home tile, cane fields and commissioners."""

from __future__ import annotations

from carril.engine.board import has_token_in, open_circles, place_token, tile_at, tokens_of
from carril.engine.events import PrivateClosed
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import gauge_of, supply
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.steps.track import Due, Lay, LayTrack, TrackRules
from carril.engine.tables import HexDef
from carril.engine.tile import COLOURS, Tile
from carril.engine.track import Fit, fits, joins
from carril.titles.cuba.common import MINOR, central, cuba, kind, set_extra
from carril.titles.cuba.figures import Commissioner, figures
from carril.titles.cuba.tiles import gauges

# --- how many tiles, and where --------------------------------------------------------------


def _limit(state: State, step: LayTrack, lay: Lay) -> Refusal | None:
    """Check the number of tiles or the commissioner, and the hexes that are not for a company."""
    if lay.private:
        refused = _commissioner_refusal(state, step, lay)
    else:
        refused = None if step.together else refuse(state, "one-tile", hex=lay.hex)
    if refused:
        return refused
    minor = kind(state, step.company) == MINOR
    return (_minor_refusal if minor else _major_refusal)(state, step.company, lay)


def _minor_refusal(state: State, company: str, lay: Lay) -> Refusal | None:
    """Check that a minor lays and upgrades no city tile but its home."""
    tile = tile_at(state.tables, state.board, lay.hex)
    if tile.kind != "city" or has_token_in(state.board, company, lay.hex):
        return None
    if _is_havana(state, lay.hex):
        return refuse(state, "minor-no-havana", hex=lay.hex)
    code = "minor-other-city" if lay.colour == "yellow" else "minor-upgrades-home"
    return refuse(state, code, hex=lay.hex, company=company)


def _is_havana(state: State, hex_id: str) -> bool:
    """Return whether a hex has printed track, as only the capital has."""
    return bool(state.tables.hexes[hex_id].print.paths)


def _major_refusal(state: State, company: str, lay: Lay) -> Refusal | None:
    """Check that a major upgrades no field."""
    field = tile_at(state.tables, state.board, lay.hex).kind == "field"
    if field and lay.colour != "yellow":
        return refuse(state, "major-no-fields", hex=lay.hex)
    return None


def due(state: State, company: str) -> Due | None:
    """Return the home tile that a company must lay in its first turn, or None.

    Without a tile in the supply that fits, there is no such duty (CUBA-VII.3.4-z).
    """
    if state.companies[company].operated:
        return None
    tables, board = state.tables, state.board
    for hex_id, _ in tokens_of(board, company):
        left, place = supply(tables, board), tables.hexes[hex_id]
        if tile_at(tables, board, hex_id).colour == "white" and any(
            left[fit.tile] and _tile_limit(state, company, place, fit) is None
            for fit in fits(tables, board, hex_id)
        ):
            return Due(hex_id, f"{kind(state, company)}-tile-due")
    return None


# --- which tile -----------------------------------------------------------------------------


def _tile_limit(state: State, company: str, place: HexDef, fit: Fit) -> Refusal | None:
    """Check the gauge of a tile: of a yellow one its own, of an upgrade that it adds to it."""
    new, minor = state.tables.tiles[fit.tile], kind(state, company) == MINOR
    if fit.colour == "yellow":
        return _yellow_refusal(state, new, minor=minor)
    current = tile_at(state.tables, state.board, place.id)
    if new.kind != "plain" or current.colour != "yellow":
        return None
    own = gauge_of(state.tables, company)
    if _length(new, own) > _length(current, own):
        return None
    return refuse(state, "no-more-narrow" if minor else "no-more-standard", tile=fit.tile)


def _yellow_refusal(state: State, new: Tile, *, minor: bool) -> Refusal | None:
    """Check the gauge of a yellow tile (CUBA-VII.3.4-l, -n, -u)."""
    found = gauges(new)
    if not minor:
        only = found == {"standard"}
        return None if only else refuse(state, "major-standard-only", tile=new.number)
    if new.kind == "city":
        both = len(found) == 2
        return None if both else refuse(state, "home-two-gauges", tile=new.number)
    return None if found == {"narrow"} else refuse(state, "minor-narrow-only", tile=new.number)


def _length(tile: Tile, gauge: str) -> int:
    """Return how many pieces of track of a gauge a tile has."""
    return sum(path.gauge == gauge for path in tile.paths)


def _cost(state: State, step: LayTrack, lay: Lay) -> int:
    """Return what a major pays for plain track on an empty cane field (CUBA-VII.3.4-v, -y)."""
    cane = state.tables.hexes[lay.hex].terrain == "cane" and lay.colour == "yellow"
    return figures(state).track.cane if cane and kind(state, step.company) != MINOR else 0


# --- commissioners --------------------------------------------------------------------------


def _commissioner(state: State, symbol: str) -> Commissioner:
    return next(one for one in figures(state).private if one.symbol == symbol)


def _helpers(state: State, step: LayTrack) -> tuple[str, ...]:
    """Return the commissioners of a company's director."""
    director = step.actor(state)
    return tuple(symbol for symbol, owner in cuba(state).commissioners.items() if owner == director)


def _commissioner_refusal(state: State, step: LayTrack, lay: Lay) -> Refusal | None:
    """Check that a commissioner is the director's and covers the tile (CUBA-IV.1-c, -g, -h)."""
    if lay.private not in _helpers(state, step):
        return refuse(state, "not-your-commissioner", private=lay.private)
    covers = _commissioner(state, lay.private).tile
    tile = tile_at(state.tables, state.board, lay.hex)
    found = "city" if tile.cities else "plain"
    if (covers.colour, covers.kind) != (lay.colour, found):
        facts = {"private": lay.private, "colour": covers.colour, "kind": covers.kind}
        return refuse(state, "other-commissioner", **facts)
    allowed = _is_havana(state, lay.hex) and figures(state).readings.commissioner_havana
    if tile.label and not allowed:
        return refuse(state, "no-commissioner-there", private=lay.private, hex=lay.hex)
    return None


def _helped(move: Move, company: str, private: str) -> None:
    """Pay the funding to the owner of a commissioner, whose card leaves the game."""
    owners = dict(cuba(move.state).commissioners)
    owner = owners.pop(private)
    pay(move, BANK, owner, _commissioner(move.state, private).funding, "funding")
    set_extra(move, commissioners=owners)
    move.tell(PrivateClosed(private))


# --- the markers of the state railway -------------------------------------------------------


def _after_lay(move: Move, hex_id: str, replaced: str) -> None:
    """Let a waiting marker take a slot when its hex becomes green (CUBA-VII.3.5-h)."""
    state, own = move.state, figures(move.state).central
    tables, railway = state.tables, central(state)
    tile = tile_at(tables, state.board, hex_id)
    waits = hex_id in own.markers and not has_token_in(state.board, railway, hex_id)
    if waits and COLOURS.index(tile.colour) >= COLOURS.index(own.markers_from):
        free = open_circles(tables, state.board, hex_id, 0) > 0
        circle = None if free else tile.stops[0].slots - 1
        place_token(move, railway, hex_id, 0, beside=True, circle=circle)


TRACK = TrackRules(
    connected=joins,
    limit=_limit,
    tile_limit=_tile_limit,
    due=due,
    cost=_cost,
    helpers=_helpers,
    helped=_helped,
    after_lay=_after_lay,
)
