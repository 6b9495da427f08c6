// Sentences and figures as people read them.
import { html } from "./lib.js";
import { nameAt } from "./cells.js";

const CELL = /\b([A-Z]{1,3}[1-9]\d{0,2})\b/;

/** A sentence in which the names of cells are buttons: they ring the cell on the board, and a click scrolls to it.
 * Tab reaches the first, ← and → the others. In long lists, which are `quiet`, only mouse and finger use them. */
export function Sentence({ text, quiet = false }) {
  return text.split(CELL).map((part, i) =>
    i % 2 === 0
      ? part
      : quiet
        ? html`<b class="ref" data-cell=${part}>${part}</b>`
        : html`<button type="button" class="ref ref--cell" data-cell=${part} tabindex=${i === 1 ? 0 : -1}
            onKeyDown=${toNeighbour}>${part}</button>`,
  );
}

/** Go to the name before or after in the sentence. */
function toNeighbour(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const names = [...event.currentTarget.parentElement.querySelectorAll(":scope > .ref--cell")];
  names[names.indexOf(event.currentTarget) + by]?.focus();
}

/** Tell the board nearest to a name of a cell to ring this cell, or none. */
function point(target, { on, reveal = false }) {
  const name = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-cell]")) : null;
  if (!name) return;
  let near = name.parentElement;
  while (near && !near.querySelector("[role=grid]")) near = near.parentElement;
  const detail = { name: on ? name.dataset.cell : null, reveal };
  near?.querySelector("[role=grid]")?.dispatchEvent(new CustomEvent("point", { detail }));
}
for (const type of ["pointerover", "focusin"]) addEventListener(type, ({ target }) => point(target, { on: true }));
for (const type of ["pointerout", "focusout"]) addEventListener(type, ({ target }) => point(target, { on: false }));
addEventListener("click", ({ target }) => point(target, { on: true, reveal: true }));

export function listed(names, last = "and") {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`;
}

/** An amount: the number with its noun. */
export const plural = (count, noun, nouns = `${noun}s`) => `${count} ${count === 1 ? noun : nouns}`;

/** Some cells by name, and how many more. */
export function cellsListed(cells, most = 6) {
  const names = cells.slice(0, most).map(nameAt);
  return cells.length > most ? `${names.join(", ")} and ${cells.length - most} more` : listed(names);
}

export function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const padded = (number) => String(number).padStart(2, "0");
  const end = padded(seconds % 60);
  return hours ? `${hours}:${padded(minutes)}:${end}` : `${minutes}:${end}`;
}

export const secondsOf = (ms) => `${(ms / 1000).toFixed(ms < 100000 ? 2 : 1)} s`;

/** A number of boards, given as decimal digits. */
export function Count({ digits }) {
  if (digits.length <= 9) return html`<span>${Number(digits).toLocaleString("en")}</span>`;
  const lead = Number(`${digits[0]}.${digits.slice(1, 4)}`).toFixed(2);
  return html`<span>${lead} × 10<sup>${digits.length - 1}</sup></span>`;
}

const LEVELS = {
  beginner: "Beginner", easy: "Easy", hard: "Hard", "beginner-classic": "Beginner 8×8", medium: "Medium",
  intermediate: "Intermediate", expert: "Expert",
};

/** "12x12x25" is "12 × 12, 25 mines"; "16x16x10%" and "9x9xp0.1" end in "10 % mines"; "16x16xnaive" in "naive". */
export function levelName(level) {
  const [, cols, rows, mines] = /^(\d+)x(\d+)x(.+)$/.exec(level) ?? [];
  if (LEVELS[level] || !cols) return LEVELS[level] ?? level;
  const share = mines.startsWith("p")
    ? Number((100 * Number(mines.slice(1))).toFixed(2))
    : mines.endsWith("%") && mines.slice(0, -1);
  if (/^[a-z]{2}/.test(mines)) return `${cols} × ${rows}, ${mines}`;
  return `${cols} × ${rows}, ${share ? `${share} % mines` : plural(Number(mines), "mine")}`;
}

/** The first-click rules in a few words. */
export const FIRST_CLICKS = {
  opening: "first click an opening", safe: "first click safe", any: "first click may be a mine",
};

const FIRST = {
  any: "The first click may be a mine.",
  safe: "The first click is never a mine.",
  opening: "The first click is an opening: no mine there, and none around it.",
};

/** What a player should know about the rules before the first click. */
export function aboutRules(rules, noGuess) {
  const [first, ...rest] = rules.split("+");
  const sentences = [FIRST[first] ?? "The game names safe cells to start at: they have a dot."];
  if (rest.includes("continue")) sentences.push("A mine does not end the game; it is counted.");
  if (rest.includes("no-flood")) sentences.push("An empty cell opens alone.");
  if (rest.includes("open-flags")) sentences.push("A flag is only a note: a click opens a flagged cell.");
  if (noGuess) sentences.push("This board needs no guess.");
  return sentences.join(" ");
}

export const TECHNIQUE_LEVELS = [
  "", "one clue", "two clues", "three or four clues", "a longer chain", "several cases", "the mine count",
];

/** What a step settles: "A1 is safe". */
export function settles({ cells, verdict }) {
  const names = cellsListed(cells, 5);
  if (cells.length === 1) return `${names} is ${verdict === "mine" ? "a mine" : "safe"}`;
  return `${names} are ${verdict === "mine" ? "mines" : "safe"}`;
}
