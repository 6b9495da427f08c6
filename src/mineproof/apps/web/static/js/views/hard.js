// Why Minesweeper is hard: a position that forces case analysis, and what a wire of cells can carry.
import { html, useEffect, useMemo, useState } from "../lib.js";
import { post } from "../api.js";
import { BoardBox } from "../boardbox.js";
import { nameAt, parsePosition } from "../cells.js";
import { Steps, WhyVerdict } from "../coach/steps.js";
import { useKeys } from "../keyboard.js";
import { marksOf, overlayOf } from "../overlay.js";
import { Verdict, Waiting } from "../ui.js";

const CASES = "5x5x7\nHHH2H\n1H2HH\nHHH4H\n2H13H\nHHHHH";
const WIRE = "11x5x4\n00000000000\n11111111111\nHHHHHHHHHHH\n11111111111\n00000000000";
const METHODS = [
  ["single", "one clue at a time"], ["subset", "pairs of clues"], ["chaining", "forward chaining, to a limit"],
  ["sat", "every case, cleverly"],
];

export function HardView() {
  const position = useMemo(() => parsePosition(CASES), []);
  const [why, setWhy] = useState(null);
  const [step, setStep] = useState(0);
  const [answers, setAnswers] = useState({});
  const [wire, setWire] = useState(null);
  const [failed, setFailed] = useState(null);
  useEffect(() => {
    const stop = new AbortController();
    post("explain", { position: CASES, cell: "A1" }, stop.signal).then(
      (explanation) => {
        setWhy(explanation);
        setStep(explanation.steps.length - 1);
      },
      (error) => error.name !== "AbortError" && setFailed(error.message),
    );
    for (const [method] of METHODS)
      post("deduce", { position: CASES, method }, stop.signal).then(
        (answer) => setAnswers((before) => ({ ...before, [method]: answer })),
        () => setAnswers((before) => ({ ...before, [method]: null })),
      );
    post("analyse", { position: WIRE }, stop.signal).then(setWire, () => undefined);
    return () => stop.abort();
  }, []);
  useKeys({
    ArrowLeft: () => step > 0 && setStep(step - 1),
    ArrowRight: () => why && step < why.steps.length - 1 && setStep(step + 1),
  });
  const show = useMemo(() => ({
    ...position, label: "A position that forces cases", still: true,
    ...(why ? { marks: marksOf(why.steps, step, position.cols) } : {}),
  }), [why, step]);
  const line = useMemo(() => ({
    ...parsePosition(WIRE), label: "A wire", still: true, ...overlayOf(wire, parsePosition(WIRE), { odds: true }),
  }), [wire]);
  const count = (method) => {
    const answer = answers[method];
    if (answer === undefined) return "…";
    if (!answer) return "–";
    const cells = [...(answer.safe ?? []), ...(answer.mined ?? [])].map(nameAt);
    return cells.length ? `${cells.length} certain${cells.includes("A1") ? ", A1 among them" : ", not A1"}` : "nothing";
  };
  return html`<main class="view view--page page" id="main" tabindex="-1">
    <div class="page__inner">
      <header>
        <a class="note" href="/learn">Learn</a><h1 class="page__title">Why Minesweeper is hard</h1>
        <p class="page__lead">
          Most positions fall to one clue, or two. Some do not: no clue or pair decides a cell, and only working through
          whole cases does.
        </p>
      </header>
      <div class="hard">
        <section class="card">
          <h2>A cell that needs cases</h2><${BoardBox} show=${show} on=${{}} cell=${34} />
          <table class="table">
            <thead><tr><th scope="col">Method</th><th scope="col">finds</th></tr></thead>
            <tbody>
              ${METHODS.map(([method, about]) => html`<tr key=${method}>
                <td><strong>${method}</strong>: ${about}</td><td>${count(method)}</td>
              </tr>`)}
            </tbody>
          </table>
        </section>
        <section class="card">
          ${failed
            ? html`<p class="prose">${failed}</p>`
            : why
              ? html`<${WhyVerdict} why=${why} /><${Steps} steps=${why.steps} at=${step} setAt=${setStep} />`
              : html`<${Waiting} text="Explaining" />`}
        </section>
      </div>
      <section class="card">
        <h2>Cells can carry a signal</h2><div class="hard__wire"><${BoardBox} show=${line} on=${{}} cell=${30} /></div>
        <p class="prose">
          Each 1 touches three cells in a row, so every third cell of this line is a mine. Which of the three is not
          certain; but one end of the line decides the other, however long it
          is. ${wire?.solutions &&
          html`<strong>${wire.solutions} ${wire.solutions === "1" ? "board fits" : "boards fit"}</strong> this one.`}
        </p>
        <p class="prose">
          Lines can bend, split, cross and meet in gates. So a whole logical circuit can be drawn as a position, and
          "does any board fit?" asks whether the circuit can be satisfied. Richard Kaye showed in 2000 that this
          question is NP-complete. Mineproof counts exactly where it can, decides certainty by SAT where it cannot, and
          then says of odds how far they may be off.
        </p>
      </section>
      <${Verdict} sign="quiet" icon="target" text="Try it"
        note="build such a position in Analyse: the number of boards is updated at every change" />
    </div>
  </main>`;
}
