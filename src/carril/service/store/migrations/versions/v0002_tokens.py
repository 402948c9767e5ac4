"""Scopes and expiry of tokens, deleted accounts, names that look alike, an index for storage."""

import sqlalchemy as sa
from alembic import op

from carril.service.names import skeleton

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
    _fold_names()


def _fold_names() -> None:
    """Fold the names of accounts as new ones are.

    Of several that look alike, one has the folded form: the one without letters of other alphabets,
    or else the oldest. The others keep their names in small letters, which never equal such a form.
    """
    users = sa.table("users", *(sa.column(name) for name in ("id", "name", "folded", "created")))
    connection = op.get_bind()
    accounts = sa.select(users).where(users.c.folded.is_not(None)).order_by(users.c.created)
    found = sorted(
        connection.execute(accounts).all(),
        key=lambda row: skeleton(row.name) != row.name.casefold(),
    )
    folded: dict[str, str] = {}
    for row in found:
        folded.setdefault(skeleton(row.name), row.id)
    connection.execute(sa.update(users).where(users.c.folded.is_not(None)).values(folded=None))
    for name, user in folded.items():
        connection.execute(sa.update(users).where(users.c.id == user).values(folded=name))
    for row in found:
        if row.id not in folded.values():
            own = sa.update(users).where(users.c.id == row.id)
            connection.execute(own.values(folded=row.name.casefold()))
