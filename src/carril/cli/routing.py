"""`carril routes`: the best run of a company, proven; or every run of a record beside the best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from carril.cli.common import position_at, print_json, screen
from carril.cli.missed import all_runs, show_all
from carril.cli.recorded import claims, company_called, intact, introduced, shown
from carril.cli.showing import AsJson, At
from carril.cli.tables import table
from carril.draw import Picture, RouteLine
from carril.draw.colours import RINGS
from carril.engine.refusals import BadSetup
from carril.engine.runs import (
    Answer,
    RouteValue,
    Run,
    RunProblem,
    Value,
    best,
    paid_tolls,
    value,
)
from carril.engine.runs.revenue import cards_used, route_names
from carril.engine.state import State
from carril.engine.trains import phase_def
from carril.notation.files import Record, open_record


class Question(NamedTuple):
    """What is asked: a company in a position of a record."""

    record: Record
    state: State
    at: int
    company: str
    payable: bool


def routes(
    file: Annotated[Path, typer.Argument(help="A save file, or a file of 18xx.games.")],
    at: At = None,
    company: Annotated[str | None, typer.Option(help="Else the one whose turn it is.")] = None,
    budget: Annotated[int | None, typer.Option(help="Search so many nodes at most.")] = None,
    payable: Annotated[
        bool, typer.Option("--payable", help="The greatest dividend, not the greatest total.")
    ] = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw the runs on the map.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every run of the record.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the best run of a company, and the proof that there is no better one."""
    if budget is not None and budget < 1:
        raise BadSetup(f"--budget {budget}: a budget is a number of nodes, 1 or more")
    if every and (at is not None or svg is not None):
        raise BadSetup(f"--all is for the whole record: {'--svg' if svg else '--at'} does not fit")
    record = open_record(file, at)
    if every:
        intact(record, file)
        wanted = company_called(record, company) if company else None
        told = all_runs(record, wanted, budget, payable)
        print_json(told) if as_json else show_all(told)
        return
    question = _question(record, file, at, company, payable)
    answer, worth = _answer(question, budget)
    if svg:
        _picture(question, answer, worth).save(svg)
    if as_json:
        print_json(_plain(question, answer, worth))
    else:
        _show(question, answer, worth)


# --- the question and its answer -----------------------------------------------------------


def _question(
    record: Record, path: Path, at: int | None, company: str | None, payable: bool
) -> Question:
    """Find position and company; without a wish for one, a refused record is an error."""
    if at is None:
        intact(record, path)
    state = position_at(record, path, at)
    number = record.playable() if at is None else at
    symbol = company_called(record, company) if company else _at_work(record, state, number)
    return Question(record, state, number, symbol, payable)


def _at_work(record: Record, state: State, at: int) -> str:
    """Return the company whose turn it is, else the one that ran last."""
    subject = state.step.subject if state.agenda else ""
    if subject in state.companies:
        return subject
    ran = [claim.company for claim in claims(record, at)]
    if not ran:
        raise BadSetup(f"no company has run yet after {at} actions: name one with --company")
    return ran[-1]


def _problem(question: Question) -> RunProblem:
    return question.state.title.run_problem(question.state, question.company)


def _answer(question: Question, budget: int | None) -> tuple[Answer, Value]:
    problem = _problem(question)
    answer = best(problem, budget, payable=question.payable)
    return answer, value(problem, answer.runs[0])


# --- JSON ----------------------------------------------------------------------------------


def _plain(question: Question, answer: Answer, worth: Value) -> dict[str, Any]:
    record, state = question.record, question.state
    run = answer.runs[0]
    return {
        "title": record.title,
        "at": question.at,
        "round": str(state.round),
        "phase": state.phase,
        "company": shown(record, question.company),
        "symbol": question.company,
        "name": state.tables.companies[question.company].name,
        "trains": list(state.companies[question.company].trains),
        "maximised": "payable" if question.payable else "total",
        "value": answer.value,
        "bound": answer.bound,
        "optimal": answer.optimal,
        "nodes": answer.nodes,
        "payable": worth.payable,
        "treasury": worth.treasury,
        "routes": [
            {**_plain_route(question, line), "path": list(route.path)}
            for line, route in zip(worth.routes, run.routes, strict=True)
        ],
        "extras": [list(extra) for extra in run.extras],
        **_plain_extras(question, run, worth),
    }


def _plain_extras(question: Question, run: Run, worth: Value) -> dict[str, Any]:
    """Return the cards that go with trains, all cubes by source, the tolls and their sum."""
    uses = cards_used(_problem(question), run)
    cubes: Counter[str] = Counter()
    for use in uses:
        cubes.update(use.cubes)
    names = route_names(run)
    return {
        "wagons": [
            {"wagon": use.card.name, "train": names[use.route], "cubes": use.cubes}
            for use in uses
            if use.card.capacity
        ],
        "cubes": dict(cubes),
        "tolls": list(paid_tolls(run)),
        "fees": worth.tolls,
    }


def _plain_route(question: Question, line: RouteValue) -> dict[str, Any]:
    hexes = question.state.tables.hexes
    stops = []
    for key, paid, kept in line.stops:
        hex_id = key.partition(".")[0]
        name = hexes[hex_id].name
        stops.append({"stop": key, "hex": hex_id, "name": name, "value": paid, "treasury": kept})
    return {
        "train": line.train,
        "stops": stops,
        "bonuses": [{"name": name, "amount": amount} for name, amount in line.bonuses],
        "revenue": line.payable if question.payable else line.payable + line.treasury,
        "payable": line.payable,
        "treasury": line.treasury,
    }


# --- the terminal --------------------------------------------------------------------------


def _show(question: Question, answer: Answer, worth: Value) -> None:
    console, state = screen(), question.state
    trains = ", ".join(state.companies[question.company].trains) or "no trains"
    console.print(
        f"[bold]{question.record.title}[/]  {state.round}  phase {state.phase}  "
        f"after {question.at} actions"
    )
    console.print(f"{introduced(question.record, question.company)}: {trains}", markup=False)
    if worth.routes:
        made = table("", "train", "stops", "bonuses", "revenue#")
        for line in worth.routes:
            made.add_row(*_row(question, line))
        console.print(made)
    for extra in _extra_lines(question, answer.runs[0], worth):
        console.print(extra)
    console.print(_sum(worth), style="bold")
    console.print(proof(answer))


def _extra_lines(question: Question, run: Run, worth: Value) -> Iterator[str]:
    """Yield a line for each loaded wagon, and one for the tolls."""
    names = route_names(run)
    for use in cards_used(_problem(question), run):
        if use.cubes:
            loads = ", ".join(f"{count} from {source}" for source, count in use.cubes.items())
            yield f"{use.card.name} with the {names[use.route]}: {loads}"
    if worth.tolls:
        yield f"tolls in {', '.join(paid_tolls(run))}: {worth.tolls}"


def _row(question: Question, line: RouteValue) -> tuple[str, str, str, str]:
    hexes = question.state.tables.hexes
    stops = []
    for key, paid, kept in line.stops:
        hex_id = key.partition(".")[0]
        worth = f"{kept} to treasury" if kept else str(paid)
        stops.append(" ".join(part for part in (hex_id, hexes[hex_id].name, worth) if part))
    bonuses = ", ".join(f"{name} {amount}" for name, amount in line.bonuses)
    return line.train, " - ".join(stops), bonuses, str(line.payable + line.treasury)


def _sum(worth: Value) -> str:
    if not worth.routes:
        return "No route earns anything: 0"
    kept = worth.treasury + worth.tolls
    parts = [f"{worth.payable} payable"]
    parts += [f"{kept} to the treasury"] if kept else []
    parts += [f"less tolls of {worth.tolls}"] if worth.tolls else []
    return f"In all {worth.total}" + (f" ({', '.join(parts)})" if len(parts) > 1 else "")


def proof(answer: Answer) -> str:
    """Return the line that says what is proven.

    >>> proof(Answer((), 90, 120, False, 50, 90, 0))
    'not proven: a run may be worth up to 120; 50 nodes'
    """
    nodes = f"{answer.nodes} node{'' if answer.nodes == 1 else 's'}"
    if answer.optimal:
        return f"proven: no run is worth more; {nodes}"
    return f"not proven: a run may be worth up to {answer.bound}; {nodes}"


# --- the picture ---------------------------------------------------------------------------


def _picture(question: Question, answer: Answer, worth: Value) -> Picture:
    state = question.state
    lines = [
        RouteLine(
            RINGS[index % len(RINGS)], route.path, f"{route.train}: {line.payable + line.treasury}"
        )
        for index, (route, line) in enumerate(zip(answer.runs[0].routes, worth.routes, strict=True))
    ]
    heading = f"{shown(question.record, question.company)}, {state.round}: {worth.total}"
    return Picture.of_map(
        state.tables,
        state.board,
        phase_colour=phase_def(state).colour,
        routes=lines,
        title=heading,
        pieces=state.title.answers.map_pieces(state),
    )
