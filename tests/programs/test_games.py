"""Random games with random programs for random seats, of every title.

    python -m tests.programs.test_games 200

plays more of them.
"""

from __future__ import annotations

import sys

import pytest

from carril.engine.actions import (
    Accept,
    Bid,
    BuyShare,
    DeclareDividend,
    Decline,
    LayTile,
    Pass,
    PlaceToken,
    RunTrains,
)
from carril.engine.events import CompanyFloated, LotSold, PhaseBegan
from carril.engine.registry import title_names
from carril.programs import (
    AnswerOffers,
    BidUpTo,
    BuyShares,
    LayNothing,
    NewPhase,
    Operate,
    PassOn,
)
from tests.programs.games import Given, ProgramGame

MOST = 4000
KINDS = {
    PassOn: (Pass,),
    BuyShares: (BuyShare,),
    BidUpTo: (Bid, Accept, Pass),
    AnswerOffers: (Accept, Decline),
    Operate: (RunTrains, DeclareDividend),
    LayNothing: (Pass,),
}
"""The actions that each kind of program may take."""


def played(title: str, seed: int) -> ProgramGame:
    """Play a game to its end; a program whose action is refused raises an error."""
    game = ProgramGame(title, seed)
    game.play(MOST)
    assert game.state.ended, f"{title} with seed {seed} goes on"
    return game


def check(game: ProgramGame, given: Given) -> None:
    """Check that a program kept to what it says."""
    program = given.program
    for entry in given.acted:
        assert isinstance(entry.action, KINDS[type(program)])
        assert not isinstance(entry.action, LayTile | PlaceToken)
        if isinstance(entry.action, Bid):
            assert isinstance(program, BidUpTo)
            assert entry.action.amount <= program.limit
    if isinstance(program, BuyShares):
        assert not program.count or len(given.acted) <= program.count
        assert all(entry.action.company == program.company for entry in given.acted)  # type: ignore[union-attr]
    if given.acted:
        _check_ends(game, given)


def _check_ends(game: ProgramGame, given: Given) -> None:
    """Check that a program did nothing after what ends it."""
    program, last = given.program, given.acted[-1].number
    before = [entry for entry in game.entries if given.start < entry.number < last]
    told = [(entry.by, event) for entry in before for event in entry.events]
    if any(isinstance(stop, NewPhase) for stop in program.stops):
        assert not any(isinstance(event, PhaseBegan) for _, event in told)
    if isinstance(program, BidUpTo):
        assert not any(isinstance(e, LotSold) and e.lot == program.lot for _, e in told)
    if isinstance(program, BuyShares) and program.until_float:
        floated = [e.company for _, e in told if isinstance(e, CompanyFloated)]
        assert program.company not in floated


@pytest.mark.parametrize("title", title_names())
def test_games_with_programs_end_and_every_action_is_legal(title: str) -> None:
    acted = 0
    for seed in (1, 2):
        game = played(title, seed)
        for given in game.given:
            check(game, given)
        acted += sum(len(given.acted) for given in game.given)
    assert acted > 5


def main(games: int) -> None:
    """Play a number of games of each title."""
    for title in title_names():
        total = 0
        for seed in range(games):
            game = played(title, seed)
            for given in game.given:
                check(game, given)
            total += sum(len(given.acted) for given in game.given)
        print(f"{title}: {games} games, {total} actions of programs", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
