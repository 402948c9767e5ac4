"""The first tables: users, games, lines with their records, messages."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _moment() -> sa.DateTime:
    return sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    _make_users()
    _make_bearers()
    _make_games()
    _make_sessions()
    _make_lines()
    _make_remarks()
    _make_requests()
    _make_seats()
    _make_messages()
    _make_records()
    _make_standing()


def _make_users() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("folded", sa.String(80), nullable=True),
        sa.Column("password", sa.String(200), nullable=True),
        sa.Column("guest", sa.Boolean(), nullable=False),
        sa.Column("created", _moment(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("folded"),
    )


def _make_bearers() -> None:
    op.create_table(
        "bearers",
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created", _moment(), nullable=False),
        sa.ForeignKeyConstraint(["user"], ["users.id"]),
        sa.PrimaryKeyConstraint("token"),
    )


def _make_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("title", sa.String(20), nullable=False),
        sa.Column("edition", sa.String(20), nullable=False),
        sa.Column("variants", sa.Text(), nullable=False),
        sa.Column("conventions", sa.String(40), nullable=False),
        sa.Column("seed", sa.String(40), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("read_only", sa.Boolean(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("created", _moment(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["users.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_games_owner", "games", ["owner"], unique=False)


def _make_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("created", _moment(), nullable=False),
        sa.Column("expires", _moment(), nullable=False),
        sa.ForeignKeyConstraint(["user"], ["users.id"]),
        sa.PrimaryKeyConstraint("token"),
    )


def _make_lines() -> None:
    op.create_table(
        "lines",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("owner", sa.String(32), nullable=True),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("heard", sa.Integer(), nullable=False),
        sa.Column("tip", sa.String(64), nullable=False),
        sa.Column("round", sa.String(20), nullable=False),
        sa.Column("acting", sa.String(80), nullable=True),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("ended", sa.String(40), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("last", sa.Text(), nullable=False),
        sa.Column("created", _moment(), nullable=False),
        sa.Column("updated", _moment(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.ForeignKeyConstraint(["owner"], ["users.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_lines_game", "lines", ["game"], unique=False)
    op.create_index("lines_waiting_for_bots", "lines", ["bot", "ended"], unique=False)


def _make_remarks() -> None:
    op.create_table(
        "remarks",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created", _moment(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.ForeignKeyConstraint(["user"], ["users.id"]),
        sa.PrimaryKeyConstraint("game", "number"),
    )


def _make_requests() -> None:
    op.create_table(
        "requests",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("to", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("waiting", sa.Text(), nullable=False),
        sa.Column("created", _moment(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.ForeignKeyConstraint(["user"], ["users.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_requests_game", "requests", ["game"], unique=False)


def _make_seats() -> None:
    op.create_table(
        "seats",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("user", sa.String(32), nullable=True),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("invitation", sa.String(64), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.ForeignKeyConstraint(["user"], ["users.id"]),
        sa.PrimaryKeyConstraint("game", "number"),
        sa.UniqueConstraint("invitation"),
    )
    op.create_index("ix_seats_user", "seats", ["user"], unique=False)


def _make_messages() -> None:
    op.create_table(
        "messages",
        sa.Column("line", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("created", _moment(), nullable=False),
        sa.ForeignKeyConstraint(["line"], ["lines.id"]),
        sa.PrimaryKeyConstraint("line", "number"),
    )


def _make_records() -> None:
    op.create_table(
        "records",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("line", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("by", sa.String(80), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("key", sa.String(80), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("snapshot", sa.LargeBinary(), nullable=False),
        sa.Column("moment", sa.String(40), nullable=False),
        sa.Column("before", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["line"], ["lines.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("line", "user", "key"),
        sa.UniqueConstraint("line", "version"),
    )


def _make_standing() -> None:
    op.create_table(
        "standing",
        sa.Column("line", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("record", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["line"], ["lines.id"]),
        sa.ForeignKeyConstraint(["record"], ["records.id"]),
        sa.PrimaryKeyConstraint("line", "number"),
    )
