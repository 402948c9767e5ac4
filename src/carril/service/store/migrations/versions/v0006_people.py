"""Requests of every kind, visibility of tables, addresses, notes, unread chat and ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns and tables."""
    _change_requests()
    _change_games()
    op.add_column("users", sa.Column("email", sa.String(254), nullable=True))
    op.add_column("users", sa.Column("hidden", sa.Text(), nullable=False, server_default="[]"))
    _make_mail_links()
    _make_notes()
    _make_ratings()


def _change_requests() -> None:
    op.add_column(
        "requests", sa.Column("kind", sa.String(10), nullable=False, server_default="undo")
    )
    op.add_column("requests", sa.Column("about", sa.Text(), nullable=False, server_default="{}"))
    op.execute("UPDATE requests SET kind = 'redo' WHERE series IS NOT NULL")


def _change_games() -> None:
    op.add_column(
        "games", sa.Column("visibility", sa.String(10), nullable=False, server_default="unlisted")
    )
    op.execute("UPDATE games SET visibility = 'public' WHERE listed")
    op.create_index("ix_games_visibility", "games", ["visibility"], unique=False)
    op.drop_index("ix_games_listed", "games")
    op.drop_column("games", "listed")
    op.add_column(
        "games", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.add_column("games", sa.Column("rematch", sa.String(32), nullable=True))


def _make_mail_links() -> None:
    op.create_table(
        "mail_links",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("purpose", sa.String(10), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user"], ["users.id"]),
    )
    op.create_index("ix_mail_links_user", "mail_links", ["user"], unique=False)


def _make_notes() -> None:
    op.create_table(
        "notes",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("read", sa.Integer(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.ForeignKeyConstraint(["user"], ["users.id"]),
        sa.PrimaryKeyConstraint("game", "user"),
    )


def _make_ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("title", sa.String(20), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.Column("finished", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.ForeignKeyConstraint(["user"], ["users.id"]),
        sa.PrimaryKeyConstraint("game", "user"),
    )
    op.create_index("ix_ratings_user", "ratings", ["user"], unique=False)
