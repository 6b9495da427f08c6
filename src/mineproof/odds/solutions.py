"""The exact number of boards consistent with a position, by multiplying polynomials.

The coefficients of a component's polynomial, its *row*, are the numbers of its solutions with each number of mines. In
the product of all polynomials and the binomials of the cells that no clue sees, one coefficient is the answer.
Polynomials are packed into integers, so that Python's multiplication does the work (Kronecker, 1882): into two each, of
half the size (Harvey, 2009). Small ones are multiplied first.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from math import comb, lgamma, log
from typing import TYPE_CHECKING

from mineproof.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mineproof.limit import Clock

TOO_MANY = "there are too many solutions to count exactly within the limit"
_COMB_SECONDS = 3.0
"""Seconds that Python takes for a binomial of `_BITS` bits; the time grows with the square of the bits."""
_SECONDS, _BITS = 0.012, 1e6
"""Seconds that Python takes to multiply two numbers of `_BITS` bits; Karatsuba's time grows with the power 1.585."""


def combine(rows: Sequence[tuple[int, list[int]]], free_cells: int, mines: int, clock: Clock) -> int:
    """The number of ways to lay the mines, given each component's least number of mines and its row from there on.

    >>> from mineproof.limit import Limit
    >>> combine([(1, [2, 1])], 3, 2, Limit().start())  # 2 ways with one mine and 3 for the other, 1 way with two
    7
    """
    low = sum(least for least, _ in rows)
    waiting = [(len(row) * _width(row), i, row) for i, (_, row) in enumerate(rows)]
    heapify(waiting)
    number = len(waiting)
    while len(waiting) > 1:
        (_, _, first), (_, _, second) = heappop(waiting), heappop(waiting)
        product = _product(first, second, clock)
        heappush(waiting, (len(product) * _width(product), number, product))
        number += 1
    row = waiting[0][2] if waiting else [1]
    total, left = 0, mines - low
    if _COMB_SECONDS * (_log2_choose(free_cells, left) / _BITS) ** 2 > clock.left:
        raise OutOfTime(TOO_MANY)
    ways = _choose(free_cells, left)
    for solutions in row:
        clock.check()
        total += solutions * ways
        if left <= 0:
            break
        # C(n, k - 1) follows from C(n, k), unless that is 0
        ways = ways * left // (free_cells - left + 1) if 0 < left <= free_cells else _choose(free_cells, left - 1)
        left -= 1
    return total


def _log2_choose(cells: int, mines: int) -> float:
    if not 0 <= mines <= cells:
        return 0.0
    return (lgamma(cells + 1) - lgamma(mines + 1) - lgamma(cells - mines + 1)) / log(2)


def _choose(cells: int, mines: int) -> int:
    return comb(cells, mines) if 0 <= mines <= cells else 0


def _width(row: list[int]) -> int:
    return max(row).bit_length()


def _product(first: list[int], second: list[int], clock: Clock) -> list[int]:
    """The product of two polynomials."""
    bits = _width(first) + _width(second) + min(len(first), len(second)).bit_length()
    half = -(-bits // 16) * 8
    size = half * max(len(first), len(second))
    clock.check()
    if size / 4 > clock.limit.memory / 8 or 2 * _SECONDS * (size / _BITS) ** 1.585 > clock.left:
        raise OutOfTime(TOO_MANY)
    plus, minus = 1, 1  # the product at 2**half, and at -2**half
    for row in (first, second):
        even, odd = (_packed(row[parity::2], half // 4) for parity in (0, 1))
        plus *= even + (odd << half)
        minus *= even - (odd << half)
    product = [0] * (len(first) + len(second) - 1)
    product[0::2] = _unpacked((plus + minus) >> 1, half // 4, len(product[0::2]))
    product[1::2] = _unpacked((plus - minus) >> half + 1, half // 4, len(product[1::2]))
    return product


def _packed(row: list[int], width: int) -> int:
    """Pack coefficients, this many bytes each, into one number."""
    return int.from_bytes(b"".join(number.to_bytes(width, "little") for number in row), "little")


def _unpacked(number: int, width: int, size: int) -> list[int]:
    packed = number.to_bytes(width * size, "little")
    return [int.from_bytes(packed[i : i + width], "little") for i in range(0, len(packed), width)]
