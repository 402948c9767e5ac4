"""Where 18xx.games differs from the German 18España rulebook: the entries G1 to G58 of the ledger.

G9, G31, G32, G34, G35, G39, G40 and G52 change nothing in play here: they are about its errors, its
defaults, what it shows, or how it numbers cards. G14, G19, G36 and G56 are done here in the same
way. G50 and G51 are fields of the engine's own conventions.
"""

from __future__ import annotations

from carril.engine.state import Conventions


class ESPConventions(Conventions, tag="18ESP", frozen=True):
    """Defaults are the rulebook's. The engine's own field here is `single_choices_asked`."""

    price_moves_short: bool = True
    """G1: at 55 and 380 a move of one column goes half the way."""
    closed_minors_pay: bool = False
    """G2: a minor that has operated pays its director its price when it closes in phase 5."""
    closed_minors_trade: bool = False
    """G3: trains of minors closed in phase 5 are still for sale."""
    takeover_without_share: bool = False
    """G4: with an empty IPO the minor's director gets no share, not even from the market."""
    takeover_discards: bool = True
    """G5: trains above the limit are discarded at once; otherwise, after a takeover, not before the
    next purchase of a train, and then after the dividend of the turn."""
    consents_asked: bool = True
    """G6, G44: takeovers, trains, privates and the tenders of private 5 change hands only with the
    other owner's consent."""
    tie_by_card: bool = True
    """G7: a tie for director goes to the lowest order card."""
    bids_by_five: bool = True
    """G8: bids are multiples of 5."""
    cashless_asked: bool = False
    """G10: before the first bid even a player who cannot pay is asked."""
    private_1_extra_lay: bool = False
    """G11: private 1 is an additional lay on a mine hex."""
    second_mine_upgrade_free: bool = False
    """G12: an upgrade on a mine hex as second action does not cost 20."""
    private_2_closes: bool = False
    """G13: private 2 bought in phase 4 closes at once."""
    strawberry_needs_madrid: bool = False
    """G15: the first run of the strawberry train must also include Madrid."""
    strawberry_runs_at_once: bool = False
    """G16: the strawberry train may run in the round in which phase 5 began."""
    strawberry_with_minor: bool = False
    """G17: private 3 of a minor becomes a train and is lost with the minor."""
    private_4_free: bool = False
    """G18: private 4 serves minors too and does not count as the pass of the turn."""
    private_7_by_free_train: bool = False
    """G20: private 7 also closes with the free train of private 2."""
    hex_visited_once: bool = False
    """G23: a route visits two stops of one hex only on an OO tile; not both towns of F26."""
    minors_go_north: bool = False
    """G21: minors may build in the North and run to passes."""
    destination_from_any: bool = False
    """G22: the destination may be joined to any station of the company."""
    interest_per_loan: bool = False
    """G24: interest is added when a loan is taken, and only the whole debt is repaid."""
    help_for_company_train: bool = False
    """G25: a director may add cash for another company's train, up to its face value."""
    discards_leave: bool = False
    """G26: trains above the limit leave the game."""
    recycling_endless: bool = False
    """G27, G28: any rusted card can be recycled again and again, exported ones when rusted."""
    combining_after_buying: bool = False
    """G29: combining is a separate step after the purchases."""
    no_export_before_launch: bool = False
    """G30: nothing is exported while no company is launched."""
    harbour_30: bool = False
    """G33: the yellow value of San Esteban is 30."""
    order_fixed: bool = False
    """G37: the order of a round changes only after a forced sale."""
    tie_shared: bool = False
    """G38: a tie for victory is not broken."""
    drawn_by_their_seed: bool = False
    """G31: companies and certificates are drawn as that program draws them from its seed."""
    privates_are_worth: bool = False
    """G39: open privates are part of a player's worth."""
    privates_asked_last: bool = False
    """G41: there is also a step for buying privates and tenders at the end of the turn."""
    forced_sales_free: bool = False
    """G45: shares may be sold even if they cannot raise enough, and a loan or another company's
    train may follow."""
    subsidy_with_dividend: bool = False
    """G46: mines and harbours pay with the dividend, not at the run."""
    mine_hex_twice: bool = False
    """G47: a mine may be laid and dismantled in one turn."""
    south_from_start: bool = False
    """G48: Southern majors may be started in phase 2."""
    sale_after_repayment: bool = False
    """G49: shares may be sold after a loan was repaid, as in the English text."""
    madrid_released: bool = False
    """G42: no circle of Madrid is kept for MZA once MZ has placed its home token."""
    stations_stay_locked: bool = False
    """G43: majors launched before phase 5 keep their locked stations in phase 5."""
    private_1_keeps_open: bool = False
    """G54: the track step stays open for an unused private 1 of the company, and after a lay with
    it for a pass."""
    purchases_interrupt: bool = False
    """G55: privates and tenders can be bought at any moment of a turn, even while another
    player decides."""
    replaced_token_costs: bool = False
    """G57: a station that replaced a minor's on an OO hex without tile costs its price later."""
    withheld_moves_once: bool = False
    """G58: a Northern major that withholds in the last round falls by one column."""
    destination_declared: bool = False
    """G40: reaching the destination is a separate action."""


RULEBOOK = ESPConventions()

ONLINE = ESPConventions(
    price_moves_short=False,
    closed_minors_pay=True,
    closed_minors_trade=True,
    takeover_without_share=True,
    takeover_discards=False,
    consents_asked=False,
    tie_by_card=False,
    bids_by_five=False,
    cashless_asked=True,
    private_1_extra_lay=True,
    second_mine_upgrade_free=True,
    private_2_closes=True,
    strawberry_needs_madrid=True,
    strawberry_runs_at_once=True,
    strawberry_with_minor=True,
    private_4_free=True,
    private_7_by_free_train=True,
    hex_visited_once=True,
    minors_go_north=True,
    destination_from_any=True,
    interest_per_loan=True,
    help_for_company_train=True,
    discards_leave=True,
    recycling_endless=True,
    combining_after_buying=True,
    no_export_before_launch=True,
    harbour_30=True,
    order_fixed=True,
    tie_shared=True,
    privates_asked_last=True,
    single_choices_asked=True,
    drawn_by_their_seed=True,
    privates_are_worth=True,
    south_from_start=True,
    forced_sales_free=True,
    subsidy_with_dividend=True,
    mine_hex_twice=True,
    sale_after_repayment=True,
    madrid_released=True,
    stations_stay_locked=True,
    private_1_keeps_open=True,
    purchases_interrupt=True,
    replaced_token_costs=True,
    withheld_moves_once=True,
    operated_from_dividend=True,
    best_run_enforced=False,
)

PRESETS = {"rulebook": RULEBOOK, "18xx.games": ONLINE}
