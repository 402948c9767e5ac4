"""Scopes and expiry of bearer tokens, deleted accounts, and an index for the use of storage."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns and the index."""
    scope = sa.Column("scope", sa.String(10), nullable=False, server_default="play")
    op.add_column("bearers", scope)
    op.add_column("bearers", sa.Column("expires", sa.DateTime(timezone=True), nullable=True))
    op.add_column(
        "users", sa.Column("deleted", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_index("ix_lines_owner", "lines", ["owner"], unique=False)
