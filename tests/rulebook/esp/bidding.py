"""The private auction of 18ESP played quickly, for tests."""

from __future__ import annotations

from carril.engine.actions import Bid, Pass, StartCompany
from carril.engine.state import State
from carril.engine.steps.auction import Auction as PrivateAuction
from carril.titles.esp.auction import SetPar
from carril.titles.esp.common import esp
from tests.table import play


def lot(state: State) -> PrivateAuction:
    """Return the auction that is due."""
    step = state.step
    assert isinstance(step, PrivateAuction)
    return step


def win(state: State, amount: int = 0) -> State:
    """Let whoever is asked bid (the least, if nothing is said) and all others pass."""
    private = lot(state).private
    state = play(state, Bid(amount or lot(state).least))
    while isinstance(state.step, PrivateAuction) and state.step.private == private:
        state = play(state, Pass())
    return state


def to_private(state: State, private: str) -> State:
    """Sell every private before this one to its opener at the least price."""
    while lot(state).private != private:
        state = win(state)
    return state


def auctioned(state: State, par: int = 70) -> State:
    """Sell all privates to their openers at face value; private 7's company starts at par."""
    while isinstance(state.step, PrivateAuction):
        state = win(state)
    assert isinstance(state.step, SetPar)
    return play(state, StartCompany(esp(state).director_7, par))
