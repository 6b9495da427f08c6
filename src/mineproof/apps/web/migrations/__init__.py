"""Every change of the tables since the first version, by Alembic."""
