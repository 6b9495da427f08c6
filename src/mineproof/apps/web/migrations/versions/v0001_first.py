"""Games, moves, boards: the first version."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "games",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("player", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("no_guess", sa.Boolean, nullable=False),
        sa.Column("difficulty", sa.Text),
        sa.Column("laid", sa.Boolean, nullable=False),
        sa.Column("daily", sa.Text),
        sa.Column("known", sa.Boolean, nullable=False),
        sa.Column("helped", sa.Text, nullable=False),
        sa.Column("seen", sa.Boolean, nullable=False),
        sa.Column("chance", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("undone", sa.BigInteger, nullable=False),
        sa.Column("elapsed", sa.BigInteger, nullable=False),
        sa.Column("running", sa.BigInteger),
        sa.Column("paused", sa.Boolean, nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("result_ms", sa.BigInteger),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("bbbv", sa.BigInteger),
    )
    op.create_index("games_of_player", "games", ["player", "created"])
    op.create_index("games_of_origin", "games", ["player", "origin"])
    op.create_table(
        "moves",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("by", sa.Text),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("command", sa.Text),
        sa.UniqueConstraint("game", "command", name="move_once"),
    )
    op.create_table(
        "boards",
        sa.Column("code", sa.Text, primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("no_guess", sa.Boolean, nullable=False),
        sa.Column("difficulty", sa.Text),
        sa.Column("day", sa.Text),
        sa.UniqueConstraint("day", "level", name="one_a_day"),
    )


def downgrade() -> None:
    """Back."""
    for table in ("boards", "moves", "games"):
        op.drop_table(table)
