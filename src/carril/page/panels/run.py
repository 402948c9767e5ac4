"""Running trains: the proven best run, others as good, and runs that the player draws."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import RunTrains
from carril.engine.runs import Run, best_within_budget
from carril.engine.state import State
from carril.page.numbers import cannot_run
from carril.page.panels.base import Choice, Panel, Scene, encode, panel, reason
from carril.page.run_words import with_names
from carril.page.runs import problem_of, run_model
from carril.page.words import Words
from carril.service.jobs.searches import SearchPending

SEARCHING = "run_later"
"""The template of the panel while a search goes on."""


@panel("run", action=RunTrains)
def run(scene: Scene) -> Panel:
    """Return the offered runs, best first, with the proof that nothing better exists."""
    company, words = scene.step.company, scene.words
    problem = problem_of(scene.state, company)
    offers = scene.of(RunTrains)
    first = Run(offers[0].routes, offers[0].extras) if offers else Run()
    # Already in the cache: the options needed it. Tolls make no run better or worse.
    answer = best_within_budget(scene.state.title.run.judged_by(scene.state, problem, first))
    runs: list[dict[str, Any]] = []
    idle = any(not option.routes for option in offers)
    for number, option in enumerate(offers):
        model = run_model(scene.state, words, option)
        key = _key(number, option, model)
        choice = scene.choice(
            option,
            key,
            look="" if number else "primary",
            value=words.money(model["total"]),
            **_parts(words, model),
        )
        runs.append(model | {"choice": choice})
    proof = "run.proof-unpaid" if any(run["tolls"] for run in runs) else "run.proof"
    key = proof if answer.optimal else "run.bound"
    facts = {"value": words.money(answer.value), "bound": words.money(answer.bound)}
    return Panel(
        "run",
        words.say("run.sentence", company=company),
        {
            "company": company,
            "runs": runs,
            "proof": words.say(key, count=answer.nodes, **facts),
            "trains": [train.name for train in problem.trains],
            "others": _others(scene, runs, idle),
            "extras": [card.name for card in problem.rules.extras],
            "idle": _idle_trains(scene),
        },
        main=tuple(run["choice"] for run in runs[:1]),
        routes=runs[0]["lines"] if runs else (),
        route_bar=True,
    )


def _idle_trains(scene: Scene) -> str:
    """Return which trains cannot run and why, or ""."""
    company, words = scene.step.company, scene.words
    idle = [
        train
        for train in scene.state.title.run.trains(scene.state, company)
        if cannot_run(scene.state, company, train)
    ]
    return words.say("run.no-track", trains=", ".join(idle), company=company) if idle else ""


def _others(scene: Scene, runs: list[dict[str, Any]], idle: bool) -> str:
    """Return the heading of the runs after the first."""
    if any(run["tolls"] for run in runs):
        return scene.words.say("run.others-paid")
    enforced = scene.state.setup.conventions.best_run_enforced and not idle
    return scene.words.say("run.others" if enforced else "run.others-free")


def searching(scene: Scene, pending: SearchPending | None) -> Panel:
    """Return the panel while a search goes on: who runs, and what is known; None if it failed."""
    words, company = scene.words, scene.step.subject
    known = ""
    if pending is not None:
        facts = {name: words.money(amount) for name, amount in pending.facts.items()}
        known = words.say("run.search-known", **facts)
    status = words.say("run.searching" if pending else "run.search-failed")
    model = {"company": company, "status": status, "known": known}
    return Panel(SEARCHING, words.say("run.sentence", company=company), model)


def _key(number: int, option: RunTrains, model: dict[str, Any]) -> str:
    """Return the key of the label; what goes to the treasury or is paid is named apart."""
    if not option.routes:
        return "run.idle"
    key = "run.other" if number else "run.best"
    if model["tolls"]:
        return f"{key}-paid"
    return f"{key}-mixed" if model["treasury"] else key


def _parts(words: Words, model: dict[str, Any]) -> dict[str, str]:
    return {
        "payable": words.money(model["total"] - model["treasury"]),
        "treasury": words.money(model["treasury"]),
        "tolls": words.money(model["tolls"]),
    }


def tried(scene: Scene, action: RunTrains) -> tuple[dict[str, object], Choice]:
    """Return a run that the player has drawn: what it earns, and a button or a refusal."""
    refusal = with_names(scene.state, scene.words, scene.state.refusal(action))
    why, rule = reason(scene.words, refusal)
    if why and not countable(scene.state, action):
        return {}, Choice(scene.words.say("run.own-none"), encode(action), why=why, rule=rule)
    model = run_model(scene.state, scene.words, action)
    key = "run.own-paid" if model["tolls"] else "run.own"
    key = "run.own-mixed" if model["treasury"] and not model["tolls"] else key
    total = scene.words.money(model["total"])
    label = scene.words.say(key, value=total, **_parts(scene.words, model))
    return model, Choice(label, encode(action), look="primary", why=why, rule=rule)


def countable(state: State, action: RunTrains) -> bool:
    """Return whether a run can be drawn and valued: nothing but a better run speaks against it."""
    refused = state.refusal(action)
    return refused is None or refused.code in ("better-run", "wrong-claim")
