"""Loading time of the page, and scrolling on a large board: ``python benchmarks/page.py``. Needs Chromium."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support.browser import chromium
from support.web import Server

VISITS = 7
FIRST_CELL = """() => new Promise(found => {
    const there = () => document.querySelector("[role=gridcell]");
    const look = () => there() ? found(performance.now()) : requestAnimationFrame(look);
    look();
})"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
FETCHED = "performance.getEntriesByType('resource').reduce((sum, file) => sum + file.transferSize, 0)"
SCROLLED = """async () => {
    const view = document.querySelector(".viewport"), frames = [];
    let last = performance.now();
    for (let i = 0; i < 90; i++) {
        view.scrollTop = 45 * i;
        view.scrollLeft = 30 * i;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames.push(now - last);
        last = now;
    }
    return frames.sort((a, b) => a - b);
}"""


def main() -> None:
    """Measure with fresh profiles and a separate server."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(f"sqlite:///{folder}/web.db") as server,
        sync_playwright() as play,
    ):
        browser = chromium(play)

        def visit(path: str) -> Page:
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            page.goto(server.address + path)
            page.get_by_role("gridcell").first.wait_for()
            return page

        rows = []
        for _ in range(VISITS):
            page = visit("/play?level=expert&seed=1")
            rows.append((page.evaluate(PAINTED), page.evaluate(FIRST_CELL), page.evaluate(FETCHED)))
        painted, first, fetched = (statistics.median(column) for column in zip(*rows, strict=True))
        print(
            f"{VISITS} first visits, medians: painted after {painted:.0f} ms, "
            f"board after {first:.0f} ms, {fetched / 1024:.0f} KB"
        )
        frames = visit("/play?level=200x200x6000&seed=1").evaluate(SCROLLED)
        middle, late = frames[len(frames) // 2], frames[len(frames) * 95 // 100]
        print(f"200×200, {len(frames)} steps of scrolling: median frame {middle:.1f} ms, p95 {late:.1f} ms")
        browser.close()


if __name__ == "__main__":
    main()
