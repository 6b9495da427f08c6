"""How a cell looks: its glyph, and its colours in each theme. Pure functions; `board` draws them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rich.color import Color
from rich.style import Style

from mineproof.board.render import WRONG_FLAG
from mineproof.percent import whole

if TYPE_CHECKING:
    from collections.abc import Mapping

SAFE, MINED, BEST = "✓", "✗", "◆"
SIGNS = {"0": " ", "H": "■", "F": "⚑", "Q": "?", "S": "◇", "*": "✸", "?": "✱", WRONG_FLAG: "⚐"}
ASCII = {
    "■": "#", "⚑": "F", "◇": "s", "✸": "!", "✱": "*", "⚐": "x", SAFE: "+", MINED: "!", BEST: "<",
}  # fmt: skip
"""ASCII signs, for terminals that cannot show the others."""
ROLES = {"*": "hit", "?": "mine", WRONG_FLAG: "wrong"}
CLOSED = ("H", "F", "Q", "S")
SHADES = 10
"""The number of colours for risks. They go from cool and dark to warm and light, so their order can be seen in grey
print, and with any colour vision."""


@dataclass(frozen=True)
class Overlay:
    """What is shown on top of a position. Cells are given by their index."""

    risks: Mapping[int, float] = field(default_factory=dict)
    safe: frozenset[int] = frozenset()
    mined: frozenset[int] = frozenset()
    best: int | None = None
    """The best guess."""
    clues: frozenset[int] = frozenset()
    """Highlighted clues."""
    settled: Mapping[int, bool] = field(default_factory=dict)
    """Cells that the highlighted clues settle, and whether each is a mine."""
    before: Mapping[int, bool] = field(default_factory=dict)
    """Cells that earlier steps have settled, and whether each is a mine."""


NOTHING = Overlay()


class CellLook(NamedTuple):
    """The sign of a cell, at most two characters, and the role that decides its colours."""

    sign: str
    role: str


def look(symbol: str, index: int, overlay: Overlay) -> CellLook:
    """Return how a cell looks.

    >>> look("3", 0, NOTHING), look("H", 0, Overlay(risks={0: 0.25})), look("H", 0, Overlay(safe=frozenset({0})))
    (CellLook(sign='3', role='3'), CellLook(sign='25', role='risk2'), CellLook(sign='✓', role='safe'))
    """
    if index in overlay.settled:
        mine = overlay.settled[index]
        return CellLook(MINED if mine else SAFE, "settled mine" if mine else "settled safe")
    if index in overlay.before:
        mine = overlay.before[index]
        return CellLook(MINED if mine else SAFE, "mined" if mine else "safe")
    if index in overlay.clues:
        return CellLook(SIGNS.get(symbol, symbol), "clue")
    if symbol in "HQFS":
        if index in overlay.safe:
            return CellLook(SAFE, "safe")
        if symbol == "F":
            return CellLook(SIGNS["F"], "F")
        if index in overlay.mined:
            return CellLook(MINED, "mined")
        if index == overlay.best:
            return CellLook(str(whole(overlay.risks[index])) if index in overlay.risks else BEST, "best")
        if index in overlay.risks:
            risk = overlay.risks[index]
            return CellLook(str(whole(risk)), f"risk{min(int(risk * SHADES), SHADES - 1)}")
    return CellLook(SIGNS.get(symbol, symbol), ROLES.get(symbol, symbol))


@dataclass(frozen=True, eq=False)
class Palette:
    """The colours of a board: a Rich style for each role. A style without a background gets that of open or of closed
    cells."""

    roles: Mapping[str, str]
    open: str
    closed: tuple[str, str]
    """Two backgrounds that alternate, as on a chessboard, so that cells can be told apart."""
    cursor: str
    label: str
    here: str
    """The style of the labels of the cursor's row and column."""

    @cache  # noqa: B019  there are few palettes, and they live as long as the app
    def style(self, role: str, odd: bool) -> Style:
        """Return the colours of a cell; ``odd`` if it is on a dark square of the chessboard."""
        if role == "cursor":
            return Style.parse(self.cursor)
        style = Style.parse(self.roles[role])
        if style.bgcolor is not None:
            darker = odd and role.startswith("risk") and style.bgcolor.triplet is not None
            return style + Style(bgcolor=_darker(style.bgcolor)) if darker else style
        if role.startswith("risk"):  # without a background, numbers side by side must be told apart in another way
            return style + Style(bgcolor=self.open, underline=odd)
        return style + Style(bgcolor=self.closed[odd] if role in CLOSED else self.open)


def _darker(colour: Color) -> Color:
    """Return a darker shade, which tells a cell from its neighbour of the same colour."""
    return Color.from_rgb(*(part * 0.84 for part in colour.get_truecolor()))


def _roles(numbers: str, **others: str) -> dict[str, str]:
    roles = {str(number): f"bold {colour}" for number, colour in enumerate(numbers.split(), start=1)}
    return {"0": "none", **roles, **{name.replace("_", " "): style for name, style in others.items()}}


def _shaded(*shades: str) -> dict[str, str]:
    return {f"risk{n}": f"{'#ffffff' if n < 5 else '#111111'} on {shade}" for n, shade in enumerate(shades)}


_CIVIDIS = _shaded(
    "#0f3d66", "#2a4a6b", "#44576c", "#5c646e", "#6b6a6c", "#a0946f", "#ac9863", "#c5a656", "#dfb645", "#fbc82c"
)  # fmt: skip

DARK = Palette(
    _roles(
        "#74b9ff #5fd7a7 #ff9e64 #c9a4ff #e8c547 #56d8e4 #ffffff #a6aebb",
        H="#4d5765", F="bold #ff9a7c", Q="bold #e8c547", S="bold #8fd0ff", hit="bold #ffffff on #c0392b",
        mine="#ff7b72", wrong="bold #ffffff on #8a3a2a", safe="bold #d9fff2 on #14695a",
        mined="bold #fff0e0 on #a8480f", best="bold #111111 on #f5d76e", settled_safe="bold #00251c on #3fd6a6",
        settled_mine="bold #2b0f00 on #ff9a5c", clue="bold #1b1500 on #f2c94c", **_CIVIDIS,
    ),
    "#15181d", ("#3d4653", "#353d49"), "bold #000000 on #f4f6f8", "#76808d", "bold #f4f6f8",
)  # fmt: skip
LIGHT = Palette(
    _roles(
        "#0b5fc0 #00755e #b84a00 #6b3fa0 #8a6500 #006d86 #111111 #666666",
        H="#aebccb", F="bold #8c1d18", Q="bold #5e4500", S="bold #0a4794", hit="bold #ffffff on #c0392b",
        mine="#b3261e", wrong="bold #ffffff on #8a3a2a", safe="bold #ffffff on #14695a",
        mined="bold #ffffff on #b4500f", best="bold #111111 on #f5d76e", settled_safe="bold #ffffff on #08805d",
        settled_mine="bold #ffffff on #c9400c", clue="bold #1b1500 on #f2c94c", **_CIVIDIS,
    ),
    "#fbfcfd", ("#c4cfdb", "#bac6d4"), "bold #ffffff on #1b1f24", "#66707c", "bold #111111",
)  # fmt: skip
CONTRAST = Palette(
    _roles(
        "#66ccff #00ff99 #ffaa55 #dd99ff #ffee00 #00ffff #ffffff #cccccc",
        H="#9a9a9a", F="bold #ffa090", Q="bold #ffee00", S="bold #66ccff", hit="bold #ffffff on #dd0000",
        mine="bold #ff5544", wrong="bold #ffffff on #aa0000", safe="bold #000000 on #00d68f",
        mined="bold #000000 on #ff8c42", best="bold #000000 on #ffee00", settled_safe="bold #000000 on #00ffaa",
        settled_mine="bold #000000 on #ffb070", clue="bold #000000 on #ffee00", **_CIVIDIS,
    ),
    "#000000", ("#4a4a4a", "#3a3a3a"), "bold #000000 on #ffffff", "#cccccc", "bold #ffffff",
)  # fmt: skip
SIXTEEN = Palette(
    _roles(
        "bright_blue green bright_red magenta yellow cyan default bright_black",
        H="default", F="bold bright_red", Q="bold yellow", S="bold bright_blue", hit="bold bright_white on red",
        mine="bright_red", wrong="bold bright_white on magenta", safe="bold green", mined="bold red",
        best="bold black on yellow", settled_safe="bold black on green", settled_mine="bold bright_white on red",
        clue="bold black on yellow",
        **{f"risk{n}": "cyan" if n < 1 else "default" if n < 3 else "yellow" if n < 6 else "bright_red"
           for n in range(SHADES)},
    ),
    "default", ("default", "default"), "bold black on white", "bright_black", "bold default",
)  # fmt: skip
"""The sixteen colours of the terminal itself, on its own background."""
MONO = Palette(
    _roles(
        " ".join(["default"] * 8),
        H="default", F="bold default", Q="default", S="bold default", hit="bold reverse default", mine="bold default",
        wrong="bold reverse default", safe="bold default", mined="bold default", best="bold underline default",
        settled_safe="bold reverse default", settled_mine="bold reverse default", clue="bold underline default",
        **{f"risk{n}": "default" for n in range(SHADES)},
    ),
    "default", ("default", "default"), "bold reverse default", "default", "bold underline default",
)  # fmt: skip
"""No colours, as NO_COLOR asks: bold, underlined and reversed text."""
