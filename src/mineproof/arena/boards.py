"""Given boards that are not held in memory: how to read them, their number, and their digest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from mineproof.errors import BadRecords, InvalidBoard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mineproof.board.layout import Layout


@dataclass(frozen=True, slots=True)
class Boards:
    """A source of boards that can be read repeatedly, one by one.

    >>> from mineproof import Layout
    >>> boards = Boards.of([Layout.parse("4x3x3=418"), Layout.parse("4x3x1=200")])
    >>> boards.count, boards.cells, [layout.mines for layout, in boards.parts(1)]
    (2, 12, [3, 1])
    """

    count: int
    cells: int
    """The cells of the largest board."""
    digest: str
    read: Callable[[], Iterable[Layout]] = field(compare=False, repr=False)
    """Reads the boards, and perhaps more, from the first."""

    @classmethod
    def found(cls, read: Callable[[], Iterable[Layout]], most: int | None = None) -> Boards:
        """All boards of a source, or only the first ``count``."""
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
        """Boards held in memory."""
        return cls.found(partial(iter, layouts))

    def first(self, count: int) -> Boards:
        """Only the first of them."""
        return self if count >= self.count else Boards.found(self.read, count)

    def parts(self, size: int) -> Iterator[tuple[Layout, ...]]:
        """The boards in lots of this size. Raises an error before the last lot if the boards have changed."""
        digest, reading = Digest(), iter(self.read())
        for first in range(0, self.count, size):
            part = tuple(islice(reading, min(size, self.count - first)))
            for layout in part:
                digest.add(layout)
            missing = len(part) < min(size, self.count - first)
            if missing or (first + size >= self.count and digest.text() != self.digest):
                raise BadRecords("the boards changed during the run: its results are invalid")
            yield part


class Digest:
    """A digest of boards, one by one."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._between = b""

    def add(self, layout: Layout) -> None:
        """Add a board."""
        self._hash.update(self._between)
        self._hash.update(str(layout).encode())
        self._between = b"\n"

    def text(self) -> str:
        """The digest of all boards so far."""
        return self._hash.hexdigest()
