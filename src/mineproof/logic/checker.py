"""Checks a proof in its JSON form. It knows resolution, what a clue means and how to add up, and shares no code with
the modules that make proofs. A literal is the name of a cell for "a mine", with a minus in front for "no mine"."""

from typing import Any

from mineproof.board.position import MINES, UNKNOWN, Position


def find_fault(position: Position, proof: dict[str, Any]) -> str | None:
    """The first error in a proof, or None if every step follows."""
    try:
        row, col = proof["cell"]
        opposite = {"safe": "", "mine": "-"}[proof["verdict"]] + str(position.grid.at((row, col)))
        clauses: list[set[str]] = []
        used: set[str] = set()
        for number, step in enumerate(proof["steps"], start=1):
            clauses.append(set(step["clause"]))
            if not _follows(position, step, clauses, opposite):
                return f"step {number} does not follow by {step['rule']}"
            used.update(step["clues"] if step["rule"] in ("clue", "count") else ())
        if clauses[-1]:
            return "the last step is not the empty clause"
        named = {str(position.grid.at((row, col))) for row, col in proof["because"]}
        if (used, any(step["rule"] == "count" for step in proof["steps"])) != (named, proof["mine_count"]):
            return "the named clues and mine count are not those used"
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as broken:
        return f"this cannot be read as a proof: {broken!r}"
    return None


def _follows(position: Position, step: dict[str, Any], clauses: list[set[str]], opposite: str) -> bool:
    *before, clause = clauses
    if step["rule"] == "resolve":
        first, second = (before[number - 1] if number > 0 else set() for number in step["steps"])
        return any(clause == (first - {x}) | (second - {_not(x)}) for x in first if _not(x) in second)
    if step["rule"] == "clue":
        cells, mines = _sum_of(position, *step["clues"])
        some_are_safe = len(clause) == mines + 1 and {_not(x) for x in clause} <= cells
        return some_are_safe or (len(clause) == len(cells) - mines + 1 and clause <= cells)
    if (
        step["rule"] == "count"
    ):  # if the whole clause is false, all mines less those of these clues cannot come out right
        weight = {str(cell): 1 for cell in position.where(UNKNOWN)}
        total = position.mines - position.known_mines
        for cells, mines in (_sum_of(position, clue) for clue in step["clues"]):
            total -= mines
            weight.update((cell, weight[cell] - 1) for cell in cells)
        total -= sum(weight.pop(x.removeprefix("-")) * x.startswith("-") for x in clause)
        return not sum(w for w in weight.values() if w < 0) <= total <= sum(w for w in weight.values() if w > 0)
    if step["rule"] == "given":
        return clause == {f"-{opposite}"} and position[opposite] == "S"
    return bool(step["rule"] == "suppose" and clause == {opposite})


def _sum_of(position: Position, clue: str) -> tuple[set[str], int]:
    around = position.grid.neighbours(clue)
    mines = int(position[clue]) - sum(position[cell] in MINES for cell in around)
    return {str(cell) for cell in around if position[cell] in UNKNOWN}, mines


def _not(literal: str) -> str:
    return literal.removeprefix("-") if literal.startswith("-") else f"-{literal}"
