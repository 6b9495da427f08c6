// Turn an analysis or an explanation into marks on the board.
import { isClosed, neighbours } from "./cells.js";

/** The indices of cells. @param {import("./cells.js").Cell[]} cells @param {number} cols */
export const setOf = (cells, cols) => new Set(cells.map(([row, col]) => row * cols + col));

/** The marks of an analysis; `on` says which are switched on: {odds, certain, best}.
 * @returns {Partial<import("./looks.js").Shown>} */
export function overlayOf(analysis, position, on) {
  if (!analysis || analysis.consistent === false || !(on.odds || on.certain || on.best)) return {};
  const { cols } = position;
  const [safe, mined] = [setOf(analysis.safe, cols), setOf(analysis.mined, cols)];
  /** @type {Partial<import("./looks.js").Shown>} */
  const show = on.odds || on.certain ? { safe, mined } : {};
  if (on.odds && analysis.odds) {
    const odds = analysis.odds.flat();
    show.odds = odds;
    if (analysis.exact === false) show.estimate = largestError(analysis);
    const cells = unseen(position);
    const uncertain = [...cells].find((cell) => !safe.has(cell) && !mined.has(cell)); // the others show a sign
    show.unseen = { cells, risk: uncertain === undefined ? null : odds[uncertain] };
  }
  if (on.best && analysis.best && !analysis.safe.length)
    show.best = analysis.best.cell[0] * cols + analysis.best.cell[1];
  return show;
}

export function largestError(analysis) {
  const errors = (analysis.errors ?? []).flat().filter((error) => error !== null);
  return errors.length ? Math.max(...errors) : 0.01;
}

/** The closed cells that touch no number. All of them have the same odds. */
export function unseen({ rows, cols, symbols }) {
  const cells = new Set();
  for (let index = 0; index < symbols.length; index++) {
    if (isClosed(symbols[index]) && !neighbours(index, rows, cols).some((other) => /[0-8]/.test(symbols[other])))
      cells.add(index);
  }
  return cells;
}

/** The marks of an explanation up to the step `at`, from 0: its clues, and the cells that it settles. */
export function marksOf(steps, at, cols) {
  /** @type {Map<number, import("./looks.js").Mark>} */
  const marks = new Map();
  steps.slice(0, at + 1).forEach((step, i) => {
    const earlier = i < at;
    for (const [row, col] of step.clues) marks.set(row * cols + col, { step: i + 1, role: "clue", earlier });
    for (const [row, col] of step.cells)
      marks.set(row * cols + col, { step: i + 1, role: "settled", earlier, verdict: step.verdict });
  });
  return marks;
}
