"""The controls of a page, read from its HTML: buttons, forms with an amount, tiles on hexes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html.parser import HTMLParser
from itertools import count, permutations
from typing import Any

from msgspec.structs import replace

from carril.engine.actions import Action, LayTile, Option, Range, decode_action
from carril.engine.hexes import EDGES
from carril.engine.state import State
from carril.engine.tile import STOP, Tile, turned
from carril.page import render
from carril.page.hexcards import card_for
from carril.page.urls import TableUrls
from carril.page.view import Look, scene_of
from carril.page.view import table as table_view
from carril.service.values import GameInfo, Position, SeatInfo, User

ANA = User("a", "Ana")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def look_at(state: State, *, mine: bool = True) -> Look:
    """Return a position as its acting player sees it, or as a spectator does."""
    user = "a" if mine else "z"
    info = GameInfo(
        id="g",
        name="Test",
        title=state.setup.title,
        edition=state.setup.edition,
        variants=state.setup.variants,
        conventions="rulebook",
        seed=1,
        owner="z",
        seats=tuple(SeatInfo(name, "person", user=user) for name in state.players),
        read_only=False,
        round=str(state.round),
        acting=state.acting,
        acting_user=user,
        last=(),
        finished=state.finished,
        result=state.result,
        head=0,
        version=0,
        heard=0,
        created=NOW,
        updated=NOW,
    )
    return Look(info, Position(state, 0, 0, 0, "tag"), ANA)


def _context(look: Look) -> dict[str, Any]:
    words = look.words
    numbers = count()
    shared: dict[str, Any] = {"t": words.say, "word": words.name, "money": words.money}
    shared["uid"] = lambda: f"u-{next(numbers)}"
    return shared | render.table_context(look, TableUrls("g", look.info.title))


def panel_html(look: Look) -> str:
    """Return the panel of a position as HTML."""
    parts = render.render_parts(table_view(look, []), _context(look), only=("panel",))
    return str(parts["panel"])


def hex_html(look: Look, hex_id: str) -> str:
    """Return the card of a hex as HTML."""
    card = card_for(scene_of(look), hex_id)
    template = render.environment().get_template("hexcard.html")
    return template.render({**_context(look), "card": card})


@dataclass
class Form:
    """A form that sends an action with an amount."""

    action: str = ""
    name: str = ""
    """The field of the action that the amount goes into."""
    least: int | None = None
    most: int = 0
    step: int = 1
    amounts: list[int] = field(default_factory=list)

    def sent(self) -> list[Action]:
        """Return the actions that it can send; of a span of amounts the least and the most."""
        ends = [] if self.least is None else [self.least, self.most]
        found = decode_action(self.action)
        return [replace(found, **{self.name: amount}) for amount in self.amounts or ends]


class Controls(HTMLParser):
    """Collects the controls of some HTML."""

    def __init__(self, *pages: str) -> None:
        """Read pages."""
        super().__init__()
        self.buttons: list[Action] = []
        self.forms: list[Form] = []
        self.disabled: list[str] = []
        """The ids of the explanations of disabled buttons."""
        self.explained: dict[str, str] = {}
        self._box = ""
        self._open = False
        """Whether the HTML is inside a form."""
        for page in pages:
            self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a control."""
        given = {name: value or "" for name, value in attrs}
        if "hx-post" in given and "hx-vals" in given:
            self.buttons.append(decode_action(json.loads(given["hx-vals"])["action"]))
        elif "data-action" in given:
            self.buttons.append(decode_action(given["data-action"]))
        elif tag == "form":
            self.forms.append(Form())
            self._open = True
        elif "popovertarget" in given:
            self.disabled.append(given["popovertarget"])
        elif "popover" in given:
            self._box = given["id"]
        elif self._open:
            self._in_form(given)

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a form."""
        if tag == "form":
            self._open = False

    def _in_form(self, given: dict[str, str]) -> None:
        form = self.forms[-1]
        if given.get("name") == "action":
            form.action = given["value"]
        elif given.get("name") == "field":
            form.name = given["value"]
        elif given.get("type") == "number":
            form.least, form.most = int(given["min"]), int(given["max"])
            form.step = int(given["step"])
        elif "value" in given:
            form.amounts.append(int(given["value"]))

    def handle_data(self, data: str) -> None:
        """Note the text of an explanation."""
        if self._box and data.strip():
            self.explained.setdefault(self._box, data.strip())
            self._box = ""

    def offers(self, option: Option) -> bool:
        """Return whether an option has a control, or one for each of its amounts."""
        if not isinstance(option, Range):
            return option in self.buttons or any(option in form.sent() for form in self.forms)
        return any(self._spans(form, option) for form in self.forms) or all(
            option.at(amount) in self.buttons
            for amount in range(option.least, option.most + 1, option.step)
        )

    @staticmethod
    def _spans(form: Form, option: Range) -> bool:
        span = (form.name, form.least, form.most, form.step)
        same = span == (option.field, option.least, option.most, option.step)
        return same and decode_action(form.action) == option.action

    def sent(self) -> Iterator[Action]:
        """Yield every action that an enabled control can send."""
        yield from self.buttons
        for form in self.forms:
            yield from form.sent()


def controls_of(state: State) -> Controls:
    """Return the controls of a position: those of its panel, and of the hexes to be built on."""
    look = look_at(state)
    hexes = {option.hex for option in scene_of(look).of(LayTile)}
    return Controls(panel_html(look), *(hex_html(look, hex_id) for hex_id in sorted(hexes)))


def same_rotations(state: State, lay: LayTile) -> list[LayTile]:
    """Return a lay in all rotations that give the same track; the page offers one of them."""
    tile = state.tables.tiles[lay.tile]
    wanted = _forms(turned(tile, lay.turn))
    alike = (turn for turn in EDGES if not wanted.isdisjoint(_forms(turned(tile, turn))))
    return [replace(lay, turn=turn) for turn in alike]


def _forms(tile: Tile) -> set[frozenset[object]]:
    """Return the track of a tile, with its stops in every order."""
    found: set[frozenset[object]] = set()
    for order in permutations(range(len(tile.stops))):
        names: dict[int, object] = {
            STOP + stop: (place, tile.stops[stop]) for place, stop in enumerate(order)
        }
        found.add(
            frozenset(
                (frozenset((names.get(path.a, path.a), names.get(path.b, path.b))), path.gauge)
                for path in tile.paths
            )
        )
    return found
