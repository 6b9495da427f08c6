"""The border of the compiled room: whatever Python calls it with, in whatever order, is an answer or an exception.

Before there were checks, most of these ended the process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mineproof import Limit, Position, analyse
from mineproof._native import counting, metrics, mining
from mineproof._native.counting import Counter, Sampler
from mineproof._native.field import Field
from mineproof._native.playing import Player, Tree
from mineproof._native.reasoning import Techniques
from support import awkward
from support.clocks import Countdown

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.limit import Clock

LIMIT = Limit(seconds=600)
TIGHT = Limit(seconds=600, memory=2**13)
HUGE = 2**31 - 1
ONE = np.ones(1)
YES = np.ones(1, np.uint8)
REFUSED = (ValueError, RuntimeError, TypeError, OverflowError)


def clock() -> Clock:
    return LIMIT.start()


def started(text: str = "3x2x2\nHHH\n121", *, follow: bool = False) -> Counter:
    position = Position.from_text(text)
    counter = Counter()
    counter.start(position.grid.rows, position.grid.cols, position.cells, position.mines, follow)
    return counter


def techniques() -> Techniques:
    found = Techniques()
    found.start(2, 3, b"HHH121")
    return found


def counted(text: str = "3x2x2\nHHH\n121", *, follow: bool = False) -> Counter:
    counter = started(text, follow=follow)
    assert counter.count(clock()) == counting.COUNTED
    return counter


def hard() -> tuple[Counter, Position]:
    """A counter that had no memory to count with, and has listed what it could not count."""
    position = awkward.lattice(14)
    counter = Counter()
    counter.start(14, 14, position.cells, position.mines)
    assert counter.count(TIGHT.start()) == counting.HARD
    assert counter.list_hard(clock())
    return counter, position


def sampler() -> Sampler:
    """With one chain."""
    counter, position = hard()
    cells = counter.hard_cells
    found = Sampler(counter, np.ones(cells + 1), np.ones(cells + 1, np.uint8), 1)
    board = analyse(position, LIMIT).samples(1, seed=1)[0].astype(np.uint8).ravel()
    assert found.add_chain(board)
    return found


def laid(rows: int = 2, cols: int = 3) -> Field:
    field = Field(rows, cols)
    field.lay(bytes(rows * cols))
    return field


class TooShort:
    """Says that it has no cells, and gives a thousand."""

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Any:
        return iter([0] * 1000)


# -- wrong arguments, and calls out of order --------------------------------------------------------------------------

COUNTING: dict[str, Callable[[], object]] = {
    "nothing was started": lambda: Counter().count(clock()),
    "see before start": lambda: Counter().see([0], b"1"),
    "see nothing before start": lambda: Counter().see([], b""),
    "see on another board": lambda: started().see([0], b"1", bytearray(1)),
    "know before start": lambda: Counter().know([0], []),
    "marks before start": lambda: Counter().marks(),
    "proved before start": lambda: Counter().take_proved(),
    "best before start": lambda: Counter().quick_best(),
    "components before start": lambda: Counter().components(),
    "hard before start": lambda: Counter().list_hard(clock()),
    "hard clues before start": lambda: Counter().hard_clues(),
    "rows before start": lambda: Counter().solution_rows(clock()),
    "samples before start": lambda: Counter().samples(1, 1, clock()),
    "suppose before start": lambda: Counter().suppose(0, ONE, YES),
    "outside before start": lambda: Counter().outside_hard(0, 1e9, clock()),
    "odds before start": lambda: Counter().odds(np.empty((1, 1)), np.empty((1, 1)), 1e9, clock()),
    "odds before count": lambda: started().odds(np.empty((2, 3)), np.empty((2, 3)), 1e9, clock()),
    "odds after see": lambda: seen().odds(np.empty((2, 3)), np.empty((2, 3)), 1e9, clock()),
    "samples before odds": lambda: counted().samples(1, 1, clock()),
    "samples after suppose": lambda: supposed().samples(1, 1, clock()),
    "best after see": lambda: seen().quick_best(),
    "techniques of no board": lambda: Techniques().start(1, 2, b"H"),
    "techniques of no symbol": lambda: Techniques().start(1, 2, b"HX"),
    "techniques before start": lambda: Techniques().want([0], False),
    "technique outside": lambda: techniques().want([6], True),
    "technique below": lambda: techniques().settle([-1], True),
    "techniques see outside": lambda: techniques().see([6], b"1"),
    "techniques see too little": lambda: techniques().see([0, 1], b"1"),
    "techniques see nonsense": lambda: techniques().see([0], b"x"),
    "techniques look outside": lambda: techniques().look_around(6, 1),
    "techniques of text": lambda: techniques().want(["A"], True),  # type: ignore[list-item]
    "no rows": lambda: Counter().start(0, 3, b"", 0),
    "no columns": lambda: Counter().start(3, 0, b"", 0),
    "negative rows": lambda: Counter().start(-1, -3, b"HHH", 0),
    "negative mines": lambda: Counter().start(1, 3, b"HHH", -1),
    "too many rows": lambda: Counter().start(2**31, 1, b"H", 0),
    "more than 32 bits": lambda: Counter().start(2**16, 2**16, b"", 0),
    "more with its border": lambda: Counter().start(1, 2**30, b"", 0),
    "too many mines": lambda: Counter().start(1, 1, b"H", 2**31),
    "too few symbols": lambda: Counter().start(1, 3, b"HH", 0),
    "too many symbols": lambda: Counter().start(1, 3, b"HHHH", 0),
    "text": lambda: Counter().start(1, 3, "HHH", 0),  # type: ignore[arg-type]
    "nothing": lambda: Counter().start(1, 3, None, 0),  # type: ignore[arg-type]
    "wide symbols": lambda: Counter().start(1, 3, np.full(3, ord("H"), np.int64), 0),  # type: ignore[arg-type]
    "every second symbol": lambda: Counter().start(1, 3, np.full(6, ord("H"), np.uint8)[::2], 0),  # type: ignore[arg-type]
    "no symbol": lambda: Counter().start(1, 3, b"HH9", 0),
    "see no symbol": lambda: started().see([0], b"\0"),
    "see outside": lambda: started().see([6], b"1"),
    "see below": lambda: started().see([-1], b"1"),
    "see far outside": lambda: started().see([2**40], b"1"),
    "see too little": lambda: started().see([0, 1], b"1"),
    "see too much": lambda: started().see([0], b"11"),
    "see no cells": lambda: started().see(None, b"1"),  # type: ignore[arg-type]
    "see names": lambda: started().see(["A1"], b"1"),  # type: ignore[list-item]
    "know outside": lambda: started().know([6], []),
    "know below": lambda: started().know([], [-7]),
    "odds too small": lambda: counted().odds(np.empty((1, 3)), np.empty((2, 3)), 1e9, clock()),
    "odds too large": lambda: counted().odds(np.empty((2, 3)), np.empty((3, 3)), 1e9, clock()),
    "odds turned": lambda: counted().odds(np.empty((3, 2)).T, np.empty((2, 3)), 1e9, clock()),
    "odds of integers": lambda: counted().odds(np.empty((2, 3), int), np.empty((2, 3)), 1e9, clock()),
    "odds in a row": lambda: counted().odds(np.empty(6), np.empty(6), 1e9, clock()),
    "odds nowhere": lambda: counted().odds(None, None, 1e9, clock()),
    "odds read only": lambda: counted().odds(np.broadcast_to(1.0, (2, 3)), np.empty((2, 3)), 1e9, clock()),
    "samples of a follower": lambda: joined("3x2x1\nHHH\n1HH", follow=True).samples(1, 1, clock()),
    "rows of a follower": lambda: counted("3x2x1\nHHH\n1HH", follow=True).solution_rows(clock()),
    "negative seed": lambda: joined("1x1x0\nH").samples(1, -1, clock()),
    "suppose nothing": lambda: counted().suppose(0, np.empty(0), np.empty(0, np.uint8)),
    "suppose by half": lambda: counted().suppose(0, np.ones(2), YES),
    "suppose below": lambda: counted().suppose(-1, ONE, YES),
    "suppose far above": lambda: counted().suppose(HUGE, np.ones(2), np.ones(2, np.uint8)),
    "suppose above": lambda: counted().suppose(0, np.ones(8), np.ones(8, np.uint8)),
    "suppose no arrays": lambda: counted().suppose(0, None, None),  # type: ignore[arg-type]
    "outside below": lambda: counted().outside_hard(-1, 1e9, clock()),
    "outside above": lambda: counted().outside_hard(7, 1e9, clock()),
    "outside far above": lambda: counted().outside_hard(HUGE, 1e9, clock()),
    "sampler of nothing": lambda: Sampler(None, ONE, YES, 0),  # type: ignore[arg-type]
    "sampler of a stranger": lambda: Sampler(object(), ONE, YES, 0),  # type: ignore[arg-type]
    "sampler before start": lambda: Sampler(Counter(), ONE, YES, 0),
    "sampler before count": lambda: Sampler(started(), ONE, YES, 0),
    "sampler where nothing is hard": lambda: Sampler(counted(), ONE, YES, 0),
    "sampler without weights": lambda: Sampler(hard()[0], np.empty(0), np.empty(0, np.uint8), 0),
    "sampler with half the weights": lambda: Sampler(hard()[0], np.ones(2), YES, 0),
    "sampler without chains": lambda: Sampler(hard()[0], ONE, YES, 0).run(1, clock()),
    "short chain": lambda: sampler().add_chain(bytes(10)),
    "long chain": lambda: sampler().add_chain(bytes(197)),
    "no chain": lambda: sampler().note(None),
}

OTHERS: dict[str, Callable[[], object]] = {
    "choose nowhere": lambda: Player().choose(0, 0, b"", 0, np.empty((0, 0)), clock()),
    "choose too few": lambda: Player().choose(1, 2, b"H", 0, np.empty((1, 2)), clock()),
    "choose too many": lambda: Player().choose(1, 2, b"HHH", 0, np.empty((1, 2)), clock()),
    "choose no symbol": lambda: Player().choose(1, 2, b"Hx", 0, np.empty((1, 2)), clock()),
    "choose below": lambda: Player().choose(1, 2, b"HH", -1, np.empty((1, 2)), clock()),
    "choose above": lambda: Player().choose(1, 2, b"HH", 3, np.empty((1, 2)), clock()),
    "choose no room": lambda: Player().choose(1, 2, b"HH", 1, np.empty((2, 1)), clock()),
    "choose text": lambda: Player().choose(1, 2, "HH", 1, np.empty((1, 2)), clock()),  # type: ignore[arg-type]
    "choose nothing": lambda: Player().choose(1, 2, None, 1, np.empty((1, 2)), clock()),  # type: ignore[arg-type]
    "choose too large": lambda: Player().choose(1, 2**30, b"", 1, np.empty((1, 1)), clock()),
    "views outside": lambda: joined("3x1x1\n1HH").views(3, clock()),
    "views open": lambda: joined("3x1x1\n1HH").views(0, clock()),
    "views too soon": lambda: started().views(0, clock()),
    "joint outside": lambda: Player().joint(1, 3, b"HHH", 1, [-1], [], clock()),
    "joint twice": lambda: Player().joint(1, 3, b"HHH", 1, [1], [1], clock()),
    "joint open": lambda: Player().joint(1, 3, b"1HH", 1, [], [0], clock()),
    "playouts": lambda: Player(playouts=-1),
    "play nowhere": lambda: Player().play(0, 0, b"", 0, LIMIT),
    "play too few": lambda: Player().play(2, 2, bytes(3), 0, LIMIT),
    "play two mines in a cell": lambda: Player().play(1, 2, b"\0\2", 0, LIMIT),
    "play outside": lambda: Player().play(1, 2, bytes(2), 2, LIMIT),
    "play below": lambda: Player().play(1, 2, bytes(2), -1, LIMIT),
    "seeded nowhere": lambda: Player().play_seeded(0, 2, 0, 0, -1, 1, 0, 1, LIMIT),
    "seeded too large": lambda: Player().play_seeded(1, 2**30, 0, 0, -1, 1, 0, 1, LIMIT),
    "seeded far too large": lambda: Player().play_seeded(2**16, 2**16, 0, 0, -1, 1, 0, 1, LIMIT),
    "seeded outside": lambda: Player().play_seeded(2, 2, 1, 4, 0, 1, 0, 1, LIMIT),
    "seeded far around": lambda: Player().play_seeded(5, 5, 1, 4, HUGE, 1, 0, 1, LIMIT),
    "seeded full": lambda: Player().play_seeded(3, 3, 1, 4, 1, 1, 0, 1, LIMIT),
    "seeded overfull": lambda: Player().play_seeded(2, 2, 5, 0, -1, 1, 0, 1, LIMIT),
    "seeded less than none": lambda: Player().play_seeded(2, 2, 1, 0, 0, 1, 0, -5, LIMIT),
    "seeded beyond the last": lambda: Player().play_seeded(2, 2, 1, 0, 0, 1, 2**64 - 1, 1, LIMIT),
    "settings": lambda: Player(True, nodes="many"),  # type: ignore[arg-type]
    "negative settings": lambda: Player(True, boards=-1),
    "no tree": lambda: Tree(0, 3, 0, 10),
    "large tree": lambda: Tree(17, 17, 1, 10),
    "tree of more than 32 bits": lambda: Tree(2**16, 2**16, 0, 10),
    "wide tree": lambda: Tree(16, 16, 128, 10),
    "overfull tree": lambda: Tree(2, 2, 5, 10),
    "tree outside": lambda: Tree(2, 2, 1, 10).start(4, False, clock()),
    "tree below": lambda: Tree(2, 2, 1, 10).start(-1, False, clock()),
    "no field": lambda: Field(0, 3),
    "negative field": lambda: Field(-3, -3),
    "large field": lambda: Field(1, 2**30),
    "field of more than 32 bits": lambda: Field(2**16, 2**16),
    "too few mines": lambda: Field(2, 3).lay(bytes(5)),
    "too many mines for a field": lambda: Field(2, 3).lay(bytes(7)),
    "no mines": lambda: Field(2, 3).lay(b""),
    "mines of nothing": lambda: Field(2, 3).lay(None),  # type: ignore[arg-type]
    "two mines in a cell": lambda: Field(1, 2).lay(b"\0\2"),
    "open before mines": lambda: Field(2, 3).open(0),
    "chord before mines": lambda: Field(2, 3).chord(0),
    "solution before mines": lambda: Field(2, 3).solution(),
    "undo nothing": lambda: laid().undo(),
    "undo too much": lambda: [field.undo() for field in [opened()] for _ in range(2)],
    "open outside": lambda: laid().open(6),
    "open below": lambda: laid().open(-1),
    "open far outside": lambda: laid().open(HUGE),
    "chord outside": lambda: laid().chord(6),
    "note outside": lambda: laid().note(6, ord("F")),
    "note a number": lambda: laid().note(0, ord("0")),
    "note on a number": lambda: opened().note(0, ord("F")),
    "give outside": lambda: laid().give([6]),
    "give below": lambda: laid().give([-100]),
    "symbol outside": lambda: laid().symbol(6),
    "symbols outside": lambda: laid().symbols([0, 6]),
    "symbols without end": lambda: laid().symbols(TooShort()),
    "flags outside": lambda: laid().flags_around(HUGE),
    "closed outside": lambda: laid().closed_around(-HUGE),
    "measure too few": lambda: metrics.measure(bytes(5), 2, 3),
    "measure nothing": lambda: metrics.measure(b"", 0, 0),
    "measure none": lambda: metrics.measure(None, 1, 1),  # type: ignore[arg-type]
    "measure negative": lambda: metrics.measure(bytes(6), -2, -3),
    "measure two mines in a cell": lambda: metrics.measure(b"\7\7", 1, 2),
    "3BV of too few": lambda: metrics.bbbv(bytes(5), 2, 3),
    "3BV of more than 32 bits": lambda: metrics.bbbv(b"", 2**16, 2**16),
    "lay nowhere": lambda: mining.lay(0, 0, 0, 0, 0, 1, 0),
    "lay on no columns": lambda: mining.lay(3, 0, 0, 0, 0, 1, 0),
    "lay negative": lambda: mining.lay(-3, 3, 0, -1, 0, 1, 0),
    "lay on more than 32 bits": lambda: mining.lay(2**16, 2**16, 0, -1, 0, 1, 0),
    "lay too many": lambda: mining.lay(3, 3, 10, -1, 0, 1, 0),
    "lay too many around": lambda: mining.lay(3, 3, 1, 4, 1, 1, 0),
    "lay too few": lambda: mining.lay(3, 3, -1, -1, 0, 1, 0),
    "lay from outside": lambda: mining.lay(3, 3, 1, 9, 1, 1, 0),
    "lay far around": lambda: mining.lay(3, 3, 0, 4, HUGE, 1, 0),
    "give too many": lambda: mining.pick_safe(b"\0\1", 2, 1, 0),
    "give too few": lambda: mining.pick_safe(b"\0\1", -1, 1, 0),
    "give of nothing": lambda: mining.pick_safe(b"", 1, 1, 0),
}


def seen() -> Counter:
    counter = counted()
    counter.see([1], b"2")
    return counter


def joined(text: str, *, follow: bool = False) -> Counter:
    counter = counted(text, follow=follow)
    shape = Position.from_text(text).grid
    outcome, _ = counter.odds(np.empty((shape.rows, shape.cols)), np.empty((shape.rows, shape.cols)), 1e9, clock())
    assert outcome == counting.COUNTED
    return counter


def supposed() -> Counter:
    counter = joined("3x2x2\nHHH\n121")
    counter.suppose(0, ONE, YES)
    return counter


def opened() -> Field:
    field = laid()
    field.open(0)
    return field


@pytest.mark.parametrize("call", COUNTING.values(), ids=list(COUNTING))
def test_a_counter_or_a_sampler_refuses(call: Callable[[], object]) -> None:
    with pytest.raises(REFUSED):
        call()


@pytest.mark.parametrize("call", OTHERS.values(), ids=list(OTHERS))
def test_others_refuse(call: Callable[[], object]) -> None:
    with pytest.raises(REFUSED):
        call()


def test_what_failed_leaves_a_field_as_it_was() -> None:
    field = opened()
    before = field.text(), field.opened, field.moves
    for wrong in (lambda: field.open(6), lambda: field.note(0, ord("F")), lambda: field.lay(b"")):
        with pytest.raises(ValueError, match=r"outside|notes|byte"):
            wrong()
    assert (field.text(), field.opened, field.moves) == before


# -- positions at the edge --------------------------------------------------------------------------------------------

EDGES = [
    (1, 1, b"H", HUGE), (1, 1, b"0", 1), (1, 2, b"00", 0), (1, 3, b"SSS", 0), (1, 3, b"SSS", 1), (2, 2, b"****", 0),
    (1, 9, b"HHHHHHHHH", 9), (9, 1, b"1H1H1H1H1", 2), (3, 3, b"1111H1111", 1), (3, 3, b"888888888", 0),
    (3, 3, b"????8????", 8), (3, 3, b"HHHH8HHHH", 8), (3, 3, b"****H****", 3),
]  # fmt: skip


@pytest.mark.parametrize("follow", [False, True])
@pytest.mark.parametrize(("rows", "cols", "symbols", "mines"), EDGES)
def test_positions_at_the_edge_are_counted(rows: int, cols: int, symbols: bytes, mines: int, follow: bool) -> None:
    counter = Counter()
    counter.start(rows, cols, symbols, mines, follow)
    outcome = counter.count(clock())
    assert len(counter.marks()) == rows * cols
    if outcome != counting.COUNTED:
        assert outcome == counting.INCONSISTENT
        return
    outcome, marks = counter.odds(np.empty((rows, cols)), np.empty((rows, cols)), 1e9, clock())
    assert outcome in (counting.COUNTED, counting.INCONSISTENT)
    assert len(marks) == rows * cols
    counter.quick_best()
    counter.components()
    assert counter.list_hard(clock())
    assert counter.hard_clues() == []


@pytest.mark.parametrize("lookahead", [False, True])
@pytest.mark.parametrize(("rows", "cols", "symbols", "mines"), [edge for edge in EDGES if edge[3] <= len(edge[2])])
def test_a_player_looks_at_positions_at_the_edge(
    rows: int, cols: int, symbols: bytes, mines: int, lookahead: bool
) -> None:
    risks = np.empty((rows, cols))
    outcome, marks, choice, _ = Player(lookahead).choose(rows, cols, symbols, mines, risks, clock())
    assert outcome in (counting.COUNTED, counting.INCONSISTENT)
    assert choice is None or marks[choice[0]] == counting.MARK_UNSURE


def test_nothing_is_sampled_on_an_empty_request() -> None:
    assert joined("3x2x1\nHHH\nHHH").samples(-1, 1, clock()) == []
    assert Player().play_seeded(2, 2, 1, 0, 0, 1, 0, 0, LIMIT) == []
    assert mining.words(1, 0, 0, -1) == []


def test_weights_may_be_anything() -> None:
    for weight in (np.nan, np.inf, -np.inf, -1.0, 0.0, 1e308, 5e-324):
        counter, position = hard()
        size = counter.hard_cells + 1
        counter.suppose(0, np.full(size, weight), np.ones(size, np.uint8))
        counter.odds(np.empty((14, 14)), np.empty((14, 14)), weight, clock())
        chains = Sampler(counter, np.full(size, weight), np.full(size, 255, np.uint8), 1)
        board = analyse(position, LIMIT).samples(1, seed=1)[0].astype(np.uint8).ravel()
        assert chains.add_chain(board)
        chains.run(1, Countdown(1000))
        assert chains.records().shape[1] == 1


# -- time, and whoever comes back meanwhile ---------------------------------------------------------------------------


def test_hard_components_that_were_not_all_listed_are_not_there() -> None:
    """Some were half made, and named clues that they did not have."""
    position = awkward.lattice(40)
    for looks in range(1, 8):
        counter = Counter()
        counter.start(40, 40, position.cells, position.mines)
        assert counter.count(TIGHT.start()) == counting.HARD
        done = counter.list_hard(Countdown(looks))
        assert done == bool(counter.hard_clues())
        assert done == (counter.hard_cells > 0)


BLOCKS = 1200
FINE = b"H1H1HS" * BLOCKS
"""Each block has one mine or two. Few more mines than blocks make weights that are too far apart for floats: the engine
counts again, with another tilt."""


@pytest.mark.parametrize("follow", [False, True])
def test_what_is_supposed_does_not_get_lost(follow: bool) -> None:
    """It went with the old count, and was looked for all the same."""
    counter = Counter()
    counter.start(1, len(FINE), FINE, BLOCKS + 3, follow)
    assert counter.count(clock()) == counting.COUNTED
    before = sorted(counter.components())
    odds = np.empty((1, len(FINE)))
    assert counter.outside_hard(10, 1e18, clock()) is None
    assert counter.odds(odds, np.empty_like(odds), 1e18, clock())[0] == counting.STOPPED
    assert counter.count(clock()) == counting.COUNTED
    assert sorted(counter.components()) == before
    assert counter.odds(odds, np.empty_like(odds), 1e18, clock())[0] == counting.COUNTED
    assert np.nansum(odds) == pytest.approx(BLOCKS + 3)


@pytest.mark.parametrize("follow", [False, True])
def test_odds_that_were_stopped_can_be_asked_for_again(follow: bool) -> None:
    """Components that were not yet counted again were missing then."""
    counter, odds = Counter(), np.empty((1, len(FINE)))
    for looks in (30, 50, 60, 70, 100):  # while components are joined, counted again, joined again
        counter.start(1, len(FINE), FINE, BLOCKS + 3, follow)
        assert counter.count(clock()) == counting.COUNTED
        assert counter.odds(odds, np.empty_like(odds), np.inf, Countdown(looks))[0] == counting.STOPPED
        outcome, marks = counter.odds(odds, np.empty_like(odds), np.inf, clock())
        assert (outcome, marks.count(counting.MARK_UNSURE)) == (counting.COUNTED, 3 * BLOCKS)


WIDE = awkward.sparse(30, 0.3)
"""A board that takes long enough for somebody to look at the clock."""


def test_a_counter_at_work_refuses_to_be_used() -> None:
    counter = Counter()
    again: dict[str, Callable[[], object]] = {
        "start": lambda: counter.start(60, 60, b"H" * 3600, 10),
        "see": lambda: counter.see([0], b"1"),
        "know": lambda: counter.know([0], []),
        "count": lambda: counter.count(clock()),
        "odds": lambda: counter.odds(np.empty((30, 30)), np.empty((30, 30)), 1e9, clock()),
        "samples": lambda: counter.samples(1, 1, clock()),
        "solution_rows": lambda: counter.solution_rows(clock()),
        "marks": counter.marks,
        "take_proved": counter.take_proved,
        "quick_best": counter.quick_best,
        "components": counter.components,
        "list_hard": lambda: counter.list_hard(clock()),
        "hard_clues": counter.hard_clues,
        "hard_cells": lambda: counter.hard_cells,
        "suppose": lambda: counter.suppose(0, ONE, YES),
        "outside_hard": lambda: counter.outside_hard(1, 1e9, clock()),
        "Sampler": lambda: Sampler(counter, ONE, YES, 0),
    }
    wanted = analyse(WIDE, LIMIT)
    for work in again.values():
        meddling = Countdown(10**6, work)
        counter.start(30, 30, WIDE.cells, WIDE.mines)
        refused = 0
        for call in (
            lambda: counter.count(meddling),  # noqa: B023
            lambda: counter.odds(np.empty((30, 30)), np.empty((30, 30)), np.inf, meddling),  # noqa: B023
        ):
            try:
                call()
            except (RuntimeError, ValueError) as refusal:
                refused += "at work" in str(refusal)
            counter.start(30, 30, WIDE.cells, WIDE.mines)
            assert counter.count(clock()) == counting.COUNTED
        assert refused
        odds = np.empty((30, 30))
        outcome, marks = counter.odds(odds, np.empty((30, 30)), np.inf, clock())
        assert (outcome, marks) == (counting.COUNTED, wanted.marks)


def test_a_clock_cannot_change_the_board_that_odds_are_written_for() -> None:
    """It is Python, and may run anything: between the checks and the work as well."""
    counter = counted("3x1x1\nHHH")
    larger = Countdown(100, lambda: counter.start(50, 50, b"H" * 2500, 9))
    with pytest.raises(RuntimeError, match="at work"):
        counter.odds(np.empty((1, 3)), np.empty((1, 3)), 1e9, larger)
    assert counter.odds(np.empty((1, 3)), np.empty((1, 3)), 1e9, clock())[0] == counting.COUNTED


class Meddler:
    """A limit that does something before its clock starts."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.work = work
        self.memory = 2**30

    def start(self) -> Clock:
        self.work()
        return clock()


def test_a_limit_cannot_change_the_board_that_is_played() -> None:
    player = Player()
    smaller = Meddler(lambda: player.play(1, 1, b"\0", 0, LIMIT))
    mines = bytes(cell % 7 == 3 for cell in range(900))
    played = player.play(30, 30, mines, 0, smaller)  # type: ignore[arg-type]
    again = Player().play(30, 30, mines, 0, LIMIT)
    assert played is not None
    assert again is not None
    assert played[:3] == again[:3]
    seeded = player.play_seeded(16, 16, 30, 0, 0, 1, 0, 3, smaller)  # type: ignore[arg-type]
    assert [game and game[:3] for game in seeded] == [
        game and game[:3] for game in Player().play_seeded(16, 16, 30, 0, 0, 1, 0, 3, LIMIT)
    ]


def test_a_player_at_work_refuses_to_be_used() -> None:
    player = Player()
    for again in (
        lambda: player.choose(1, 1, b"H", 0, np.empty((1, 1)), clock()),
        lambda: player.play(1, 1, b"\0", 0, LIMIT),
        lambda: player.play_seeded(1, 1, 0, 0, -1, 1, 0, 1, LIMIT),
    ):
        with pytest.raises(RuntimeError, match="at work"):
            player.choose(30, 30, WIDE.cells, WIDE.mines, np.empty((30, 30)), Countdown(10**6, again))


def test_a_sampler_at_work_refuses_to_be_used() -> None:
    """A chain more would move those that are being redrawn."""
    chains = sampler()
    board = np.zeros(196, np.uint8)
    for again in (
        lambda: chains.add_chain(board),
        lambda: chains.note(board),
        lambda: chains.run(1, clock()),
        chains.forget,
        chains.records,
        chains.totals,
        lambda: chains.ways,
        lambda: chains.sweeps,
    ):
        with pytest.raises(RuntimeError, match="at work"):
            chains.run(50, Countdown(10**6, again))
        assert chains.run(1, clock())


def test_a_tree_at_work_refuses_to_be_used() -> None:
    tree = Tree(4, 4, 4, 10**6)
    with pytest.raises(RuntimeError, match="at work"):
        tree.start(0, False, Countdown(10**6, lambda: tree.start(1, False, clock())))
    assert tree.start(0, False, clock()) == Tree(4, 4, 4, 10**6).start(0, False, clock())


class Interruption(Exception):
    """What a signal handler might raise."""


def test_whoever_was_interrupted_can_go_on() -> None:
    """At any look; and ends up where everybody else does."""
    wanted = analyse(WIDE, LIMIT)
    counter, player, chains = Counter(), Player(), sampler()
    told = Player().choose(30, 30, WIDE.cells, WIDE.mines, np.empty((30, 30)), clock())
    for at in range(1, 20):
        raising = at

        def interrupt() -> None:
            nonlocal raising
            raising -= 1
            if raising == 0:
                raise Interruption

        odds = np.empty((30, 30))
        counter.start(30, 30, WIDE.cells, WIDE.mines, at % 2 == 0)
        meddling = Countdown(10**6, interrupt)
        try:
            counter.count(meddling)
            counter.odds(odds, np.empty((30, 30)), np.inf, meddling)
        except Interruption:
            pass
        assert counter.count(clock()) == counting.COUNTED
        assert counter.odds(odds, np.empty((30, 30)), np.inf, clock()) == (counting.COUNTED, wanted.marks)
        assert np.allclose(odds, wanted.probabilities, rtol=1e-9, equal_nan=True)
        raising = at
        try:
            player.choose(30, 30, WIDE.cells, WIDE.mines, odds, Countdown(10**6, interrupt))
        except Interruption:
            assert player.choose(30, 30, WIDE.cells, WIDE.mines, odds, clock()) == told
        raising = at
        try:
            chains.run(100, Countdown(10**6, interrupt))
        except Interruption:
            chains.forget()
            assert chains.run(1, clock())


def test_an_open_cell_is_not_opened_again() -> None:
    field = Field(2, 2)
    field.lay(b"\0\0\0\1")
    assert list(field.open(0)) == [0]
    assert list(field.open(0)) == []
    assert (field.opened, field.moves) == (1, 2)
    assert list(field.undo()) == []
    assert list(field.undo()) == [0]
    assert (field.opened, field.text()) == (0, b"HHHH")
