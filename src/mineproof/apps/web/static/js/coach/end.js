// The end of a game: what happened, what the odds were, the figures, and what to do next.
import { html, useEffect, useState } from "../lib.js";
import { getText, post } from "../api.js";
import { isNumber, nameAt, nameOf, parsePosition, toText } from "../cells.js";
import { setOf } from "../overlay.js";
import { Button, Glyph, Verdict } from "../ui.js";
import { aPercent, percentOf } from "../percent.js";
import { Sentence, aboutRules, levelName, plural, secondsOf } from "../words.js";
import { Risks } from "./hint.js";
import { Rating } from "./rating.js";

/** After a loss, the analysis and the hint of the position before the last click. */
export function useLastOdds(state) {
  const { game, position, before } = state;
  const [odds, setOdds] = useState(null);
  const over = game?.state === "lost";
  useEffect(() => {
    setOdds(null);
    if (!over) return undefined;
    const stop = new AbortController();
    (async () => {
      const text = before ? toText({ ...position, symbols: before }) : await beforeLast(game, stop.signal);
      const [analysis, hint] = await Promise.all(
        ["analyse", "hint"].map((question) => post(question, { position: text }, stop.signal)),
      );
      const hit = hitOf(position);
      const mine = hit && analysis.mined?.some((cell) => String(cell) === String(hit));
      const why = mine
        ? await post("explain", { position: text, cell: nameAt(hit) }, stop.signal).catch(() => null)
        : null; // without an explanation, the panel names a safe cell
      if (!stop.signal.aborted) setOdds({ analysis, hint, why, before: parsePosition(text).symbols });
    })().catch(() => undefined); // without the odds, the panel shows only the result
    return () => stop.abort();
  }, [game?.id, game?.seq, over]);
  return odds;
}

/** The mine that was opened. @returns {import("../cells.js").Cell | null} */
function hitOf({ symbols, cols }) {
  const index = symbols.indexOf("*");
  return index < 0 ? null : [Math.floor(index / cols), index % cols];
}

/** The position before the last move, from the replay: this page was opened after the game was lost. */
async function beforeLast({ id, moves }, signal) {
  const text = await getText(`games/${id}/replay`, signal);
  return (await post("convert", { text, to: "mine", step: moves.length - 1 }, signal)).text;
}

export function EndPanel({ state, odds, act }) {
  const { game, position } = state;
  const { over } = game;
  const safeOpen = [...position.symbols].filter((symbol) => symbol >= "0" && symbol <= "8").length;
  const safe = game.rows * game.cols - game.mines;
  const lost = game.state === "lost";
  const hit = [...position.symbols].findIndex((symbol) => symbol === "*");
  const head = lost
    ? html`<${Verdict} sign="hit" icon="mine" text=${`${hit < 0 ? "That" : nameOf(hit, game.cols)} was a mine`}
        note=${`Lost with ${safeOpen} of ${safe} safe cells open`} />`
    : html`<${Verdict} sign="won" icon="tick" text=${game.state === "cleared" ? "Cleared" : "Won"}
        note=${game.hits ? `with ${plural(game.hits, "mine")} opened` : levelName(game.level)} />`;
  const wrong = wrongFlags(position, over);
  return html`${head}
    ${lost && odds && html`<${Judgement} odds=${odds} hit=${hit} cols=${game.cols} />`}
    ${wrong.length > 0 &&
    html`<div class="lines">
      ${wrong.slice(0, 4).map((index) => html`<div class="line" key=${index}>
        <span class="cell cell--wrong"><${Glyph} name="wrongflag" /></span>
        <span><b class="ref">${nameOf(index, game.cols)}</b> had a flag. It was safe.</span>
      </div>`)}
    </div>`}
    ${over &&
    html`<div class="stats">
      <${Stat} value=${over["3bv"]} label="3BV" />
      <${Stat} value=${over.clicks} label="Clicks" />
      <${Stat} value=${over.efficiency === null ? "–" : percentOf(over.efficiency, 0)} label="Efficiency" />
      <${Stat} value=${secondsOf(over.elapsed_ms)} label="Time" />
      <${Stat} value=${over["3bv_per_second"]?.toFixed(2) ?? "–"} label="3BV per second" />
      <${Stat} value=${game.undone}
        label=${game.deaths_undone ? `Undone, ${game.deaths_undone} from a mine` : "Undone"} />
    </div>`}
    <p class="note">
      ${over ? `ZiNi ${over.zini}, ${plural(over.openings, "opening")}, ${plural(over.islands, "island")}. ` : ""}
      ${countsText(game)}
    </p>
    ${!over?.moves_by || Object.keys(over.moves_by).length < 2
      ? null
      : html`<p class="note">
          Moves: ${Object.entries(over.moves_by)
            .map(([who, count]) => `${who} ${count}`)
            .join(", ")}.
        </p>`}
    <div class="actions actions--stack">
      <${Button} primary wide onClick=${act.review}>Review this game<//>
      <div class="actions">
        ${lost && game.yours && html`<${Button} wide icon="undo" onClick=${act.undo}>Undo the click<//>`}
        <${Button} wide onClick=${act.again}>Same board again<//>
      </div>
      <${Button} wide keyName="N" onClick=${act.fresh}>New game<//>
    </div>
    ${over && html`<${Rating} of=${{ game: game.id }} />`}`;
}

function Judgement({ odds: { analysis, hint, why }, hit, cols }) {
  if (hit < 0 || !analysis.odds) return null;
  const cell = [Math.floor(hit / cols), hit % cols];
  const risk = analysis.odds[cell[0]][cell[1]];
  const name = nameOf(hit, cols);
  const instead = hint.certain ? `${nameAt(hint.cell)} was safe instead: ${hint.portions?.at(-1) ?? hint.text}` : "";
  if (analysis.mined.some((mine) => String(mine) === String(cell))) {
    return html`<p class="prose">
      <strong>${name} was certainly a mine.</strong>${" "}
      <${Sentence} text=${why?.verdict === "mine" ? why.text : instead} />
    </p>`;
  }
  if (hint.certain)
    return html`<p class="prose">
      <strong>A guess was not needed.</strong>${" "}
      <${Sentence} text=${`${name} had ${aPercent(risk)} risk of a mine. ${instead}`} />
    </p>`;
  if (!hint.cell || risk === null) return null;
  const best = Math.abs(hint.risk - risk) < 1e-9 || String(hint.cell) === String(cell);
  const alternatives = [
    ...hint.alternatives.filter((other) => String(other.cell) !== String(cell)).slice(0, 4), { cell, risk },
  ];
  return html`<p class="prose">
      No cell was certainly safe: a guess was
      needed. ${best
        ? "This was the best one. Bad luck."
        : html`<${Sentence} text=${`${nameOf(hint.cell[0] * cols + hint.cell[1], cols)} was better.`} />`}
    </p>
    <${Risks} title="What the odds were" alternatives=${alternatives} yours=${cell} />`;
}

const Stat = ({ value, label }) => html`<div class="stat">
  <span class="stat__label">${label}</span><span class="stat__value">${value}</span>
</div>`;

/** The flags that stand on safe cells; the layout is known once the game is over. */
export function wrongFlags({ symbols, cols, rows }, over) {
  const mines = minesOf(over, rows, cols);
  return mines ? [...symbols].flatMap((symbol, index) => (symbol === "F" && !mines.has(index) ? [index] : [])) : [];
}

/** Whether every closed cell is a mine. */
export const cleared = ({ symbols, mines }) => [...symbols].filter((symbol) => !isNumber(symbol)).length === mines;

/** The marks of a finished game: wrong flags, and the mines that were identified by a flag or a proof. The board of the
 * CSP report (`csp`) also shows the closed mines of a cleared board as proved. */
export function flagsAtEnd(position, over, proved, csp) {
  const { cols, symbols } = position;
  const where = (signs) => [...symbols].flatMap((symbol, index) => (signs.includes(symbol) ? [index] : []));
  const wrong = new Set(wrongFlags(position, over));
  const right = over?.layout ? where("F").filter((index) => !wrong.has(index)) : [];
  const marks = { wrong, identified: new Set([...right, ...setOf(proved, cols)]) };
  return csp && cleared(position) ? { ...marks, mined: new Set(where("HQ")) } : marks;
}

/** The mines of "30x16x99=hex@A1": a bitmap, row by row, the highest bit first. */
function minesOf(over, rows, cols) {
  const hex = /=([0-9a-f]+)/i.exec(over?.layout ?? "")?.[1];
  if (!hex) return null;
  const mines = new Set();
  for (let index = 0; index < rows * cols; index++) {
    if ((parseInt(hex[index >> 2], 16) >> (3 - (index & 3))) & 1) mines.add(index);
  }
  return mines;
}

function countsText(game) {
  if (!game.yours) return "You were watching: it is somebody else's game.";
  if (game.counts) return "It counts in your statistics.";
  const why = [
    game.helped?.length && `helped by ${game.helped.join(", ")}`, game.known && "the board was known",
    game.seen && "a loss was undone",
  ].filter(Boolean);
  return `Not counted as your own: ${why.join("; ") || "it was helped"}.`;
}

/** The panel before the first click. */
export function StartPanel({ game, position }) {
  const starts = (position.symbols.match(/S/g) ?? []).length;
  const head = game.unlaid ? "Open any cell" : ["The mines are laid", "Start at the dot"][starts] ?? "Start at a dot";
  return html`<${Verdict} sign="quiet" icon="target" text=${head}
      note=${/mine/.test(levelName(game.level))
        ? levelName(game.level)
        : `${levelName(game.level)}, ${plural(game.mines, "mine")}`} />
    <p class="prose">
      ${aboutRules(game.unlaid || starts ? game.rules : game.rules.replace(/^[^+]+/, "any"), game.no_guess)}
      ${starts > 0 && " Any other cell may be a mine."}
    </p>
    <dl class="keys keys--start">
      <dt><kbd class="key">Click</kbd></dt><dd>opens; right click flags</dd><dt><kbd class="key">Double</kbd></dt>
      <dd>click on a number opens the rest around it</dd><dt><kbd class="key">W</kbd></dt><dd>a hint, part by part</dd>
      <dt><kbd class="key">?</kbd></dt><dd>all keys</dd>
    </dl>`;
}
