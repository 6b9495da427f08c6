// How one cell looks and what it is called, from what the board is to show. Pure: no DOM, no state.
import { isClosed, isNumber, nameOf } from "./cells.js";
import { percent, percentOf } from "./percent.js";

const BOUNDS = [0.05, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8];

/** The step of the scale, 1 to 8, for odds that are not certain. */
export const oddsStep = (risk) => 1 + BOUNDS.filter((bound) => risk >= bound).length;

const SHOWN = { F: "flag", Q: "question mark", S: "closed", H: "closed", "*": "mine", "?": "mine" };

/**
 * What is shown:
 *   symbols                the position, a character a cell
 *   odds, estimate, unseen the odds of each cell (null where open), the ± of estimates, the odds of cells that no clue sees
 *   safe, mined            sets of cells that are certain, when that is to be seen
 *   identified             at the end, the mines that were flagged or could be proved: a set
 *   marks                  map to {step, role: clue | settled, earlier, verdict}
 *   best, chosen           cells with a guess
 *   hit, wrong             sets: mines that were opened, flags that were wrong
 *   conflict, disputed     sets
 *   callouts               map to {text, side}
 */
export function lookOf(show, index, lit) {
  const symbol = show.symbols[index];
  const classes = ["cell"];
  const content = [];
  const look = { symbol, className: "", name: "", content, n: undefined, odds: undefined, step: undefined };
  let name = `${nameOf(index, show.cols)} `;
  const closed = isClosed(symbol);
  if (isNumber(symbol)) {
    name += symbol === "0" ? "empty" : symbol;
    if (symbol !== "0") {
      look.n = symbol;
      content.push({ text: symbol });
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
  if (symbol === "?" || symbol === "F") { // the board of the CSP report colours these
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
  if (lit) classes.push("is-lit");
  const callout = show.callouts?.get(index);
  if (callout) content.push({ kind: "callout", ...callout });
  look.className = classes.join(" ");
  look.name = name;
  look.key = `${look.className}|${name}|${look.odds}|${look.step}|${callout ? callout.text + callout.side : ""}`;
  return look;
}

/** What is known of a closed cell: adds its sign or number, returns the words. */
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
