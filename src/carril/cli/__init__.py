"""The `carril` command."""

from carril.cli import benching, playing, replaying, routing, rulebook, showing
from carril.cli.common import app

app.command("play")(playing.play)
app.command("show")(showing.show)
app.command("options")(showing.list_options)
app.command("replay")(replaying.replay)
app.command("routes")(routing.routes)
app.command("rules")(rulebook.rules)
app.command("bench")(benching.bench)


def main() -> None:
    """Run the command that was typed."""
    app()


__all__ = ["app", "main"]
