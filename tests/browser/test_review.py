"""Reviews of games played here and recorded elsewhere; the figures of a player."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mineproof import Replay
from support import recorded
from support.browser import violations
from support.recorded import Recording

if TYPE_CHECKING:
    from support.browser import Person

LOST = "mineproof game 1\n4x3x3/any=418\nopen A1\nopen D3\nopen C1\nopen B1\n"


def test_review_of_a_recorded_game(desk: Person) -> None:
    page = desk.go("/review")
    expect(page.get_by_text("Your games")).to_be_visible()
    page.locator("input[type=file]").set_input_files(
        {"name": "lost.game", "mimeType": "text/plain", "buffer": LOST.encode()}
    )
    expect(page).to_have_url(re.compile("/review/imported"))
    expect(page.get_by_text("After move 4 of 4")).to_be_visible()
    expect(page.get_by_text("from game")).to_have_count(0)
    desk.shows("B1", "mine")
    desk.button("Move before", exact=True).click()
    expect(page).to_have_url(re.compile("step=3"))
    desk.shows("B1", "closed")
    desk.shows("C1", "2")
    expect(page.get_by_text("It cost 8.3 points of winning chance")).to_be_visible()
    expect(page.get_by_text("skill: what guesses cost")).to_be_hidden()
    page.get_by_text("Summary").click()
    expect(page.get_by_text("skill: what guesses cost")).to_be_visible()
    expect(page.get_by_text("100 points are the whole way from a lost game to a won one")).to_be_visible()
    expect(page.locator(".move__mark--poor")).to_have_text(["poor guess", "poor guess"])
    expect(page.get_by_text(re.compile("^Difficulty [0-9]+"))).to_be_visible()
    chart = page.get_by_role("img", name=re.compile("Winning chance from move 0 to 4"))
    corners = re.findall(r"[ML]([0-9.]+) ([0-9.]+)", chart.locator(".chart__line").get_attribute("d") or "")
    assert len(corners) > 2
    for here, there in pairwise(corners):  # steps: level, then upright
        assert here[0] == there[0] or here[1] == there[1]
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] * 0.3, "y": box["height"] / 2})
    expect(page).to_have_url(re.compile("step=1"))
    page.go_back()
    expect(page.get_by_text("Your games")).to_be_visible()
    assert violations(page) == []


def test_game_is_played_back_and_played_on(desk: Person) -> None:
    page = desk.go("/review")
    expect(page.get_by_text("Your games")).to_be_visible()
    timed = "mineproof game 1\n4x3x3/any=418\nopen A1 @1.000\nopen D3 @1.500\nopen C1 @2.500\nopen B1 @3.000\n"
    desk.drop("lost.game", timed.encode())
    expect(page.get_by_text("After move 4 of 4")).to_be_visible()
    desk.button("Play back").click()
    for step in (1, 2, 3):
        expect(page).to_have_url(re.compile(f"step={step}"))
    desk.button("Stop").click()
    page.get_by_role("button", name=re.compile("^4 B1")).click()
    expect(page.get_by_text("After move 3 of 4")).to_be_visible()
    desk.button("Retry this move").click()
    expect(page).to_have_url(re.compile("/play/"))
    desk.shows("C1", "2")
    desk.shows("B1", "closed")


@pytest.mark.parametrize("program", ["avf", "mvf", "rmv", "evf"])
def test_file_of_another_program_is_dropped_and_reviewed(desk: Person, program: str) -> None:
    played = Replay.from_text(LOST)
    timed = Replay(played.id, played.moves, tuple(range(0, 1000 * len(played.moves), 1000)))
    data = getattr(recorded, program)(Recording.of(timed))
    page = desk.go("/review")
    expect(page.get_by_text("Your games")).to_be_visible()
    desk.drop(f"lost.{program}", data)
    expect(page).to_have_url(re.compile("/review/imported"))
    expect(page.get_by_text(f"from {program}")).to_be_visible()
    expect(page.get_by_text("Move 4 of 4")).to_be_visible()
    desk.shows("B1", "mine")
    expect(
        page.get_by_role("listitem").filter(has_text="needless guess").or_(page.get_by_text("poor guess")).first
    ).to_be_visible()


def test_own_game_is_reviewed_and_counts_in_the_figures(desk: Person) -> None:
    page = desk.game(level="4x3x3", first_click="any")
    for name in (f"{col}{row}" for row in (1, 2, 3) for col in "ABCD"):
        if page.get_by_role("heading", name="Game over").is_visible():
            break
        closed = desk.cell(name).get_attribute("aria-label") == f"{name} closed"
        if closed:
            desk.cell(name).click()
            expect(desk.cell(name)).not_to_have_attribute("aria-label", f"{name} closed")
    expect(page.get_by_role("heading", name="Game over")).to_be_visible()
    expect(page.get_by_text("It counts in your statistics.")).to_be_visible()
    desk.button("Review this game").click()
    expect(page.get_by_text("first click").first).to_be_visible()
    desk.go("/stats")
    expect(page.get_by_role("heading", name="Skill and luck")).to_be_visible()
    expect(page.get_by_text("all counted games")).to_be_visible()
    told = page.request.get(f"{desk.address}/api/statistics").json()["guesses"]
    assert told["games"] == 1
    for name, value in (
        ("certain moves", told["certain"]),
        ("forced guesses", told["forced"]),
        ("needless guesses", told["needless"]),
        ("mines expected", page.evaluate("value => value.toFixed(1)", told["expected_mines"])),
        ("mines opened", told["mines"]),
    ):
        expect(page.locator(".stat", has_text=name).locator(".stat__value")).to_have_text(str(value))
    assert violations(page) == []


def test_figures_have_best_times_with_their_days_and_boards_of_the_day(desk: Person) -> None:
    told = json.loads(desk.context.request.get(f"{desk.address}/api/statistics").text())
    level = {"level": "beginner", "rules": "opening", "no_guess": False, "games": 4, "wins": 3, "win_rate": 0.75}
    level |= {"best_ms": 9000, "mean_ms": 15000, "median_ms": 12000, "best_3bv_per_second": 1.5, "streak": 1}
    times = [["2026-11-02T10:00:00Z", 24000], ["2026-11-05T10:00:00Z", 9000], ["2026-11-09T10:00:00Z", 12000]]
    told |= {"games": 4, "counted": 4, "levels": [level | {"best_streak": 2, "times": times}]}
    day = {"id": "x", "level": "expert", "daily": "2026-11-07", "state": "won", "elapsed_ms": 61000}
    desk.page.route("**/api/statistics", lambda route: route.fulfill(json=told))
    desk.page.route("**/api/games?*", lambda route: route.fulfill(json={"games": [day]}))
    page = desk.go("/stats")
    expect(page.locator(".bests li")).to_have_text(
        [re.compile("9.00 s.*Nov 5"), re.compile("12.00 s.*Nov 9"), re.compile("24.00 s.*Nov 2")]
    )
    chart = page.get_by_role("img", name="3 times, the best 9.00 s")
    expect(chart.locator("text").filter(has_text="Nov 2")).to_be_visible()
    expect(chart.locator("text").filter(has_text="Nov 9")).to_be_visible()
    expect(page.get_by_text("first click an opening").first).to_be_visible()
    row = page.get_by_role("row").filter(has_text="Nov 7")
    expect(row).to_contain_text("Expert")
    expect(row).to_contain_text("61.00 s")
    assert violations(page) == []


def test_statistics_and_my_data(desk: Person) -> None:
    page = desk.game(level="beginner", first_click="opening")
    desk.cell("A1").click(button="right")
    desk.shows("A1", "flag")
    page.get_by_role("tab", name="Agent").click()
    page.get_by_label("Agent", exact=True).select_option("best")
    page.get_by_role("slider").fill("1500")
    desk.button("Let best play").click()
    expect(page.get_by_role("heading", name="Game over")).to_be_visible()
    desk.go("/stats")
    expect(page.get_by_text("No counted games yet")).to_be_visible()
    expect(page.get_by_text("1 helped")).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("link", name="Export all games").click()
    assert len(json.loads(Path(started.value.path()).read_text())["games"]) == 1
    desk.button("Delete all games").click()
    desk.button("Delete them").click()
    expect(page.get_by_text("All your games are deleted")).to_be_visible()
    desk.go("/review")
    expect(page.get_by_text("No games yet")).to_be_visible()
