"""The `carril` command."""

import gc

from carril.cli import (
    bench_routes,
    bench_service,
    benching,
    perft,
    playing,
    replaying,
    routing,
    rulebook,
    serving,
    showing,
)
from carril.cli.common import app, bench

app.command("play")(playing.play)
app.command("show")(showing.show)
app.command("options")(showing.list_options)
app.command("replay")(replaying.replay)
app.command("perft")(perft.perft)
app.command("serve")(serving.serve)
app.command("routes")(routing.routes)
app.command("rules")(rulebook.rules)

bench.command("engine")(benching.bench_engine)
bench.command("routes")(bench_routes.bench_routes)
bench.command("service")(bench_service.bench_service)


def main() -> None:
    """Run the command that was typed."""
    gc.freeze()  # what is loaded stays: no need to look through it again and again
    app()


__all__ = ["app", "main"]
