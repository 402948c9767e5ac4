"""`carril serve`: the web table, composed of the service and its pages.

Every option can also be set by an environment variable: `--bot-pause` by `CARRIL_BOT_PAUSE`.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer
from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError

from carril.cli.common import screen
from carril.engine.refusals import BadSetup
from carril.page.app import add_pages
from carril.service.app import make_api
from carril.service.server import run_server
from carril.service.settings import Rate, Settings

DEFAULT = Settings(database="carril.db")


def _option(name: str, about: str, **more: Any) -> Any:
    variable = "CARRIL_" + name.upper().replace("-", "_")
    return typer.Option(f"--{name}", envvar=variable, help=about, **more)


def _switch(name: str, about: str) -> Any:
    variable = "CARRIL_" + name.upper().replace("-", "_")
    return typer.Option(f"--{name}/--no-{name}", envvar=variable, help=about)


def _rate_option(name: str, about: str) -> Any:
    about = f"Limit for {about}: how many at once, and how many more per minute."
    return _option(name, about, parser=_rate, metavar="BURST/PER_MINUTE")


def _rate(text: str | Rate) -> Rate:
    """Return a rate; raise BadParameter if the text is not one."""
    try:
        return Rate.parse(str(text))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a rate such as 60/300") from None


Host = Annotated[str, _option("host", "The address to listen on.")]
Port = Annotated[
    int, _option("port", "The port to listen on; 0 means any free port.", min=0, max=65535)
]
ApiOnly = Annotated[bool, _switch("api-only", "Serve the JSON API without pages.")]
Database = Annotated[str, _option("database", "An SQLite file, or the URL of a database.")]
SecureCookies = Annotated[bool, _switch("secure-cookies", "Send cookies over HTTPS only.")]
SessionDays = Annotated[
    int, _option("session-days", "Days before a browser session expires.", min=1)
]
BodyBytes = Annotated[int, _option("body-bytes", "Largest request body.", min=1024)]
UploadBytes = Annotated[int, _option("upload-bytes", "Largest uploaded file.", min=1024)]
Bots = Annotated[bool, _switch("bots", "Play the bots' seats in this process.")]
BotPause = Annotated[
    float, _option("bot-pause", "Seconds that bots wait before each action.", min=0)
]
Poll = Annotated[float, _option("poll", "Seconds between polls of an SQLite database.", min=0.01)]
SignIns = Annotated[Rate, _rate_option("sign-ins", "sign-ins and new accounts per address")]
Actions = Annotated[Rate, _rate_option("actions", "changes per user")]
Imports = Annotated[Rate, _rate_option("imports", "uploads per user")]
Reads = Annotated[Rate, _rate_option("reads", "all requests per address")]


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8018,
    api_only: ApiOnly = False,
    database: Database = DEFAULT.database,
    secure_cookies: SecureCookies = DEFAULT.secure_cookies,
    session_days: SessionDays = DEFAULT.session_days,
    body_bytes: BodyBytes = DEFAULT.body_bytes,
    upload_bytes: UploadBytes = DEFAULT.upload_bytes,
    bots: Bots = DEFAULT.bots,
    bot_pause: BotPause = DEFAULT.bot_pause,
    poll: Poll = DEFAULT.poll,
    sign_ins: SignIns = DEFAULT.sign_ins,
    actions: Actions = DEFAULT.actions,
    imports: Imports = DEFAULT.imports,
    reads: Reads = DEFAULT.reads,
) -> None:
    """Serve the web table until interrupted."""
    settings = Settings(
        database=database,
        secure_cookies=secure_cookies,
        session_days=session_days,
        body_bytes=body_bytes,
        upload_bytes=upload_bytes,
        bot_pause=bot_pause,
        bots=bots,
        poll=poll,
        sign_ins=sign_ins,
        actions=actions,
        imports=imports,
        reads=reads,
    )
    run_server(make_application(settings, api_only=api_only), host, port, _print_address)


def make_application(settings: Settings, *, api_only: bool = False) -> FastAPI:
    """Return the application: the service with its API and, unless `api_only`, its pages."""
    try:
        app = make_api(settings)
    except (SQLAlchemyError, ModuleNotFoundError) as error:
        reason = str(error).splitlines()[0]
        raise BadSetup(f"cannot open the database: {reason}") from None
    if not api_only:
        add_pages(app)
    return app


def _print_address(address: str) -> None:
    screen().print(f"The table is open at [bold]{address}[/bold] (press Ctrl-C to stop)")
