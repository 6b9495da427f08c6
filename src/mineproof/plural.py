"""Amounts in words: the one place where plurals are made."""

from __future__ import annotations


def plural(count: int, noun: str, plural_noun: str | None = None) -> str:
    """Return a number with its noun, singular or plural.

    >>> plural(1, "mine"), plural(0, "mine"), plural(2, "entry", "entries"), plural(1200, "game")
    ('1 mine', '0 mines', '2 entries', '1,200 games')
    """
    return f"{count:,} {noun_for(count, noun, plural_noun)}"


def noun_for(count: int, noun: str, plural_noun: str | None = None) -> str:
    """Return the noun alone, where the number stands elsewhere in the sentence.

    >>> noun_for(1, "mine"), noun_for(3, "mine")
    ('mine', 'mines')
    """
    return noun if count == 1 else plural_noun or f"{noun}s"
