"""Clocks of tables, and holidays of users."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the tables."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "clocks",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("control", sa.Text(), nullable=False),
        sa.Column("count", sa.Text(), nullable=False),
        sa.Column("player", sa.String(80), nullable=False, server_default=""),
        sa.Column("user", sa.String(32), nullable=False, server_default=""),
        sa.Column("since", moment, nullable=False),
        sa.Column("expires", moment),
        sa.Column("paused", moment),
        sa.Column("resumes", moment),
        sa.Column("lost", sa.String(80), nullable=False, server_default=""),
    )
    for name in ("user", "expires", "resumes"):
        op.create_index(f"ix_clocks_{name}", "clocks", [name])
    op.create_table(
        "clock_marks",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("count", sa.Text(), nullable=False),
    )
    op.create_table(
        "holidays",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("user", sa.String(32), sa.ForeignKey("users.id"), nullable=False),
        sa.Column("first", sa.String(10), nullable=False),
        sa.Column("last", sa.String(10), nullable=False),
        sa.Column("begins", moment, nullable=False),
        sa.Column("ends", moment, nullable=False),
    )
    op.create_index("ix_holidays_user", "holidays", ["user"])
