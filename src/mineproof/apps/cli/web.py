"""``mineproof web``: start the web app. This is the only link from the command line to another app."""

from __future__ import annotations

import sys

import click

from mineproof.errors import MissingExtra, UnknownName


def say(line: str) -> None:
    """Print a line immediately, even into a pipe."""
    click.echo(line)
    sys.stdout.flush()


@click.command("web")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; other machines can connect unless it is local.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8300, show_default=True, help="Port; 0: a free one.")
@click.option("--database", default=None, help="An SQLAlchemy URL.  [default: one file in your data folder]")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Number of processes.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
def command(host: str, port: int, database: str | None, workers: int, no_browser: bool) -> None:
    """Serve the web app: play, see the odds, ask why.

    Prints its address on one line when ready, and runs until interrupted. Games are stored in a database: SQLite, or
    with --database any that SQLAlchemy supports, such as postgresql://user@host/name. With several --workers, any of
    them serves any game.
    """
    try:
        from mineproof.apps.web.serve import serve
        from mineproof.apps.web.settings import Settings, default_database
    except ModuleNotFoundError as missing:
        raise MissingExtra("the web app", str(missing.name), "web") from None
    settings = Settings(database or default_database(), host)
    if not settings.loopback:
        click.echo(
            f"mineproof: {host} is not a local address: anyone who can reach it can play and request analyses here, "
            "without a password or encryption. For public use, put a TLS proxy in front of it.",
            err=True,
        )
    if workers > 1 and settings.database.endswith(":memory:"):
        raise UnknownName("database for several workers", settings.database, ["sqlite:///FILE", "postgresql://…"])
    serve(settings, port, workers, not no_browser, say)
