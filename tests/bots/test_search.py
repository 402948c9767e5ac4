"""The bot that searches: within its budget, repeatable, interruptible, and never by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from carril import start
from carril.bots import Dice, PlannerBot
from carril.bots.search import SearchBot
from carril.bots.search.candidates import candidates, searched
from carril.bots.search.halving import Comparison
from carril.bots.search.playout import Interrupted, Job, Playout, play_on
from carril.engine.registry import title_named, title_names
from carril.engine.state import State

SMALL = 300
NAMES = ("Ana", "Ben", "Cleo", "Dan")


def positions(title: str, seed: int, every: int) -> Iterator[State]:
    """Yield some searched positions of a game of planners."""
    players = min(4, max(setup.players for setup in title_named(title).tables.setups))
    state, dice, bot = start(title, NAMES[:players], seed=seed), Dice(seed), PlannerBot()
    number = 0
    for _ in range(320):
        if state.finished:
            return
        if searched(state):
            number += 1
            if number % every == 0:
                yield state
        state = state.apply(bot.choose(state, dice).action).state


@pytest.mark.parametrize("title", title_names())
def test_its_choices_are_legal_and_the_same_for_the_same_dice(title: str) -> None:
    bot = SearchBot(budget=SMALL, rounds=1)
    for state in positions(title, 3, every=12):
        one, two = (bot.choose(state, Dice(9)) for _ in range(2))
        assert one == two
        assert one.reason
        assert state.refusal(one.action) is None


def test_two_processes_give_the_same_answers_as_one() -> None:
    alone, pair = SearchBot(budget=SMALL, rounds=1), SearchBot(budget=SMALL, rounds=1, processes=2)
    try:
        for state in positions("18EU", 4, every=15):
            assert alone.choose(state, Dice(2)) == pair.choose(state, Dice(2))
    finally:
        pair.close()


def test_the_budget_of_positions_is_kept() -> None:
    for state in positions("18EU", 5, every=12):
        found = candidates(state, PlannerBot().choose(state, Dice(1)))
        after = [state.apply(action).state for action in found]
        comparison = Comparison(after, state.acting or "", rounds=2)
        comparison.run(lambda jobs: [play_on(*job) for job in jobs], Dice(1), 500)
        assert 0 < comparison.positions <= 500 or len(found) == 1


def test_a_search_that_is_told_to_stop_returns_what_it_has() -> None:
    state = next(positions("18EU", 6, every=10))
    planned = PlannerBot().choose(state, Dice(1)).action
    for after in (0, 1, 30):
        bot = SearchBot(budget=5000, rounds=4, stop=_after(after))
        assert state.refusal(bot.choose(state, Dice(1)).action) is None
    assert SearchBot(stop=lambda: True).choose(state, Dice(1)).action == planned


def test_processes_stop_as_well() -> None:
    state = next(positions("18EU", 6, every=10))
    bot = SearchBot(budget=10**6, rounds=99, processes=2, stop=_after(2))
    try:
        assert bot.choose(state, Dice(1)).action == PlannerBot().choose(state, Dice(1)).action
    finally:
        bot.close()


def _after(count: int) -> Callable[[], bool]:
    """Return a question that is answered with yes after being asked some times."""
    asked = iter(range(count))
    return lambda: next(asked, None) is None


def test_a_playout_that_is_stopped_says_so() -> None:
    state = start("18EU", NAMES, seed=1)
    with pytest.raises(Interrupted):
        play_on(state, Job("Ana", 1, 1, 50), stop=_after(10))


def test_a_playout_ends_with_its_rounds_or_its_allowance() -> None:
    state = start("18EU", NAMES, seed=1)
    assert play_on(state, Job("Ana", 1, 1, 25)).positions == 25
    whole = play_on(state, Job("Ana", 1, 99, 9999))
    short = play_on(state, Job("Ana", 1, 1, 9999))
    assert 25 < short.positions < whole.positions
    assert set(whole.worth) == set(NAMES)


def _given(*values: Sequence[int]) -> Callable[[Sequence[tuple[State, Job]]], list[Playout]]:
    """Return a play in which the second action leads to these amounts, the first to 1,000."""
    rows = iter(values[0])

    def play(jobs: Sequence[tuple[State, Job]]) -> list[Playout]:
        amount = next(rows)
        return [Playout({"Ana": 1000}, 10), Playout({"Ana": amount}, 10)]

    return play


def test_only_a_clear_lead_changes_the_choice() -> None:
    state = start("18EU", NAMES, seed=1)
    for amounts, expected in (
        ((1100, 1110, 1090, 1100, 1100, 1100), 1),
        ((900, 910, 890, 900, 900, 900), 0),
        ((1900, 100, 1800, 200, 1300, 750), 0),
    ):
        comparison = Comparison([state, state], "Ana", rounds=1)
        comparison.run(_given(amounts), Dice(1), 10_000)
        assert comparison.best()[0] == expected
