"""What the review of a game has counted is kept with it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Forward."""
    op.add_column("games", sa.Column("guesses", sa.Text))


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("games") as games:
        games.drop_column("guesses")
