"""Merging a minor into a corporation: its cash, its trains, its token."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Accept, Action, Decline
from carril.engine.board import allot_tokens, place_token, remove_token, tokens_in, tokens_of
from carril.engine.events import Answered, CompanyClosed, MinorMerged
from carril.engine.launch import check_float
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import linked
from carril.engine.refusals import Refusal
from carril.engine.shares import check_president, hand_over
from carril.engine.state import BANK, POOL, TREASURY, State
from carril.engine.step import Step, refuse
from carril.engine.trains import discard, hand_train
from carril.titles.eu.common import (
    PULLMAN,
    conventions,
    discards_due,
    drop_pullmans,
)

NO_SHARE = "none"


def connected(state: State, minor: str, company: str) -> bool:
    """Return whether a minor can merge: a legal line to a token, or a shared hex (EU-4.3-e)."""
    return linked(state.tables, state.board, minor, company, once_per_hex=True)


def exchange(move: Move, player: str, minor: str, company: str, source: str) -> None:
    """Exchange a minor for a share (EU-4.1.2-h); the president may replace its token."""
    if source != NO_SHARE:
        hand_over(move, company, source, player, 1)
    move.tell(MinorMerged(minor, company, player))
    hand_assets(move, minor, company if source == TREASURY else "")
    check_president(move, company)
    check_float(move, company)
    agreed = conventions(move.state)
    if source == TREASURY:
        hex_id, city = next(tokens_of(move.state.board, minor))
        move.push(TokenChoice(company, minor, hex_id, city))
    else:
        close_minor(move, minor)
    drop_pullmans(move, limit_too=agreed.pullman_goes_by_itself)
    if not agreed.merger_discards_wait and move.state.round.kind == "SR":
        move.push(*discards_due(move.state))


def hand_assets(move: Move, minor: str, company: str) -> None:
    """Give cash and trains to the corporation, or to bank and pool (EU-4.1.2-i, A-18)."""
    charter = move.state.companies[minor]
    pay(move, minor, company or BANK, charter.cash, "merger")
    for train in charter.trains:
        if not company:
            discard(move, minor, train)
            continue
        second = train == PULLMAN and PULLMAN in move.state.companies[company].trains
        if second and not conventions(move.state).pullman_goes_by_itself:
            discard(move, minor, train)  # a company never owns two Pullmans
        else:
            hand_train(move, minor, company, train)


def close_minor(move: Move, minor: str) -> None:
    """Take a minor out of play for good; all that it still has is lost (EU-4.3-c)."""
    hand_assets(move, minor, "")
    for hex_id, city in list(tokens_of(move.state.board, minor)):
        remove_token(move, minor, hex_id, city)
    move.change_company(minor, owner="", closed=True)
    allot_tokens(move, minor, 0)
    move.tell(CompanyClosed(minor))


def replace_token(move: Move, minor: str, company: str) -> None:
    """Replace a minor's token by one of the corporation, free of charge (EU-4.3-i)."""
    hex_id, city = next(tokens_of(move.state.board, minor))
    close_minor(move, minor)
    place_token(move, company, hex_id, city)


class TokenChoice(Step, tag="token-choice", frozen=True):
    """The president decides whether the corporation's token replaces the minor's (EU-4.3-g)."""

    company: str
    minor: str
    hex: str
    city: int

    allows = (Accept, Decline)

    def actor(self, state: State) -> str:
        """Return the president."""
        return state.companies[self.company].owner

    def _token_refusal(self, state: State) -> Refusal | None:
        if not state.companies[self.company].tokens:
            return refuse(state, "no-spare-token", company=self.company)
        if self.company in tokens_in(state.board, self.hex, self.city):
            return refuse(state, "token-in-city", company=self.company, hex=self.hex)
        return None

    def settle(self, move: Move) -> bool:
        """Only remove the minor's token if none can be placed, or one is there already (A-30)."""
        if move.state.setup.conventions.single_choices_asked:
            return False
        if self._token_refusal(move.state) is None:
            return False
        move.pop()
        close_minor(move, self.minor)
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield yes, if a token can be placed, and no."""
        by = self.actor(state)
        if self._token_refusal(state) is None:
            yield Accept(by=by)
        yield Decline(by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that a token can be placed."""
        return self._token_refusal(state) if isinstance(action, Accept) else None

    def play(self, move: Move, action: Action) -> None:
        """Replace the token, or only remove the minor's."""
        accepted = isinstance(action, Accept)
        move.tell(Answered(self.actor(move.state), accepted, self.hex))
        move.pop()
        if accepted:
            replace_token(move, self.minor, self.company)
        else:
            close_minor(move, self.minor)


def share_source(state: State, company: str) -> str:
    """Return where the share of a final exchange comes from: the treasury first (EU-4.2.2-j)."""
    charter = state.companies[company]
    if charter.held(TREASURY):
        return TREASURY
    return POOL if charter.held(POOL) else NO_SHARE
