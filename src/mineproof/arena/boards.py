"""Boards that are given, and not held in memory: how to read them, how many there are, and what they are."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from mineproof.errors import BadRecords, InvalidBoard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mineproof.board.layout import Layout


@dataclass(frozen=True, slots=True)
class Boards:
    """Some boards, which can be read again and again, one after the other.

    >>> from mineproof import Layout
    >>> boards = Boards.of([Layout.parse("4x3x3=418"), Layout.parse("4x3x1=200")])
    >>> boards.count, boards.cells, [layout.mines for layout, in boards.parts(1)]
    (2, 12, [3, 1])
    """

    count: int
    cells: int
    """Of the largest of them."""
    digest: str
    read: Callable[[], Iterable[Layout]] = field(compare=False, repr=False)
    """Reads them, and perhaps more, from the first on."""

    @classmethod
    def found(cls, read: Callable[[], Iterable[Layout]], most: int | None = None) -> Boards:
        """All that there are, or the first of them."""
        count = cells = 0
        digest = Digest()
        for layout in islice(read(), most):
            count += 1
            cells = max(cells, len(layout.grid))
            digest.add(layout)
        if not count:
            raise InvalidBoard("there are no boards to play")
        return cls(count, cells, digest.text(), read)

    @classmethod
    def of(cls, layouts: Sequence[Layout]) -> Boards:
        """These, which are held."""
        return cls.found(lambda: layouts)

    def first(self, count: int) -> Boards:
        """Only so many of them."""
        return self if count >= self.count else Boards.found(self.read, count)

    def parts(self, size: int) -> Iterator[tuple[Layout, ...]]:
        """So many at a time. An error before the last are handed out, if they are not what they were."""
        digest, reading = Digest(), iter(self.read())
        for first in range(0, self.count, size):
            part = tuple(islice(reading, min(size, self.count - first)))
            for layout in part:
                digest.add(layout)
            missing = len(part) < min(size, self.count - first)
            if missing or (first + size >= self.count and digest.text() != self.digest):
                raise BadRecords("the boards have changed while they were played: what came of it is worth nothing")
            yield part


class Digest:
    """Of boards, one after the other."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._between = b""

    def add(self, layout: Layout) -> None:
        """Another board."""
        self._hash.update(self._between)
        self._hash.update(str(layout).encode())
        self._between = b"\n"

    def text(self) -> str:
        """Of all so far."""
        return self._hash.hexdigest()
