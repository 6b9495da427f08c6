import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from mineproof import (
    Cell,
    Game,
    GameId,
    Grid,
    IllegalMove,
    InvalidArgument,
    InvalidBoard,
    InvalidText,
    Layout,
    Level,
    Move,
    Rules,
    State,
    UnknownName,
)
from mineproof._native.field import Field

# 4 columns, 3 rows:   . 1 * 1     numbers:  0 1 * 1
#                      . 1 1 1               0 1 1 1
#                      . . . .               0 0 0 0
ONE = Layout.parse("4x3x1=200")


def test_a_zero_opens_its_surroundings() -> None:
    game = Game(ONE)
    assert sorted(map(str, game.open("A1"))) == ["A1", "A2", "A3", "B1", "B2", "B3", "C2", "C3", "D2", "D3"]
    assert game.position.to_text() == "4x3x1\n01HH\n0111\n0000\n"
    assert not game.over
    assert game.open("D1") == [(0, 3)]
    assert game.state is State.WON
    with pytest.raises(IllegalMove, match="the game is won"):
        game.flag("C1")


def test_without_flood_fill_one_cell_opens() -> None:
    game = Game(ONE, "any+no-flood")
    assert game.open("A1") == [(0, 0)]
    assert len(game.chord("A1")) == 3


def test_a_mine_ends_the_game_and_shows_the_others() -> None:
    game = Game(Layout.parse("4x3x3=418"), "any")
    game.flag("A1")
    game.open("B1")
    assert game.state is State.LOST
    assert game.position.to_text() == "4x3x3\nF*HH\nHHH?\n?HHH\n"
    assert "✗" in str(game)  # the flag was wrong


def test_a_game_that_continues_counts_mines() -> None:
    game = Game(Layout.parse("4x3x3=418"), "any+continue")
    for cell in ("B1", "A1", "D2", "C1", "D1", "A2", "B2", "C2", "B3", "C3", "D3"):
        assert game.state is State.PLAYING
        game.open(cell)
    assert (game.state, game.hits, game.mines_left) == (State.CLEARED, 2, 1)
    assert "?" not in game.position.to_text()


def test_chords_need_matching_flags() -> None:
    game = Game(ONE)
    game.open("A1")
    with pytest.raises(IllegalMove, match="shows 1, but 0"):
        game.chord("B1")
    with pytest.raises(IllegalMove, match="only an open number"):
        game.chord("C1")
    game.flag("C1")
    with pytest.raises(IllegalMove, match="nothing left"):
        game.chord("B1")
    assert game.chord("C2") == [(0, 3)]
    assert game.state is State.WON
    assert game.score == 1.0


def test_a_chord_beside_a_wrong_flag_loses() -> None:
    game = Game(ONE)
    game.open("A1")
    game.flag("D1")
    game.chord("C2")
    assert game.state is State.LOST
    assert game.score == 0.0


def test_mines_that_lie_open_count_for_chords() -> None:
    game = Game(ONE, "any+continue")
    game.open("C1")
    game.open("B1")
    assert len(game.chord("B1")) > 0


def test_notes() -> None:
    game = Game(ONE, "any+questions")
    game.flag("A1")
    assert (game.mines_left, game["A1"]) == (0, "F")
    with pytest.raises(IllegalMove, match="unflag it first"):
        game.open("A1")
    game.question("A1")
    assert (game.mines_left, game["A1"]) == (1, "Q")
    game.unflag("A1")
    assert game["A1"] == "H"
    with pytest.raises(IllegalMove, match="no mark"):
        game.unflag("A1")
    game.question("A2")
    game.open("A1")
    assert game["A2"] == "0"  # a question mark does not stop the flood, a flag does
    with pytest.raises(IllegalMove, match="no question marks"):
        Game(ONE).question("A1")


def test_flags_stop_the_flood_and_are_not_opened() -> None:
    game = Game(ONE)
    game.flag("B3")
    game.open("A1")
    assert (game["B3"], game["C3"]) == ("F", "H")
    game = Game(Layout.parse("5x1x0=00"))
    game.flag("C1")
    assert len(game.open("A1")) == 2
    assert game["D1"] == "H"


def test_undo_is_honest_about_deaths() -> None:
    game = Game(ONE, "any")
    game.open("C1")
    assert (game.state, game.hits) == (State.LOST, 1)
    game.undo()
    assert (game.state, game.hits, game.deaths_undone) == (State.PLAYING, 0, 1)
    game.open("A1")
    game.open("D1")
    assert (game.state, game.deaths_undone) == (State.WON, 1)
    game.undo(2)
    assert game.position.to_text() == "4x3x1\nHHHH\nHHHH\nHHHH\n"
    assert game.deaths_undone == 1
    with pytest.raises(IllegalMove, match="there is nothing to undo"):
        game.undo()
    assert [str(move) for move in game.moves] == ["open C1", "undo", "open A1", "open D1", "undo", "undo"]


def test_undo_takes_all_or_nothing() -> None:
    game = Game(ONE)
    game.flag("C1")
    game.open("A1")
    for moves in (3, 0, -1):
        with pytest.raises(IllegalMove, match="2 moves can be taken back"):
            game.undo(moves)
    assert (game.step, game.position.flags) == (2, 1)
    assert sorted(map(str, game.undo(2))) == ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3", "D2", "D3"]


def test_the_score_before_the_mines_are_laid() -> None:
    game = Game("beginner", seed=1)
    game.flag("A1")
    assert (game.score, game.hits, game.mines_left) == (0.0, 0, 9)


def test_the_counter_is_the_same_in_game_and_position() -> None:
    game = Game(Layout.parse("4x3x3=418"))
    game.flag("A1")
    game.open("B1")
    assert game.mines_left == game.position.mines_left == 1


def test_the_board_stays_when_the_first_click_is_undone() -> None:
    game = Game("beginner", "opening", seed=4)
    assert game.layout is None
    game.open("A1")
    layout = game.layout
    game.undo()
    game.open("I9")
    assert game.layout is layout


@pytest.mark.parametrize("rule", ["safe", "opening", "given", "given:5"])
def test_first_clicks(rule: str) -> None:
    for seed in range(200):
        game = Game("9x9x60", rule, seed=seed)
        start = game.given[0] if game.given else game.grid.at("E5")
        assert all(game[cell] == "S" for cell in game.given)
        game.open(start)
        assert game.hits == 0
        if rule == "opening":
            assert game["E5"] == "0"


def test_any_first_click_can_lose() -> None:
    assert 150 < sum(map(_hits, range(400))) < 250


def _hits(seed: int) -> int:
    game = Game("9x9x40", "any", seed=seed)
    game.open("E5")
    return game.hits


def test_given_cells_are_named_and_cannot_be_flagged() -> None:
    game = Game("16x16x25", "given:231+no-flood", seed=1)
    assert len(game.given) == 231
    with pytest.raises(IllegalMove, match="says that it is safe"):
        game.flag(game.given[0])
    for cell in game.given:
        game.open(cell)
    assert game.state is State.WON


def test_explicit_layouts_keep_the_promise_of_their_rule() -> None:
    assert Game(Layout.parse("4x3x1=200@A1"), "given").given == ((0, 0),)
    assert Game(Layout.parse("4x3x1=200@A1"), "opening").rules.first_click == "opening"
    assert Game(ONE).rules.first_click == "any"
    for layout, rule, message in (
        ("4x3x1=200", "given", "must name 1 starting cell, not 0"),
        ("4x3x1=200", "safe", "must name 1 starting cell, not 0"),
        ("4x3x1=200@A1", "given:2", "must name 2 starting cells, not 1"),
        ("4x3x1=200@C1", "given", "does not satisfy"),
        ("4x3x1=200@C1", "safe", "does not satisfy"),
        ("4x3x1=200@B1", "opening", "does not satisfy"),
    ):
        with pytest.raises(InvalidBoard, match=message):
            Game(Layout.parse(layout), rule)


def test_a_board_of_mines_only_is_won_and_one_without_mines_opens_whole() -> None:
    assert Game("3x2x6", "any", seed=1).state is State.WON
    game = Game("3x2x0", seed=1)
    assert len(game.open("A1")) == 6
    assert (game.state, game.score) == (State.WON, 1.0)
    assert Game("1x1x0", seed=1).state is State.PLAYING


def test_a_mine_free_board_of_nine_million_cells_opens_in_one_move() -> None:
    game = Game(Level(3000, 3000, 0), seed=1)
    assert len(game.open("A1")) == 9_000_000
    assert game.state is State.WON
    game.undo()
    assert game.position.cells.count(b"H") == 9_000_000


@pytest.mark.parametrize(
    ("move", "error"),
    [
        ("open", InvalidText), ("open A1 B1", InvalidText), ("undo A1", InvalidText), ("dig A1", UnknownName),
        ("open Z1", InvalidBoard), (("open", None), IllegalMove), (("dig", None), UnknownName), ("", UnknownName),
        (Move("undo", None), IllegalMove), (("undo", "A1"), IllegalMove), (5, InvalidArgument), ((), InvalidArgument),
    ],
)  # fmt: skip
def test_bad_moves(move: Any, error: type[Exception]) -> None:
    game = Game(ONE)
    with pytest.raises(error):
        game.play(move)
    assert game.step == 0


def test_moves_are_checked_when_they_are_made() -> None:
    with pytest.raises(UnknownName, match="did you mean 'open'"):
        Move("opne", "A1")
    with pytest.raises(IllegalMove, match="open takes a cell"):
        Move("open")
    with pytest.raises(InvalidArgument, match="a cell must be a name"):
        Move("open", 5)  # type: ignore[arg-type]
    move = Move("flag", "b1")
    assert move == Move("flag", (0, 1)) == Move("flag", Cell(0, 1)) == Move.parse("flag B1") == ("flag", (0, 1))
    assert pickle.loads(pickle.dumps(move)) == move
    assert type(pickle.loads(pickle.dumps(move))) is Move
    assert Game(ONE).play(("open", "A1"))  # type: ignore[arg-type]


@pytest.mark.parametrize("cell", [5, (0.0, 0), ("A", 1), (0, 0, 0), None, [0], [0, "A"]])
def test_what_is_no_cell_gets_a_sentence(cell: Any) -> None:
    with pytest.raises(InvalidArgument):
        Game(ONE).open(cell)


def test_an_impossible_opening_is_an_illegal_move_that_changes_nothing() -> None:
    game = Game("3x3x5", "opening", seed=1)
    with pytest.raises(IllegalMove, match="nearer to a corner"):
        game.open("B2")
    assert game.layout is None
    assert game.open("A1")


def test_ids_make_the_same_game() -> None:
    for text in ("expert/safe#42", "9x9xp0.2/any+continue#7.3", "medium/given:16+no-flood#5", "4x3x1/given=200@A1"):
        game = Game.from_id(text)
        assert game.id == text
        assert Game.from_id(game.id).position == game.position
    assert GameId.parse("expert#42") == GameId.parse("expert/safe#42")
    assert Game("expert").id != Game("expert").id  # a fresh seed each


@pytest.mark.parametrize(
    "text",
    ["", "expert", "expert/safe", "expert/safe#", "expert/safe#x", "expert/safe#1.", "expert/safe#99999999999999999999",
     "exprt/safe#1", "expert/saf#1", "4x3x1/any=20", "4x3x1/any=200@Z9", "4x3x1/any=200#1", "expert/safe#1#2", "#1"],
)  # fmt: skip
def test_bad_ids(text: str) -> None:
    with pytest.raises((InvalidText, InvalidArgument, UnknownName)):
        Game.from_id(text)


def test_the_five_systems_games_can_be_said() -> None:
    chaining = Game("16x12x20", "given", seed=1)
    sat = Game("expert", "safe", seed=1)
    smile = Game("9x9xp0.15", "any+continue", seed=1)
    matching = Game("medium", "given:sqrt+no-flood", seed=1)
    csp = Game("20x20x15%", "safe+continue", seed=1)
    assert [len(game.given) for game in (chaining, sat, smile, matching, csp)] == [1, 0, 0, 16, 0]
    assert csp.mines == 60
    assert Grid(9, 9) == smile.grid


def test_a_flag_is_only_a_note_where_the_rules_say_so() -> None:
    game = Game(Layout.parse("4x3x3=418"), "any+open-flags")
    game.flag("A1")
    assert game.grid.at("A1") in game.open("A1")
    assert game["A1"] == "1"
    game.undo()
    assert game["A1"] == "F"
    assert game.mines_left == 2
    assert Game.from_id(game.id).rules == game.rules


def test_rules_by_their_old_name() -> None:
    assert Rules.parse("any+goes-on") == Rules("any", continues=True)
    assert Game.from_id("5x5x3/any+goes-on#1").id == "5x5x3/any+continue#1"


def test_other_threads_see_a_board_between_two_moves() -> None:
    side = 1000
    field = Field(side, side)
    field.lay(b"\1" + bytes(side * side - 1))
    seen, between, done = set[bytes](), {field.text(reveal=True)}, threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.add(field.text(reveal=True))

    with ThreadPoolExecutor() as pool:
        watching = pool.submit(look)
        for cell in (0, side * side - 1) * 20:  # a mine, and an opening
            field.open(cell)
            between.add(field.text(reveal=True))
            field.undo()
        done.set()
        watching.result()
    assert seen <= between


def test_a_position_that_is_read_while_another_thread_moves_is_not_kept() -> None:
    game = Game("beginner", seed=1)
    field = game._field

    class Slow:
        def __getattr__(self, name: str) -> Any:
            return getattr(field, name)

        def text(self, reveal: bool) -> bytes:
            symbols = field.text(reveal)
            if not game.step:
                game.flag("A1")  # as another thread may now
            return symbols

    game._field = Slow()  # type: ignore[assignment]
    assert [game.position["A1"] for _ in range(2)] == ["H", "F"]
