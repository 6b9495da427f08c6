// An explanation, step by step, with its proof on demand.
import { html, useEffect, useRef, useState } from "../lib.js";
import { nameAt } from "../cells.js";
import { Button, Fold, Verdict, Waiting } from "../ui.js";
import { Sentence, TECHNIQUE_LEVELS, settles } from "../words.js";

const LINE = /^ *\d+\. (.*?) {2,}(.*)$/gm; // "   4. A1 is a mine, or B1 is safe  from 2 and 3"

/** The verdict of an explanation, in the head of the panel. */
export function WhyVerdict({ why }) {
  const name = nameAt(why.cell);
  if (why.verdict === "unknown")
    return html`<${Verdict} sign="quiet" icon="target" text=${`${name} is not certain`}
      note="some boards have a mine there, others do not" />`;
  if (why.verdict === "inconsistent")
    return html`<${Verdict} sign="wrong" icon="cross" text="No board fits" note="the clues contradict each other" />`;
  const steps = why.steps.length;
  const note =
    why.level === null
      ? "before the first click"
      : [`Level ${why.level}`, TECHNIQUE_LEVELS[why.level], steps > 1 && `${steps} steps`].filter(Boolean).join(" · ");
  return html`<${Verdict} sign=${why.verdict} icon=${why.verdict === "mine" ? "cross" : "tick"}
    text=${`${name} is ${why.verdict === "mine" ? "a mine" : "safe"}`} note=${note} />`;
}

/** The steps of an explanation; the board shows the step `at`. */
export function Steps({ steps, at, setAt }) {
  const list = useRef();
  const before = useRef(at);
  useEffect(() => {
    if (before.current === at) return; // a new explanation is read from its beginning
    before.current = at;
    // only inside the coach, which scrolls by itself; elsewhere the whole page would jump
    if (list.current?.closest(".coach__body")) list.current.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  if (!steps.length) return null;
  return html`
    <ol class="steps" ref=${list}>
      ${steps.map((step, i) => html`<li key=${i} class="step" aria-current=${i === at ? "step" : undefined}
        onClick=${() => setAt(i)}>
        <span class="step__no" aria-hidden="true">${i + 1}</span>
        <h4 class="step__title">
          <span>${settles(step)}</span><span class="step__kind">${step.technique ?? TECHNIQUE_LEVELS[step.level]}</span>
        </h4>
        <p class="step__text"><${Sentence} text=${step.text} /></p>
      </li>`)}
    </ol>
    ${steps.length > 1 &&
    html`<div class="pager">
      <${Button} icon="left" label="Step before" title="Step before (←)" disabled=${at === 0}
        onClick=${() => setAt(at - 1)} />
      <span>Step ${at + 1} of ${steps.length}</span>
      <${Button} icon="right" label="Next step" title="Next step (→)" disabled=${at === steps.length - 1}
        onClick=${() => setAt(at + 1)} />
    </div>`}`;
}

/** The resolution proof, which is requested when it is unfolded. */
export function Proof({ cell, verdict, ask }) {
  const [proof, setProof] = useState(null);
  const [failed, setFailed] = useState(null);
  useEffect(() => {
    setProof(null);
    setFailed(null);
  }, [cell, ask]);
  const fetchProof = () => proof ?? ask(cell).then(setProof, (error) => setFailed(error.message));
  const lines = [...(proof?.text ?? "").matchAll(LINE)];
  return html`<${Fold} title=${`Proof that ${cell} is ${verdict === "mine" ? "a mine" : "safe"}`} onOpen=${fetchProof}
    end=${proof ? `${lines.length} lines${proof.valid === false ? "" : ", checked"}` : ""}>
    ${failed
      ? html`<p class="note">${failed}</p>`
      : proof
        ? html`<ol class="proof">
            ${lines.map((line, i) => html`<li key=${i} class="proof__line">
              <span>${line[1]}</span><span class="proof__from">${line[2]}</span>
            </li>`)}
          </ol>`
        : html`<${Waiting} text="Proving" />`}
  <//>`;
}
