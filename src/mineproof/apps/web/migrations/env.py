"""How Alembic gets at the database: the store hands it a connection that is in a transaction."""

from __future__ import annotations

from alembic import context

from mineproof.apps.web.schema import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
