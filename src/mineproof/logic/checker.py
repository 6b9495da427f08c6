"""Checks a proof. Knows resolution, what a clue means and how to add up; shares no code with what makes proofs, and
reads them as JSON gives them. A literal is the name of a cell for "a mine", with a minus in front for "no mine"."""

from typing import Any

from mineproof.board.position import Position


def find_fault(position: Position, proof: dict[str, Any]) -> str | None:
    """The first thing that is wrong with a proof, or None when every step follows."""
    try:
        clauses: list[set[str]] = []
        for number, step in enumerate(proof["steps"], start=1):
            clauses.append(set(step["clause"]))
            if not _follows(position, proof, step, clauses):
                return f"step {number} does not follow by {step['rule']}"
        if clauses[-1] or proof["verdict"] not in ("safe", "mine"):
            return "the last step is not the empty clause, or the verdict is none"
        used = {clue for step in proof["steps"] for clue in step.get("clues", ())}
        if used != {str(position.grid.at((row, col))) for row, col in proof["because"]}:
            return "the clues that are named are not those that are used"
        if proof["mine_count"] is not any(step["rule"] == "count" for step in proof["steps"]):
            return "whether the mine count is used is said wrongly"
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as broken:
        return f"this cannot be read as a proof: {broken}"
    return None


def _follows(position: Position, proof: dict[str, Any], step: dict[str, Any], clauses: list[set[str]]) -> bool:
    clause = clauses[-1]
    if step["rule"] == "resolve":
        one, other = (clauses[:-1][premise - 1] for premise in step["steps"] if premise > 0)
        return any(clause == (one - {x}) | (other - {_not(x)}) for x in one if _not(x) in other)
    if step["rule"] == "clue":
        (clue,) = step["clues"]
        cells, mines = _sum_of(position, clue)
        some_are_safe = len(clause) == mines + 1 and {_not(x) for x in clause} <= cells
        return some_are_safe or (len(clause) == len(cells) - mines + 1 and clause <= cells)
    if step["rule"] == "count":  # all mines, less these clues, cannot come out right when the whole clause is false
        weight = {str(cell): 1 for cell in position.where("HFQ")}
        total = position.mines - position.known_mines
        for cells, mines in (_sum_of(position, clue) for clue in step["clues"]):
            total -= mines
            weight.update((cell, weight[cell] - 1) for cell in cells)
        total -= sum(weight.pop(x.removeprefix("-")) * x.startswith("-") for x in clause)
        return not sum(w for w in weight.values() if w < 0) <= total <= sum(w for w in weight.values() if w > 0)
    cell = str(position.grid.at((proof["cell"][0], proof["cell"][1])))
    if step["rule"] == "given":
        return clause == {f"-{cell}"} and position[cell] == "S"
    return bool(step["rule"] == "suppose" and clause == {f"-{cell}" if proof["verdict"] == "mine" else cell})


def _sum_of(position: Position, clue: str) -> tuple[set[str], int]:
    around = position.grid.neighbours(clue)
    mines = int(position[clue]) - sum(position[cell] in "*?" for cell in around)
    return {str(cell) for cell in around if position[cell] in "HFQ"}, mines


def _not(literal: str) -> str:
    return literal.removeprefix("-") if literal.startswith("-") else f"-{literal}"
