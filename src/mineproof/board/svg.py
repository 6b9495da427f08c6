"""A position as an SVG picture: sharp at any size, readable in print and for colour-blind people.

Symbols differ in shape, never in colour alone. Probabilities range from blue (safe) over pale to orange (mine), a
scale that keeps its order in any kind of colour vision, and are also written on the cell.

A theme defines the look of known cells. ``csp`` has the colours of the "CSP Based Agent" of Sharma, Kallingal Joshy
and Agrawal: proved safe cells blue, proved mines green, and mines that are not identified red, where the layout is
known; each with its own sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isnan
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from mineproof.board.grid import column_name
from mineproof.board.render import MINED, SAFE, UNIDENTIFIED, WRONG_FLAG, known_cells, symbols
from mineproof.errors import CannotConvert, InvalidArgument, Registry
from mineproof.percent import percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.board.grid import Cell, Grid
    from mineproof.board.render import Certain, Drawn, Odds, Truth

    Why: TypeAlias = "Sequence[Marked] | Explained"

MOST_CELLS = 250_000
"""The most cells in a picture, which takes some 200 bytes per cell."""
SIDE = 24
_MARGIN = 22
_INK = ("#0064a8", "#00704e", "#b84300", "#5c2d8c", "#7d5200", "#00687a", "#16191d", "#5a5f66")
_DOWN = 'dy=".35em"'  # vertical centring, for programs that support no other way
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
    """A step of an explanation: highlighted clues, and the cells that they settle."""

    @property
    def clues(self) -> tuple[Cell, ...]: ...
    @property
    def cells(self) -> tuple[Cell, ...]: ...
    @property
    def mine(self) -> bool: ...
    @property
    def spoken(self) -> tuple[int, ...]: ...


class Highlight(NamedTuple):
    """The least that is `Marked`: some clues, and what they settle."""

    clues: tuple[Cell, ...]
    cells: tuple[Cell, ...]
    mine: bool
    spoken: tuple[int, ...] = ()


class Explained(Protocol):
    """An explanation, for its steps."""

    @property
    def steps(self) -> Sequence[Marked]: ...


THEMES = Registry("theme", {
    "plain": {SAFE: "#cfe3f7", MINED: "#f9d9c0", UNIDENTIFIED: "#f6b68f"},
    "csp": {SAFE: "#7fb2ff", MINED: "#6cc57a", UNIDENTIFIED: "#ff8a80"},
})  # fmt: skip
"""The colours of proved safe cells, identified mines, and mines that are not identified."""
_SIGNS = {SAFE: "safe", MINED: "flag", UNIDENTIFIED: "mine"}


def to_svg(
    position: Drawn,
    odds: Odds | None = None,
    *,
    layout: Truth | None = None,
    why: Why = (),
    known: Certain | None = None,
    theme: str = "plain",
) -> str:
    """A picture of a position.

    ``odds`` are rows of probabilities of a mine (None or NaN: nothing is drawn there; a note or a given cell is only
    shaded). ``layout`` crosses out wrong flags after the game. ``why`` is an explanation, or some of its steps.
    ``known`` are proved cells, drawn in the colours of the ``theme``; so are mines that the game or a layout shows.
    Boards of more than `MOST_CELLS` are refused.

    >>> from mineproof import Position
    >>> to_svg(Position.from_text("2x1x1\\n1H"), [[None, 1.0]]).count("<rect")
    2
    """
    grid = position.grid
    check_size(grid)
    fills = THEMES[theme]
    marks = {} if known is None else known_cells(position, known, layout)
    if odds is not None and (len(odds) != grid.rows or any(len(row) != grid.cols for row in odds)):
        raise InvalidArgument(f"the odds must have {grid.rows} rows of {grid.cols} numbers")
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
        x, y = _MARGIN + col * SIDE, _MARGIN + row * SIDE
        if index in marks:
            parts.append(_marked(marks[index], fills[marks[index]], x, y))
        else:
            parts.append(_cell(symbol, x, y, chance, lit=index in lit))
    parts += _marks(grid, steps)
    parts.append("</svg>\n")
    return "\n".join(parts)


def _marked(mark: str, colour: str, x: int, y: int) -> str:
    place = f'x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"'
    return f'<rect class="shut" {place} style="fill:{colour}"/><use href="#mp-{_SIGNS[mark]}" {place}/>'


def _marks(grid: Grid, steps: Sequence[Marked]) -> Iterator[str]:
    """Settled cells have a tick or a mine, and the number of their step if there are several; other cells of an
    argument have a dashed outline."""
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
    """Check that a board is small enough for a picture."""
    if len(grid) > MOST_CELLS:
        raise CannotConvert(f"a picture can show at most {MOST_CELLS:,} cells; this board has {len(grid):,}")


def _cell(symbol: str, x: int, y: int, chance: float | None, *, lit: bool) -> str:
    kind = "hit" if symbol == "*" else "open" if symbol in "012345678?" else "shut"
    shade = ""
    if kind == "shut" and chance is not None and not isnan(chance):
        if not 0 <= chance <= 1:
            raise InvalidArgument(f"a probability must be from 0 to 1, not {chance}")
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
        drawn += f'<text class="odds" {middle}>{escape(percent(chance, digits=0).removesuffix(" %"))}</text>'
    return drawn


def _colour(chance: float) -> str:
    """Blue over pale to orange."""
    at = chance * 2
    low, high = (_SCALE[0], _SCALE[1]) if at <= 1 else (_SCALE[1], _SCALE[2])
    part = at if at <= 1 else at - 1
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(low, high, strict=True))
