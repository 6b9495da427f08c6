"""Strength and speed of ``best``: on the same expert boards as ``lowest-risk``, in one process. Prints a table.

Fails when looking ahead does not win more games, when it costs more than ten times the time, or when a single choice
takes a second. ``--games N`` plays more.
"""

from __future__ import annotations

import sys
from math import sqrt

from mineproof import Level
from mineproof.arena.tournament import tournament
from mineproof.board.rules import Rules


def main() -> int:
    games = int(sys.argv[sys.argv.index("--games") + 1]) if "--games" in sys.argv else 10_000
    holds = True
    for first_click in ("safe", "opening"):
        best, lowest = tournament(["best", "lowest-risk"], Level.parse("expert"), Rules(first_click), games, 1)
        for one in (best, lowest):
            fields = one.fields()
            rate, low, high = (100 * number for number in fields["win_rate"])
            won = f"{rate:6.2f} % ({low:.2f} to {high:.2f}), {fields['guesses']:.2f} guesses"
            speed = f"{fields['games_per_second']:7.0f} games a second"
            print(f"     {first_click:8} {one.agent:12} {won}, {speed}, slowest {fields['slowest_move_ms']:.0f} ms")
        gained = sum(a.won and not b.won for a, b in zip(best.results, lowest.results, strict=True))
        lost = sum(b.won and not a.won for a, b in zip(best.results, lowest.results, strict=True))
        error = 196 * sqrt(gained + lost) / games
        difference = 100 * (gained - lost) / games
        for what, fine in (
            (f"best wins {difference:+.2f} ± {error:.2f} points more on the same boards", difference > error),
            (f"and takes {best.seconds / lowest.seconds:.1f} times as long", best.seconds < 10 * lowest.seconds),
            ("no choice takes a second", best.fields()["slowest_move_ms"] < 1000),
        ):
            holds &= fine
            print(f"{'ok  ' if fine else 'MISS'} {what}", flush=True)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
