"""A panel shows what may be done in one kind of decision: a model for a small template.

Panels belong to mechanisms, not to titles: a function marked `@panel("mechanism")` makes the panel
for every step of that mechanism, in whichever title. A step without a panel of its own gets the one
that is registered for its actions, or else the plain one, which lists every option as a button.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from carril.engine.actions import Action, Option, Pass, PlaceToken, Range
from carril.engine.answers import Answers
from carril.engine.play import Outcome
from carril.engine.refusals import CarrilError, Refusal
from carril.engine.state import State
from carril.page.option_cache import options_of
from carril.page.words import Words

A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: what it does, or why it cannot be done."""

    label: str
    action: str
    detail: str = ""
    look: str = ""
    why: str = ""
    rule: str = ""
    confirm: str = ""
    place: str = ""
    """The hex or stop on the map that it is about; a stop is the hex, a dot and a number."""

    @property
    def legal(self) -> bool:
        """Whether it may be done."""
        return not self.why


@dataclass(frozen=True, slots=True)
class Amount:
    """A number to choose, with a button: a bid, a price."""

    label: str
    action: str
    field: str
    least: int
    most: int
    step: int
    now: int
    name: str


@dataclass(frozen=True, slots=True)
class Panel:
    """What the side of the table shows for the decision that is due."""

    template: str
    sentence: str
    model: Mapping[str, Any] = field(default_factory=dict)
    stage: str = "map"
    """Which view of the board goes with it."""
    lit: Mapping[str, str] = field(default_factory=dict)
    """Hexes to point out, with what can be done there."""
    routes: tuple[Any, ...] = ()
    """Runs to draw on the map (`carril.draw.RouteLine`)."""
    route_bar: bool = False
    """Whether stops on the map are clicked to draw a run."""
    aside: Mapping[str, Any] = field(default_factory=dict)
    """What can be done besides, at any moment: buy privates or tenders."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The input of a panel: the position, its options and whether the viewer decides."""

    state: State
    words: Words
    mine: bool = False
    """Whether the viewer has the seat that decides now."""

    @property
    def options(self) -> tuple[Option, ...]:
        """Every legal action; computed when a panel first asks for it."""
        return options_of(self.state)

    @property
    def step(self) -> Any:
        """The decision that is due; a panel reads the fields that its mechanism has."""
        return self.state.step

    @property
    def answers(self) -> Answers:
        """What the title answers about a position."""
        return self.state.title.answers

    @property
    def actor(self) -> str:
        """The player who decides."""
        return self.state.acting or ""

    def of(self, kind: type[A]) -> list[A]:
        """Return the options of a kind that have no amount to choose."""
        return [option for option in self.options if isinstance(option, kind)]

    def ranges(self, kind: type[Action]) -> list[Range]:
        """Return the options of a kind with an amount to choose."""
        return [o for o in self.options if isinstance(o, Range) and isinstance(o.action, kind)]

    def has(self, kind: type[Action]) -> bool:
        """Return whether there is an option of a kind."""
        return bool(self.of(kind) or self.ranges(kind))

    def after(self, action: Action) -> Outcome | None:
        """Return the outcome of an action, or None if it is refused."""
        try:
            return self.state.apply(action)
        except CarrilError:
            return None

    def choice(
        self,
        action: Action,
        key: str,
        *,
        look: str = "",
        confirm: str = "",
        place: str = "",
        **facts: Any,
    ) -> Choice:
        """Return a button for an action, disabled with the reason if it is refused.

        The label is the sentence `key`, the small print under it `key-detail` if there is one.
        The button of a token is about its city; `place` is the hex or stop of any other.
        """
        full = replace(action, by=self.actor)
        why = self.state.refusal(full)
        detail = f"{key}-detail"
        return Choice(
            label=self.words.say(key, **facts),
            action=encode(full),
            detail=self.words.say(detail, **facts) if self.words.has(detail) else "",
            look=look,
            why=self.words.describe(why) if why else "",
            rule=why.rule if why else "",
            confirm=self.words.say(confirm, **facts) if confirm else "",
            place=f"{action.hex}.{action.city}" if isinstance(action, PlaceToken) else place,
        )

    def amount(self, found: Range, key: str, now: int | None = None, **facts: Any) -> Amount:
        """Return a field for an option with an amount."""
        return Amount(
            label=self.words.say(key, **facts),
            action=encode(found.action),
            field=found.field,
            least=found.least,
            most=found.most,
            step=found.step,
            now=found.least if now is None else min(max(now, found.least), found.most),
            name=self.words.say(f"{key}-name", **facts),
        )


Maker = Callable[[Scene], Panel]
_PANELS: dict[str, Maker] = {}
_BY_ACTION: dict[type[Action], Maker] = {}


def panel(*mechanisms: str, action: type[Action] | None = None) -> Callable[[Maker], Maker]:
    """Mark a function as the maker of the panel for steps of these mechanisms.

    With an action, it also makes the panel for any other step in which that action and a pass are
    all there is to do.
    """

    def register(make: Maker) -> Maker:
        for mechanism in mechanisms:
            _PANELS[mechanism] = make
        if action:
            _BY_ACTION[action] = make
        return make

    return register


def maker(scene: Scene) -> Maker | None:
    """Return the maker of the panel for the step that is due, or None if it has no special one."""
    make = _PANELS.get(scene.state.step.mechanism)
    if make:
        return make
    actions = (o.action if isinstance(o, Range) else o for o in scene.options)
    kinds = {type(action) for action in actions} - {Pass}
    return _BY_ACTION.get(kinds.pop()) if len(kinds) == 1 else None


def tag_of(value: msgspec.Struct) -> str:
    """Return the tag of a step or an action."""
    return str(type(value).__struct_config__.tag)


def encode(action: Action) -> str:
    """Return an action as the text that a form carries."""
    return msgspec.json.encode(action).decode()


def reason(words: Words, why: Refusal | None) -> tuple[str, str]:
    """Return a refusal as a sentence and the id of its rule."""
    return (words.describe(why), why.rule) if why else ("", "")
