"""The board: cursor, mouse, scrolling, and how cells look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.style import Style
from textual import events

from mineproof import Cell, Game
from mineproof.apps.tui.app import PALETTES, SIXTEEN, MineproofApp
from mineproof.apps.tui.board import HEAD, NARROW, WIDE
from mineproof.apps.tui.looks import ASCII, Overlay, Palette, look
from mineproof.board.position import SYMBOLS
from mineproof.board.render import WRONG_FLAG
from support.tui import Player, playing

if TYPE_CHECKING:
    from rich.color import Color

BIG = "200x150x3000/opening#1"


def test_every_key_that_moves() -> None:
    async def scene(player: Player) -> None:
        board = player.board
        await player.go("D4")
        for key, cell in (
            ("left", "C4"), ("h", "B4"), ("right", "C4"), ("l", "D4"), ("up", "D3"), ("k", "D2"), ("down", "D3"),
            ("j", "D4"), ("home", "A4"), ("end", "I4"), ("ctrl+home", "A1"), ("up", "A1"), ("left", "A1"),
            ("ctrl+end", "I9"), ("down", "I9"), ("right", "I9"), ("pageup", "I1"), ("pagedown", "I9"),
        ):  # fmt: skip
            await player.press(key)
            assert str(board.cursor) == cell, key

    playing(scene, "beginner/opening#1")


def test_unknown_cells_beside_a_number_are_visited_in_turn() -> None:
    async def scene(player: Player) -> None:
        await player.at("A1", "enter")  # · 1 ■ ■ / · 1 1 1
        await player.press("full_stop")
        assert str(player.board.cursor) == "C1"
        await player.press("full_stop")
        assert str(player.board.cursor) == "D1"
        await player.press("full_stop")
        assert str(player.board.cursor) == "C1"
        await player.press("comma")
        assert str(player.board.cursor) == "D1"

    playing(scene)


@pytest.mark.parametrize("size", [(80, 24), (50, 14), (200, 60)])
def test_the_cursor_of_a_large_board_is_always_on_screen(size: tuple[int, int]) -> None:
    """And the mouse means the cell that is drawn under it."""

    async def scene(player: Player) -> None:
        board = player.board
        for keys in (
            ["ctrl+end"],
            ["home"],
            ["pageup"] * 2,
            ["ctrl+home"],
            ["right"] * 40,
            ["down"] * 25,
            ["left"] * 8,
        ):
            await player.pilot.press(*keys)
            await player.settle()
            x, y = player.place(board.cursor)
            assert board.margin <= x <= board.size.width - board.width_of_cell, (keys, x)
            assert HEAD <= y < board.size.height, (keys, y)
            assert board.cell_at(x, y) == board.cursor
            label = board.render_line(y).text[: board.margin]
            assert int(label) == board.cursor.row + 1
        cell = Cell(board.cursor.row - 1, board.cursor.col + 1)
        await player.click(cell)
        assert [(move.kind, move.cell) for move in player.game.moves] == [("open", cell)]
        assert player.game[cell] == "0"

    playing(scene, BIG, size)


def test_mouse_buttons() -> None:
    async def scene(player: Player) -> None:
        await player.click("A1")
        await player.click("C1", button=3)
        assert player.game["C1"] == "F"
        await player.click("C1", button=3)
        assert player.game["C1"] == "H"
        await player.click("C1", button=3)
        await player.click("C2", button=2)  # the middle button: a chord
        assert [str(move) for move in player.game.moves[-2:]] == ["flag C1", "chord C2"]
        assert player.game.over
        await player.press("u")
        await player.click("C2")  # a number: the same
        assert player.game.over

    playing(scene)


def test_both_buttons_are_a_chord() -> None:
    async def scene(player: Player) -> None:
        await player.click("A1")
        await player.click("C1", button=3)
        x, y = player.place("C2")
        for event in (events.MouseDown, events.MouseUp):
            for button in (1, 3):
                player.board.post_message(event(player.board, x, y, 0, 0, button, False, False, False))
        await player.settle()
        assert [str(move) for move in player.game.moves] == ["open A1", "flag C1", "chord C2"]

    playing(scene)


def test_clicks_beside_the_cells_mean_nothing() -> None:
    async def scene(player: Player) -> None:
        for x, y in ((0, 2), (5, 0)):
            await player.pilot.click(player.board, offset=(x, y))
            await player.settle()
        assert not player.game.step
        assert player.board.cell_at(500, 2) is None

    playing(scene)


@pytest.mark.parametrize(
    ("level", "size", "width", "beside"),
    [
        ("intermediate", (80, 24), WIDE, True),
        ("expert", (80, 24), NARROW, False),
        ("expert", (100, 24), NARROW, True),
        ("expert", (140, 30), WIDE, True),
        ("expert", (120, 40), WIDE, False),
        ("beginner", (80, 24), WIDE, True),
        ("beginner", (40, 24), WIDE, False),
    ],
)
def test_the_whole_board_is_seen_where_there_is_room(
    level: str, size: tuple[int, int], width: int, beside: bool
) -> None:
    async def scene(player: Player) -> None:
        board, coach = player.board, player.screen.coach
        assert (board.width_of_cell, player.screen.has_class("beside")) == (width, beside)
        assert board.max_scroll_x == board.max_scroll_y == 0
        assert board.size == board.needs(width)
        assert board.region.right <= size[0]
        assert coach.size.height >= 3
        assert coach.size.width >= 25
        assert coach.region.intersection(board.region).area == 0

    playing(scene, f"{level}/opening#1", size)


def test_it_fits_again_after_the_terminal_changes() -> None:
    async def scene(player: Player) -> None:
        await player.pilot.resize_terminal(140, 40)
        await player.settle()
        assert player.board.width_of_cell == WIDE
        await player.pilot.resize_terminal(80, 24)
        await player.settle()
        assert player.board.width_of_cell == NARROW

    playing(scene, "expert/opening#1")


def luminance(colour: Color) -> float:
    """As WCAG 2 defines it."""
    parts = [part / 255 for part in colour.get_truecolor()]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("name", sorted(set(PALETTES) - {SIXTEEN}))
def test_every_sign_can_be_read(name: str) -> None:
    """Contrast of at least 4.5 to 1, except the pattern of closed cells, which says nothing."""
    palette = PALETTES[name]
    for role in [*palette.roles, "cursor"]:
        for odd in (False, True):
            style = palette.style(role, odd)
            if role in ("0", "H"):
                continue
            assert style.color is not None
            assert style.bgcolor is not None
            light, dark = sorted(map(luminance, (style.color, style.bgcolor)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (role, odd, style)


def test_sixteen_colours_are_sixteen() -> None:
    palette = PALETTES[SIXTEEN]
    for role in [*palette.roles, "cursor"]:
        style = palette.style(role, odd=True)
        for colour in (style.color, style.bgcolor):
            assert colour is None or colour.is_default or (colour.number is not None and colour.number < 16), role


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_neighbours_of_the_same_risk_can_be_told_apart(palette: Palette) -> None:
    for n in range(10):
        assert palette.style(f"risk{n}", odd=False) != palette.style(f"risk{n}", odd=True)


def test_without_colours_nothing_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is lit, settled or at the cursor is bold, underlined or reversed."""
    monkeypatch.setattr(MineproofApp, "no_colours", True)

    async def scene(player: Player) -> None:
        palette = player.board.palette
        for role in [*palette.roles, "cursor"]:
            style = palette.style(role, odd=True)
            assert style.color is None or style.color.is_default
            assert style.bgcolor is None or style.bgcolor.is_default
        for role in ("cursor", "clue", "settled safe", "settled mine", "best", "hit"):
            assert palette.style(role, odd=False).underline or palette.style(role, odd=False).reverse

    playing(scene)


def test_every_symbol_has_a_look_and_colours() -> None:
    overlays = [
        Overlay(), Overlay(risks={0: 0.5}), Overlay(safe=frozenset({0})), Overlay(mined=frozenset({0})),
        Overlay(best=0), Overlay(best=0, risks={0: 0.5}), Overlay(clues=frozenset({0})), Overlay(settled={0: True}),
        Overlay(settled={0: False}), Overlay(before={0: True}), Overlay(before={0: False}),
    ]  # fmt: skip
    for symbol in [*SYMBOLS, WRONG_FLAG]:
        for overlay in overlays:
            sign, role = look(symbol, 0, overlay)
            assert 1 <= len(sign) <= 2
            assert ASCII.get(sign, sign).isascii(), sign
            for palette in PALETTES.values():
                assert isinstance(palette.style(role, odd=False), Style)


def test_plain_characters() -> None:
    from mineproof.apps.tui.board import BoardView

    board = BoardView(ascii_only=True)
    game = Game.from_id("4x3x1/any=200")
    game.open("A1")
    game.flag("C1")
    board.show(game.grid, game.position.cells.decode())
    cells = "".join(segment.text for segment in board._cells(0, range(4)))
    assert cells == "    1  F  # "
