// One technique: a small board to solve, then the idea, then three more to practise.
import { html, useMemo, useState } from "../lib.js";
import { post } from "../api.js";
import { BoardBox } from "../boardbox.js";
import { isClosed, nameAt, nameOf, parsePosition } from "../cells.js";
import { Steps, WhyVerdict } from "../coach/steps.js";
import { useKeys } from "../keyboard.js";
import { Panel } from "../panel.js";
import { marksOf } from "../overlay.js";
import { go, note } from "../router.js";
import { kept } from "../store.js";
import { Button, Verdict, complain } from "../ui.js";
import { Sentence, TECHNIQUE_LEVELS } from "../words.js";

export function Lesson({ lesson, next, query }) {
  const at = Math.max(0, Math.min(lesson.boards.length - 1, Number(query.board ?? 1) - 1));
  return html`<${Exercise} key=${at} lesson=${lesson} at=${at} next=${next} />`;
}

function Exercise({ lesson, at, next }) {
  const text = lesson.boards[at];
  const position = useMemo(() => parsePosition(text), [text]);
  const { rows, cols, mines, symbols } = position;
  const [why, setWhy] = useState(null);
  const [step, setStep] = useState(0);
  const [outcome, setOutcome] = useState(null);
  const [tried, setTried] = useState(0);
  const key = `${lesson.name}.${at}`;
  const [done, setDone] = useState(() => Boolean(kept.get("solved", {})[key]));
  const show = useMemo(() => ({
    rows, cols, symbols, label: `Exercise ${at + 1}`,
    ...(why?.steps.length ? { marks: marksOf(why.steps, step, cols) } : {}),
    ...(why ? { chosen: why.cell[0] * cols + why.cell[1] } : {}),
  }), [why, step]);
  const explain = async (cell) => {
    try {
      const explanation = await post("explain", { position: text, cell });
      setWhy(explanation);
      setStep(Math.max(0, explanation.steps.length - 1));
      return explanation;
    } catch (error) {
      complain(error);
      return null;
    }
  };
  const choose = async (index) => {
    if (!isClosed(symbols[index])) return;
    setTried(tried + 1);
    const explanation = await explain(nameOf(index, cols));
    if (!explanation) return;
    setOutcome(explanation.verdict);
    if (explanation.verdict === "safe") {
      setDone(true);
      kept.set("solved", { ...kept.get("solved", {}), [key]: true });
    }
  };
  const giveUp = async () => {
    try {
      const hint = await post("hint", { position: text });
      setOutcome("shown");
      if (hint.cell) await explain(nameAt(hint.cell));
    } catch (error) {
      complain(error);
    }
  };
  const on = {
    open: choose,
    tap: choose,
    key: (event, index) => (event.key === "Enter" || event.key === " " ? (choose(index), true) : false),
  };
  useKeys({
    ArrowLeft: () => step > 0 && setStep(step - 1),
    ArrowRight: () => why && step < why.steps.length - 1 && setStep(step + 1),
  });
  const onward = () =>
    at + 1 < lesson.boards.length ? note({ board: at + 2 }) : go(next ? `/learn/${next.name}` : "/learn");
  const answered = outcome === "safe" || outcome === "shown";
  return html`<div class="view">
    <main class="stage" id="main">
      <div class="stage__inner stage__inner--lesson" style=${{ "--cols": cols, "--rows": rows }}>
        <div class="lesson__head">
          <a class="note" href="/learn">Learn</a><h1 class="page__title">${lesson.title}</h1>
          <p class="prose">
            Level ${lesson.level}: ${TECHNIQUE_LEVELS[lesson.level]} ·
            board ${at + 1} of ${lesson.boards
              .length} · ${mines} mines. <strong>Which closed cell is certainly safe?</strong> Click
            it.
          </p>
        </div>
        <${BoardBox} show=${show} on=${on} />
        <div class="toolbar">
          <${Button} disabled=${at === 0} icon="left" label="Board before" onClick=${() => note({ board: at })} />
          ${lesson.boards.map((_, i) => html`<${Button} key=${i} pressed=${i === at} label=${`Board ${i + 1}`}
            onClick=${() => note({ board: i + 1 })}>
            ${i + 1}
          <//>`)}
          <span class="toolbar__gap" /><${Button} disabled=${answered} onClick=${giveUp}>Show me<//>
        </div>
      </div>
    </main>
    <${Panel} label="Lesson" title=${answered ? "The idea" : "Your turn"} about="About this board"
      head=${done && html`<span class="chip">solved</span>`}
      foot=${html`<${Button} primary=${answered} wide onClick=${onward}>
        ${at + 1 < lesson.boards.length ? "Next board" : next ? `Next: ${next.title}` : "All techniques"}
      <//>`}>
      ${!outcome &&
      html`<${Verdict} sign="quiet" icon="target" text="Find a safe cell" note="nothing is lost by trying" />
        <p class="prose">Some closed cell here has no mine on any board that fits the numbers.</p>`}
      ${(outcome === "mine" || outcome === "unknown") &&
      html`<${WhyVerdict} why=${why} />
        ${why.steps.length
          ? html`<${Steps} steps=${why.steps} at=${step} setAt=${setStep} />`
          : html`<p class="prose"><${Sentence} text=${why.text} /></p>`}
        <p class="prose">Look for another cell.</p>`}
      ${answered &&
      html`<p class="prose prose--idea">${lesson.idea}</p>
        ${why && html`<${WhyVerdict} why=${why} /><${Steps} steps=${why.steps} at=${step} setAt=${setStep} />`}`}
    <//>
  </div>`;
}
