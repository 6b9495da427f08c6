"""A line that shows progress on a terminal."""

from __future__ import annotations

import sys
import time

import click

DELAY = 0.5
"""Seconds before the line is shown."""
INTERVAL = 0.2
"""Seconds between two updates."""


class Progress:
    """A line on standard error, shown only on a terminal and only if the work takes a while."""

    def __init__(self) -> None:
        self.wanted, self.shown = sys.stderr.isatty(), False
        self.due = time.monotonic() + DELAY

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, text: str) -> None:
        """Show this text, unless the last update is too recent."""
        if self.wanted and time.monotonic() >= self.due:
            self.shown = True
            self.due = time.monotonic() + INTERVAL
            click.echo(f"\r{text}\x1b[K", err=True, nl=False)

    def clear(self) -> None:
        """Remove the line."""
        if self.shown:
            click.echo("\r\x1b[K", err=True, nl=False)
        self.shown = False
