"""Refusals of runs in the words of the table: names of places in place of keys."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.refusals import Fact, Refusal
from carril.engine.state import State
from carril.page.places import key_name
from carril.page.words import Words


def with_names(state: State, words: Words, why: Refusal | None) -> Refusal | None:
    """Return a refusal whose facts name stops and trains as players do."""
    if why is None:
        return None
    facts = {
        name: _run(state, words, str(fact)) if name == "run" else _named(state, fact)
        for name, fact in why.facts.items()
    }
    return replace(why, facts=facts)


def _named(state: State, fact: Fact) -> Fact:
    """Return the name of a stop if the fact is its key; other facts as they are."""
    hex_id, dot, stop = str(fact).partition(".")
    known = dot and stop.isdecimal() and hex_id in state.tables.hexes
    return key_name(state, str(fact)) if known else fact


def _run(state: State, words: Words, notation: str) -> str:
    """Return a run in the notation of actions as trains with their stops."""
    routes = []
    for route in notation.partition(" + ")[0].split("; "):
        train, colon, path = route.partition(": ")
        if colon:
            stops = [str(_named(state, key)) for key in path.split() if "." in key]
            named = words.say("run.train", train=train)
            facts = {"train": named, "stops": " \N{EN DASH} ".join(stops)}
            routes.append(words.say("run.route", **facts))
    return "; ".join(routes)
