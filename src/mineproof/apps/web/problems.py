"""Errors in responses: a status, a kind, and a sentence that can be shown to the user."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from mineproof.errors import Cancelled, IllegalMove, InvalidText, MineproofError, visible

FAULT = {"kind": "fault", "message": "internal server error; see the server's log"}
"""The response to an unexpected error."""


class Refused(MineproofError):
    """A refusal, with the status of the response."""

    status: ClassVar[int] = 422


class BadRequest(Refused):
    """A request that is not even JSON."""

    status = 400


class BadHost(Refused):
    """A host name that is not this server's."""

    status = 400


class ForeignOrigin(Refused):
    """A page of another site."""

    status = 403


class NotYours(Refused):
    """A game of another player, who alone may play it."""

    status = 403


class NotFound(Refused):
    """There is no such game, board, day or path."""

    status = 404


class NotAllowed(Refused):
    """A method that the path does not have."""

    status = 405


class Paused(Refused):
    """The game is paused."""

    status = 409


class Busy(Refused):
    """Another move is being made."""

    status = 409


class NotOver(Refused):
    """A question that is answered only when the game is over."""

    status = 409


class TooLarge(Refused):
    """A request or a board that is larger than this server accepts."""

    status = 413


class InvalidInput(Refused):
    """JSON that does not match the documentation."""


class TooMany(Refused):
    """More of something than one client may have."""

    status = 429


def kind_of(error: Exception) -> str:
    """Return the name of an error on the wire.

    >>> kind_of(InvalidText("no")), kind_of(TooMany("no"))
    ('invalid-text', 'too-many')
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(error).__name__).lower()


def status_of(error: MineproofError) -> int:
    """Return the status of an error, which is always a client's (4xx)."""
    if isinstance(error, Refused):
        return error.status
    return 409 if isinstance(error, IllegalMove) else 499 if isinstance(error, Cancelled) else 422


def described(error: MineproofError) -> dict[str, Any]:
    """Return an error as JSON."""
    fields: dict[str, Any] = {"kind": kind_of(error), "message": visible(error)}
    if isinstance(error, InvalidText):
        fields |= {name: value for name in ("line", "column") if (value := getattr(error, name)) is not None}
    return fields
