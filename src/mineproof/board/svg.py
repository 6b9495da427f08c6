"""A position as a picture in SVG: crisp at any size, readable in print and by colour-blind eyes.

Every symbol differs in shape, never in colour alone. Probabilities go from blue (safe) over pale to orange (mine), a
scale that stays in order with any kind of colour vision, and are written on the cell too.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isnan
from typing import TYPE_CHECKING, Protocol, TypeAlias

from mineproof.board.grid import column_name
from mineproof.board.render import WRONG_FLAG, symbols
from mineproof.errors import CannotConvert, InvalidBoard

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from mineproof.board.grid import Cell, Grid
    from mineproof.board.layout import Layout
    from mineproof.board.position import Position

    Why: TypeAlias = "Sequence[Marked] | Explained"
    Odds: TypeAlias = Sequence[Sequence[float | None]] | NDArray[np.float64]

MOST_CELLS = 250_000
"""Of a board that is drawn: a picture takes some 200 bytes a cell."""
SIDE = 24
_MARGIN = 22
_INK = ("#0064a8", "#00704e", "#b84300", "#5c2d8c", "#7d5200", "#00687a", "#16191d", "#5a5f66")
_DOWN = 'dy=".35em"'  # the middle of a line, for programs that know no other way to centre it
_SCALE = ((43, 123, 206), (240, 235, 222), (224, 104, 20))
_STYLE = """
.mp text{font:700 15px system-ui,"DejaVu Sans",sans-serif;text-anchor:middle}
.mp .axis{font-size:10px;font-weight:500;fill:#767c85}
.mp .odds{font-size:9.5px;font-weight:600;fill:#16191d}
.mp .open{fill:#faf8f3;stroke:#d5d1c6}
.mp .shut{fill:#a9bacb;stroke:#faf8f3}
.mp .hit{fill:#f6b68f;stroke:#d5d1c6}
.mp .lit{fill:#ffe9a8;stroke:#b88400;stroke-width:2}
.mp .is-safe{fill:#cfe3f7;stroke:#0064a8}
.mp .is-mine{fill:#f9d9c0;stroke:#b84300}
.mp .spoken{fill:none;stroke:#16191d;stroke-width:1.5;stroke-dasharray:3 2}
.mp .step{font-size:9px;font-weight:700;fill:#16191d}
"""
_SHAPES = """<symbol id="mp-flag" viewBox="0 0 24 24"><path d="M8.5 5v14M6 19.5h9" stroke="#16191d" stroke-width="2"
 fill="none"/><path d="M9 4.5l9 4-9 4.5z" fill="#c23b00" stroke="#fff" stroke-width=".9"/></symbol>
<symbol id="mp-wrong" viewBox="0 0 24 24"><use href="#mp-flag" width="24" height="24" opacity=".55"/>
<path d="M4.5 4.5l15 15M19.5 4.5l-15 15" stroke="#16191d" stroke-width="2.5"/></symbol>
<symbol id="mp-mine" viewBox="0 0 24 24"><path d="M12 4v16M4 12h16M6.4 6.4l11.2 11.2M17.6 6.4L6.4 17.6"
 stroke="#16191d" stroke-width="2"/><circle cx="12" cy="12" r="5.5" fill="#16191d"/>
<circle cx="10" cy="10" r="1.5" fill="#fff"/></symbol>
<symbol id="mp-safe" viewBox="0 0 24 24"><path d="M6 12.5l4.2 4.2L18.5 8" stroke="#0064a8" stroke-width="2.8"
 fill="none"/></symbol>"""
_PICTURES = {"F": "flag", WRONG_FLAG: "wrong", "*": "mine", "?": "mine", "S": "safe"}


class Marked(Protocol):
    """A step of an explanation: clues that are lit, and cells that they settle."""

    @property
    def clues(self) -> tuple[Cell, ...]: ...
    @property
    def cells(self) -> tuple[Cell, ...]: ...
    @property
    def mine(self) -> bool: ...
    @property
    def spoken(self) -> tuple[int, ...]: ...


class Explained(Protocol):
    """An explanation, for its steps."""

    @property
    def steps(self) -> Sequence[Marked]: ...


def to_svg(position: Position, odds: Odds | None = None, *, layout: Layout | None = None, why: Why = ()) -> str:
    """A picture of a position.

    ``odds`` has a row for each row of the board, with the probability of a mine for each cell (None or NaN: nothing
    is drawn there; a note or a given cell is only shaded). ``layout`` crosses out flags that were wrong, when the game
    is over. ``why`` is an explanation, or some of its steps. Boards of more than `MOST_CELLS` are refused.

    >>> from mineproof import Position
    >>> to_svg(Position.from_text("2x1x1\\n1H"), [[None, 1.0]]).count("<rect")
    2
    """
    grid = position.grid
    check_size(grid)
    if odds is not None and (len(odds) != grid.rows or any(len(row) != grid.cols for row in odds)):
        raise InvalidBoard(f"the odds must have {grid.rows} rows of {grid.cols} numbers")
    width, height = _MARGIN + grid.cols * SIDE + 2, _MARGIN + grid.rows * SIDE + 2
    label = f"Minesweeper position, {grid.cols} columns, {grid.rows} rows, {position.mines} mines"
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="mp" {size} role="img" aria-label="{label}">',
        f"<style>{_STYLE}</style><defs>{_SHAPES}</defs>",
    ]
    middle = _MARGIN + SIDE / 2
    across = [(middle + col * SIDE, _MARGIN / 2, column_name(col)) for col in range(grid.cols)]
    down = [(_MARGIN / 2, middle + row * SIDE, str(row + 1)) for row in range(grid.rows)]
    parts += [f'<text class="axis" x="{x:g}" y="{y:g}" {_DOWN}>{name}</text>' for x, y, name in across + down]
    steps: Sequence[Marked] = why if isinstance(why, Sequence) else why.steps
    lit = {grid.index(clue) for step in steps for clue in step.clues}
    for index, symbol in enumerate(symbols(position, layout)):
        row, col = divmod(index, grid.cols)
        chance = None if odds is None else odds[row][col]
        parts.append(_cell(symbol, _MARGIN + col * SIDE, _MARGIN + row * SIDE, chance, lit=index in lit))
    parts += _marks(grid, steps)
    parts.append("</svg>\n")
    return "\n".join(parts)


def _marks(grid: Grid, steps: Sequence[Marked]) -> Iterator[str]:
    """Cells that are settled have a tick or a mine, and the number of their step, if there are several; other cells
    that an argument speaks of have a dashed line around them."""
    settled = {cell for step in steps for cell in step.cells}
    for cell in sorted({grid.cell(index) for step in steps for index in step.spoken} - settled):
        x, y = _MARGIN + cell.col * SIDE + 3, _MARGIN + cell.row * SIDE + 3
        yield f'<rect class="spoken" x="{x}" y="{y}" width="{SIDE - 6}" height="{SIDE - 6}" rx="3"/>'
    for number, step in enumerate(steps, start=1):
        picture, kind = ("mine", "is-mine") if step.mine else ("safe", "is-safe")
        for cell in step.cells:
            x, y = _MARGIN + cell.col * SIDE, _MARGIN + cell.row * SIDE
            yield f'<rect class="{kind}" x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"/>'
            yield f'<use href="#mp-{picture}" x="{x + 1}" y="{y + 4}" width="{SIDE - 6}" height="{SIDE - 6}"/>'
            if len(steps) > 1:
                yield f'<text class="step" x="{x + SIDE - 6}" y="{y + 7}" {_DOWN}>{number}</text>'


def check_size(grid: Grid) -> None:
    """Whether a board is small enough for a picture."""
    if len(grid) > MOST_CELLS:
        raise CannotConvert(f"a picture shows at most {MOST_CELLS:,} cells; this board has {len(grid):,}")


def _cell(symbol: str, x: int, y: int, chance: float | None, *, lit: bool) -> str:
    kind = "hit" if symbol == "*" else "open" if symbol in "012345678?" else "shut"
    shade = ""
    if kind == "shut" and chance is not None and not isnan(chance):
        if not 0 <= chance <= 1:
            raise InvalidBoard(f"a probability is from 0 to 1, not {chance}")
        shade = f' style="fill:{_colour(chance)}"'
    drawn = f'<rect class="{kind}" x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"{shade}/>'
    if lit:
        drawn += f'<rect class="lit" x="{x + 2}" y="{y + 2}" width="{SIDE - 4}" height="{SIDE - 4}" rx="3"/>'
    middle = f'x="{x + SIDE // 2}" y="{y + SIDE // 2}" {_DOWN}'
    if symbol in "12345678":
        drawn += f'<text {middle} fill="{_INK[int(symbol) - 1]}">{symbol}</text>'
    elif symbol in _PICTURES:
        drawn += f'<use href="#mp-{_PICTURES[symbol]}" x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"/>'
    elif symbol == "Q":
        drawn += f'<text {middle} fill="#16191d">?</text>'
    elif shade and chance is not None:
        drawn += f'<text class="odds" {middle}>{escape(_percent(chance))}</text>'
    return drawn


def _colour(chance: float) -> str:
    """Blue over pale to orange."""
    at = chance * 2
    low, high = (_SCALE[0], _SCALE[1]) if at <= 1 else (_SCALE[1], _SCALE[2])
    part = at if at <= 1 else at - 1
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(low, high, strict=True))


def _percent(chance: float) -> str:
    """A whole percentage that keeps 0 and 100 for what is nothing less.

    >>> [_percent(p) for p in (0, 0.001, 0.5, 0.999, 1)]
    ['0', '<1', '50', '>99', '100']
    >>> _percent(0.005), _percent(0.995)
    ('<1', '>99')
    """
    rounded = f"{chance * 100:.0f}"
    if rounded == "0" and chance > 0:
        return "<1"
    return ">99" if rounded == "100" and chance < 1 else rounded
