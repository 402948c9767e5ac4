"""Where the walk stops: the steps of recorded games and of games of bots, one of every kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from carril import start
from carril.bots import Dice, bot_named
from carril.engine.actions import Action, Range, TakeOver
from carril.engine.state import State
from carril.notation.save import Game, to_text
from tests import table
from tests.browser.positions import simple
from tests.browser.stage import Stage
from tests.page import esp_hand
from tests.rulebook.cuba import positions as cuba_positions
from tests.rulebook.esp import lines
from tests.rulebook.esp.test_takeovers import world

RECORDS = Path(__file__).parents[3] / "shared" / "games"
USER = "Ana"
MOST_ACTIONS = 2500
Hand = Callable[[State, Random], Action]

EXPECTED: Mapping[str, frozenset[str]] = {
    "18EU": frozenset(
        "auction choose,auction open,auction bidding,auction falling,stock-round,founding,"
        "token-choice,stock,track,station,run,earnings,pullman,trains,trains emergency,train-offer,"
        "consent,discards,final-exchange,over".split(",")
    ),
    "18ESP": frozenset(
        "auction open,auction bidding,set-par,stock-round,home,privates,private-offer,tender-offer,"
        "private-train,build,takeover,takeover-offer,takeover-station,combine,run,earnings,trains,"
        "trains emergency,train-offer,discards,over".split(",")
    ),
    "18Cuba": frozenset(
        "auction open,auction bidding,draft,stock-round,home,stock,track,station,run,earnings,"
        "trains,trains emergency,train-offer,machines,discards,over".split(",")
    ),
}
"""The kinds of steps that every title has."""

_BOT_GAMES: Mapping[str, Sequence[tuple[int, int, tuple[str, ...]]]] = {
    "18EU": ((3, 1, ()),),
    "18ESP": ((5, 1, ()),),
    "18Cuba": ((5, 3, ()), (6, 1, ()), (2, 1, ("easy", "east")), (3, 1, ("hard",))),
}
"""Games of random bots, who try what people seldom do: players, seed and variants."""

HANDS: Mapping[str, Callable[[], tuple[State, Hand]]] = {
    "18EU": lambda: (table.game(5, seed=3), simple),
    "18ESP": lambda: (esp_hand.game(5, seed=1), esp_hand.hand),
    "18Cuba": lambda: (cuba_positions.game(5), random_bot(3)),
}
"""A game of each title that is played quickly, for the short walk."""


def _asked_for_a_takeover() -> State:
    """Return a position where a player is asked for one of their companies: it is very rare."""
    state = lines.asking(world(), "CRB")
    asking = next(option for option in state.options() if isinstance(option, TakeOver))
    return state.apply(asking).state


_POSITIONS: Mapping[str, Sequence[Callable[[], State]]] = {
    "18EU": (lambda: table.game(5),),
    "18ESP": (_asked_for_a_takeover,),
    "18Cuba": (cuba_positions.game,),
}
"""Tables of the viewer's own, which have more buttons, and a step that no other game has."""


@dataclass(frozen=True)
class Stop:
    """A step of a game where the walk stops: what kind it is, and where to find it."""

    title: str
    kind: str
    game: str
    at: int
    action: str = ""
    """The action that the stop is for, if it was chosen for one that others of its kind lack."""

    @property
    def name(self) -> str:
        """The kind and the action, in one word each."""
        return " ".join(word for word in (self.title, self.kind, self.action) if word)


def random_bot(seed: int) -> Hand:
    """Return a hand that plays like the random bot."""
    bot, dice = bot_named("random"), Dice(seed)
    return lambda state, random: bot.choose(state, dice).action


def _played(first: State, hand: Hand, most: int) -> bytes:
    """Return a game that a hand plays, as a save file."""
    game, random = Game(first), Random(1)
    while not game.last.finished and len(game) < most:
        game.add(hand(game.last, random))
    return to_text(game).encode()


def _games(title: str, most: int, whole: bool) -> Iterator[tuple[str, bytes]]:
    """Yield games to walk through: all records and games of bots, or a part of a quick game."""
    if not whole:
        yield f"{title}.json", _played(*HANDS[title](), most)
        return
    for path in sorted((RECORDS / title).glob("*.json.gz")):
        if "trace" not in path.name:
            yield path.name, path.read_bytes()
    for players, seed, variants in _BOT_GAMES[title]:
        first = start(title, table.NAMES[:players], seed, variants=variants)
        yield f"{title}-{players}-{seed}.json", _played(first, random_bot(seed), most)


def kind_of(state: State) -> str:
    """Return the kind of step: its mechanism, and what makes its panel look different."""
    if not state.agenda:
        return "over"
    step = state.step
    more = getattr(step, "stage", "")
    emergency = getattr(step, "emergency", None)
    if callable(emergency) and emergency(state):
        more = "emergency"
    return f"{step.mechanism} {more}".strip()


def _actions(state: State) -> set[str]:
    """Return what can be done in a position, by the names of the actions."""
    plain = (o.action if isinstance(o, Range) else o for o in state.options())
    return {type(action).__name__ for action in plain}


Best = dict[tuple[str, str], tuple[int, Stop]]


def _note(best: Best, stop: Stop, size: int, actions: set[str]) -> None:
    """Keep a position for its kind, and for each action, if it has most options so far."""
    for action in {"", *actions}:
        if size > best.get((stop.kind, action), (-1, None))[0]:
            best[stop.kind, action] = size, stop


def _chosen(best: Best) -> list[Stop]:
    """Return one stop for each kind, and one more for each action that could not be done there."""
    found = {}
    for (kind, action), (_, stop) in sorted(best.items(), key=lambda one: one[0]):
        place = (stop.game, stop.at)
        if place not in found:
            found[place] = Stop(stop.title, kind, stop.game, stop.at, action)
    return list(found.values())


def stops(
    stage: Stage,
    title: str,
    kinds: Sequence[str] = (),
    most: int = MOST_ACTIONS,
    whole: bool = True,
) -> list[Stop]:
    """Put games of a title on tables; return the steps to stop at, those with most options."""
    best: Best = {}
    for name, data in _games(title, most, whole):
        game = stage.games.import_file(stage.user(USER), data, name)
        for at in range(game.head + 1):
            state = stage.games.position(game.id, at).state
            kind = kind_of(state)
            if kinds and kind not in kinds:
                continue
            size = len(state.players) * 3 + len(state.options())
            _note(best, Stop(title, kind, game.id, at), size, _actions(state))
    return _chosen(best) + (list(_made_by_hand(stage, title, kinds)) if whole else [])


def _made_by_hand(stage: Stage, title: str, kinds: Sequence[str]) -> Iterator[Stop]:
    for state in (make() for make in _POSITIONS[title]):
        if not kinds or kind_of(state) in kinds:
            yield Stop(title, kind_of(state), stage.table(state, USER), 0)
