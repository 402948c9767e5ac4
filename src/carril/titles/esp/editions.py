"""The three rulebooks of 18ESP: one frozen record of parameters for each.

The numbers E1 to E61 are the rows of the table "Editions" in the ledger. Rows that are only
wording, material or open points decided alike for all editions have no field.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class Edition(Struct, frozen=True):
    """What depends on the rulebook. Defaults are the German one's, the newest."""

    name: str = "de"
    face_values: tuple[int, ...] = (20, 60, 70, 100, 130, 160, 170)
    """E5: face values of privates 1 to 7."""
    private_2_without_train: bool = True
    """E6: private 2 bought in phase 4 stays open without a train; otherwise it closes."""
    private_2_train_sold: bool = True
    """E7: the train of private 2 may be sold to another company."""
    strawberry_rests_after_phase: bool = True
    """E8: the strawberry train first runs in the round after phase 5 began."""
    tenders_for_sale: int = 5
    """E9: tenders the owner of private 5 may sell; one more goes with the private."""
    high_par_from_phase: str = "3"
    """E13: the phase from which a major may start at 95 or 100."""
    reserved_share: bool = False
    """E14, E17, E33: a share of each Southern major is kept for the takeover of a minor."""
    southern_tokens: int = 5
    """E15: station tokens of a Southern major."""
    second_tile_from_phase: str = "3"
    """E20: the phase from which a second track action for 20 is possible."""
    station_on_oo_from: str = "brown"
    """E24: the colour from which others may build on an OO hex before its home company."""
    one_station_per_hex: bool = True
    """E25: one station per hex, not only per city."""
    plain_tile_twice: bool = True
    """E26: a route may use different track of one plain tile."""
    idle_trains: bool = True
    """E28: trains may be left idle."""
    both_bonuses: int = 200
    """E29: what a route with both bonuses gets."""
    one_takeover: bool = False
    """E31: a Southern major takes over one minor in the whole game."""
    takeover_choice: bool = True
    """E31: the minors' directors are asked first, then one who agrees is chosen; otherwise the
    first minor whose director agrees is taken over."""
    takeover_needs_run: bool = False
    """E32: only a minor that has run a train can be taken over before phase 5."""
    takeover_unlocks: int = 0
    """E34, E36: stations that a takeover, being a goal, makes available."""
    minors_freeze: bool = False
    """E4, E38, E52: minors are frozen in phase 5 instead of closing."""
    train_must_run: bool = False
    """E40, E42: the duty is to own a train that can run."""
    routes_on_both_maps: bool = False
    """E41: a train for the other map fulfils the duty only with a route on each map."""
    discards_leave: bool = False
    """E43: trains above the limit leave the game instead of going to the open market."""
    partial_repayment: bool = True
    """E44: a loan may be repaid in part."""
    sale_after_repayment: bool = False
    """E60: shares may still be sold in a turn after a loan was repaid."""
    north_goal: tuple[str, ...] = ("harbour",)
    """E45: what one route must include for the third goal of a Northern major."""
    stations_freed: bool = True
    """ESP-DE-5.3.4-c: when phase 5 begins all locked stations are free; otherwise only those of
    majors that are not launched."""
    south_goal: tuple[str, ...] = ("harbour",)
    """E46: the same for a Southern major; nothing: a takeover is the goal."""
    exported_recycled: bool = True
    """E48: exported trains can be recycled before their kind has rusted."""
    recycled_once: bool = False
    """A50: a card that was recycled once is never recycled again."""
    combine_must_run: bool = False
    """E49: a combination that cannot cross is refused when nothing else can run."""
    second_pass_at_end: bool = False
    """E50: a route may begin or end in a second pass; it may never go through two."""
    last_factor: int = 2
    """E51: the factor of the Northern majors' income in the last operating round."""
    last_fall_multiplied: bool = True
    """A55: in that round their price falls by as many columns as it rises."""
    tie_by_shares: bool = False
    """E53: a tie is broken by the shares of the best Northern major, then by the order cards."""


GERMAN = Edition()

ENGLISH = Edition(
    name="en",
    face_values=(10, 40, 70, 100, 130, 160, 190),
    private_2_without_train=False,
    strawberry_rests_after_phase=False,
    tenders_for_sale=4,
    high_par_from_phase="2",
    reserved_share=True,
    southern_tokens=6,
    second_tile_from_phase="2",
    station_on_oo_from="grey",
    one_station_per_hex=False,
    plain_tile_twice=False,
    idle_trains=False,
    both_bonuses=150,
    one_takeover=True,
    takeover_choice=False,
    takeover_needs_run=True,
    takeover_unlocks=2,
    minors_freeze=True,
    train_must_run=True,
    discards_leave=True,
    partial_repayment=False,
    sale_after_repayment=True,
    north_goal=("mine", "harbour"),
    stations_freed=False,
    south_goal=(),
    exported_recycled=False,
    recycled_once=True,
    combine_must_run=True,
    second_pass_at_end=True,
    last_factor=3,
    last_fall_multiplied=False,
    tie_by_shares=True,
)

SPANISH = replace(ENGLISH, name="es", private_2_train_sold=False, routes_on_both_maps=True)

EDITIONS = {"de": GERMAN, "en": ENGLISH, "es": SPANISH}
