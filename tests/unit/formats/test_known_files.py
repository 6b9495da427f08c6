"""Files whose content is known from elsewhere."""

import shutil
import subprocess

import pytest

from mineproof import (
    CannotConvert,
    Game,
    Grid,
    InvalidText,
    Layout,
    MineproofError,
    Position,
    Replay,
    needs_guess,
    read,
    write,
)
from mineproof.board.formats import as_layout, rawvf

MINES = shutil.which("sgt-mines", path="/usr/games:/usr/bin:/usr/local/bin")


def test_mbf() -> None:
    data = bytes.fromhex("04 03 00 03 01 00 03 01 00 02")
    layout = read(data, "mbf")
    assert layout == Layout.parse("4x3x3=418")
    assert read(data[:4] + data[8:] + data[4:8], "mbf") == layout  # the order of mines does not matter
    assert write(layout, "mbf") == data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("04 03 00", "at least 4 bytes"),
        ("04 03 00 03 01 00 03 01", "needs 10 bytes, not 8"),
        ("04 03 00 01 04 00", "outside the board"),
        ("04 03 00 02 01 01 01 01", "appears twice"),
        ("00 03 00 00", "at least one row"),
    ],
)
def test_bad_mbf(data: str, message: str) -> None:
    with pytest.raises(InvalidText, match=message):
        read(bytes.fromhex(data), "mbf")


def test_a_board_too_large_for_mbf() -> None:
    with pytest.raises(CannotConvert, match="255"):
        write(Layout.draw("300x2x5", "any", seed=1), "mbf")


def test_analysis_url() -> None:
    position = Position.from_text("5x4x4\n001HH\n112HH\n1F2HH\n112HH")
    assert read("https://example.org/play/?analysis=afaeaaaeclTclTb2lTclT&x=1") == position
    assert read("afaeaaaeclTclTb2lTclT", "analysis") == position
    assert write(position, "analysis") == b"?analysis=afaeaaaeclTclTb2lTclT\n"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("afae", "must start with 8 digits"),
        ("afaeaaaeclTclTb2lTcl", "20 cells are announced, but there are 18"),
        ("afaeaaaeclTclTb2lTclTT", "more cells"),
        ("afaeaaaecl-", "is not allowed"),
        ("afaaaaaa", "a board of 5x0"),
        ("abaaaaabaa", "impossible"),
        ("abacaaaaaR", "a run of 0 has no length"),
    ],
)
def test_bad_analysis_url(code: str, message: str) -> None:
    with pytest.raises(InvalidText, match=message):
        read(code, "analysis")


def test_cells_known_to_be_safe_are_not_dropped_silently() -> None:
    with pytest.raises(CannotConvert, match="known to be safe"):
        write(Position.from_text("2x1x1\nSH"), "analysis")


def test_ptta_url() -> None:
    # 5 cells a character: 01000 00110 00 -> 8, 6, 0
    assert read("?b=0403&m=860") == Layout.parse("4x3x3=418")
    assert write(Layout.parse("4x3x3=418"), "ptta") == b"?b=43&m=860\n"
    assert read("https://example.org/zini/?b=1&m=" + "0" * 17) == Layout.parse("9x9x0=" + "0" * 21)
    assert read("?b=3&m=" + "g" + "0" * 95) == Layout.parse("30x16x1=8" + "0" * 119)
    # A board that its author's page shows with a best ZiNi of 46; ours is greedy, so not below.
    board = read("?b=1616&m=46c00088080n02000igs88690102024300000200g200260c0100")
    assert isinstance(board, Layout)
    assert (board.grid.rows, board.grid.cols, board.mines) == (16, 16, 40)


@pytest.mark.parametrize(
    "query", ["?b=43", "?m=860", "?b=430&m=860", "?b=0&m=0", "?b=43&m=86", "?b=43&m=86w", "?b=43&m=861"]
)
def test_bad_ptta_url(query: str) -> None:
    with pytest.raises(InvalidText):
        read(query, "ptta")


def test_tatham_id() -> None:
    layout = Layout.parse("4x3x3=418@C3")
    assert read("4x3:2,2,u418") == layout
    assert read("4x3n3:2,2,u418", "tatham") == layout
    assert write(layout, "tatham") == b"4x3:2,2,u418\n"
    with pytest.raises(InvalidText, match="needs u or m before its bitmap"):
        read("4x3:2,2,x418")
    with pytest.raises(InvalidText, match="says 5 mines"):
        read("4x3n5:2,2,u418")
    with pytest.raises(CannotConvert, match="name a start"):
        write(Layout.parse("4x3x3=418"), "tatham")


GENERATED = {
    "30x16n99": "30x16:23,5,m5d034e8bd68603a149bcae92f6b2364e77eec1327d11e9b38d3b304daa6e552d"
    "5246eaf8c650ecf80ba97dc1a8f65018af6e70ea8d6b5293cafdaef6",
    "7x5n6": "7x5:2,4,m09c26a926",
    "9x9n10": "9x9:0,0,mab117774c073fba0b0b20",
}
"""Printed by ``sgt-mines --generate``."""


def check_generated(line: str, mines: int) -> None:
    """His boards have the mines that were asked for, and need no guess; and we write them as he does."""
    layout = as_layout(read(line))
    assert layout.mines == mines
    assert not needs_guess(layout)
    assert write(layout, "tatham-masked").decode() == f"{line}\n"
    assert read(write(layout, "tatham")) == layout


@pytest.mark.parametrize("size", GENERATED)
def test_masked_tatham_ids(size: str) -> None:
    check_generated(GENERATED[size], int(size.partition("n")[2]))


@pytest.mark.skipif(MINES is None, reason="Simon Tatham's Mines are not installed")
@pytest.mark.parametrize("size", ["30x16n99", "7x5n6", "9x9n10", "5x4n3", "11x6n9"])
def test_masked_tatham_ids_as_his_program_prints_them(size: str) -> None:
    done = subprocess.run([str(MINES), "--generate", "4", size], capture_output=True, text=True, check=True)
    lines = done.stdout.split()
    assert len(lines) == 4
    for line in lines:
        check_generated(line, int(size.partition("n")[2]))


def test_bad_masked_tatham_ids() -> None:
    with pytest.raises(InvalidText, match="must have 9 hexadecimal digits, not 8"):
        read("7x5:2,4,m09c26a92")
    with pytest.raises(InvalidText, match="bits beyond the last cell"):
        read("7x5:2,4,m09c26a927")
    with pytest.raises(InvalidText, match="says 7 mines"):
        read("7x5n7:2,4,m09c26a926")


def test_json_lines() -> None:
    layout = Layout.parse("4x3x3=418@C3")
    assert write(layout, "jsonl") == b'{"w":4,"h":3,"start":10,"mines":[1,7,8]}\n'
    assert read('\n{"mines":[8,1,7],"start":10,"h":3,"w":4}\n\n', "jsonl") == [layout]


@pytest.mark.parametrize(
    "line",
    ["", "{", "[]", "5", '{"w":4,"h":3}', '{"w":4,"h":3,"mines":[12]}', '{"w":4,"h":3,"mines":[1,1]}',
     '{"w":4,"h":3,"mines":[true]}', '{"w":4.0,"h":3,"mines":[]}', '{"w":-4,"h":-3,"mines":[]}',
     '{"w":0,"h":3,"mines":[]}', '{"w":4,"h":3,"mines":[],"start":[1,1]}', '{"w":4,"h":3,"mines":{}}',
     '{"w":4,"h":3,"mines":[],"start":12}', '{"w":4,"h":3,"mines":[],"seed":1}', "NaN"],
)  # fmt: skip
def test_bad_json_lines(line: str) -> None:
    with pytest.raises(InvalidText):
        read(line, "jsonl")


def test_a_finished_board_must_be_right() -> None:
    right = Position.from_text("4x3x3\n1?21\n222?\n?11 1")
    assert write(right, "mbf")
    won = Position.from_text("4x3x3\n1H21\n222F\nQ111")  # every safe cell is open: what is closed are the mines
    assert write(won, "mbf") == write(right, "mbf")
    for wrong, message in (
        ("4x3x3\n1?31\n222?\n?111", "C1 shows 3 but has 2"),
        ("4x3x4\n1?21\n222?\n?111", "shows 3 mines"),
        ("4x3x2\n1?21\n222?\n?111", "hidden cells"),
        ("4x3x3\n1?21\n222?\nHH11", "hidden cells"),
        ("4x3x3\n1?21\n222?\nS111", "hidden cells"),
    ):
        with pytest.raises(CannotConvert, match=message):
            write(Position.from_text(wrong), "mbf")


RAWVF = """RawVF_Version: Rev6
Program: Somebody's clone
Level: Custom
Width: 4
Height: 3
Mines: 1
Marks: On
SquareSize: 10
Board:
00*0
0000
0000
Events:
0.00 start
0.00 mv 1 1 (5 5)
-0.50 rc 4 1 (35 5)
-0.40 rr 4 1 (35 5)
-0.30 rc 4 1 (35 5)
-0.20 rr 4 1 (35 5)
0.10 rc 3 1 (25 5)
0.20 rr 3 1 (25 5)
0.30 lc 9 9 (5 25)
0.40 mv 9 9 (6 26)
0.50 lr 9 9 (5 25)
0.60 lc 1 1 (5 5)
0.70 lr 1 1 (5 5)
0.80 lc 3 2 (25 15)
0.85 rc 3 2 (25 15)
0.90 rr 3 2 (25 15)
0.95 lr 3 2 (25 15)
0.95 won
"""


def test_rawvf_follows_the_buttons() -> None:
    """The cells come from the pixels; a click on an open cell did nothing; left and right together are a chord."""
    replay = read(RAWVF)
    assert isinstance(replay, Replay)
    assert [str(move) for move in replay.moves] == ["flag D1", "question D1", "flag C1", "open A3", "chord C2"]
    assert replay.times == (-500, -300, 100, 500, 900)
    assert str(replay.game().state) == "won"


def test_rawvf_shift_and_super_click_are_chords() -> None:
    chord = "0.80 lc 3 2 (25 15)\n0.85 rc 3 2 (25 15)\n0.90 rr 3 2 (25 15)\n0.95 lr 3 2 (25 15)\n"
    shift = RAWVF.replace(chord, "0.80 sc 3 2 (25 15)\n0.90 lr 3 2 (25 15)\n")
    assert rawvf.read(shift.encode()).moves == rawvf.read(RAWVF.encode()).moves
    super_click = RAWVF.replace(chord, "0.80 lc 3 2 (25 15)\n0.90 lr 3 2 (25 15)\n")
    assert len(rawvf.read(super_click.encode()).moves) == 4
    super_click = super_click.replace("Marks", "SuperClick: On\nMarks")
    assert rawvf.read(super_click.encode()).moves == rawvf.read(RAWVF.encode()).moves


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Mines: 1", "Mines: 2", "line 6: 2 mines are announced, but the board has 1"),
        ("Width: 4\n", "", "no Width"),
        ("00*0", "00*", "line 10: a row of the board"),
        ("Board:", "Bored", "line 9: a header line must be"),
        ("Events:", "Events", "line 13: the board has more rows"),
        ("(25 15)", "", "pixels in parentheses"),
        ("0.95 won", "won", "line 31: an event must be a time and a name"),
        ("SquareSize: 10", "SquareSize: ten", "line 8: squaresize must be a number"),
        ("SquareSize: 10", "SquareSize: 0", "line 8: a square needs at least one pixel"),
    ],
)
def test_bad_rawvf_says_where(old: str, new: str, message: str) -> None:
    with pytest.raises(InvalidText, match=message):
        read(RAWVF.replace(old, new), "rawvf")


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("beginner/safe+continue#1\nopen A1", "usual rules"),
        ("beginner/safe+no-flood#1\nopen A1", "usual rules"),
        ("beginner/given#1", "usual rules"),
        ("beginner/safe#1\nflag A1\nundo", "no undo"),
        ("beginner/safe#1\nflag A1", "only laid"),
    ],
)
def test_what_rawvf_cannot_say(game: str, message: str) -> None:
    with pytest.raises(CannotConvert, match=message):
        write(Replay.from_text(f"mineproof game 1\n{game}\n"), "rawvf")


def moves_of(events: str, header: str = "") -> list[str]:
    replay = read(RAWVF[: RAWVF.index("0.00 start")].replace("Marks: On", f"Marks: Off\n{header}".strip()) + events)
    assert isinstance(replay, Replay)
    return [str(move) for move in replay.moves]


def test_rawvf_buttons_in_every_order() -> None:
    flag_and_open = "0 rc 3 1 (25 5)\n0 rr 3 1 (25 5)\n1 lc 1 3 (5 25)\n1 lr 1 3 (5 25)\n"
    right_first = "2 rc 3 2 (25 15)\n2 lc 3 2 (25 15)\n2 lr 3 2 (25 15)\n2 rr 3 2 (25 15)\n"
    assert moves_of(flag_and_open + right_first)[2:] == ["chord C2"]
    # The right button let go while the left one is held for an open: the open still comes.
    assert moves_of("0 lc 1 3 (5 25)\n0 rr 1 3 (5 25)\n0 lr 1 3 (5 25)\n") == ["open A3"]
    # The middle button has nothing to do with the others.
    assert moves_of("0 lc 1 3 (5 25)\n0 mc 3 2 (25 15)\n0 mr 3 2 (25 15)\n0 lr 1 3 (5 25)\n") == ["open A3"]
    # The left button is down only until it is let go.
    assert moves_of("0 lc 1 3 (99 25)\n0 lr 1 3 (99 25)\n1 rc 3 1 (25 5)\n1 rr 3 1 (25 5)\n") == ["flag C1"]
    # `mt` turns question marks on and off.
    twice = "0 rc 3 1 (25 5)\n0 rr 3 1 (25 5)\n" * 2
    assert moves_of(twice) == ["flag C1", "unflag C1"]
    assert moves_of("0 mt\n" + twice) == ["flag C1", "question C1"]


@pytest.mark.parametrize(
    ("level", "name"),
    [("beginner", "Beginner"), ("9x9x35", "Custom"), ("intermediate", "Intermediate"), ("expert", "Expert")],
)
def test_rawvf_names_the_level(level: str, name: str) -> None:
    game = Game(level, seed=1)
    game.open("A1")
    assert f"Level: {name}\n" in write(game, "rawvf").decode()


def test_unknown_formats() -> None:
    with pytest.raises(MineproofError, match="did you mean 'jsonl'"):
        read("", "jsnl")
    with pytest.raises(InvalidText, match="neither text in a known format nor an existing file"):
        read("hello")
    with pytest.raises(CannotConvert, match="written but not read"):
        read("<svg/>", "svg")


def test_byte_order_marks_and_blank_lines_do_not_matter() -> None:
    position = Position.from_text("2x1x1\n1H")
    assert read(b"\xef\xbb\xbf2x1x1\r\n1H\r\n") == position
    assert read("\n\n2x1x1\n1H\n\n") == position


def test_a_replay_gives_its_first_click_to_formats_that_want_one() -> None:
    game = Game("beginner", "any", seed=3)
    game.flag("I9")
    game.open("E5")
    layout = read(write(game, "tatham"))
    assert isinstance(layout, Layout)
    assert layout.start == (4, 4)


def test_a_lost_game_is_drawn_with_its_wrong_flags() -> None:
    game = Game(Layout.parse("4x3x3=418"))
    game.flag("A1")
    game.open("B1")
    assert 'href="#mp-wrong"' in game.to_svg()
    assert write(game, "svg").decode() == game.to_svg() == game._repr_svg_()
    assert Game("200x200x5", seed=1)._repr_svg_() is None


def test_a_board_too_large_to_look_at_is_not_drawn() -> None:
    for board in ("500x501x5", "4096x4096x5"):
        game = Game(board, "any", seed=1)
        assert game._repr_svg_() is None
        assert game.position._repr_svg_() is None
        layout = game.layout
        assert layout is not None
        for draw in (game.to_svg, game.position.to_svg, lambda: write(game, "svg"), lambda: write(layout, "svg")):  # noqa: B023
            with pytest.raises(CannotConvert, match="a picture can show at most 250,000 cells; this board has"):
                draw()
    assert Position.blank(Grid(500, 500), 5).to_svg().count("<rect") == 250_000


def test_an_analysis_url_of_a_large_board() -> None:
    """Rows of known mines and of numbers that see them, in runs: little text, many cells."""
    rows, cols = 1001, 1200
    cells = (b"?" * cols + b"4" + b"6" * (cols - 2) + b"4") * (rows // 2) + b"?" * cols
    position = Position(Grid(rows, cols), cells.count(b"?"), cells)
    url = write(position, "analysis")
    assert len(url) < 20_000
    assert read(url) == position
