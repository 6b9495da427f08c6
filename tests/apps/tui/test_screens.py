"""Analysing and editing, reviewing, files, themes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from textual import events

from mineproof import Game, Position, Replay, analyse, read, review
from mineproof.apps.kept import keep
from mineproof.apps.tui.app import THEMES
from mineproof.apps.tui.chart import LABEL, Chart, curve
from mineproof.apps.tui.screens.analyse import AnalyseScreen
from mineproof.apps.tui.screens.play import PlayScreen
from mineproof.apps.tui.screens.review import ReviewScreen
from mineproof.apps.tui.stored import Choices
from support.tui import SMALL, Player, playing

if TYPE_CHECKING:
    from pathlib import Path


# -- analyse ---------------------------------------------------------------------------------------------------------


def test_a_position_is_painted_by_keys_and_analysed() -> None:
    async def scene(player: Player) -> None:
        await player.press("e")
        screen = player.on(AnalyseScreen)
        await player.press("n")
        await player.type("3x2x2")
        await player.press("enter")
        for cell, number in zip(("A2", "B2", "C2"), "121", strict=True):
            await player.at(cell, number)
        assert screen.position == Position.from_text("3x2x2\nHHH\n121")
        assert "Consistent boards: 1." in player.told
        assert screen.overlay.safe == {1}
        await player.at("B1", "y")
        assert "B1 is safe" in player.told
        await player.press("escape")
        player.on(PlayScreen)
        assert player.session.helped

    playing(scene)


def test_every_symbol_can_be_painted_and_taken_back() -> None:
    async def scene(player: Player) -> None:
        await player.press("e")
        screen = player.on(AnalyseScreen)
        for key, symbol in (("h", "H"), ("f", "F"), ("q", "Q"), ("s", "S"), ("asterisk", "*"), ("8", "8"), ("0", "0")):
            await player.press(key)
            assert screen.position["A1"] == symbol
        for symbol in "8*SQF":
            await player.press("u")
            assert screen.position["A1"] == symbol
        await player.press("u", "u")
        assert player.message == "There is nothing to take back."

    playing(scene)


def test_the_mouse_paints() -> None:
    async def scene(player: Player) -> None:
        await player.press("e", "1")
        screen = player.on(AnalyseScreen)
        await player.click("B2")
        await player.click("A1", button=3)
        assert screen.position == Position.from_text("4x3x1\nHHHH\nH1HH\nHHHH")

    playing(scene)


def test_clues_in_conflict_are_lit() -> None:
    async def scene(player: Player) -> None:
        await player.press("e", "plus")
        screen = player.on(AnalyseScreen)
        assert screen.position.mines == 2
        await player.press("minus", "minus", "minus")
        assert screen.position.mines == 0
        assert player.message == "A board of 4x3 cells can have 0 to 12 mines, not -1."
        await player.press("plus", "8")
        assert "There is no such board" in player.told
        assert screen.overlay.clues == {0}
        await player.press("w")
        assert player.message == "There is no such board: the clue A1 cannot be right."

    playing(scene)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("?analysis=afaeaaaeclTclTb2lTclT", "5x4x4\n001HH\n112HH\n1F2HH\n112HH\n"),
        ("3x2x2\nHHH\n121\n", "3x2x2\nHHH\n121\n"),
    ],
)
def test_a_position_is_pasted(text: str, position: str) -> None:
    async def scene(player: Player) -> None:
        await player.press("e")
        screen = player.on(AnalyseScreen)
        screen.post_message(events.Paste(text))
        await player.settle()
        assert screen.position == Position.from_text(position)
        before = screen.position
        screen.post_message(events.Paste("no board"))
        await player.settle()
        assert screen.position == before
        assert player.message != "Pasted."

    playing(scene)


def test_files_are_saved_and_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # so that names are short: each letter is a key press

    async def scene(player: Player) -> None:
        await player.at("A1", "enter", "ctrl+s")
        await player.type("my.game")
        await player.press("enter")
        assert player.message.startswith("Saved to")
        await player.press("e", "ctrl+s")
        await player.type("my.mine")
        await player.press("enter", "escape", "u", "ctrl+o")
        await player.type("my.game")
        await player.press("enter")
        assert [str(move) for move in player.game.moves] == ["open A1"]
        await player.press("ctrl+o")
        await player.type("my.mine")
        await player.press("enter")
        assert player.on(AnalyseScreen).position == player.game.position
        await player.press("ctrl+o")
        await player.type("none.game")
        await player.press("enter")
        assert player.message.endswith("none.game: No such file or directory.")
        await player.press("ctrl+s")
        await player.type("my.unknown")
        await player.press("enter")
        assert player.message.startswith("Not saved: ")

    playing(scene)
    assert isinstance(read(tmp_path / "my.game"), Replay)
    assert read(tmp_path / "my.mine") == Game.load(tmp_path / "my.game").position


# -- review ----------------------------------------------------------------------------------------------------------


def test_a_finished_game_is_reviewed_move_by_move() -> None:
    async def scene(player: Player) -> None:
        await player.press("v")
        assert player.message == "No game is kept yet."
        await player.at("A1", "enter")
        await player.at("C1", "enter")
        found = review(player.session.replay())
        await player.press("v", "enter")
        screen = player.on(ReviewScreen)
        assert screen.review is not None
        assert [told.mark for told in screen.review.moves] == [told.mark for told in found.moves]
        assert player.told.startswith("2. open C1: mistake")
        assert "C1 is certainly a mine." in player.told
        assert str(found.summary).splitlines()[0] in player.told
        await player.press("y")
        assert player.told.startswith("C1 is a mine")
        assert player.board.overlay.settled == {2: True}
        await player.press("e")  # what is shown: the position before the move
        assert player.on(AnalyseScreen).position == screen.positions[1]
        assert str(player.board.cursor) == "C1"
        await player.press("escape")
        await player.press("left")
        assert player.told.startswith("1. open A1: start")
        assert player.board.symbols[2] == "H"
        await player.press("home")
        assert player.told == "The start"
        await player.press("full_stop")
        assert screen.number == 2
        await player.press("comma")
        assert player.message == "There is no further guess or mistake."
        await player.press("left", "y")
        assert player.message.startswith("There is nothing to explain")
        await player.press("e")
        assert player.on(AnalyseScreen).position == screen.positions[1]
        await player.press("escape", "escape")
        player.on(PlayScreen)

    playing(scene)


GUESSES = "4x2x2/any=50"
"""Mines at B1 and D1. B2 is a good guess, then D2 a needless one."""


async def guess(player: Player) -> ReviewScreen:
    """Play it, and review it."""
    for cell in ("A1", "B2", "D2", "B1"):
        await player.at(cell, "enter")
    await player.press("v", "enter")
    return player.on(ReviewScreen)


def test_the_chart_shows_chances_and_leads_to_every_move() -> None:
    async def scene(player: Player) -> None:
        screen = await guess(player)
        assert screen.review is not None
        assert curve(screen.review).values == pytest.approx([1 / 3, 1 / 3, 1 / 2, 1, 0])
        chart = screen.query_one(Chart)
        assert [set(column) for column in chart.columns()] == [{number} for number in range(5) for _ in range(4)]
        for number in range(5):
            await player.pilot.click(Chart, offset=(LABEL + 4 * number + 2, 0))
            await player.settle()
            assert screen.number == number
        await player.pilot.click(Chart, offset=(LABEL + 20, 0))  # beside it
        await player.settle()
        assert screen.number == 4
        for number, place in ((3, 2), (4, 1), (3, 2)):
            await player.press("w")
            assert (screen.number, player.message) == (
                number,
                f"Bad move {place} of 2, the costliest first. W: the next.",
            )
        await player.press("left")
        assert player.message == ""
        player.matches("review")

    playing(scene, GUESSES)


def test_a_long_game_fits_into_the_chart_and_its_worst_moves_are_seen() -> None:
    async def scene(player: Player) -> None:
        screen = await guess(player)
        assert screen.review is not None
        bad = screen.review.moves[2]
        moves = tuple(replace(screen.review.moves[0], number=number) for number in range(1, 1001))
        found = replace(screen.review, moves=(*moves[:499], replace(bad, number=500), *moves[500:]))
        chart = screen.query_one(Chart)
        chart.show(found, 1000)
        for height in (1, 5):
            chart.styles.height = height
            await player.settle()
            columns = chart.columns()
            assert [number for column in columns for number in column] == list(range(1001))
            assert LABEL + len(columns) < chart.size.width
            line = chart.render().plain.splitlines()[height - 1]
            assert len(line) == LABEL + len(columns)
            place = next(number for number, column in enumerate(columns) if 500 in column)
            assert [number for number, sign in enumerate(line) if sign == "✗"] == [LABEL + place]
            chosen: list[int] = []
            screen.turn_to = chosen.append  # type: ignore[assignment]
            await player.pilot.click(Chart, offset=(LABEL + place, 0))
            await player.settle()
            assert chosen == [500]

    playing(scene, GUESSES)


@pytest.mark.parametrize(("size", "height"), [((80, 24), 1), ((120, 40), 5), ((20, 10), 1)])
def test_the_chart_takes_no_room_from_an_expert_board(size: tuple[int, int], height: int) -> None:
    game = Game("expert", "any", seed=1)
    game.open(next(cell for cell in game.grid if game.layout is not None and game.layout.has_mine(cell)))
    keep(game.replay())

    async def scene(player: Player) -> None:
        await player.press("v", "enter")
        screen = player.on(ReviewScreen)
        assert screen.query_one(Chart).size.height == height
        assert player.screen.coach.size.height >= 3
        if size[0] >= 80:
            assert player.board.max_scroll_x == player.board.max_scroll_y == 0
        await player.press("w")
        assert player.message == "No move was a mistake, a needless guess or a poor one."

    playing(scene, SMALL, size)


def test_words_that_do_not_fit_can_be_scrolled() -> None:
    async def scene(player: Player) -> None:
        screen = await guess(player)
        assert screen.coach.max_scroll_y
        await player.press("pagedown")
        assert screen.coach.scroll_y
        await player.press("shift+up")
        assert not screen.coach.scroll_y

    playing(scene, GUESSES, (60, 14))


def test_an_unfinished_game_continues_from_the_list(home: Path) -> None:
    async def scene(player: Player) -> None:
        await player.at("A1", "enter")
        await player.press("r")
        (home / "games" / "broken.game").write_text("no game")
        assert not player.game.step
        await player.press("v", "enter")
        player.on(PlayScreen)
        assert player.message == "The game continues."
        assert [str(move) for move in player.game.moves] == ["open A1"]

    playing(scene)


# -- themes and snapshots --------------------------------------------------------------------------------------------


def test_themes_are_chosen_and_remembered() -> None:
    async def scene(player: Player) -> None:
        seen = set()
        for down in range(len(THEMES)):
            await player.press("t", "home", *["down"] * down, "enter")
            assert player.board.palette is player.app.palette
            seen.add(player.app.theme)
        assert seen == set(THEMES)

    playing(scene)
    assert Choices.load()[0].theme == list(THEMES)[-1]


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_draws_every_screen(theme: str) -> None:
    async def scene(player: Player) -> None:
        for keys in (["enter", "o"], ["n", "escape"], ["question_mark", "escape"], ["e", "escape"], ["x", "escape"]):
            await player.press(*keys)
            assert len(player.lines()) == 24

    playing(scene, "intermediate/opening#1", theme=theme)


@pytest.mark.parametrize(
    ("name", "game", "size", "keys"),
    [
        ("start", "intermediate/opening#1", (80, 24), []),
        ("why", "intermediate/opening#1", (80, 24), ["enter", "s", "w", "w", "w", "w", "w"]),
        ("odds", "expert/opening#3", (80, 24), ["enter", "o"]),
        ("wide", "expert/opening#3", (140, 30), ["enter", "o", "w"]),
        ("small", "beginner/opening#1", (36, 20), ["enter", "w"]),
        ("new", "beginner/opening#1", (80, 24), ["n"]),
        ("keys", "beginner/opening#1", (80, 24), ["question_mark"]),
        ("agents", "beginner/opening#1", (80, 24), ["x"]),
        ("analyse", "intermediate/opening#1", (80, 24), ["enter", "e"]),
        ("lost", SMALL, (80, 24), ["enter", "right", "right", "enter"]),
        ("won", SMALL, (80, 24), ["enter", "right", "right", "right", "enter"]),
    ],
)
def test_snapshots(name: str, game: str, size: tuple[int, int], keys: list[str]) -> None:
    async def scene(player: Player) -> None:
        await player.press(*keys)
        player.matches(name)

    playing(scene, game, size)


def test_analysis_of_the_review_is_that_of_the_library() -> None:
    """Odds shown while editing are those of the position that is edited."""

    async def scene(player: Player) -> None:
        await player.press("enter", "e")
        screen = player.on(AnalyseScreen)
        assert screen.overlay.mined == set(map(screen.position.grid.index, analyse(screen.position).mined))

    playing(scene, "intermediate/opening#1")
