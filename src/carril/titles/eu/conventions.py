"""Where 18xx.games differs from the 18EU rulebook: one field for each entry G-n of the ledger."""

from __future__ import annotations

from carril.engine.state import Conventions


class EUConventions(Conventions, tag="18EU", frozen=True):
    """Defaults are the rulebook's. The engine's own fields are G-13, G-17, G-18, G-22."""

    minors_are_certificates: bool = True
    """G-1: a minor counts against its owner's certificate limit."""
    priority_kept_in_sale: bool = True
    """G-2: the initial sale does not move the priority deal."""
    merger_discards_wait: bool = True
    """G-3: trains above the limit after a merger are discarded at the end of the stock round."""
    phase_discards_at_once: bool = True
    """G-4: trains above a limit that falls are discarded at once, not at the end of the turn."""
    exchange_discards_at_end: bool = True
    """G-5: discards after the final exchange belong to it, not to the next stock round."""
    pullman_goes_by_itself: bool = False
    """G-6: a Pullman above the limit goes at the merger; two in one company are tolerated."""
    free_pullman_discard: bool = False
    """G-7: a Pullman may be discarded in every turn, with no duty to buy."""
    first_turn_redeem: bool = True
    """G-8: a corporation may buy its own stock in its first operating round."""
    one_stock_deal: bool = False
    """G-9: a corporation's stock step is a single sale or purchase."""
    train_only_with_route: bool = False
    """G-10: only a corporation with a route, ports aside, must own a train."""
    help_with_treasury: bool = False
    """G-11: a president may add to the price of another company's train, up to its face price."""
    help_with_any_train: bool = False
    """G-12: a president may help with any train, even if the treasury can pay for a cheaper one."""
    consent_asked: bool = True
    """G-14: a tile on a hex that needs an owner's consent waits for the answer."""
    merger_checked: bool = True
    """G-15: a merging minor must be connected."""
    pass_closes_minors: bool = False
    """G-16: a pass in the final exchange closes all of a player's minors that cannot merge."""
    pool_exchange_keeps_turn: bool = False
    """G-31: in the final exchange a player who takes a share from the pool continues with their
    next minor immediately."""
    mountain_cost_stays: bool = False
    """G-19: a yellow tile that was on a mountain makes its next upgrade cost 60 anywhere."""
    bankrupt_chooses_sales: bool = True
    """G-20: a bankrupt president chooses what to sell; otherwise it is sold for them."""
    minor_owner_may_pass: bool = False
    """G-21: a player who must sell may pass instead while they own a minor."""
    home_in_any_circle: bool = False
    """G-24: the first token may go to a free circle in the hex of one of the president's minors."""
    stack_price_checked: bool = True
    """G-25: a train from the stack costs its face price."""
    price_after_200: int = 220
    """G-26: the space between 200 and 245."""
    pool_counts_to_float: bool = False
    """G-27: shares in the pool count towards flotation."""
    several_blocks_for_train: bool = True
    """G-28: in an emergency a president may sell several blocks of one corporation."""
    solvent_president_pays: bool = True
    """G-28: a president who can raise the money may sell nothing that makes it impossible."""
    excess_sold_at_once: bool = True
    """G-29: a player above 60% sells the whole excess in one block, if that can be sold."""
    exchange_starts_with_buyer: bool = False
    """G-30: the final exchange starts with the player who led the buyer of the first 5 train when
    it was bought, even if another player leads it by then."""


RULEBOOK = EUConventions()

ONLINE = EUConventions(
    minors_are_certificates=False,
    priority_kept_in_sale=False,
    merger_discards_wait=False,
    phase_discards_at_once=False,
    exchange_discards_at_end=False,
    pullman_goes_by_itself=True,
    free_pullman_discard=True,
    first_turn_redeem=False,
    one_stock_deal=True,
    train_only_with_route=True,
    help_with_treasury=True,
    help_with_any_train=True,
    operated_from_dividend=True,  # G-13
    consent_asked=False,  # G-14
    merger_checked=False,
    pass_closes_minors=True,
    pool_exchange_keeps_turn=True,
    best_run_enforced=False,  # G-17
    broken_at_zero=False,  # G-18: as the rulebook is read here
    mountain_cost_stays=True,
    bankrupt_chooses_sales=False,
    minor_owner_may_pass=True,
    single_choices_asked=True,  # G-22
    home_in_any_circle=True,
    stack_price_checked=False,
    price_after_200=225,
    pool_counts_to_float=True,
    several_blocks_for_train=False,
    solvent_president_pays=False,
    excess_sold_at_once=False,
    exchange_starts_with_buyer=True,
)

PRESETS = {"rulebook": RULEBOOK, "18xx.games": ONLINE}
