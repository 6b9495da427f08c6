"""Options that are part of a name, as in ``chaining:clauses=100,subsumption``: their definitions and their parser.

One parser for inference methods and agents. None of its characters is special to a shell.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mineproof.errors import InvalidText, UnknownName, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Value = bool | int | str | None

YES_NO: Mapping[str, Value] = {"yes": True, "no": False}
MOST = 10**9
"""The largest whole number that an option may have."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option: one of some words, or a whole number."""

    name: str
    default: Value
    meaning: str
    words: Mapping[str, Value] = field(default_factory=lambda: YES_NO)
    least: int | None = None
    """The smallest number allowed; None: no numbers."""
    most: int = MOST
    """The largest number allowed."""
    completes: bool = False
    """Whether "yes", and nothing else, makes a method find every certain cell."""

    @property
    def keyword(self) -> str:
        """The name of the argument in Python."""
        return self.name.replace("-", "_")

    @property
    def choices(self) -> str:
        """The possible values, in words.

        >>> Option("clauses", 300, "", {"unlimited": None}, 1).choices
        'a whole number of at least 1, or unlimited'
        """
        words = " or ".join(self.words)
        numbers = f"of at least {self.least}" if self.most == MOST else f"from {self.least} to {self.most}"
        number = f"a whole number {numbers}" if self.least is not None else ""
        return ", or ".join(filter(None, (number, words)))

    def read(self, text: str) -> Value:
        """The value that a text means."""
        if text in self.words:
            return self.words[text]
        if self.least is not None and text.isascii() and text.isdecimal():
            number = int(text[:20])  # a number with more digits is too large anyway
            if self.least <= number <= self.most:
                return number
            if number > MOST:
                raise InvalidText(f"the option {self.name} is {MOST:,} at most, not {shorten(text)}")
        raise InvalidText(f"the option {self.name} must be {self.choices}, not {shorten(text)}")

    def write(self, value: Value) -> str:
        """The text that means a value.

        >>> Option("mine-count", 12, "", least=1).write(False), Option("mine-count", 12, "", least=1).write(12)
        ('no', '12')
        """
        return next((word for word, meant in self.words.items() if meant is value or meant == value != 1), str(value))

    def __str__(self) -> str:
        return f"{self.name}={self.write(self.default)}"


def read_options(owner: str, text: str, options: Sequence[Option]) -> dict[str, Value]:
    """The values in a text such as ``clauses=100,subsumption``, by Python name; a name alone means yes.

    >>> read_options("x", "clauses=100", [Option("clauses", 300, "", {}, 1)])
    {'clauses': 100}
    >>> read_options("x", "clause=100", [Option("clauses", 300, "", {}, 1)])
    Traceback (most recent call last):
    mineproof.errors.UnknownName: x has no option 'clause'; did you mean 'clauses'?
    """
    known = {option.name: option for option in options}
    chosen: dict[str, Value] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in known:
            if not known:
                raise InvalidText(f"{owner} has no options; this asks for {shorten(part)}")
            raise UnknownName("option", name, known, owner)
        option = known[name]
        if option.keyword in chosen:
            raise InvalidText(f"the option {name} is named twice")
        chosen[option.keyword] = option.read("yes" if part == name else value)
    return chosen


def with_defaults(options: Iterable[Option], **other: Value) -> tuple[Option, ...]:
    """The same options with other defaults: those of an agent may differ from those of its method.

    >>> str(*with_defaults([Option("mine-count", True, "")], mine_count=False))
    'mine-count=no'
    """
    return tuple(replace(option, default=other.get(option.keyword, option.default)) for option in options)
