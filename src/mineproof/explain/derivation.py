"""How a person would find a certain cell: step by step, with the hardest step as easy as possible, and few steps.

Compiled code repeatedly takes the easiest step until the cell is settled, so the hardest step of every other way is at
least as hard. Then steps and cells that are not needed are left out. Cells that neither a set of four clues nor a chain
settles need several cases, or the number of mines.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mineproof._native import counting, reasoning
from mineproof.explain import step as levels
from mineproof.explain.argument import refute
from mineproof.explain.patterns import inner_and_outer, open_cells, scenario_at, technique_of
from mineproof.explain.reasons import FewestClues, Forces, cut_down, uncounted
from mineproof.explain.step import SUMMARY, ExplanationStep
from mineproof.explain.words import text_of
from mineproof.logic.constraints import Constraint, problem_of
from mineproof.logic.solver import minimal
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from mineproof.board.position import Position
    from mineproof.limit import Clock
    from mineproof.logic.constraints import Problem

NEAR = (2, 3, 5, 8, 12, 20, 40)
"""The distances from the cell within which clues are used, tried in turn."""
FAR = 60
"""The largest distance: clues further away are used only in steps with cases, or with the number of mines."""
FEW = 3
"""The most steps of one clue that are listed before the number of mines is used; more are summed up."""
MOST = (0, 1, 2, reasoning.CHAIN - 1, reasoning.CHAIN, reasoning.CHAIN, reasoning.CHAIN)
"""By level: the most clues of a set, as the compiled code counts them."""


class Link(NamedTuple):
    """A step as the compiled code finds it, with cells as indices. From level 3 on, all its cells are seen by the same
    of its clues, so that one argument holds for all of them."""

    level: int
    mine: bool
    clues: tuple[int, ...]
    cells: tuple[int, ...]
    used: tuple[int, ...]


class Deriver:
    """Finds the ways to the certain cells of a position.

    >>> from mineproof import Limit, Position
    >>> deriver = Deriver(Position.from_text("3x2x2\\nHHH\\n121"), {0: True, 1: False, 2: True}, Limit().start())
    >>> [step.technique for step in deriver.steps(1)], deriver.steps(1)[-1].text
    (['1-2', 'one clue'], 'The 1 at A2 already has its mine at A1, so B1 is safe.')
    """

    def __init__(self, position: Position, certain: Mapping[int, bool], clock: Clock) -> None:
        """``certain`` has all known certain cells, in order, and whether each is a mine."""
        self.position = position
        self.certain = certain
        self._cells = np.fromiter(certain, np.int64, len(certain))
        self.clock = clock
        self._techniques = reasoning.Techniques()
        self._techniques.start(position.grid.rows, position.grid.cols, position.cells)
        self._problem: Problem | None = None

    @property
    def problem(self) -> Problem:
        """The position as constraints, read on first use."""
        if self._problem is None:
            self._problem = problem_of(self.position, self.clock)
        return self._problem

    def steps(self, cell: int) -> tuple[ExplanationStep, ...]:
        """The steps to a certain cell."""
        links = self._for_reader(self._links(cell), cell)
        settled = {cell: link.mine for link in links for cell in link.cells}
        steps: list[ExplanationStep] = []
        for single, run in groupby(links, key=lambda link: link.level == levels.ONE_CLUE):
            group = list(run)
            if single and links[-1].level == levels.MINE_COUNT and len(group) > FEW:
                steps += self._summary(group, settled)
            else:
                steps += (self.in_words(link, settled) for link in group)
        return tuple(steps)

    def easiest(self, cells: Collection[int], among: int = 4) -> int:
        """The cell with the easiest way: among the first ones found at the lowest level, that with the fewest steps."""
        self._techniques.forget()
        self._techniques.look_around(0, -1)
        self._want(self.certain)
        hardest = 0
        candidates: list[int] = []
        wanted = set(cells)
        for link in self._closure(levels.MINE_COUNT):
            if candidates and link.level > hardest:
                break
            hardest = max(hardest, link.level)
            candidates += [cell for cell in link.cells if cell in wanted]
            if len(candidates) >= among:
                break
        if candidates:
            return min(candidates[:among], key=lambda cell: (len(self._links(cell)), cell))
        # Only cases and the number of mines are left. Cells that the clues alone settle need cases, and are easier.
        by_clues = analyse(uncounted(self.position), self.clock.rest())
        return min(wanted, key=lambda cell: (by_clues.marks[cell] == counting.MARK_UNSURE, cell))

    # -- finding -------------------------------------------------------------------------------------------------

    def _links(self, cell: int) -> list[Link]:
        """The easiest way, shortened by leaving out cells that are not needed."""
        around = self._nearby(cell)
        way = self._way(cell, levels.CHAIN, FAR, around)
        if way is None:
            return self._hard(cell, around)
        level = max(link.level for link in way)
        for radius in NEAR:
            near = self._way(cell, level, radius, around)
            if near is not None:
                way = near
                break
        needed = dict.fromkeys(settled for link in way for settled in link.cells if settled != cell)
        for spare in list(needed):
            shorter = self._way(cell, level, FAR, [other for other in needed if other != spare])
            if shorter is not None and len(shorter) <= len(way):
                way = shorter
                del needed[spare]
        return way

    def _nearby(self, cell: int) -> list[int]:
        """The certain cells that are not too far away."""
        row, col = divmod(cell, self.position.grid.cols)
        if max(self.position.grid.rows, self.position.grid.cols) <= FAR:
            return list(self.certain)
        rows, cols = np.divmod(self._cells, self.position.grid.cols)
        near: list[int] = self._cells[(abs(rows - row) <= FAR) & (abs(cols - col) <= FAR)].tolist()
        return near

    def _way(self, cell: int, level: int, radius: int, through: Sequence[int]) -> list[Link] | None:
        """Steps to the cell up to a level, by clues within the radius and through these cells; None without any."""
        self._techniques.forget()
        self._techniques.look_around(cell, radius)
        self._techniques.want([cell], self.certain[cell])
        self._want(through)
        links: list[Link] = []
        for link in self._closure(level):
            links.append(link)
            if cell in link.cells:
                return leading_to({cell}, links)
        return None

    def _want(self, cells: Collection[int]) -> None:
        certain = self.certain
        self._techniques.want([cell for cell in cells if not certain[cell]], False)
        self._techniques.want([cell for cell in cells if certain[cell]], True)

    def _closure(self, level: int) -> Iterable[Link]:
        return closure(self._techniques, level, self.clock)

    def _hard(self, cell: int, around: list[int]) -> list[Link]:
        """The easy steps that are needed, and then one step with cases, or with the number of mines."""
        self._techniques.forget()
        self._techniques.look_around(cell, FAR)
        self._want(around)
        links = list(self._closure(levels.CHAIN))
        last = self.hard_link(cell, links)
        return [*leading_to(set(last.used), links), last]

    def hard_link(self, cell: int, links: Sequence[Link]) -> Link:
        """The step with cases, or with the number of mines, that settles a cell after these steps."""
        facts = {settled: link.mine for link in links for settled in link.cells}
        mine = self.certain[cell]
        clues, mine_count = FewestClues(self.position, facts, self.clock).smallest(cell, mine, self.problem)
        used = self._needed(clues, mine_count, links, cell)
        return Link(levels.MINE_COUNT if mine_count else levels.CASES, mine, tuple(clues), (cell,), tuple(used))

    def _needed(self, clues: list[int], mine_count: bool, links: Sequence[Link], cell: int) -> list[int]:
        """The settled cells without which these clues would not force the cell. With the number of mines, nearly all
        settled cells are needed, so those of single clues are not tested."""
        facts = {settled: link.mine for link in links for settled in link.cells}
        easy: list[int] = []
        if mine_count:
            groups = [link.cells for link in links if link.level > levels.ONE_CLUE]
            easy = [settled for link in links if link.level == levels.ONE_CLUE for settled in link.cells]
        else:
            near = {i for c in self.problem.constraints if c.clue in set(clues) for i in c.cells}
            groups = [(settled,) for settled in sorted(near.intersection(facts))]
        forces = Forces(self.position, cell, self.certain[cell], self.clock)

        def enough(fewer: Sequence[tuple[int, ...]]) -> Sequence[tuple[int, ...]] | None:
            shown = cut_down(self.position, {i: facts[i] for i in chain(easy, *fewer)}, clues)
            return fewer if forces.forced_on(shown if mine_count else uncounted(shown)) else None

        return [*easy, *chain(*minimal(groups, enough, at_once=max(1, len(groups) // 4)))]

    # -- in words ------------------------------------------------------------------------------------------------

    def _for_reader(self, links: Iterable[Link], cell: int) -> list[Link]:
        """The same way for a reader, who remembers what earlier steps settled: a step may be easier, or not needed."""
        settled: dict[int, bool] = {}
        way: list[Link] = []
        for link in links:
            for easier in self._easier(link, settled):
                whole = self.in_view(easier, settled)
                way.append(whole)
                settled.update(dict.fromkeys(whole.cells, whole.mine))
            if cell in settled:
                break
        return leading_to({cell}, way, whole=True)

    def _easier(self, link: Link, settled: Mapping[int, bool]) -> list[Link]:
        """A step in the easiest form, when these cells are settled: first the steps of its single clues, and then the
        step itself, unless those settle its cells already."""
        known = dict(settled)
        cells = tuple(cell for cell in link.cells if cell not in known)
        singles: list[Link] = []
        grown = True
        while grown and cells:
            grown = False
            for clue in link.clues:
                left, want = open_cells(self.position, self.position.grid.cell(clue), known)
                if left and want in (0, len(left)):
                    used = self._around(clue) & known.keys()
                    singles.append(Link(levels.ONE_CLUE, want > 0, (clue,), tuple(sorted(left)), tuple(sorted(used))))
                    known.update(dict.fromkeys(left, want > 0))
                    grown = True
        if known.keys() >= set(cells):
            return leading_to(set(cells), singles, whole=True)
        if link.level != levels.MINE_COUNT:
            shared = {cell for single in singles for cell in single.cells if self._shared(cell, link.clues)}
            singles = leading_to(shared, singles, whole=True)
        after = {**settled, **{cell: single.mine for single in singles for cell in single.cells}}
        clues = tuple(clue for clue in link.clues if self._is_open(clue, after))
        return [*singles, link._replace(cells=cells, clues=clues)]

    def _is_open(self, clue: int, known: Mapping[int, bool]) -> bool:
        """Whether a clue still sees an unknown cell."""
        return bool(open_cells(self.position, self.position.grid.cell(clue), known)[0])

    def _shared(self, cell: int, clues: tuple[int, ...]) -> bool:
        """Whether more than one of the clues sees a cell."""
        grid = self.position.grid
        around = {grid.index(clue) for clue in grid.neighbours(grid.cell(cell))}
        return len(around.intersection(clues)) > 1

    def in_view(self, link: Link, settled: Mapping[int, bool]) -> Link:
        """The step with all settled cells around its clues, and with all cells that its sentences name."""
        grid = self.position.grid
        clues = tuple(map(grid.cell, link.clues))
        used = settled.keys() if link.level == levels.MINE_COUNT else settled.keys() & self._around(*link.clues)
        cells = link.cells
        if link.mine and link.level == levels.ONE_CLUE:
            cells = tuple(sorted(open_cells(self.position, clues[0], settled)[0]))
        elif link.mine and link.level == levels.TWO_CLUES:
            inner, outer = inner_and_outer(self.position, clues, link.cells, settled)
            inner_cells, outer_cells = (open_cells(self.position, clue, settled)[0] for clue in (inner, outer))
            cells = tuple(sorted(outer_cells - inner_cells))
        elif link.level == levels.ONE_CLUE:
            used = {cell for cell in used if settled[cell]}
        return link._replace(cells=cells, used=tuple(sorted(used)))

    def _around(self, *clues: int) -> set[int]:
        grid = self.position.grid
        return {grid.index(cell) for clue in clues for cell in grid.neighbours(grid.cell(clue))}

    def in_words(self, link: Link, settled: Mapping[int, bool]) -> ExplanationStep:
        """A step with names and words; ``settled`` has at least the cells that it uses."""
        at = self.position.grid.cell
        known = {cell: settled[cell] for cell in link.used}
        counted = link.level == levels.MINE_COUNT
        argument = None
        if link.level >= levels.COMBINATION:
            wants = [(clue, *open_cells(self.position, at(clue), {})) for clue in link.clues]
            constraints = [Constraint(clue, tuple(sorted(cells)), mines) for clue, cells, mines in wants]
            if counted:
                constraints.append(self.problem.mine_count)
            argument = refute(constraints, known, link.cells[0], not link.mine, self.clock)
        clues, cells, used = (tuple(map(at, indices)) for indices in (link.clues, link.cells, link.used))
        step = ExplanationStep(clues, cells, link.mine, link.level, "", used, counted, argument)
        technique = technique_of(self.position, step, known)
        step = replace(step, technique=technique, scenario=scenario_at(self.position, step, known))
        return replace(step, text=text_of(self.position, step, known))

    def _summary(self, links: list[Link], settled: Mapping[int, bool]) -> Iterable[ExplanationStep]:
        """Sum up many steps of single clues in at most two: one for mines, and one for safe cells."""
        at = self.position.grid.cell
        clues = tuple(map(at, sorted({clue for link in links for clue in link.clues})))
        own = {cell for link in links for cell in link.cells}
        used = tuple(map(at, sorted({cell for link in links for cell in link.used} - own)))
        for mine in (True, False):
            cells = tuple(map(at, sorted(cell for cell in own if settled[cell] is mine)))
            if cells:
                step = ExplanationStep(clues, cells, mine, levels.ONE_CLUE, SUMMARY, used)
                yield replace(step, text=text_of(self.position, step, {}))


def closure(techniques: reasoning.Techniques, level: int, clock: Clock) -> Iterator[Link]:
    """The easiest steps up to a level, one by one."""
    while True:
        step = techniques.step(MOST[level], clock)
        clock.check()
        if step is None:
            return
        size, mine, clues, cells, used = step
        reached = min(size, levels.COMBINATION) if size < reasoning.CHAIN else levels.CHAIN
        yield Link(reached, mine, tuple(clues), tuple(cells), tuple(used))


def leading_to(cells: set[int], links: list[Link], *, whole: bool = False) -> list[Link]:
    """The steps that are needed for these cells, each with only its needed cells; with ``whole``, steps of one or two
    clues keep all their mines, because their sentences count them."""
    kept = []
    wanted = set(cells)
    for link in reversed(links):
        useful = tuple(cell for cell in link.cells if cell in wanted)
        if useful:
            counted = whole and link.mine and link.level <= levels.TWO_CLUES
            kept.append(link if counted else link._replace(cells=useful))
            wanted.update(link.used)
    return kept[::-1]
