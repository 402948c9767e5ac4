"""Options held against refusals: what is listed applies, and what is not listed is refused."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from carril.bots import Dice
from carril.engine.actions import Action, Option, Range, RunTrains, any_of, decode_action
from carril.engine.play import listed
from carril.engine.refusals import IllegalAction, Refusal
from carril.engine.registry import title_named
from carril.engine.runs import Route
from carril.engine.state import State
from carril.notation.position import encode
from carril.notation.text import parse, write
from carril.notation.words import catalogue, say


def plain(option: Option) -> Action:
    """Return an option as an action; of a range the least."""
    return option.action if isinstance(option, Range) else option


def options_are_well_formed(state: State, options: tuple[Option, ...]) -> None:
    """There are some, none twice, all of the one who decides, ranges are not empty."""
    assert options, "nothing can be done"
    assert len(set(options)) == len(options), "an option is listed twice"
    for option in options:
        assert plain(option).by == state.acting, f"{option} is not of {state.acting}"
        if isinstance(option, Range):
            assert option.least <= option.most, f"{option} is empty"
            assert getattr(option.action, option.field) == option.least
            assert (option.most - option.least) % option.step == 0


def options_apply(state: State, options: tuple[Option, ...], dice: Dice, most: int) -> None:
    """Options, drawn from the list, are not refused and lead on; the state itself stays."""
    before = encode(state)
    for _ in range(min(most, len(options))):
        option = options[dice.below(len(options))]
        for action in _ends(option):
            assert state.refusal(action) is None, f"listed and refused: {action}"
            state.apply(action)
    assert encode(state) == before, "an action changed the position it was applied to"


def _ends(option: Option) -> Iterator[Action]:
    if isinstance(option, Range):
        yield option.at(option.least)
        yield option.at(option.most)
    else:
        yield option


def texts_read_back(options: tuple[Option, ...], dice: Dice, most: int) -> None:
    """An option printed as text or JSON reads back as itself."""
    for _ in range(min(most, len(options))):
        action = plain(options[dice.below(len(options))])
        assert parse(write(action)) == action, write(action)
        assert decode_action(msgspec.json.encode(action)) == action


def refusals_and_options_agree(
    state: State, options: tuple[Option, ...], dice: Dice, most: int
) -> None:
    """Actions near the options, and wild ones, are listed if and only if they are not refused.

    Runs are an exception: of those that are legal only some of the best are listed.
    """
    probes = list(_probes(state, options, dice, most))
    before = encode(state)
    for action in probes:
        refusal = state.refusal(action)
        offered = listed(options, action)
        if refusal is None:
            assert offered or isinstance(action, RunTrains), f"legal and not listed: {action}"
        else:
            assert not offered, f"listed and refused ({refusal}): {action}"
            _explained(state, action, refusal)
    assert encode(state) == before, "a refused action changed the position"


def _explained(state: State, action: Action, refusal: Refusal) -> None:
    """A refusal is always the same, cites a rule and can be told; the action does not apply."""
    assert refusal == state.refusal(action), "a refusal changes when asked again"
    assert refusal.code in catalogue("en")["refusal"], f"no sentence for {refusal.code}"
    assert "{" not in say(refusal)
    assert refusal.rule, f"{refusal.code} cites no rule"
    try:
        state.apply(action)
    except IllegalAction:
        return
    raise AssertionError(f"refused and applied: {action}")


def other_seats_are_refused(state: State, options: tuple[Option, ...]) -> None:
    """An action of somebody who is not to decide is refused, whatever it is."""
    for name in state.players:
        if name != state.acting:
            refusal = state.refusal(replace(plain(options[0]), by=name))
            assert refusal is not None
            assert refusal.code == "not-your-turn"


def _probes(state: State, options: tuple[Option, ...], dice: Dice, most: int) -> Iterator[Action]:
    by = state.acting or ""
    for kind in any_of(Action).__args__:
        if len(kind.__struct_fields__) == 1:
            yield kind(by=by)
    for option in options[:most]:
        if isinstance(option, Range):
            yield from (option.at(amount) for amount in _around(option))
    for _ in range(most):
        yield _mutated(state, plain(options[dice.below(len(options))]), dice)
    for _ in range(most):
        if wild := _wild(state, dice):
            yield replace(wild, by=by)


def _around(option: Range) -> tuple[int, ...]:
    beyond = (option.least - option.step, option.most + option.step, option.least - 1, -1, 0)
    return (*beyond, option.most + 1, (option.least + option.most) // 2)


def _mutated(state: State, action: Action, dice: Dice) -> Action:
    """Return an action that differs in one field."""
    fields = [name for name in action.__struct_fields__ if name != "by"]
    if isinstance(action, RunTrains):
        return _other_run(action, dice)
    if not fields:
        return action
    name = fields[dice.below(len(fields))]
    return replace(action, **{name: _value(state, name, getattr(action, name), dice)})


def _other_run(action: RunTrains, dice: Dice) -> RunTrains:
    """Return a run that is worse, impossible or claimed wrongly, or the same the other way."""
    if not action.routes:
        return replace(action, claim=1)
    routes, first = action.routes, action.routes[0]
    others = (
        replace(action, routes=routes[:-1]),
        replace(action, routes=(*routes, first)),
        replace(action, routes=(Route(first.train, first.path[::-1]), *routes[1:])),
        replace(action, routes=(Route(first.train, first.path[:1]), *routes[1:])),
        replace(action, routes=(Route(first.train, (*first.path, *first.path[1:])), *routes[1:])),
        replace(action, routes=(Route(first.train, (*first.path, "Z99.0")), *routes[1:])),
        replace(action, routes=(Route("99", first.path), *routes[1:])),
        replace(action, extras=(("pullman", first.path[0]),)),
        replace(action, extras=(("pullman", "Z99.0"), ("caboose", "4"))),
        replace(action, extras=()),
        replace(action, claim=1),
        RunTrains(by=action.by),
    )
    return others[dice.below(len(others))]


def _wild(state: State, dice: Dice) -> Action | None:
    """Return an action of a kind that is due, with fields drawn from all there is."""
    kinds = [kind for kind in state.step.allowed(state) if kind is not RunTrains]
    if not kinds:
        return None
    kind = kinds[dice.below(len(kinds))]
    fields = [name for name in kind.__struct_fields__ if name != "by"]
    return kind(**{name: _value(state, name, 1, dice) for name in fields})


def _value(state: State, name: str, now: Any, dice: Dice) -> Any:
    words = _vocabulary(state.setup.title).get(name)
    if words:
        return words[dice.below(len(words))]
    if isinstance(now, int):
        near = (now - 1, now + 1, now + 5, now * 2, 0, -now, 10**6)
        return near[dice.below(len(near))]
    return now


@lru_cache
def _vocabulary(title: str) -> dict[str, list[Any]]:
    """Return what may stand in a field, by its name, and some things that may not."""
    tables = title_named(title).tables
    companies, trains = [*tables.companies, "nobody"], [*tables.trains, "99"]
    prices = {train.price for train in tables.trains.values()} | {par.price for par in tables.pars}
    return {
        "company": companies,
        "minor": companies,
        "lot": companies,
        "hex": [*tables.hexes, "Z99"],
        "tile": [*tables.tiles, "none"],
        "turn": [-1, 0, 1, 2, 3, 4, 5, 6],
        "city": [-1, 0, 1, 2, 3],
        "passes": [(), ("C14.0",), ("D15.0", "C14.0"), ("C14.0", "C14.0"), ("Z99.0", "C14", "")],
        "train": trains,
        "discard": ["", "", *trains],
        "source": ["treasury", "pool", "stack", "none", *companies],
        "kind": ["full", "half", "withhold", "double"],
        "price": [-1, 0, 1, *sorted(prices)],
        "count": [-1, 0, 1, 2, 3, 4, 5, 6, 10, 11],
    }
