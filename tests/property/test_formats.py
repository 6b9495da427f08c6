"""Every converter over its whole domain, there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import CannotConvert, GameId, Layout, Level, Position, Replay, Rules, read, write
from mineproof.board.formats import FORMATS, mine
from support import strategies


@given(strategies.positions())
def test_mine_text(position: Position) -> None:
    assert read(write(position, "mine"), "mine") == position
    assert read(write(position, "mine")) == position


@given(strategies.layouts())
def test_a_finished_board_is_its_layout(layout: Layout) -> None:
    finished = layout.finished()
    assert mine.layout_of(finished) == layout
    assert mine.layout_of(read(write(layout, "mine"), "mine")) == layout  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["mbf", "ptta", "id"])
@given(layout=strategies.layouts())
def test_layouts(name: str, layout: Layout) -> None:
    assert read(write(layout, name), name) == layout


@given(strategies.layouts(most_starts=3))
def test_layouts_with_starts(layout: Layout) -> None:
    assert read(write(layout, "id")) == layout
    assert read(write(layout, "jsonl")) == [layout]
    if len(layout.starts) == 1:
        assert read(write(layout, "tatham")) == layout
        assert read(write(layout, "tatham-masked")) == layout
    else:
        with pytest.raises(CannotConvert):
            write(layout, "tatham")


@given(st.lists(strategies.layouts(most_starts=3), min_size=2, max_size=5))
def test_many_layouts(layouts: list[Layout]) -> None:
    assert read(write(layouts, "jsonl")) == layouts
    assert read(write(layouts, "id")) == layouts


@given(strategies.game_ids())
def test_games_not_yet_begun(game_id: GameId) -> None:
    replay = Replay(game_id, ())
    again = read(write(replay, "id"))
    assert again in (replay, game_id.board)
    if game_id.rules != Rules("any") or isinstance(game_id.board, Level):
        assert again == replay


@given(strategies.positions(symbols="012345678HF?"))
def test_analysis_urls(position: Position) -> None:
    """All but positions in which a number is less than the known mines around it."""
    grid = position.grid
    impossible = any(
        int(position[cell]) < sum(position[next_to] == "?" for next_to in grid.neighbours(cell))
        for cell in position.where("012345678")
    )
    if impossible:
        with pytest.raises(CannotConvert):
            write(position, "analysis")
    else:
        assert read(write(position, "analysis"), "analysis") == position


@given(strategies.positions(symbols="0123HFQ*?"))
def test_analysis_urls_keep_what_is_known(position: Position) -> None:
    """Question marks are lost, and an opened mine becomes a known one."""
    try:
        again = read(write(position, "analysis"), "analysis")
    except CannotConvert:
        return
    assert isinstance(again, Position)
    assert again.cells == position.cells.translate(bytes.maketrans(b"Q*", b"H?"))


EXPLICIT = st.builds(GameId, strategies.layouts(), st.just(Rules("any")))


@given(strategies.played(EXPLICIT, kinds=("open", "flag", "unflag", "chord")))
def test_rawvf(replay: Replay) -> None:
    times = replay.times or (0,) * len(replay.moves)
    assert read(write(replay, "rawvf")) == Replay(replay.id, replay.moves, times)


QUESTIONS = st.builds(GameId, strategies.layouts(), st.just(Rules("any", questions=True)))


@given(strategies.played(QUESTIONS, kinds=("open", "flag", "unflag", "question", "chord")))
def test_rawvf_with_question_marks(replay: Replay) -> None:
    """The right button goes round, so the moves may be more; what is seen is the same."""
    again = read(write(replay, "rawvf"))
    assert isinstance(again, Replay)
    assert again.game().position == replay.game().position


@given(strategies.played(strategies.game_ids()))
def test_saved_games(replay: Replay) -> None:
    assert read(write(replay, "game")) == replay


@given(strategies.positions())
def test_every_position_has_a_picture(position: Position) -> None:
    assert write(position, "svg").startswith(b"<svg")


def test_all_formats_are_named_here() -> None:
    assert set(FORMATS) == {
        "game", "mine", "mbf", "analysis", "ptta", "tatham", "tatham-masked", "rawvf", "avf", "mvf", "rmv", "evf",
        "jsonl", "id", "svg", "png", "gif",
    }  # fmt: skip
