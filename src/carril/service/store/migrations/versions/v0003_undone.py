"""Undone actions that can be put back, requests to redo, and tables that anybody can find."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the table, the columns and the index."""
    op.create_table(
        "undone",
        sa.Column("line", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("record", sa.Integer(), nullable=False),
        sa.Column("base", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["line"], ["lines.id"]),
        sa.ForeignKeyConstraint(["record"], ["records.id"]),
        sa.PrimaryKeyConstraint("line", "version", "number"),
    )
    op.add_column("requests", sa.Column("series", sa.Integer(), nullable=True))
    op.add_column(
        "games", sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_index("ix_games_listed", "games", ["listed"], unique=False)
    changes = sa.text("kind IN ('undo', 'redo', 'keep')")
    op.create_index(
        "records_of_changes",
        "records",
        ["line", "version"],
        unique=False,
        sqlite_where=changes,
        postgresql_where=changes,
    )
