"""How people want to be told that it is their turn."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def _user(*, key: bool = False) -> sa.Column[str]:
    user = sa.ForeignKey("users.id")
    return sa.Column("user", sa.String(32), user, nullable=False, primary_key=key)


def upgrade() -> None:
    """Make the tables."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "notices",
        _user(key=True),
        sa.Column("mails", sa.String(8), nullable=False),
        sa.Column("push", sa.Boolean(), nullable=False),
        sa.Column("zone", sa.String(40), nullable=False),
        sa.Column("digest_hour", sa.Integer(), nullable=False),
        sa.Column("quiet_from", sa.Integer()),
        sa.Column("quiet_to", sa.Integer()),
        sa.Column("delay", sa.Integer(), nullable=False),
    )
    op.create_table(
        "hooks",
        sa.Column("id", sa.String(32), primary_key=True),
        _user(),
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id")),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("created", moment, nullable=False),
    )
    op.create_table(
        "pushes",
        sa.Column("id", sa.String(32), primary_key=True),
        _user(),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("auth", sa.String(100), nullable=False),
        sa.Column("created", moment, nullable=False),
    )
    for table, name in (("hooks", "user"), ("hooks", "game"), ("pushes", "user")):
        op.create_index(f"ix_{table}_{name}", table, [name])
    op.create_table(
        "service_keys",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text(), nullable=False),
    )
