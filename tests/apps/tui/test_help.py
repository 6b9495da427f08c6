"""What the app says and shows about a position is what the library finds; and what is out of date is cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Region

from mineproof import LEVELS, Position, analyse, hint, why
from mineproof.apps.tui.board import HEAD
from mineproof.apps.tui.screens import coached
from mineproof.apps.tui.screens.help import KEYS
from mineproof.apps.tui.screens.play import PlayScreen
from mineproof.apps.tui.session import Session, Wanted
from mineproof.apps.tui.sight import see
from mineproof.errors import Cancelled, OutOfTime
from mineproof.limit import Limit
from mineproof.seat.seat import UNLAID, Seat
from support.tui import Player, playing

if TYPE_CHECKING:
    from threading import Event

    import pytest

    from mineproof.apps.tui.sight import Sight

BOARD = "intermediate/opening#1"


def test_a_hint_comes_in_parts() -> None:
    async def scene(player: Player) -> None:
        await player.press("w")
        assert player.told == "Hint\nThe first click is always safe in this game; C3 is a good one."
        await player.press("enter")
        found = hint(player.game)
        assert found.explanation is not None
        index = player.game.grid.index
        screen = player.on(PlayScreen)
        for shown in (1, 2, 3, 4):
            await player.press("w")
            assert player.told.split("\n")[1:] == list(found.portions[:shown])
            lit = {index(clue) for clue in found.explanation.steps[-1].clues} if shown >= 3 else set()
            assert screen.overlay.clues == lit
            assert set(screen.overlay.settled) == ({index(found.explanation.cell)} if shown == 4 else set())
        for _ in range(2):
            await player.press("w")
            assert screen.why_shown == (found.explanation, len(found.explanation.steps) - 1)

    playing(scene, BOARD)


def test_the_newest_words_are_seen_in_a_small_panel() -> None:
    async def scene(player: Player) -> None:
        await player.press("enter")
        found = hint(player.game)
        for shown in (1, 2, 3, 4):
            await player.press("w")
            assert found.portions[shown - 1] in "\n".join(player.lines())
        await player.press("w")
        assert found.explanation is not None
        steps = found.explanation.steps
        for step in (*range(len(steps)), *reversed(range(len(steps)))):
            while (now := player.on(PlayScreen).why_shown) is not None and now[1] != step:
                await player.press("greater_than_sign" if now[1] < step else "less_than_sign")
            lead = f"{step + 1}. " if len(steps) > 1 else ""
            assert lead + steps[step].text[:40] in "\n".join(player.lines())

    playing(scene, "expert/opening#3")


def test_the_cell_of_a_hint_is_on_screen_on_a_large_board() -> None:
    async def scene(player: Player) -> None:
        await player.press("enter", "ctrl+end", "w", "w", "w", "w")
        (index,) = player.on(PlayScreen).overlay.settled
        cells = Region.from_corners(player.board.margin, HEAD, *player.board.size)
        assert cells.contains_point(player.place(player.game.grid.cell(index)))
        assert player.board.cursor == player.game.grid.at("GR150")  # it stays where it was

    playing(scene, "200x150x3000/opening#1")


def test_overlays_of_the_game_before_are_help_in_the_next() -> None:
    async def scene(player: Player) -> None:
        await player.press("s")
        player.app.play_screen.begin(Session.new(Wanted(LEVELS["beginner"], seed=1)))
        assert not player.session.helped  # there is nothing to see before the first click
        await player.press("enter")
        assert player.on(PlayScreen).overlay.safe
        assert player.session.helped
        await player.press("s")
        player.app.play_screen.begin(Session.new(Wanted(LEVELS["beginner"], seed=1)))
        await player.press("enter")
        assert not player.session.helped

    playing(scene)


def test_why_lights_the_clues_of_each_step() -> None:
    async def scene(player: Player) -> None:
        await player.press("greater_than_sign")
        assert player.message == "There are no steps to go through: ask why first (Y)."
        await player.press("enter")
        await player.at("F5", "y")
        found = why(player.game, "F5")
        assert len(found.steps) == 2
        index = player.game.grid.index
        screen = player.on(PlayScreen)
        for key, step in (("", 0), ("greater_than_sign", 1), ("greater_than_sign", 1), ("left_square_bracket", 0)):
            if key:
                await player.press(key)
            now = found.steps[step]
            assert screen.overlay.clues == set(map(index, now.clues))
            assert screen.overlay.settled == {index(cell): now.mine for cell in now.cells}
            assert set(screen.overlay.before) == {index(cell) for one in found.steps[:step] for cell in one.cells}
            assert now.text in player.told
            assert player.told.startswith(f"F5 is safe   < > {step + 1} of 2\n")
        await player.press("escape")
        assert not screen.overlay.clues
        await player.at("A1", "y")
        assert player.message == "A1 is open: ask about a closed cell."
        await player.at("P16", "y")
        assert "P16 is not certain" in player.told

    playing(scene, BOARD)


def test_overlays_show_what_is_certain_and_the_odds() -> None:
    async def scene(player: Player) -> None:
        await player.press("o")
        assert player.message == UNLAID
        await player.press("o", "enter", "s")
        found = analyse(player.game)
        index, screen = player.game.grid.index, player.on(PlayScreen)
        assert screen.overlay.safe == set(map(index, found.safe))
        assert screen.overlay.mined == set(map(index, found.mined))
        assert not screen.overlay.risks
        await player.press("s", "o")
        assert screen.overlay.safe == set(map(index, found.safe))
        for place, risk in screen.overlay.risks.items():
            assert risk == found.probability(player.game.grid.cell(place))
        assert {index("A7"), index("B7"), index("D7")} == set(screen.overlay.risks)
        assert f"Certain: {len(found.safe)} safe, {len(found.mined)} mines." in player.told
        assert "Cells away from all numbers: 16.7 % risk each." in player.told
        await player.press("o")
        assert not screen.overlay.safe

    playing(scene, BOARD)


def test_the_overlay_follows_the_game() -> None:
    async def scene(player: Player) -> None:
        await player.press("enter", "o")
        cell = min(analyse(player.game).safe)
        await player.at(cell, "enter")
        found = analyse(player.game)
        assert player.on(PlayScreen).overlay.safe == set(map(player.game.grid.index, found.safe))

    playing(scene, BOARD)


def test_the_best_guess_is_that_of_the_hint() -> None:
    async def scene(player: Player) -> None:
        await player.press("enter", "g", "b")
        found = hint(player.game)
        assert not found.certain
        assert found.cell is not None
        screen = player.on(PlayScreen)
        assert screen.overlay.best == player.game.grid.index(found.cell)
        assert found.portions[1] in player.told

    playing(scene, "expert/opening#3")


def test_questions_about_an_old_position_are_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread is told at once, and its answer never shown."""
    asked: list[Event] = []
    ended: list[bool] = []

    def endless(_seat: Seat, limit: Limit, **_others: bool) -> Sight:
        assert limit.cancel is not None
        asked.append(limit.cancel)
        ended.append(limit.cancel.wait(300))
        raise Cancelled("the work was cancelled")

    async def scene(player: Player) -> None:
        await player.press("enter")
        monkeypatch.setattr(coached, "see", endless)
        await player.pilot.press("o")
        while not asked:
            await player.pilot.pause(0.01)
        assert not asked[0].is_set()
        monkeypatch.setattr(coached, "see", see)
        await player.pilot.press("f")  # of an open cell: refused, and nothing changes
        await player.pilot.pause()
        assert not asked[0].is_set()
        for key in ("ctrl+end", "f"):  # another position
            await player.pilot.press(key)
        await player.settle()
        assert asked[0].is_set()
        assert player.on(PlayScreen).sight is not None  # that of the new position

    playing(scene, BOARD)
    assert ended == [True]


def test_no_answer_in_time_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(_seat: Seat, _limit: Limit) -> None:
        raise OutOfTime("the limit was reached before there was an answer")

    monkeypatch.setattr(Seat, "hint", late)

    async def scene(player: Player) -> None:
        await player.press("w")
        assert player.message == "The limit was reached before there was an answer."

    playing(scene, "4x3x1/any=200")


def test_sight_of_a_position_without_boards() -> None:
    found = see(Seat(Position.from_text("3x2x2\nHHH\n181")), Limit())
    assert found.lines == ("There is no such board: the clue B2 cannot be right.",)
    assert found.overlay.clues == {4}


def test_sight_counts_boards() -> None:
    assert see(Seat(Position.from_text("3x2x2\nHHH\n121")), Limit(), count=True).lines[-1] == "Consistent boards: 1."
    blank = Position.from_text("30x16x99\n" + "H" * 30 + "\n" + ("H" * 30 + "\n") * 15)
    assert see(Seat(blank), Limit(), count=True).lines[-1] == "Consistent boards: about 5.6 × 10^104."


def test_the_list_of_keys_has_every_key() -> None:
    """In words that a person would use for it."""
    names = {
        "full_stop": ".", "comma": ",", "less_than_sign": "<", "greater_than_sign": ">", "question_mark": "?",
        "left_square_bracket": "[", "right_square_bracket": "]", "up": "arrows", "down": "arrows", "left": "arrows",
        "right": "arrows", "pageup": "page up", "pagedown": "page up and down", "shift+up": "shift+↑",
        "shift+down": "shift+↑ ↓",
    }  # fmt: skip
    listed = [f" {key} {what} ".lower().replace(",", " ").replace(":", " ") for _, rows in KEYS for key, what in rows]
    unlisted = {"ctrl+home", "ctrl+end", "ctrl+q"}  # besides what is listed

    async def scene(player: Player) -> None:
        for key in player.app.screen.active_bindings:
            if key in unlisted or key.startswith(("ctrl+p", "tab", "shift+tab", "f1")) or "super" in key:
                continue
            name = names.get(key, key)
            assert any(f" {name} " in row for row in listed) or name in ",.", key
        await player.press("question_mark")
        assert "On the board" in "\n".join(player.lines())
        await player.press("pagedown", "pagedown", "pagedown")
        assert "In a review" in "\n".join(player.lines())
        await player.press("question_mark")
        player.on(PlayScreen)

    playing(scene)
