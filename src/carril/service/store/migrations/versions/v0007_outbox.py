"""The outbox: messages to people, written in the transaction that causes them."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the table and its indexes."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("key", sa.String(160), nullable=False, unique=True),
        sa.Column("channel", sa.String(8), nullable=False),
        sa.Column("user", sa.String(32)),
        sa.Column("game", sa.String(32)),
        sa.Column("version", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("due", moment, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("attempted", moment),
        sa.Column("error", sa.Text(), nullable=False, server_default=""),
        sa.Column("created", moment, nullable=False),
    )
    op.create_index("ix_outbox_user", "outbox", ["user"])
    op.create_index("ix_outbox_game", "outbox", ["game"])
    op.create_index("outbox_due", "outbox", ["status", "due"])
