"""A game can be hidden from others, and handed over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Forward."""
    op.add_column("games", sa.Column("private", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("games", sa.Column("offer", sa.Text))
    op.add_column("games", sa.Column("offered_until", sa.BigInteger))


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("games") as games:
        for column in ("private", "offer", "offered_until"):
            games.drop_column(column)
