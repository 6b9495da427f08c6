"""What is known of closed cells looks the same in every picture: proved safe, an identified mine, another mine."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from PIL import Image

from mineproof import CellSet, Game, Layout, OutOfTime, Position, UnknownName
from mineproof.apps.cli.common import draw, proved
from mineproof.board import render, svg
from mineproof.board.formats import FORMATS
from mineproof.board.render import MINED, SAFE, UNIDENTIFIED, known_cells, to_ascii, to_unicode
from mineproof.limit import Limit

if TYPE_CHECKING:
    from mineproof.board.render import Certain

LAYOUT = Layout.parse("8x1x4=72")  # mines at B1, C1, D1, G1
SEEN = Position.from_text("8x1x4\nHHFFFHH1")


class Known(NamedTuple):
    safe: CellSet
    mined: CellSet


KNOWN = Known(CellSet.parse("A1"), CellSet.parse("B1 C1"))
NOTHING = Known(CellSet(), CellSet())


def by_name(position: Position, known: Certain, layout: Layout | None = None) -> dict[str, str]:
    return {str(position.grid.cell(index)): what for index, what in known_cells(position, known, layout).items()}


def lost() -> Game:
    """A lost game: A1 and C1 are proved, H1 is rightly flagged, H2 wrongly, F1 was opened, and nobody found G1."""
    game = Game(Layout.parse("8x2x5=A700"))
    for move in ("open A2", "open B2", "open C2", "flag H1", "flag H2", "open F1"):
        game.play(move)
    return game


def fills(picture: str, theme: str) -> dict[str, int]:
    return {what: picture.count(f'style="fill:{colour}"') for what, colour in svg.THEMES[theme].items()}


def pixels(image: Image.Image, colour: str) -> int:
    """How many pixels are nearly of this colour; a GIF has a palette."""
    wanted = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return int((abs(np.asarray(image.convert("RGB"), int) - wanted).max(axis=2) < 8).sum())


def test_red_needs_the_truth() -> None:
    assert by_name(SEEN, KNOWN) == {"A1": SAFE, "B1": MINED, "C1": MINED}
    assert by_name(SEEN, NOTHING) == {}
    assert by_name(SEEN, KNOWN, LAYOUT) == {"A1": SAFE, **dict.fromkeys(("B1", "C1", "D1"), MINED), "G1": UNIDENTIFIED}
    shown = SEEN.with_symbol("B1", "?").with_symbol("G1", "?")  # as a lost game shows them
    assert by_name(shown, KNOWN) == {"A1": SAFE, "B1": MINED, "C1": MINED, "G1": UNIDENTIFIED}


@pytest.mark.parametrize("theme", svg.THEMES)
def test_svg(theme: str) -> None:
    assert fills(SEEN.to_svg(theme=theme), theme) == {SAFE: 0, MINED: 0, UNIDENTIFIED: 0}
    assert fills(SEEN.to_svg(known=KNOWN, theme=theme), theme) == {SAFE: 1, MINED: 2, UNIDENTIFIED: 0}
    over = svg.to_svg(SEEN, known=KNOWN, theme=theme, layout=LAYOUT)
    assert fills(over, theme) == {SAFE: 1, MINED: 3, UNIDENTIFIED: 1}
    assert over.count('href="#mp-wrong"') == 1


def test_text_has_a_sign_for_each() -> None:
    def last(text: str) -> str:
        return text.splitlines()[-1]

    assert last(to_unicode(SEEN)) == " 1 ■ ■ ⚑ ⚑ ⚑ ■ ■ 1"
    assert last(to_unicode(SEEN, known=KNOWN)) == " 1 ✓ ⚑ ⚑ ⚐ ⚐ ■ ■ 1"
    assert last(to_unicode(SEEN, known=KNOWN, layout=LAYOUT)) == " 1 ✓ ⚑ ⚑ ⚑ ✗ ■ ✱ 1"
    assert last(to_ascii(SEEN, known=KNOWN)) == " 1 + F F f f # # 1"
    assert last(to_ascii(SEEN, known=KNOWN, layout=LAYOUT)) == " 1 + F F F x # * 1"


@pytest.mark.parametrize("theme", svg.THEMES)
def test_text_has_the_colours_of_the_theme(theme: str) -> None:
    text = to_unicode(SEEN, colour=True, known=KNOWN, theme=theme, layout=LAYOUT)
    for what, number in ((SAFE, 1), (MINED, 3), (UNIDENTIFIED, 1)):
        assert text.count(f"\x1b[{render.THEMES[theme][what]}m") == number
    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == to_unicode(SEEN, known=KNOWN, theme=theme, layout=LAYOUT)


def test_themes_are_the_same_everywhere() -> None:
    assert {name: set(theme) for name, theme in svg.THEMES.items()} == {
        name: set(theme) for name, theme in render.THEMES.items()
    }
    for make in (SEEN.to_svg, SEEN.to_png, lost().to_svg, lost().replay().to_gif):
        with pytest.raises(UnknownName, match="there is no theme 'cps'; did you mean 'csp'"):
            make(theme="cps")
    with pytest.raises(UnknownName):
        to_unicode(SEEN, theme="cps")


def test_png() -> None:
    colours = svg.THEMES["csp"]
    mine, plain = (Image.open(BytesIO(SEEN.to_png(known=KNOWN, theme=theme))) for theme in ("csp", "plain"))
    assert pixels(mine, colours[SAFE]) > 1000
    assert pixels(mine, colours[MINED]) > pixels(mine, colours[SAFE])
    assert pixels(mine, colours[UNIDENTIFIED]) == pixels(plain, colours[MINED]) == 0


def test_gif_asks_what_is_proved_in_each_frame_and_is_red_only_at_the_end() -> None:
    asked = []

    def known(position: Position) -> Certain:
        asked.append(position)
        return proved(position)

    replay = lost().replay()
    film = Image.open(BytesIO(replay.to_gif(known=known, theme="csp")))
    assert asked == [*replay.positions()]
    seen = []
    for frame in range(len(replay.moves) + 1):
        film.seek(frame)
        seen.append([pixels(film, svg.THEMES["csp"][what]) > 100 for what in (SAFE, MINED, UNIDENTIFIED)])
    assert seen[:4] == [[False] * 3] * 2 + [[False] * 3, [True, True, False]]
    assert seen[-2:] == [[True, True, False], [True, True, True]]


def test_what_the_agent_of_the_report_proves() -> None:
    """By the clues alone, and from what was seen before the end has shown mines."""
    found = proved(lost().position)
    assert (found.safe, found.mined) == (CellSet.parse("B1 D1 D2"), CellSet.parse("A1 C1"))
    by_count = Position.from_text("3x1x2\n1HH")
    assert proved(by_count).mined == CellSet.parse("B1")
    with pytest.raises(OutOfTime):
        proved(lost().position, Limit(seconds=1e-9))


def test_every_picture_that_is_written_takes_a_theme() -> None:
    replay = lost().replay()
    assert [known.name for known in FORMATS.values() if known.drawn] == ["svg", "png", "gif"]
    for name in ("svg", "png", "gif"):
        assert FORMATS[name].encode(replay, known=proved, theme="csp") != FORMATS[name].encode(replay)
    picture = FORMATS["svg"].encode(replay, known=proved, theme="csp").decode()
    assert fills(picture, "csp") == {SAFE: 3, MINED: 3, UNIDENTIFIED: 1}
    board = FORMATS["svg"].encode(Layout.parse("3x2x2=A0"), known=proved, theme="csp").decode()
    assert fills(board, "csp") == {SAFE: 0, MINED: 2, UNIDENTIFIED: 0}


def test_the_board_of_a_terminal() -> None:
    game = lost()
    assert draw(game, True, False) == to_ascii(game.position, layout=game.layout)
    text = draw(game, True, False, proved(game.position), "csp")
    assert text.splitlines()[1:] == [" 1 F + F + # ! * F", " 2 1 2 1 + # # # x"]
    coloured = draw(game, True, True, proved(game.position), "csp")
    assert coloured.count(f"\x1b[{render.THEMES['csp'][UNIDENTIFIED]}m") == 1
