"""Every exception that Mineproof raises on purpose, each with a sentence that a user understands.

    MineproofError
    ├── InvalidBoard     a size, a number of mines, a layout or a rule that cannot be
    ├── InvalidText      text or a file that cannot be read; knows the line and column
    ├── IllegalMove      the game does not allow this move now
    ├── CannotConvert    the target format has no way to say this
    ├── UnknownName      no level, format, … of this name; suggests the closest
    ├── InconsistentPosition  no board looks like this, and the caller wanted one
    ├── MissingExtra     this needs a library that is not installed; says how to install it
    ├── OutOfTime        the limit was reached before the answer was there
    ├── NoneFound        no such board was found among as many as were to be tried
    ├── AgentFault       a program that plays died, was too slow or made no sense
    ├── NeverAnswers     a program that was to play has not answered once
    ├── BadRecords       records that are damaged, or not of this run
    └── Cancelled        the caller asked to stop

All are ``ValueError``s too. A *contradictory* position is none of these: it is a state that one can ask about
(`Position.status`).
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class MineproofError(ValueError):
    """Base of all errors of this package."""

    def __reduce__(self) -> tuple[object, ...]:
        """Errors travel between processes whole, whatever their constructor takes."""
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[MineproofError], args: tuple[object, ...], fields: dict[str, object]) -> MineproofError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


class InvalidBoard(MineproofError):
    """A size, a number of mines, a layout or a rule that cannot be."""


class InvalidText(MineproofError):
    """Text or a file that cannot be read.

    >>> print(InvalidText("this is no cell symbol: 'x'", line=2, column=7))
    line 2, column 7: this is no cell symbol: 'x'
    """

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        self.line = line
        self.column = column
        where = [f"{word} {n}" for word, n in (("line", line), ("column", column)) if n is not None]
        super().__init__(f"{', '.join(where)}: {message}" if where else message)


class IllegalMove(MineproofError):
    """The game does not allow this move now."""


class CannotConvert(MineproofError):
    """The target format has no way to say this."""


class UnknownName(MineproofError):
    """No such level, format, agent, …

    >>> print(UnknownName("level", "exprt", ["beginner", "expert"]))
    there is no level 'exprt'; did you mean 'expert'?
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        names = sorted(known)
        close = get_close_matches(name, names, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(names)}"
        super().__init__(f"there is no {kind} {shorten(name)}; {hint}")


class InconsistentPosition(MineproofError):
    """No board looks like this position."""


class MissingExtra(MineproofError):
    """This needs a library that comes with an extra.

    >>> print(MissingExtra("the csp method", "OR-tools", "logic"))
    the csp method needs OR-tools; install it with: pip install 'mineproof[logic]'
    """

    def __init__(self, what: str, library: str, extra: str) -> None:
        super().__init__(f"{what} needs {library}; install it with: pip install 'mineproof[{extra}]'")


class OutOfTime(MineproofError):
    """The limit was reached before the answer was there, and half an answer is none."""


class NoneFound(MineproofError):
    """No such board was found among as many as were to be tried."""


class AgentFault(MineproofError):
    """A program that plays died, was too slow, or said what makes no sense."""


class NeverAnswers(MineproofError):
    """A program that was to play has not answered once: there is no game in it."""


class BadRecords(MineproofError):
    """Records that are damaged, foreign, or not of this run."""


class Cancelled(MineproofError):
    """The caller asked to stop before the answer was there."""


def shorten(text: object, width: int = 60) -> str:
    """The ``repr`` of what a user gave us, cut so that the message stays one readable line."""
    shown = repr(text)
    return shown if len(shown) <= width else f"{shown[: width - 1]}…"


def visible(text: object) -> str:
    """Text from a file or a program, as a terminal may show it: one line, in which what cannot be seen is spelled out.

    Control characters, escape sequences, line ends and marks that turn the direction of writing come as escapes.

    >>> print(visible("a title: \\x1b]0;mine\\x07, \\u202ereversed\\n"))
    a title: \\x1b]0;mine\\x07, \\u202ereversed\\n
    """
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in str(text))
