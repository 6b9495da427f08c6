// Hints in parts: is there a certain move, where, by which clues, which, and why. If there is none, the best guess.
import { html } from "../lib.js";
import { nameAt } from "../cells.js";
import { oddsStep } from "../looks.js";
import { Button, Verdict, Waiting } from "../ui.js";
import { aPercent, percentOf } from "../percent.js";
import { Sentence } from "../words.js";
import { Proof, Steps, WhyVerdict } from "./steps.js";

const RUNGS = ["Sure?", "Where?", "Clues?", "Move", "Why"];

export function HintPanel({ coach, act }) {
  const { hint, rung, why, step, busy, failed } = coach;
  if (failed)
    return html`<${Verdict} sign="wrong" icon="cross" text="No hint" note="" /><p class="prose">${failed}</p>`;
  if (!hint) {
    return busy
      ? html`<${Waiting} text="Looking" onCancel=${act.cancel} />`
      : html`<${Verdict} sign="quiet" icon="bulb" text="Stuck?" note="hints come in small parts" />
          <p class="prose">
            First only whether there is a certain move; then where, by which clues, which cell, and why. Stop as soon as
            you see it yourself.
          </p>
          <${Button} primary wide onClick=${act.hint} keyName="W">Is there a certain move?<//>`;
  }
  if (!hint.certain) return html`<${Stuck} hint=${hint} act=${act} />`;
  const cell = nameAt(hint.cell);
  if (hint.level === undefined)
    return html`<${Verdict} sign="safe" icon="tick" text=${hint.text}
        note=${hint.text.includes("you opened it before") ? "" : "before the first click"} />
      <div class="actions"><${Button} primary wide onClick=${() => act.open(hint.cell)}>Open ${cell}<//></div>`;
  return html`
    <div class="ladder" role="group" aria-label="Hint, from a nudge to the whole reason">
      ${RUNGS.map((name, i) => html`<button key=${name} type="button"
        class=${`ladder__rung ${i < rung ? "is-taken" : ""}`} aria-current=${i === rung - 1 ? "step" : undefined}
        onClick=${() => act.rung(i + 1)}>
        ${name}
      </button>`)}
    </div>
    ${rung < 5 &&
    html`<${Verdict} sign=${rung > 3 ? "safe" : "quiet"} icon=${rung > 3 ? "tick" : "sure"}
      text=${hint.portions[rung - 1]} note=${`Level ${hint.level} of 6`} />`}
    ${rung < 4 &&
    html`<${Button} primary wide keyName="W" onClick=${() => act.rung(rung + 1)}>
      ${["Where?", "Which clues?", "Show the move"][rung - 1]}
    <//>`}
    ${rung === 5 &&
    (why
      ? html`<${WhyVerdict} why=${why} /><${Steps} steps=${why.steps} at=${step} setAt=${act.step} />`
      : html`<${Waiting} text="Explaining" />`)}
    ${rung >= 4 &&
    html`<div class="actions">
      <${Button} primary wide onClick=${() => act.open(hint.cell)}>Open ${cell}<//>
      ${rung === 4 && html`<${Button} wide keyName="W" onClick=${() => act.rung(5)}>Why?<//>`}
    </div>`}
    ${rung === 5 && why && html`<${Proof} cell=${cell} verdict=${why.verdict} ask=${act.prove} />`}`;
}

function Stuck({ hint, act }) {
  if (!hint.cell) return html`<${Verdict} sign="quiet" icon="sure" text=${hint.text} note="" />`;
  const cell = nameAt(hint.cell);
  const rest = (hint.portions ?? [hint.text]).slice(2).filter((text) => !/^[A-Z]+\d+: /.test(text));
  return html`<${Verdict} sign="quiet" icon="target" text="No certain move"
      note="proved: every closed cell is a mine on some board" />
    <p class="prose">
      The best guess is <b class="ref">${cell}</b>, with ${aPercent(hint.risk)} risk of a
      mine. ${rest.map((text) => html`<${Sentence} text=${`${text} `} />`)}
    </p>
    <${Risks} title="Guesses" alternatives=${hint.alternatives} />
    <div class="actions">
      <${Button} primary wide onClick=${() => act.open(hint.cell)}>Open ${cell}<//>
      <${Button} wide onClick=${act.odds}>Show the odds<//>
    </div>`;
}

/** Cells with their risks, as bars; `yours` is the cell that was opened. */
export function Risks({ title, alternatives, yours }) {
  return html`<section class="section">
    <h3 class="section__title"><span>${title}</span><span>risk of a mine</span></h3>
    <div class="risks">
      ${alternatives.map(({ cell, risk, progress }) => html`<div key=${String(cell)}
        class=${`risk ${String(cell) === String(yours) ? "risk--yours" : ""}`}>
        <span>${nameAt(cell)}</span>
        <span class="risk__track">
          <span class=${`risk__bar odds-${oddsStep(risk)}`} style=${{ width: `${Math.max(1, 100 * risk)}%` }} />
        </span>
        <span class="risk__value">${percentOf(risk)}</span>
        ${progress !== undefined &&
        progress !== null &&
        html`<span class="risk__note">
          if safe, a certain move follows, or the game is won, on ${percentOf(progress, 0)} of boards
        </span>`}
      </div>`)}
    </div>
  </section>`;
}
