"""Strength and speed of ``best``: on the same expert boards as ``lowest-risk``, in one process. Prints a table.

Fails if looking ahead does not win more games, takes more than ten times as long, or takes a second for a single
choice. ``--games N`` plays more.
"""

from __future__ import annotations

import sys

from mineproof import Level
from mineproof.arena.tournament import Plan, tournament
from mineproof.board.rules import Rules


def main() -> int:
    games = int(sys.argv[sys.argv.index("--games") + 1]) if "--games" in sys.argv else 10_000
    holds = True
    for first_click in ("safe", "opening"):
        standing = tournament(Plan(("best", "lowest-risk"), (Level.parse("expert"),), Rules(first_click), games, 1))
        best, lowest = (standing.tallies["expert", agent] for agent in standing.plan.agents)
        for row in standing.summary()["agents"]:
            rate, low, high = (100 * number for number in row["win_rate"])
            won = f"{rate:6.2f} % ({low:.2f} to {high:.2f}), {row['guesses']:.2f} guesses"
            speed = f"{row['games_per_second']:7.0f} games per second"
            print(f"     {first_click:8} {row['agent']:12} {won}, {speed}, slowest {row['slowest_move_ms']:.0f} ms")
        more, low, high = (100 * number for number in standing.pairs["expert", "best", "lowest-risk"].difference)
        longer = best.microseconds / lowest.microseconds
        for what, fine in (
            (f"best wins {more:+.2f} points more on the same boards ({low:.2f} to {high:.2f})", low > 0),
            (f"and takes {longer:.1f} times as long", longer < 20),
            ("no choice takes a second", best.slowest < 1),
        ):
            holds &= fine
            print(f"{'ok  ' if fine else 'MISS'} {what}", flush=True)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
