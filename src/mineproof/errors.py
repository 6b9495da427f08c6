"""Every exception that Mineproof raises on purpose, each with a sentence for the user.

    MineproofError
    ├── InvalidArgument  an invalid argument: of a wrong type, or out of range
    │   └── InvalidBoard     an impossible size, number of mines, layout or rule
    ├── InvalidText      text or a file that cannot be read; has the line and column
    ├── IllegalMove      the game does not allow this move now
    ├── CannotConvert    the target format cannot represent this
    ├── UnknownName      no level, format, … of this name; suggests the closest
    ├── InconsistentPosition  no board is consistent with the position; has the ``conflict``
    ├── MissingExtra     a required library is not installed; says how to install it
    ├── TooHard          too hard for any limit
    ├── OutOfTime        the limit was reached before there was an answer
    ├── NoneFound        no such board was found within the number of tries
    ├── AgentFault       a program that plays exited, was too slow, or gave an invalid answer
    ├── NeverAnswers     a program that plays never gave an answer
    ├── BadRecords       records that are damaged, or belong to another run
    └── Cancelled        the caller asked to stop

All are also ``ValueError``s; an `OutOfTime` is also a ``TimeoutError``, a `MissingExtra` an ``ImportError``, and an
`UnknownName` a ``KeyError``. A *contradictory* position is not an error: it is a state that can be queried
(`Position.status`).
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Set

T = TypeVar("T")


class MineproofError(ValueError):
    """The base of all errors of this package."""

    def __reduce__(self) -> tuple[object, ...]:
        """Let errors pass between processes unchanged, whatever their constructor takes."""
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[MineproofError], args: tuple[object, ...], fields: dict[str, object]) -> MineproofError:
    base: Any = kind  # only the built-in base, which lays the object out, may make it
    while base.__module__ != "builtins":
        base = base.__base__
    error: MineproofError = base.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


class InvalidArgument(MineproofError):
    """An invalid argument: of a wrong type, or out of range."""


class InvalidBoard(InvalidArgument):
    """An impossible size, number of mines, layout or rule."""


class InvalidText(MineproofError):
    """Text or a file that cannot be read.

    >>> print(InvalidText("not a cell symbol: 'x'", line=2, column=7))
    line 2, column 7: not a cell symbol: 'x'
    """

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        self.line = line
        self.column = column
        where = [f"{word} {n}" for word, n in (("line", line), ("column", column)) if n is not None]
        super().__init__(f"{', '.join(where)}: {message}" if where else message)


class IllegalMove(MineproofError):
    """The game does not allow this move now."""


class CannotConvert(MineproofError):
    """The target format cannot represent this."""


class UnknownName(MineproofError, KeyError):
    """No such level, format, agent, …

    >>> print(UnknownName("level", "EXPRT", ["beginner", "expert"]))
    there is no level 'EXPRT'; did you mean 'expert'?
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], owner: str = "") -> None:
        self.kind = kind
        self.name = name
        names = sorted(known)
        close = get_close_matches(str(name).lower(), names, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"choose from {', '.join(names)}"
        if owner and not close:
            hint = f"it has {', '.join(names)}"
        none = f"{owner} has no" if owner else "there is no"
        super().__init__(f"{none} {kind} {shorten(name)}; {hint}")

    __str__ = Exception.__str__  # a KeyError would show the repr of its message


class Registry(dict[str, T]):
    """A mapping by name; an unknown name raises `UnknownName`, which suggests the closest.

    >>> Registry("level", {"expert": 99})["Expert"]
    Traceback (most recent call last):
    mineproof.errors.UnknownName: there is no level 'Expert'; did you mean 'expert'?
    """

    def __init__(self, kind: str, things: Mapping[str, T]) -> None:
        self.kind = kind
        super().__init__(things)

    def __missing__(self, name: str) -> T:
        raise UnknownName(self.kind, name, self)


class WrongClues(Protocol):
    """Clues that cannot all be right, or the number of mines: all that an error knows of a `Conflict`."""

    @property
    def clues(self) -> Set[tuple[int, int]]: ...
    @property
    def mine_count(self) -> bool: ...
    def fields(self) -> dict[str, Any]: ...


class InconsistentPosition(MineproofError):
    """No board is consistent with this position."""

    def __init__(self, message: object, conflict: WrongClues | None = None) -> None:
        self.conflict = conflict
        """The clues that contradict each other, or the number of mines; None if time ran out before they were found."""
        super().__init__(str(message))


class MissingExtra(MineproofError, ImportError):
    """A library of an extra is not installed.

    >>> print(MissingExtra("the csp method", "OR-tools", "logic"))
    the csp method needs OR-tools; install it with: pip install 'mineproof[logic]'
    """

    def __init__(self, purpose: str, library: str, extra: str) -> None:
        super().__init__(f"{purpose} needs {library}; install it with: pip install 'mineproof[{extra}]'")


class TooHard(MineproofError):
    """Too hard for any limit: too large, or too many cases."""


class OutOfTime(MineproofError, TimeoutError):
    """The limit was reached before there was an answer, and a partial answer would be useless."""


class NoneFound(MineproofError):
    """No such board was found within the number of tries."""


class AgentFault(MineproofError):
    """A program that plays exited, was too slow, or gave an invalid answer."""


class NeverAnswers(MineproofError):
    """A program that plays never gave an answer."""


class BadRecords(MineproofError):
    """Records that are damaged, or belong to another run."""


class Cancelled(MineproofError):
    """The caller asked to stop before there was an answer."""


def shorten(text: object, width: int = 60) -> str:
    """Return the ``repr`` of user input, shortened so that a message stays one readable line."""
    shown = repr(text)
    return shown if len(shown) <= width else f"{shown[: width - 1]}…"


def check_text(value: object, name: str) -> None:
    """Check that a value is text; ``name`` says what it should be."""
    if not isinstance(value, str):
        raise InvalidArgument(f"{name} must be text, not {shorten(value)}")


def visible(text: object) -> str:
    """Return text from a file or a program that is safe to print: one line, with invisible characters escaped.

    Control characters, escape sequences, line ends and marks that change the direction of writing are escaped.

    >>> print(visible("a title: \\x1b]0;mine\\x07, \\u202ereversed\\n"))
    a title: \\x1b]0;mine\\x07, \\u202ereversed\\n
    """
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in str(text))
