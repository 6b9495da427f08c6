"""Games played by keys: moves, clock, best times, autosave, new games, agents."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from mineproof import LEVELS, Cell, Game, Level, Move, Replay, Rules, analyse
from mineproof.apps.kept import keep
from mineproof.apps.tui import session as session_module
from mineproof.apps.tui.claim import Claim
from mineproof.apps.tui.screens.new import NewGame
from mineproof.apps.tui.session import Session, Wanted
from mineproof.apps.tui.stored import BestTimes, Choices
from mineproof.board.position import CLOSED
from mineproof.errors import IllegalMove, InvalidBoard
from mineproof.generate.no_guess import needs_guess
from support.tui import SMALL, Player, playing

if TYPE_CHECKING:
    from pathlib import Path

    from apps.tui.conftest import StillClock


def kept(home: Path) -> list[Replay]:
    return [Replay.from_text(path.read_text()) for path in sorted((home / "games").glob("*.game"))]


def test_a_game_is_won_by_keys(home: Path) -> None:
    async def scene(player: Player) -> None:
        await player.at("A1", "enter")
        await player.at("C1", "f")
        assert (player.game["C1"], player.game.mines_left) == ("F", 0)
        await player.press("enter")
        assert player.message == "Open C1: it is flagged; unflag it first."
        await player.at("D2", "c")
        assert player.game.over
        assert player.told.startswith("Won\n3 moves, time 0:00, 3BV 2.")
        await player.press("enter")
        assert player.message == "Chord D2: the game is won."

    playing(scene)
    assert [str(move) for move in kept(home)[0].moves] == ["open A1", "flag C1", "chord D2"]


def test_a_lost_game_says_what_could_be_known_and_can_be_taken_back() -> None:
    async def scene(player: Player) -> None:
        await player.at("A1", "space")
        await player.at("C1", "space")
        assert player.told.startswith("Lost")
        assert "C1 was certainly a mine. D1 was certainly safe." in player.told
        await player.press("u")
        assert player.message == "Undone. Deaths undone: 1."
        assert not player.game.over
        await player.at("D1", "space")
        assert player.game.over
        assert "Deaths undone: 1." in player.told
        assert "Not for the best times" in player.told
        for _ in range(4):
            await player.press("u")
        assert player.message == "There is nothing to undo."

    playing(scene)


def test_flags_and_question_marks_take_turns() -> None:
    async def scene(player: Player) -> None:
        for symbol in "FQH":
            await player.press("f")
            assert player.game[player.board.cursor] == symbol

    playing(scene, "4x3x1/any+questions=200")


def test_flag_mode_is_for_the_left_button() -> None:
    async def scene(player: Player) -> None:
        await player.press("m")
        assert "FLAG MODE" in player.lines()[0]
        await player.click("C1")
        assert player.game["C1"] == "F"
        await player.press("m")
        await player.click("A1")
        assert player.game["A1"] == "0"

    playing(scene)


def test_the_clock(clock: StillClock, home: Path) -> None:
    async def scene(player: Player) -> None:
        clock.time += 50
        assert player.session.elapsed == 0  # it starts with the first move
        await player.at("A1", "enter")
        clock.time += 65
        player.app.play_screen.tick()
        await player.settle()
        assert player.lines()[0].endswith("mines 1   time 1:05")
        await player.press("p")
        assert player.message == "Paused: P continues."
        assert not any(sign in "".join(player.lines()[1:5]) for sign in "■·")
        clock.time += 1000
        await player.at("D1", "enter")
        assert player.message == "The game is paused: P continues."
        await player.press("w")
        assert player.message == "The game is paused: P continues."
        await player.press("p")
        clock.time += 10
        await player.press("enter")
        assert player.told.startswith("Won\n2 moves, time 1:15")
        clock.time += 1000
        assert player.session.elapsed == 75_000

    playing(scene)
    assert kept(home)[0].times == (0, 75_000)


def test_best_times_are_for_games_without_help(clock: StillClock, home: Path) -> None:
    async def scene(player: Player) -> None:
        for seconds, help_key, told in (
            (9, "", "A new best time!"),
            (12, "", "Number 2"),
            (1, "w", "Not for"),
            (5, "", "A new"),
        ):
            player.app.play_screen.begin(Session.new(Wanted(Level.parse("2x1x1"), Rules("safe"))))
            await player.press("f")
            clock.time += seconds
            if help_key:
                await player.press(help_key)
            await player.press("f")  # the flag is removed
            cell = player.board.cursor
            await player.press("enter")
            assert player.game.over, cell
            assert told in player.told
        assert player.lines()[0].endswith("best 0:05")
        await player.press("d")
        assert any("1. 0:05.0" in line for line in player.lines())
        await player.press("escape")

    playing(scene, size=(100, 24))
    assert [time for time, _ in json.loads((home / "times.json").read_text())["2x1x1, safe"]] == [5000, 9000, 12000]


def test_a_game_on_a_known_board_does_not_count(home: Path) -> None:
    async def scene(player: Player) -> None:
        await player.at("A1", "enter")
        await player.at("D1", "enter")
        assert "Not for the best times" in player.told

    playing(scene)
    assert not (home / "times.json").exists()


def test_damaged_files_are_ignored_and_mentioned(home: Path) -> None:
    home.mkdir(parents=True)
    (home / "times.json").write_text("[]")
    (home / "terminal.json").write_text('{"level": 7, "no_guess": true, "more": 1')

    async def scene(player: Player) -> None:
        assert "terminal.json cannot be read" in player.message

    playing(scene)
    assert BestTimes.load()[1].endswith("times.json cannot be read, and is ignored.")
    (home / "terminal.json").write_text('{"level": 7, "no_guess": true, "more": 1}')
    assert Choices.load() == (Choices(no_guess=True), "")


@pytest.mark.parametrize(
    "wrong",
    ["5", "null", "{}", "[[]]", "[5]", '[["1", 2]]', '[[true, "today"]]', '[[-1, "today"]]', '[[1e999, "today"]]'],
)
def test_damaged_times_are_mentioned_and_stay(home: Path, wrong: str) -> None:
    home.mkdir(parents=True)
    text = f'{{"beginner": [[9000, "2026-01-01"]], "expert": {wrong}}}'
    (home / "times.json").write_text(text)

    async def scene(player: Player) -> None:
        assert player.message == f"Some times in {home / 'times.json'} cannot be read, and are ignored."

    app = playing(scene, None)
    assert app.best_times.add("expert", 7000) == 1
    times, said = BestTimes.load()
    assert (times.best("beginner"), times.best("expert"), said) == (9000, 7000, "")
    assert [path.read_text() for path in home.glob("times-damaged-*.json")] == [text]


def test_files_of_many_brackets_are_ignored(home: Path) -> None:
    home.mkdir(parents=True)
    for name in ("times.json", "terminal.json"):
        (home / name).write_text("[" * 100_000)
    for _, said in (BestTimes.load(), Choices.load()):
        assert "cannot be read" in said


def test_a_choice_that_does_not_exist_is_ignored() -> None:
    async def scene(player: Player) -> None:
        assert player.message.startswith("The last choice is ignored: there is no difficulty 'silly'")
        assert player.session.wanted == Wanted()

    Choices(no_guess=True, difficulty="silly").save()
    playing(scene, None)


def test_the_game_continues_where_it_was(home: Path, clock: StillClock) -> None:
    async def first(player: Player) -> None:
        await player.press("enter")
        clock.time += 30
        await player.at("A1", "f")
        await player.press("q")

    async def second(player: Player) -> None:
        assert player.message == "Your last game continues. N starts another."
        assert [move.kind for move in player.game.moves] == ["open", "flag"]
        assert player.session.elapsed == 30_000
        assert str(player.board.cursor) == "A1"
        await player.press("f")

    async def third(player: Player) -> None:
        assert not player.game.step

    playing(first, Session.new(Wanted(LEVELS["beginner"], seed=1)))
    assert not playing(second, None).session.fresh  # a seed
    assert len(kept(home)) == 1  # in the same file
    assert len(kept(home)[0].moves) == 3
    path = next((home / "games").glob("*.game"))
    path.write_text(f"mineproof game 1\n{SMALL}\nopen C1\n")  # over
    playing(third, None)


TWO = Wanted(Level.parse("2x1x1"), Rules("safe"))
"""A game that the first click wins."""


@pytest.mark.parametrize(
    ("keys", "told"), [("", "A new best time!"), ("wf", "Not for the best times: with help or undo.")]
)
def test_the_time_of_all_sittings_counts(clock: StillClock, keys: str, told: str) -> None:
    """From the first move on, but not while the app was away; help in any sitting excludes the game."""

    async def first(player: Player) -> None:
        await player.press("f", *keys)
        clock.time += 30  # no move after it, and still on the clock
        await player.press("q")

    async def second(player: Player) -> None:
        assert player.session.elapsed == 30_000
        clock.time += 5
        await player.press("n", "enter")  # another game, and back
        clock.time += 1000
        await player.press("v", "enter")
        assert player.session.elapsed == 35_000
        if "F" in player.session.symbols:
            await player.press("f")
        await player.press("enter")
        assert "time 0:35" in player.told
        assert told in player.told

    playing(first, Session.new(TWO))
    clock.time += 1000
    playing(second, None)
    assert BestTimes.load()[0].best("2x1x1, safe") == (None if keys else 35_000)


def test_after_a_crash_the_clock_is_not_known_and_the_game_does_not_count(clock: StillClock, home: Path) -> None:
    session = Session.new(TWO)
    session.play(Move("flag", Cell(0, 0)))
    session.save()
    assert session._claim is not None
    session._claim._file.close()  # the process is gone, and with it the lock
    clock.time += 30

    async def scene(player: Player) -> None:
        assert player.message == "Your last game continues. N starts another."
        await player.press("f", "enter")
        assert "Not for the best times: on a known board, or after a crash." in player.told

    playing(scene, None)
    assert not list((home / "games").glob("*.state"))


def test_the_kind_of_a_game_is_known_when_it_continues() -> None:
    async def first(player: Player) -> None:
        await player.press("f", "q")

    async def second(player: Player) -> None:
        assert player.session.wanted == wanted
        assert player.session.needs_board
        assert "no guess, easy" in player.lines()[0]

    wanted = Wanted(LEVELS["beginner"], no_guess=True, difficulty="easy")
    playing(first, Session.new(wanted))
    playing(second, None)


def test_two_windows_never_play_the_same_game(home: Path) -> None:
    async def other(player: Player) -> None:
        assert player.message == "Your last game is open in another window. This is a new one."
        assert not player.game.step
        await player.press("enter", "v", "down", "enter")
        assert player.message == "It cannot continue: this game is open in another window."
        await player.press("v", "enter")
        assert player.message == "This is the game that you are playing."

    async def third(player: Player) -> None:
        await player.press("v", "down", "enter")
        assert [move.kind for move in player.game.moves] == ["open", "flag"]

    one = Session.new(Wanted(LEVELS["beginner"]))
    one.play(Move("open", Cell(4, 4)))
    one.save()
    playing(other, None)
    assert len(kept(home)) == 2
    one.play(Move("flag", next(cell for cell in one.game.grid if one.game[cell] == "H")))
    one.leave()
    os.utime(one.path or "", (0, 0))  # the older one, as when it was last played
    playing(third, None)


def test_a_new_game_that_another_window_takes_goes_to_another_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That window was opened between the first move and the claim."""
    taken: list[Session] = []

    def kept_and_taken(replay: Replay) -> Path:
        path = keep(replay)
        if not taken:
            taken.append(Session.kept(path))
        return path

    monkeypatch.setattr(session_module, "keep", kept_and_taken)
    session = Session.new(Wanted(LEVELS["beginner"]))
    session.play(Move("open", Cell(4, 4)))
    session.save()
    assert session.path != taken[0].path
    assert len(kept(home)) == 2
    for one in (session, *taken):
        one.leave()


def test_a_game_that_was_left_is_written_no_more(home: Path) -> None:
    """Neither by a second signal nor by an agent that was playing: another window may have it."""
    others: list[Session] = []

    async def scene(player: Player) -> None:
        player.app.pace = 3600
        await player.press("enter")
        await player.pilot.press("g")
        while player.game.step < 2:
            await player.pilot.pause(0.01)
        player.app.leave()
        assert player.session.path is not None
        others.append(Session.kept(player.session.path))
        others[0].undo()
        others[0].save()
        player.app.leave()
        player.app.play_screen.keep()
        await player.settle()  # the agent has ended

    playing(scene, "expert/opening#3")
    assert [move.kind for move in kept(home)[0].moves][-1] == "undo"
    others[0].leave()


def test_the_lock_of_another_window_is_not_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It claims the game at the moment at which it is released."""
    game = tmp_path / "one.game"
    others: list[Claim] = []

    class Closing:
        def close(self) -> None:
            file.close()
            others.append(Claim.take(game))

    first = Claim.take(game)
    file = first._file
    monkeypatch.setattr(first, "_file", Closing())
    first.release(over=True)
    with pytest.raises(IllegalMove, match="open in another window"):
        Claim.take(game)
    others[0].release(over=True)
    assert not list(tmp_path.iterdir())


def test_a_game_that_cannot_be_claimed_leaves_no_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_path: Path) -> Claim:
        raise OSError("full")

    session = Session.new(Wanted(LEVELS["beginner"]))
    session.play(Move("open", Cell(4, 4)))
    with monkeypatch.context() as patch:
        patch.setattr(Claim, "take", fail)
        with pytest.raises(OSError, match="full"):
            session.save()
    assert not kept(home)
    session.leave()
    assert len(kept(home)) == 1


GOOD = {"level": "beginner", "rules": "opening", "no_guess": True, "difficulty": "hard", "elapsed": 5000, "fresh": True,
        "helped": False}  # fmt: skip
INFINITE = float("inf")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"level": 7, "rules": null}', '{"level": "expert"}', pytest.param("[" * 100_000, id="brackets")]
    + [json.dumps({**GOOD, "elapsed": wrong}) for wrong in ("long", INFINITE, -INFINITE, 1.5, -1, 10**30, True, None)]
    + [json.dumps({**GOOD, name: wrong}) for name in ("no_guess", "fresh", "helped") for wrong in ("x", 1, None)]
    + [json.dumps({**GOOD, "difficulty": wrong}) for wrong in ("silly", 5, ["hard"])]
    + [json.dumps({**GOOD, "level": "expert"}), json.dumps({**GOOD, "no_guess": False})],
)
def test_a_damaged_state_is_ignored(home: Path, text: str) -> None:
    session = Session.new(Wanted(LEVELS["beginner"]))
    session.play(Move("open", Cell(4, 4)))
    session.leave()
    assert session.path is not None
    session.path.with_suffix(".state").write_text(text)
    again = Session.kept(session.path)
    assert (again.fresh, again.game.step, again.elapsed, again.wanted.name) == (False, 1, 0, "beginner")
    again.leave()
    assert len(kept(home)) == 1


def test_a_good_state_is_not_ignored() -> None:
    session = Session.new(Wanted(LEVELS["beginner"]))
    session.play(Move("flag", Cell(4, 4)))
    session.leave()
    assert session.path is not None
    session.path.with_suffix(".state").write_text(json.dumps(GOOD))
    again = Session.kept(session.path)
    assert (again.fresh, again.elapsed, again.wanted.name) == (True, 5000, "beginner, no guess, hard")
    again.leave()


def test_every_move_is_on_the_disk_at_once(home: Path) -> None:
    async def scene(player: Player) -> None:
        for count, key in enumerate(("f", "f", "enter", "u"), start=1):
            await player.press(key)
            assert len(kept(home)[0].moves) == count

    playing(scene, "beginner/opening#1")


def test_same_board_again() -> None:
    async def scene(player: Player) -> None:
        await player.at("E5", "enter")
        layout = player.game.layout
        assert layout is not None
        await player.press("r")
        assert not player.game.step
        assert player.game["E5"] == "S"
        assert player.game.layout is not None
        assert player.game.layout.mask == layout.mask

    playing(scene, "beginner/opening#1")


# -- new games -------------------------------------------------------------------------------------------------------


def test_a_new_game_is_chosen_by_keys() -> None:
    async def scene(player: Player) -> None:
        await player.press("n", "up", "enter")
        assert str(player.game.level) == "intermediate"
        await player.press("n", "end", "enter")
        await player.type("12x7x9")
        await player.press("enter")
        assert (player.game.cols, player.game.rows, player.game.mines) == (12, 7, 9)
        assert player.game.rules.first_click == "opening"
        assert player.session.fresh

    playing(scene, "expert/opening#1")
    assert Choices.load()[0].level == "12x7x9"


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("12x7", "a size must be WIDTHxHEIGHTxMINES"),
        ("3x3x9", "9 mines"),
        ("4x4x17", "a board of 4x4 cells can have 0 to 16 mines, not 17"),
    ],
)
def test_a_wrong_size_is_refused_in_words(size: str, told: str) -> None:
    async def scene(player: Player) -> None:
        await player.press("n", "end", "enter")
        await player.type(size)
        await player.press("enter")
        player.on(NewGame)
        assert told in "\n".join(player.lines())
        await player.press("escape")
        assert str(player.game.level) == "beginner"

    playing(scene, "beginner/opening#1")


def test_a_seed_or_an_id_gives_that_game() -> None:
    async def scene(player: Player) -> None:
        for text, found in (("42", "4x3x1/any#42"), (SMALL, SMALL), ("expert/safe#7", "expert/safe#7")):
            await player.press("n", "tab", "tab", "tab", "tab")
            await player.type(text)
            await player.press("enter")
            assert player.game.id == found
            assert not player.session.fresh

    playing(scene)


def test_a_board_that_needs_no_guess_is_found_at_the_first_click() -> None:
    async def scene(player: Player) -> None:
        await player.press("n", "home", "tab", "tab", "tab", "tab", "tab", "space")
        await player.press("shift+tab", "enter")
        assert player.session.wanted == Wanted(LEVELS["beginner"], no_guess=True)
        assert "no guess" in player.lines()[0]
        await player.at("B8", "enter")
        layout = player.game.layout
        assert layout is not None
        assert not needs_guess(layout, "B8")
        await player.press("r", "u")
        assert player.game.layout is not None

    playing(scene, "expert/opening#1")


# -- agents ----------------------------------------------------------------------------------------------------------


def test_an_agent_takes_one_certain_step_and_says_why() -> None:
    async def scene(player: Player) -> None:
        await player.at("E5", "enter")
        before = player.game.position
        await player.press("a")
        assert player.game.step == 2
        move = player.game.moves[-1]
        found = analyse(before)
        assert move.cell in (found.safe if move.kind == "open" else found.mined)
        assert player.told.startswith(f"Agent best: {move}\n")
        assert player.app.play_screen.pointed.clues
        assert player.session.helped

    playing(scene, "beginner/opening#1")


def test_an_agent_goes_on_until_it_would_have_to_guess_and_then_guesses_only_when_told() -> None:
    async def scene(player: Player) -> None:
        await player.press("enter", "g")
        assert not player.game.hits
        assert not analyse(player.game).safe
        assert player.message == "The agent hands back: it is your move."
        assert "it is your move. best would guess" in player.told
        step = player.game.step
        await player.press("g")
        assert player.game.step == step
        await player.press("a")
        assert player.game.step == step + 1
        assert player.game.moves[-1].kind == "open"

    playing(scene, "expert/opening#3")


def test_an_agent_wins_from_the_first_click_on_a_board_without_guesses(home: Path) -> None:
    async def scene(player: Player) -> None:
        await player.press("g")
        assert player.told.startswith("Won")
        assert player.session.helped

    playing(scene, Session.new(Wanted(LEVELS["beginner"], no_guess=True)))
    assert kept(home)[0].game().over


def test_a_key_stops_the_agent() -> None:
    async def scene(player: Player) -> None:
        player.app.pace = 3600
        await player.press("enter")
        await player.pilot.press("g")
        while player.game.step < 2:
            await player.pilot.pause(0.01)
        await player.press("u")
        assert player.game.step == 3
        assert player.game.moves[-1].kind == "undo"

    playing(scene, "expert/opening#3")


def test_another_agent_can_be_chosen() -> None:
    async def scene(player: Player) -> None:
        await player.press("enter", "x", "home", "down", "down", "down", "enter")
        assert player.app.choices.agent == "basic"
        await player.press("g")
        assert "basic" in player.told
        assert all(player.game[cell] in CLOSED for cell in analyse(player.game).safe)

    playing(scene, "expert/opening#3")
    assert Choices.load()[0].agent == "basic"


def test_the_game_is_over_for_the_agent_too() -> None:
    async def scene(player: Player) -> None:
        await player.at("C1", "enter", "a")
        assert player.message == "The game is lost, so there is no next move."

    playing(scene)


def test_a_game_that_cannot_be_kept_goes_on(home: Path) -> None:
    home.mkdir(parents=True)
    (home / "games").write_text("in the way of the folder")
    (home / "times.json").mkdir()

    async def scene(player: Player) -> None:
        await player.press("f")
        assert player.message.startswith("The game is not kept: ")
        await player.press("f", "enter")
        assert player.game.over
        assert player.message.startswith("The game is not kept: ")
        await player.press("v")
        assert player.message.startswith("The game is not kept: ")
        await player.press("t", "enter", "r")
        assert not player.game.step
        assert player.message.startswith("The game is not kept: ")

    playing(scene, Session.new(Wanted(Level.parse("2x1x1"), Rules("safe"))))


def test_a_board_that_is_too_large_is_refused_in_a_sentence() -> None:
    with pytest.raises(InvalidBoard, match="up to 1,048,576 cells"):
        Session.of(Game("1025x1025x10", "safe"))

    async def scene(player: Player) -> None:
        await player.press("n", "end", "enter")
        await player.type("2000x2000x9")
        await player.press("enter")
        assert "up to 1,048,576 cells" in "\n".join(player.lines())

    playing(scene, "beginner/opening#1")


def test_sessions_of_games() -> None:
    session = Session.of(Game.from_id(SMALL), None)
    assert session.replay().times is None
    assert Wanted().name == "expert"
