"""Given boards, such as those of a file, which need not be held in memory: their number, and their digest."""

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
    """The number of cells of the largest board."""
    digest: str
    read: Callable[[], Iterable[Layout]] = field(compare=False, repr=False)
    """The function that reads the boards from the first; it may read more than ``count``."""

    @classmethod
    def counted(cls, read: Callable[[], Iterable[Layout]], most: int | None = None) -> Boards:
        """Read all boards of a source, or only the first ``most``, to count them."""
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
        """Return a source for boards held in memory."""
        return cls.counted(partial(iter, layouts))

    def first(self, count: int) -> Boards:
        """Return only the first ``count`` of the boards."""
        return self if count >= self.count else Boards.counted(self.read, count)

    def parts(self, size: int) -> Iterator[tuple[Layout, ...]]:
        """Yield the boards in parts of this size. Raises `BadRecords` before the last part if they have changed."""
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
    """A digest of boards that are added one by one."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._separator = b""

    def add(self, layout: Layout) -> None:
        """Add a board."""
        self._hash.update(self._separator)
        self._hash.update(str(layout).encode())
        self._separator = b"\n"

    def text(self) -> str:
        """Return the digest of all boards added so far."""
        return self._hash.hexdigest()
