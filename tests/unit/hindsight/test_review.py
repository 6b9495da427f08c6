"""Every mark, and the edges: first clicks, flags, chords, undo, moves after a mine, limits."""

from __future__ import annotations

import threading
from itertools import count
from math import inf
from typing import TYPE_CHECKING

import pytest

from mineproof import (
    Cancelled,
    Cell,
    Game,
    Grid,
    InvalidArgument,
    Layout,
    Limit,
    OutOfTime,
    Replay,
    Rules,
    State,
    analyse,
    review,
)
from mineproof.agents.chance import Chance, Playouts
from mineproof.hindsight.marks import MoveMark, Points, total
from mineproof.hindsight.weigh import Contest, play_out, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof import Review
    from mineproof.hindsight.report import Reviewed
    from mineproof.limit import Clock


def laid(*rows: str) -> Layout:
    """A board; ``*`` is a mine."""
    return Layout(Grid(len(rows), len(rows[0])), bytes(symbol == "*" for symbol in "".join(rows)))


COIN = laid(".*.*", "....")
"""After A1 and B2, which show 1, the mine at the left is in B1 or A2, and the other is anywhere at the right."""


def reviewed(board: Layout | str, *moves: str, rules: str = "any", seed: int = 1, playouts: int = 300) -> Review:
    game = Game(board, Rules.parse(rules), seed=seed)
    for move in moves:
        game.play(move)
    return review(game, playouts=playouts)


def marks(found: Review) -> list[str]:
    return [str(told.mark) for told in found.moves]


def test_the_first_click_is_nobodys_fault() -> None:
    found = reviewed(COIN, "open A1").moves[0]
    assert (found.mark, found.risk, found.mines, found.cost) == (MoveMark.START, 0.25, 0, None)
    hit = reviewed(COIN, "open B1")
    assert (hit.moves[0].mark, hit.moves[0].mines) == (MoveMark.START, 1)
    assert (
        hit.moves[0].text() == "The first click. The risk of a mine was 25.0 %. It was a mine, and the game was lost."
    )
    assert (hit.summary.cost, hit.summary.luck, hit.summary.state) == (None, None, "lost")
    assert reviewed("expert", "open A1", rules="safe").moves[0].risk == 0


def test_a_named_cell_is_certain_and_another_is_not() -> None:
    game = Game("beginner", "given:1", seed=3)
    game.open(game.given[0])
    assert [(told.mark, told.level) for told in review(game).moves] == [(MoveMark.CERTAIN, 1)]
    game = Game("beginner", "given:1", seed=3)
    assert game.layout is not None
    other = next(cell for cell in game.grid if not game.layout.has_mine(cell) and cell != game.given[0])
    game.open(other)
    told = review(game, playouts=0).moves[0]
    assert (told.mark, told.better) == (MoveMark.NEEDLESS, game.given[0])
    assert told.risk == pytest.approx(10 / 80)
    assert told.text().endswith(f"{told.better} is named safe by the game. It was safe.")


def test_a_good_guess_and_a_needless_one() -> None:
    found = reviewed(COIN, "open A1", "open B2", "open D2", "open C1")
    assert marks(found) == ["start", "good guess", "needless guess", "certain"]
    good, needless = found.moves[1:3]
    assert good.fell == "lucky"
    assert good.risk == pytest.approx(1 / 3)
    assert str(good.cost) == "0.0"
    assert needless.better == Cell(0, 2)
    assert needless.better_level == 2
    assert needless.extra_risk == needless.risk == pytest.approx(0.5)
    reason = needless.why()
    assert reason is not None
    assert (reason.cell, reason.verdict) == (needless.better, "safe")
    assert "C1 was certainly safe, level 2. The 1 at A1 touches only two closed cells, B1 and A2" in needless.text()
    assert good.text().startswith(
        "No move was certain. It had a 33.3 % risk of a mine; the safest cell, C1, had 25.0 %."
    )
    assert good.text().endswith("It was safe: luck +16.7 points. The winning chance went from 33.3 % to 50.0 %.")


def test_a_poor_guess() -> None:
    """A1 shows 2: two of three cells around it are mines, and two of the other eleven."""
    found = reviewed("5x3x4", "open A1", "open B1", seed=318)
    told = found.moves[-1]
    assert (told.mark, told.fell) == (MoveMark.POOR, "lucky")
    assert told.cost is not None
    assert told.cost.value == pytest.approx(0.4)
    assert told.extra_risk == pytest.approx(2 / 3 - 2 / 11)
    assert told.safest == Cell(0, 2)
    assert told.safest_risk == pytest.approx(2 / 11)
    assert "It had a 66.7 % risk of a mine; the safest cell, C1, had 18.2 %." in told.text()
    assert "D2, with an 18.2 % risk, was better: 71.5 % to win, against 31.5 % with this guess." in told.text()
    assert "It cost 40.0 points of winning chance." in told.text()
    assert found.summary.costliest == told
    assert "Move 2, open B1 (poor guess), cost most: 40.0 points of winning chance." in str(found)


def test_without_playouts_guesses_are_judged_by_risk() -> None:
    told = reviewed("5x3x4", "open A1", "open B1", seed=318, playouts=0).moves[-1]
    assert (told.mark, told.cost, told.luck, told.before) == (MoveMark.POOR, None, None, None)
    told = reviewed("5x3x4", "open A1", "open D2", seed=318, playouts=0).moves[-1]
    assert told.mark is MoveMark.GOOD


def test_a_certain_mine_that_is_opened_is_a_mistake() -> None:
    told = reviewed(laid("*...."), "open B1", "open C1", "open A1", rules="any+no-flood").moves[-1]
    assert (told.mark, told.risk, told.mines, told.wrong) == (MoveMark.MISTAKE, 1, 1, Cell(0, 0))
    assert told.better == Cell(0, 3)
    assert told.cost is not None
    assert told.luck is not None
    assert (told.cost.value, told.luck.value) == (1, 0)
    assert told.text().startswith("A1 is certainly a mine. ")
    assert (
        "D1 was certainly safe, level 1, as it was before move 2. It cost 100.0 points of winning chance."
        in told.text()
    )
    assert told.text().endswith("It was a mine, and the game was lost.")


def test_mistakes_are_no_guesses() -> None:
    """They are counted beside them, and a lost game says by which move, and what else there was."""
    found = reviewed(laid("*...."), "open B1", "open C1", "open A1", rules="any+no-flood")
    assert (found.summary.expected_mines, found.summary.mines, found.summary.unlucky) == (0.5, 0, 0)
    assert str(found).splitlines()[:3] == [
        "Lost after 3 moves: 0 certain, 1 guess (1 needless), 1 mistake.",
        "The game was lost at move 3, open A1: a certain mine, while D1 was certainly safe.",
        "It cost most: 100.0 points of winning chance.",
    ]
    assert found.summary.lost_by == found.moves[-1]
    assert "Lost by mistakes: 100.0 points. Lost by choice of guess: 50.0 points. Luck: +50.0 points." in str(found)
    alone = reviewed(laid("*.*."), "open B1", "open D1", "undo", "open A1", rules="any+no-flood")
    assert (alone.moves[-1].better, str(alone.moves[-1].cost)) == (None, "+100.0")  # all others were seen before
    assert str(alone).startswith("Lost after 4 moves: 1 certain, 0 guesses, 1 mistake, 1 undo.")
    assert "Expected mines" not in str(alone)


def test_flags_by_what_was_provable() -> None:
    game = Game(laid("*...."), "any+no-flood")
    for move in ("flag D1", "unflag D1", "open B1", "flag C1", "unflag C1", "open C1", "flag A1", "flag D1"):
        game.play(move)
    found = review(game)
    assert marks(found) == [
        "unproved flag", "note", "start", "unproved flag", "note", "needless guess", "certain", "mistake",
    ]  # fmt: skip
    assert found.moves[0].risk == pytest.approx(0.8)
    assert found.moves[3].risk == pytest.approx(0.5)
    assert found.moves[6].level == 1
    assert found.moves[7].text().startswith("D1 is certainly safe. ")
    assert found.moves[7].cost is None
    assert found.summary.wrong_flags is None  # the game is not over: the layout is not asked
    lost = Game(laid("*...."))
    for move in ("flag D1", "open A1"):
        lost.play(move)
    assert review(lost).summary.wrong_flags == 1
    assert "on a safe cell" not in str(found)
    assert "1 flag was on a safe cell at the end." in str(review(lost))
    assert found.moves[0].text() == "Could not be proved: the chance of a mine was 20.0 %."


def test_question_marks_are_notes() -> None:
    assert marks(reviewed(COIN, "question A1", "open A1", rules="any+questions")) == ["note", "start"]


def test_a_chord_is_as_hard_as_its_hardest_cell() -> None:
    layout = laid("*.*", "...")
    found = reviewed(layout, "open A2", "open B2", "open C2", "flag A1", "flag C1", "chord B2")
    assert marks(found)[3:] == ["certain", "certain", "certain"]
    assert [told.level for told in found.moves[3:]] == [2, 2, 2]


def test_a_chord_that_opens_several_cells_risks_each() -> None:
    """C1 shows 1: the mine is one of five cells, and the chord opens four of them."""
    told = reviewed("4x4x4", "open C1", "flag D2", "chord C1").moves[-1]
    assert told.mark is MoveMark.POOR
    assert told.risk == pytest.approx(0.8)
    assert str(told.cost) == "+46.0"


def test_a_chord_whose_flags_are_wrong_opens_a_certain_mine() -> None:
    told = reviewed(laid("*.*", "..."), "open A2", "open B2", "open C2", "flag B1", "chord A2").moves
    assert told[-2].mark is MoveMark.MISTAKE
    assert (told[-1].mark, told[-1].wrong, told[-1].mines) == (MoveMark.MISTAKE, Cell(0, 0), 1)


def test_what_was_seen_stays_known() -> None:
    game = Game(COIN)
    for move in ("open A1", "open B2", "undo", "open B2", "undo", "flag B2", "unflag B2", "open C1"):
        game.play(move)
    found = review(game)
    assert marks(found) == [
        "start", "good guess", "undo", "certain", "undo", "mistake", "note", "certain",
    ]  # fmt: skip
    again = found.moves[3]
    assert (again.level, again.text()) == (None, "Known from before the undo.")
    said = str(review(game))
    assert "2 certain" in said
    assert "Certain moves: 1 of level 2, 1 known from before an undo." in said
    assert "A move that was taken back counts as it was played." in said
    assert found.moves[5].text() == "B2 is certainly safe."
    assert found.moves[-1].level == 2


def test_a_mine_that_was_taken_back() -> None:
    game = Game(COIN)
    for move in ("open A1", "open B1", "undo", "open A2", "flag B1", "unflag B1", "open B1", "undo"):
        game.play(move)
    found = review(game)
    assert marks(found) == [
        "start", "good guess", "undo", "certain", "certain", "note", "mistake", "undo",
    ]  # fmt: skip
    unlucky = found.moves[1]
    assert (unlucky.fell, unlucky.mines) == ("unlucky", 1)
    assert unlucky.luck is not None
    assert unlucky.with_it is not None
    assert unlucky.luck.value == pytest.approx(-unlucky.with_it.value)
    assert found.moves[6].text().startswith("B1 is certainly a mine.")
    assert found.summary.state == "playing"


def test_a_game_that_continues_after_a_mine() -> None:
    game = Game(COIN, "any+continue")
    for move in ("open A1", "open B1", "open A2", "open B2", "open C1", "open C2", "open D2"):
        game.play(move)
    assert game.state is State.CLEARED
    found = review(game)
    assert found.moves[1].fell == "unlucky"
    assert found.moves[2].mark is MoveMark.CERTAIN
    assert found.summary.state == "cleared"
    assert found.summary.mines == 1
    assert found.summary.end == Chance(1.0)


def test_the_end_of_an_unfinished_game_is_its_chance() -> None:
    found = reviewed(COIN, "open A1", "open B2")
    assert found.summary.end == Chance(0.5)
    assert found.summary.luck is not None
    assert found.summary.luck.value == pytest.approx(0.5 - 1 / 3)


def test_sums_of_estimates() -> None:
    assert total([Points(0.5, 0.03), Points(-0.2, 0.04)]) == pytest.approx((0.3, 0.05))
    assert total([]) == (0, 0)
    assert [str(Points(value, error)) for value, error in ((0.05, 0), (-0.051, 0.02), (0, 0), (-1e-12, 0))] == [
        "+5.0", "−5 ± 2", "0.0", "0.0",
    ]  # fmt: skip


def test_json_has_what_was_promised() -> None:
    fields = reviewed(COIN, "open A1", "open B2", "open D2").fields()
    assert {"move", "mark", "level", "risk", "cost", "better", "text"} <= set(fields["moves"][2])
    assert fields["moves"][2]["better"] == [0, 2]
    assert fields["summary"]["marks"] == {"start": 1, "needless guess": 1, "good guess": 1}
    assert fields["summary"]["text"].startswith("Playing after 3 moves: 0 certain, 2 guesses (1 needless, 1 good).")


def test_replays_and_progress() -> None:
    game = Game(COIN)
    for move in ("open A1", "open B2"):
        game.play(move)
    told: list[tuple[int, int]] = []
    found = review(game.replay(), progress=lambda done, of: told.append((done, of)))
    assert found == review(game)
    assert told[:2] == [(1, 2), (2, 3)]
    assert all(done <= of for done, of in told)


def test_what_cannot_be_reviewed() -> None:
    with pytest.raises(InvalidArgument, match="no move was played"):
        review(Game("expert", seed=1))
    with pytest.raises(InvalidArgument, match="playouts"):
        review(Game("expert", seed=1), playouts=-1)


def expert_guess() -> Replay:
    game = Game("expert", "safe", seed=2)
    for move in ("open A1", "open AD16", "open P8"):
        game.play(move)
    return game.replay()


def test_limits_are_kept() -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        review(expert_guess(), Limit(cancel=cancel))
    large = Game("200x200x15%", "safe", seed=2)
    for move in ("open A1", "open CZ100", "open P8"):
        large.play(move)
    with pytest.raises(OutOfTime, match="the memory limit"):
        review(large, Limit(memory=150_000))
    with pytest.raises(OutOfTime):
        review(expert_guess(), Limit(seconds=1e-9))


def test_a_risk_that_is_only_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guess is marked, and not weighed; several cells at once have no estimate."""

    def too_hard(*_: object) -> None:
        raise OutOfTime("boards cannot be counted")

    monkeypatch.setattr("mineproof.hindsight.walk.assume_safe", too_hard)
    told = reviewed(COIN, "open A1", "open B2").moves[-1]
    assert told.risk == pytest.approx(1 / 3)
    assert (told.mark, told.before, told.with_it, told.cost, told.luck) == (MoveMark.POOR, None, None, None, None)
    with pytest.raises(OutOfTime, match="cannot be counted"):
        reviewed("4x4x4", "open C1", "flag D2", "chord C1")


def test_a_chord_that_cannot_go_well() -> None:
    """No cell is certainly a mine, but one of those that the chord opens is."""
    told = reviewed(laid("*..*..", ".*...."), "open A2", "open C2", "flag D1", "flag D2", "chord C2").moves[-1]
    assert told.risk == 1
    assert told.cost is not None
    assert told.mark in (MoveMark.POOR, MoveMark.NEEDLESS)


def test_words_that_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    found = reviewed(COIN, "open A1", "open B2", "open D2")

    def too_long(*_: object) -> None:
        raise OutOfTime("no")

    monkeypatch.setattr("mineproof.hindsight.report.why", too_long)
    assert found.moves[2].text().endswith("(Time ran out before the reason was found.)")


# -- estimates -----------------------------------------------------------------------------------------------------


def chances(monkeypatch: pytest.MonkeyPatch, of: Callable[[Playouts, int], float | None], calls: int = 1000) -> None:
    """Games end as they are told to, by number; after so many calls the time is over."""
    made = count(1)

    def play(some: Playouts, games: int, clock: Clock, _work: float) -> float:
        found = [of(some, number) for number in range(len(some.chances), len(some.chances) + games)]
        some.chances += [chance for chance in found if chance is not None]
        if next(made) >= calls:
            clock.ends = -inf
        return 0.0

    monkeypatch.setattr(Playouts, "play", play)


def test_where_nothing_can_be_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    chances(monkeypatch, lambda _some, _number: None)
    found = review(expert_guess())
    assert found.moves[1].before is None
    assert found.summary.cost is None
    assert str(found).endswith("Winning chances were not estimated.")
    assert "Guesses are compared by their risk alone." in found.moves[1].text()
    assert not found.summary.cut


def test_time_that_runs_out_leaves_larger_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each guess has its first estimates before any has its last."""
    chances(monkeypatch, lambda _some, number: (number % 10) / 10, calls=8)
    found = review(expert_guess(), playouts=5000)
    assert all(told.before is not None for told in found.moves if told.guess)
    assert (found.summary.cut, found.summary.wanted) == (True, 5000)
    assert 0 < found.summary.playouts < 5000
    assert found.summary.cost is not None
    assert f"Time ran out after {found.summary.playouts:,} of 5,000 playouts: a longer limit" in str(found)
    assert found.fields()["summary"]["cut"] is True
    chances(monkeypatch, lambda _some, _number: None, calls=1)
    assert "playouts, which are too few for winning chances: a longer limit (--seconds)" in str(review(expert_guess()))


def spent(monkeypatch: pytest.MonkeyPatch, best: float, made: float, *, apart: float) -> Reviewed:
    """A guess at expert, where games end like this on average, and their difference scatters so much."""

    def of(some: Playouts, number: int) -> float:
        risk = 0.0 if not some.first else float(analyse(some.position).probabilities.ravel()[some.first[0]])
        mean, swing = (best, 0.1) if some.first != guessed else (made, 0.1 + apart)
        return (mean + (swing if number % 2 else -swing)) / (1 - risk)

    game = Game("expert", "safe", seed=2)
    guessed = (game.grid.index("P8"),)
    for move in ("open A1", "open P8"):
        game.play(move)
    chances(monkeypatch, of)
    return review(game, playouts=400).moves[1]


def test_a_guess_is_poor_good_or_unclear(monkeypatch: pytest.MonkeyPatch) -> None:
    told = spent(monkeypatch, 0.5, 0.45, apart=0.01)
    assert told.mark is MoveMark.POOR
    assert told.cost is not None
    assert told.with_it is not None
    assert told.cost.value == pytest.approx(0.05)
    assert told.cost.error < 0.5 * told.with_it.error  # both had the same boards
    assert f"{told.better} was better: 50.0 ± 0." in told.text().replace(
        f", with a {100 * (told.better_risk or 0):.1f} % risk,", ""
    )
    told = spent(monkeypatch, 0.5, 0.48, apart=0.3)
    assert told.mark is MoveMark.UNCLEAR
    assert told.guess
    assert " was better is unclear: " in told.text()
    assert "a difference of 2 ± " in told.text()
    told = spent(monkeypatch, 0.5, 0.5, apart=0.01)
    assert told.mark is MoveMark.GOOD
    assert "was not better by more than a point" in told.text()


def test_a_guess_costs_no_more_than_its_risk(monkeypatch: pytest.MonkeyPatch) -> None:
    told = spent(monkeypatch, 0.7, 0.1, apart=0.01)
    assert told.risk is not None
    assert told.cost is not None
    assert told.before is not None
    assert told.with_it is not None
    assert told.cost.value == pytest.approx(told.risk)
    assert told.before.value - told.with_it.value == pytest.approx(told.risk)


def test_playouts_go_where_they_decide() -> None:
    """Half are spread evenly; the others go to the pair that is unclear."""

    class Fake(Contest):
        unclear = False
        error = 0.1
        sides = 2
        games = 0

        def play(self, games: int, _clock: Clock, _work: float) -> tuple[int, float]:
            self.games += games
            return 2 * games, 0.0

    position = Game("expert", seed=1).position
    clear, unclear = Fake(position), Fake(position)
    unclear.unclear = True
    done: list[float] = []
    found = play_out([clear, unclear], 800, Limit().start(), done.append)
    assert (clear.games, unclear.games) == (100, 300)
    assert found == (800, 800, False)
    assert done == sorted(done)
    assert done[-1] == 1


def test_verdicts() -> None:
    assert verdict(Points(0.011)) is MoveMark.POOR
    assert verdict(Points(0.01)) is MoveMark.GOOD
    assert verdict(Points(0.05, 0.019)) is MoveMark.POOR
    assert verdict(Points(0.05, 0.021)) is MoveMark.UNCLEAR
    assert verdict(Points(-0.05, 0.02)) is MoveMark.GOOD
    assert verdict(Points(0.0, 0.01)) is MoveMark.UNCLEAR


# -- words ---------------------------------------------------------------------------------------------------------


def test_each_try_has_its_account() -> None:
    game = Game(laid("*...."), "any+no-flood")
    for move in ("open B1", "open A1", "undo", "open C1", "flag D1", "unflag D1", "open A1"):
        game.play(move)
    found = review(game)
    first, second = found.summary.accounts
    assert (first.first, first.last, second.first, second.last) == (2, 2, 7, 7)
    for one in (first, second):
        assert one.start.value - one.cost.value + one.luck.value == pytest.approx(one.end.value)
    lines = str(found).splitlines()
    assert lines[-2].startswith("Try 1. Winning chance before move 2: ")
    assert lines[-1].startswith(
        "Try 2. Winning chance before move 7: 100.0 %. Lost by mistakes: 100.0 points. Luck: 0.0 "
    )
    assert [one["first"] for one in found.fields()["summary"]["accounts"]] == [2, 7]


def test_a_safe_cell_below_a_wrong_flag_is_said_once() -> None:
    found = reviewed(laid(".....*", "......"), "open A1", "undo", "flag C1", "open A1", rules="any+no-flood")
    assert found.moves[-1].mark is MoveMark.CERTAIN
    found = reviewed(
        laid("...*.*", "......"), "open A1", "flag B1", "flag A2", "flag B2", "open D2", "open E2", rules="any+no-flood"
    )
    one, two = found.moves[-2:]
    assert (one.mark, two.mark) == (MoveMark.NEEDLESS, MoveMark.NEEDLESS)
    assert (one.better_flagged, one.better_since, two.better_since) == (True, None, one.number)
    assert f"{one.better} was certainly safe, level 1, under your own wrong flag. The blank cell A1" in one.text()
    assert (
        f"was certainly safe, level 1, as it was before move {one.number}, under your own wrong flag. It cost"
        in two.text()
    )
    assert two.why() is not None


def test_an_undo_says_of_what() -> None:
    found = reviewed(COIN, "open A1", "flag D1", "undo", "undo")
    assert found.moves[2].text() == "It takes back flag D1; what it showed stays known."
    assert str(found.moves[3].undone) == "open A1"
