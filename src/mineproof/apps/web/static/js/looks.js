// The look and the accessible name of one cell, as a function of what the board shows.
import { isClosed, isNumber, nameOf, neighbours } from "./cells.js";
import { percent, percentOf } from "./percent.js";

const BOUNDS = [0.05, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8];

/** The step of the scale, 1 to 8, for odds that are not certain. */
export const oddsStep = (risk) => 1 + BOUNDS.filter((bound) => risk >= bound).length;

const SHOWN = { F: "flag", Q: "question mark", S: "closed", H: "closed", "*": "mine", "?": "mine" };

/**
 * What a board shows. Cells are given by their indices.
 * @typedef {object} Shown
 * @property {number} rows
 * @property {number} cols
 * @property {string} symbols a symbol per cell, row by row
 * @property {string} [label] the name of the board for screen readers
 * @property {boolean} [bare] without letters and numbers along its sides
 * @property {boolean} [still] nothing can be played on it
 * @property {boolean} [edit] clicks paint
 * @property {boolean} [dim] numbers that have all their flags are paler
 * @property {boolean} [party] the game has just been won
 * @property {Set<number>} [pressed] cells that are being opened
 * @property {Set<number>} [kept] cells of a move that is kept until the server answers
 * @property {number} [ripple] the clicked cell, from which an opening spreads
 * @property {(number | null)[]} [odds] the odds of each cell, null where it is open
 * @property {number} [estimate] how far the odds may be off; missing if they are exact
 * @property {{cells: Set<number>, risk: number | null}} [unseen] the cells that no clue sees, and their odds
 * @property {Set<number>} [safe] cells that are certainly safe
 * @property {Set<number>} [mined] cells that are certainly mines
 * @property {Set<number>} [identified] at the end, the mines that were flagged or could be proved
 * @property {Map<number, Mark>} [marks] the cells of an explanation
 * @property {number} [best] the best guess
 * @property {number} [chosen] the cell that was chosen, or is spoken of
 * @property {Set<number>} [hit] mines that were opened
 * @property {Set<number>} [wrong] flags that stand on safe cells
 * @property {Set<number>} [conflict] clues that cannot all be right
 * @property {Set<number>} [disputed] closed cells around these clues
 * @property {Map<number, {text: string, side: string}>} [callouts] words beside a cell
 */
/** @typedef {{role: "clue" | "settled", step?: number, earlier?: boolean, verdict?: string}} Mark */

/** How a cell looks, and its accessible name. @param {Shown} show @param {number} index @param {boolean} lit */
export function lookOf(show, index, lit) {
  const symbol = show.symbols[index];
  const classes = ["cell"];
  const content = [];
  /** @type {Record<string, any>} */
  const look = { symbol, className: "", name: "", content };
  let name = `${nameOf(index, show.cols)} `;
  const closed = isClosed(symbol);
  if (isNumber(symbol)) {
    name += symbol === "0" ? "empty" : symbol;
    if (symbol !== "0") {
      look.n = symbol;
      content.push({ text: symbol });
      if (show.dim && hasItsFlags(show, index)) classes.push("cell--done");
    }
  } else {
    name += SHOWN[symbol] ?? "closed";
    if (closed) classes.push("cell--closed");
    if (symbol === "F") content.push({ kind: "glyph", text: show.wrong?.has(index) ? "wrongflag" : "flag" });
    else if (symbol === "Q") content.push({ kind: "note", text: "?" });
    else if (!closed) content.push({ kind: "glyph", text: "mine" });
  }
  if (show.hit?.has(index)) {
    classes.push("cell--hit");
    name += ", opened";
  } else if (symbol === "*") classes.push("cell--opened-mine");
  else if (symbol === "?") classes.push("cell--closed");
  if (show.wrong?.has(index)) {
    classes.push("cell--wrong");
    name += ", wrong: it was safe";
  }
  if (symbol === "?" || symbol === "F") { // the CSP report's board colours them
    const identified = show.identified?.has(index) || show.mined?.has(index);
    if (identified) classes.push("cell--identified");
    else if (symbol === "?") classes.push("cell--unidentified");
  }
  if (symbol === "S" && !show.safe?.has(index)) {
    classes.push("cell--named");
    name += ", safe to start at";
  }
  const mark = show.marks?.get(index);
  if (closed || symbol === "?") name += certainty(show, index, symbol, classes, content, look, mark);
  if (mark) {
    look.step = mark.step;
    classes.push(mark.role === "clue" ? "cell--clue" : "cell--settled");
    if (mark.earlier) classes.push("is-earlier");
    if (mark.role === "clue") name += `, clue of step ${mark.step}`;
    else {
      content.splice(0, content.length, { kind: "glyph", text: mark.verdict === "mine" ? "cross" : "tick" });
      name += `, ${mark.verdict} by step ${mark.step}`;
    }
  }
  if (show.conflict?.has(index)) {
    classes.push("cell--conflict");
    name += ", in conflict";
  }
  if (show.disputed?.has(index)) classes.push("cell--disputed");
  if (show.best === index) {
    classes.push("cell--best");
    name += ", best guess";
  }
  if (show.chosen === index) classes.push("cell--chosen");
  if (show.pressed?.has(index)) classes.push("is-pressed");
  if (show.kept?.has(index)) {
    classes.push("cell--kept");
    name += ", your move is kept";
  }
  if (lit) classes.push("is-lit");
  const callout = show.callouts?.get(index);
  if (callout) content.push({ kind: "callout", ...callout });
  look.className = classes.join(" ");
  look.name = name;
  look.key = `${look.className}|${name}|${look.odds}|${look.step}|${callout ? callout.text + callout.side : ""}`;
  return look;
}

/** Whether as many flags and opened mines are around a number as it says. */
const hasItsFlags = ({ rows, cols, symbols }, index) =>
  neighbours(index, rows, cols).filter((other) => "F*".includes(symbols[other])).length === Number(symbols[index]);

/** Add the sign or the odds of a closed cell to its look, and return the words for its name. */
function certainty(show, index, symbol, classes, content, look, mark) {
  const flagged = symbol === "F";
  const wrong = show.wrong?.has(index);
  if (show.safe?.has(index)) {
    if (!mark && !wrong) {
      classes.push("cell--safe");
      content.splice(0, content.length, { kind: "glyph", text: "tick" });
    }
    return ", certain safe";
  }
  if (show.mined?.has(index)) {
    if (!flagged && !mark && symbol !== "?") {
      classes.push("cell--mined");
      content.splice(0, content.length, { kind: "glyph", text: "cross" });
    }
    return ", certain mine";
  }
  const risk = show.odds?.[index];
  if (risk === undefined || risk === null || wrong) return "";
  look.odds = oddsStep(risk);
  const estimated = show.estimate !== undefined && show.estimate !== null;
  if (estimated) classes.push("cell--estimate");
  if (show.unseen?.cells.has(index)) classes.push("cell--unseen");
  if (!flagged && symbol !== "?") content.splice(0, content.length, { kind: "odds", text: percent(risk, 0) });
  return `, mine ${percentOf(risk, 0)}${estimated ? ` ± ${Math.max(1, Math.round(100 * show.estimate))}` : ""}`;
}
