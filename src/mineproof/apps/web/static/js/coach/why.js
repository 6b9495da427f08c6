// Why a cell is safe, or a mine; or its risk, and whether to guess there.
import { html } from "../lib.js";
import { isClosed, nameAt, nameOf, neighbours } from "../cells.js";
import { Button, Verdict, Waiting } from "../ui.js";
import { Sentence } from "../words.js";
import { Risks } from "./hint.js";
import { Proof, Steps, WhyVerdict } from "./steps.js";

const INVITE = html`<${Verdict} sign="quiet" icon="target" text="Point at a closed cell"
    note="and rest there, or press Y on it" />
  <p class="prose">
    You see whether it is certain, which clues settle it, and each step. On a touch screen, choose Why below and tap a
    cell.
  </p>`;

/** `invite` is what stands there before a question. */
export function WhyPanel({ coach, act, position, selected, invite = INVITE }) {
  const { why, step, busy, failed, hint } = coach;
  const about = why && position ? why.cell[0] * position.cols + why.cell[1] : selected;
  const table = html`<${ClueTable} position=${position} selected=${about} />`;
  if (failed)
    return html`<${Verdict} sign="wrong" icon="cross" text="No answer" note="" />
      <p class="prose"><${Sentence} text=${failed} /></p>${table}`;
  if (!why) {
    return html`${busy
        ? html`<${Waiting} text="Explaining" onCancel=${act.cancel} />`
        : invite}
      ${table}`;
  }
  const name = nameAt(why.cell);
  return html`<${WhyVerdict} why=${why} />
    ${why.steps.length
      ? html`<${Steps} steps=${why.steps} at=${step} setAt=${act.step} />`
      : html`<p class="prose"><${Sentence} text=${why.text} /></p>`}
    ${why.verdict === "unknown" && html`<${MayGuess} cell=${why.cell} hint=${hint} act=${act} />`}
    ${(why.verdict === "safe" || why.verdict === "mine") &&
    html`
      ${act.open &&
      html`<div class="actions">
        ${why.verdict === "safe"
          ? html`<${Button} primary wide onClick=${() => act.open(why.cell)}>Open ${name}<//>`
          : html`<${Button} primary wide onClick=${() => act.flag(why.cell)}>Flag ${name}<//>`}
      </div>`}
      ${why.level !== null && html`<${Proof} cell=${name} verdict=${why.verdict} ask=${act.prove} />`}`}
    ${table}`;
}

function MayGuess({ cell, hint, act }) {
  if (!hint) return html`<${Button} primary wide onClick=${act.mayGuess}>May I guess here?<//>`;
  if (hint.certain) {
    return html`<p class="prose">
        <strong>There is no need to.</strong> A certain move
        exists${hint.level !== undefined ? `, of level ${hint.level}` : ""}.
      </p>
      <${Button} primary wide onClick=${act.showHint}>Show me where<//>`;
  }
  if (!hint.cell) return html`<p class="prose">${hint.text}</p>`;
  const best = nameAt(hint.cell);
  const same = String(hint.cell) === String(cell);
  return html`<p class="prose">
      ${same
        ? html`<strong>Yes.</strong> No cell is certain, and this is the best guess.`
        : html`<strong>A guess is needed, but not here.</strong> <b class="ref">${best}</b> is better.`}
    </p>
    <${Risks} title="Best guesses" alternatives=${hint.alternatives} yours=${cell} />`;
}

/** The table of the third system: each clue around a cell, with its safe, mined and hidden neighbours. */
function ClueTable({ position, selected }) {
  if (selected === null || selected === undefined || !position) return null;
  const { rows, cols, symbols } = position;
  const isClue = (index) => /[1-8]/.test(symbols[index] ?? "");
  const clues = [selected, ...neighbours(selected, rows, cols)].filter(isClue).slice(0, 9);
  if (!clues.length) return null;
  return html`<section class="section">
    <h3 class="section__title">
      <span>Clues here, around ${nameOf(selected, cols)}</span><span>flags counted as mines</span>
    </h3>
    <table class="table">
      <thead>
        <tr>
          <th scope="col">clue</th><th scope="col" class="num">number</th><th scope="col" class="num">safe</th>
          <th scope="col" class="num">mines</th><th scope="col" class="num">hidden</th><th scope="col">status</th>
        </tr>
      </thead>
      <tbody>
        ${clues.map((clue) => {
          const around = neighbours(clue, rows, cols).map((other) => symbols[other]);
          const number = Number(symbols[clue]);
          const mines = around.filter((symbol) => "F*?".includes(symbol)).length;
          const hidden = around.filter((symbol) => isClosed(symbol) && symbol !== "F").length;
          const status =
            number < mines || number > mines + hidden
              ? "impossible"
              : !hidden
                ? "done"
                : mines === number
                  ? "all safe"
                  : mines + hidden === number
                    ? "all mines"
                    : "unsure";
          return html`<tr key=${clue}>
            <td><b class="ref">${nameOf(clue, cols)}</b></td><td class="num">${number}</td>
            <td class="num">${around.length - mines - hidden}</td><td class="num">${mines}</td>
            <td class="num">${hidden}</td><td>${status}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </section>`;
}
