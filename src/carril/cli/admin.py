"""`carril admin`: users, blocks and tables of a service, which may be running."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
import typer
from rich.text import Text

from carril.cli.common import DIFFERENT, OneLine, aside, print_json, screen
from carril.cli.databases import TheConfig, TheDatabase, open_store
from carril.cli.showing import AsJson
from carril.cli.tables import table
from carril.engine.refusals import BadSetup
from carril.service import administration, blocking
from carril.service.accounts import Accounts
from carril.service.game_store import GameStore
from carril.service.seats import leaving
from carril.service.values import User
from carril.service.verifying import verify

admin = typer.Typer(
    cls=OneLine,
    no_args_is_help=True,
    help="Administer the users and tables of a service.",
    rich_markup_mode=None,
)

Name = Annotated[str, typer.Argument(help="The name or the id of a user.", metavar="USER")]
TableId = Annotated[str, typer.Argument(help="The id of a table.", metavar="TABLE")]
Yes = Annotated[bool, typer.Option("--yes", help="Confirm that this cannot be undone.")]


def _user(store: GameStore, name: str) -> User:
    with store.reading() as reader:
        return administration.find_user(reader.connection, name)


def _show(found: list[Any], as_json: bool, title: str, *columns: str) -> None:
    """Print a list of structures as JSON, or some of their fields as a table."""
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    shown = table(title, *columns)
    for column in shown.columns:  # ids, which are copied, are never cut
        column.overflow = "fold"
        column.no_wrap = column.header == "id"
    for one in found:
        shown.add_row(*(_cell(getattr(one, name)) for name in columns))
    screen().print(shown)


def _cell(value: object) -> Text:
    """Return a value as text in which nothing is markup."""
    if isinstance(value, bool):
        return Text("yes" if value else "")
    if isinstance(value, tuple | list):
        return Text(", ".join(str(one) for one in value))
    if isinstance(value, datetime):
        return Text(f"{value:%Y-%m-%d %H:%M}")
    return Text("" if value is None else str(value))


def _confirm(yes: bool, what: str) -> None:
    if not yes:
        raise BadSetup(f"{what} cannot be undone; confirm it with --yes")


# --- users -----------------------------------------------------------------------------------


@admin.command("users")
def users(
    search: Annotated[str, typer.Argument(help="Part of a name, or an id.")] = "",
    database: TheDatabase = None,
    config: TheConfig = None,
    as_json: AsJson = False,
) -> None:
    """List users."""
    with open_store(database, config) as store, store.reading() as reader:
        found = administration.list_users(reader.connection, search)
    columns = ("id", "name", "kind", "created", "games", "seats", "sessions", "blocked")
    _show(found, as_json, "Users", *columns)


@admin.command("block")
def block(
    user: Name,
    reason: Annotated[str, typer.Option(help="What the user is told.")] = "",
    days: Annotated[int | None, typer.Option(help="For how long.", min=1, max=36500)] = None,
    database: TheDatabase = None,
    config: TheConfig = None,
) -> None:
    """Block a user: they can neither sign in nor change anything, and are told why."""
    with open_store(database, config) as store:
        chosen = _user(store, user)
        blocking.block_user(store, chosen, reason, days)
    _say(f"{chosen.name} is blocked.")


@admin.command("unblock")
def unblock(user: Name, database: TheDatabase = None, config: TheConfig = None) -> None:
    """Lift the block of a user."""
    with open_store(database, config) as store:
        chosen = _user(store, user)
        blocking.unblock_user(store, chosen)
    _say(f"{chosen.name} is no longer blocked.")


@admin.command("blocks")
def blocks(database: TheDatabase = None, config: TheConfig = None, as_json: AsJson = False) -> None:
    """List the blocks that are in force."""
    with open_store(database, config) as store, store.reading() as reader:
        found = blocking.list_blocks(reader.connection)
    _show(found, as_json, "Blocks", "name", "id", "reason", "created", "until")


@admin.command("reset-password")
def reset_password(user: Name, database: TheDatabase = None, config: TheConfig = None) -> None:
    """Give an account a new random password, and print it; all its sessions and tokens end."""
    with open_store(database, config) as store:
        chosen = _user(store, user)
        password = administration.reset_password(Accounts(store), chosen)
    _say(f"The new password of {chosen.name} is: {password}")


@admin.command("delete-user")
def delete_user(
    user: Name, yes: Yes = False, database: TheDatabase = None, config: TheConfig = None
) -> None:
    """Delete a user, with the games at which nobody else plays."""
    with open_store(database, config) as store:
        chosen = _user(store, user)
        _confirm(yes, f"deleting {chosen.name}")
        leaving.delete_account(store, chosen)
    _say(f"{chosen.name} was deleted.")


# --- tables ----------------------------------------------------------------------------------


@admin.command("tables")
def tables(
    user: Annotated[str, typer.Option(help="Only those of a user.")] = "",
    database: TheDatabase = None,
    config: TheConfig = None,
    as_json: AsJson = False,
) -> None:
    """List tables, the latest first."""
    with open_store(database, config) as store:
        chosen = _user(store, user) if user else None
        with store.reading() as reader:
            found = administration.list_tables(reader.connection, chosen)
    columns = ("id", "name", "title", "owner", "players", "state", "actions", "updated")
    _show(found, as_json, "Tables", *columns)


@admin.command("close")
def close(game: TableId, database: TheDatabase = None, config: TheConfig = None) -> None:
    """Close a table: nobody can act at it any more, but everybody can look at it."""
    with open_store(database, config) as store:
        administration.close_game(store, game)
    _say(f"Table {game} is closed.")


@admin.command("reopen")
def reopen(game: TableId, database: TheDatabase = None, config: TheConfig = None) -> None:
    """Open a closed table again."""
    with open_store(database, config) as store:
        administration.reopen_game(store, game)
    _say(f"Table {game} is open.")


@admin.command("delete-table")
def delete_table(
    game: TableId, yes: Yes = False, database: TheDatabase = None, config: TheConfig = None
) -> None:
    """Delete a table with everything that belongs to it."""
    with open_store(database, config) as store:
        _confirm(yes, f"deleting table {game}")
        administration.delete_table(store, game)
    _say(f"Table {game} was deleted.")


@admin.command("verify")
def verify_tables(
    games: Annotated[list[str] | None, typer.Argument(help="Tables; else all.")] = None,
    database: TheDatabase = None,
    config: TheConfig = None,
) -> None:
    """Check the hash chains of tables and replay their actions; the exit status is 1 if damaged."""
    damaged = 0
    with open_store(database, config) as store:
        with store.reading() as reader:
            known = [one.id for one in administration.list_tables(reader.connection)]
        checked = games or known
        for game in checked:
            problems = verify(store, game).problems
            damaged += bool(problems)
            for problem in problems:
                aside().print(f"{game}: {problem}", markup=False, soft_wrap=True)
    _say(f"{len(checked)} tables checked, {damaged} damaged.")
    if damaged:
        raise typer.Exit(DIFFERENT)


def _say(text: str) -> None:
    screen().print(text, markup=False, soft_wrap=True)
