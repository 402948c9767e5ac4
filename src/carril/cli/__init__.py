"""The `carril` command."""

import gc

from carril.cli import (
    arena,
    backing_up,
    bench_bots,
    bench_page,
    bench_routes,
    bench_service,
    benching,
    forecasting,
    perft,
    playing,
    replaying,
    routing,
    rulebook,
    serving,
    showing,
    tuning,
    wall,
)
from carril.cli.admin import admin
from carril.cli.common import app, bench, check

app.command("play")(playing.play)
app.command("arena")(arena.arena)
app.command("forecast")(forecasting.forecasting)
app.command("tune")(tuning.tune)
app.command("show")(showing.show)
app.command("options")(showing.list_options)
app.command("replay")(replaying.replay)
app.command("perft")(perft.perft)
app.command("serve")(serving.serve)
app.command("backup")(backing_up.backup)
app.command("restore")(backing_up.restore)
app.command("move")(backing_up.move)
app.add_typer(admin, name="admin")
app.command("routes")(routing.routes)
app.command("rules")(rulebook.rules)

bench.command("engine")(benching.bench_engine)
bench.command("bots")(bench_bots.bench_bots)
bench.command("routes")(bench_routes.bench_routes)
bench.command("page")(bench_page.bench_page)
bench.command("service")(bench_service.bench_service)

check.command("records")(wall.check_records)
check.command("ledger")(wall.check_ledger)


def main() -> None:
    """Run the command that was typed."""
    gc.freeze()  # loaded modules stay for the life of the process
    gc.set_threshold(20_000)  # Carril creates few reference cycles: look for them less often
    app()


__all__ = ["app", "main"]
