"""`carril routes --all`: every run of a record beside the best that was possible."""

from __future__ import annotations

from typing import Any

from rich.progress import Progress

from carril.cli.common import aside, screen
from carril.cli.recorded import claims, shown, state_before
from carril.cli.tables import table
from carril.engine.runs.compared import compare
from carril.notation.files import Record


def all_runs(
    record: Record, company: str | None, budget: int | None, payable: bool
) -> dict[str, Any]:
    """Return what was claimed, possible and missed in every run (of a company, if one is named).

    The unit is the total, or with `payable` the part that can be paid out.
    """
    found: list[dict[str, Any]] = []
    with Progress(console=aside(), transient=True) as progress:
        wanted = [one for one in claims(record) if company in (None, one.company)]
        for claim in progress.track(wanted, description="runs"):
            claimed = claim.payable if payable else claim.payable + claim.treasury
            run = compare(state_before(record, claim), claim.company, claimed, budget, payable)
            found.append(
                {
                    "action": claim.number,
                    "round": run.round,
                    "company": shown(record, claim.company),
                    "claimed": run.claimed,
                    "possible": run.possible,
                    "missed": run.missed,
                    "bound": run.bound,
                    "optimal": run.optimal,
                    "nodes": run.nodes,
                }
            )
    sums = {key: sum(run[key] for run in found) for key in ("claimed", "possible", "missed")}
    return {
        "title": record.title,
        "maximised": "payable" if payable else "total",
        **sums,
        "proven": sum(run["optimal"] for run in found),
        "runs": found,
    }


def show_all(told: dict[str, Any]) -> None:
    """Print the runs as a table, and what they come to."""
    made = table(
        "", "action#", "round", "company", "claimed#", "possible#", "missed#", "proven", "nodes#"
    )
    for run in told["runs"]:
        made.add_row(
            str(run["action"]),
            run["round"],
            run["company"],
            str(run["claimed"]),
            str(run["possible"]),
            str(run["missed"] or ""),
            "yes" if run["optimal"] else f"up to {run['bound']}",
            str(run["nodes"]),
            style="" if run["missed"] == 0 else "yellow" if run["missed"] > 0 else "red",
        )
    console = screen()
    console.print(made)
    console.print(
        f"{len(told['runs'])} runs, {told['proven']} proven: claimed {told['claimed']}, "
        f"possible {told['possible']}, missed {told['missed']}"
    )
