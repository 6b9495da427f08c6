// What follows from a position: certain cells and the least risk; or the clues in conflict, and possible corrections.
import { html, useEffect, useState } from "../lib.js";
import { post } from "../api.js";
import { isClosed, nameAt, nameOf, neighbours, toText } from "../cells.js";
import { setOf } from "../overlay.js";
import { Button, Fold, Icon, Verdict, Waiting } from "../ui.js";
import { Count, Sentence, cellsListed, plural } from "../words.js";

export function conflictMarks(analysis, { rows, cols, symbols }) {
  const clues = cluesOf(analysis);
  const conflict = setOf(clues, cols);
  const disputed = new Set();
  for (const clue of conflict)
    for (const other of neighbours(clue, rows, cols)) if (isClosed(symbols[other])) disputed.add(other);
  return { conflict, disputed };
}

/** The clues in conflict; none if time ran out before they were found. */
const cluesOf = (analysis) => analysis.conflict?.clues ?? [];

/** What is wrong with a position that no board fits. */
export function contradiction(analysis) {
  const clues = cluesOf(analysis);
  const [noun, claim] = clues.length === 1 ? ["clue", "be right"] : ["clues", "all be right"];
  const given = analysis.conflict?.mine_count ? ", with this number of mines" : "";
  return clues.length
    ? `The ${noun} at ${cellsListed(clues, 8)} cannot ${claim}${given}.`
    : analysis.conflict
      ? "The number of mines does not fit the board."
      : "Time ran out before the clues in conflict were found.";
}

export function Conflict({ analysis, position, put, undo }) {
  const clues = cluesOf(analysis);
  return html`<${Verdict} sign="wrong" icon="cross" text="No board fits"
      note=${`0 solutions${clues.length ? ` · ${plural(clues.length, "clue")} in conflict` : ""}`} />
    <p class="prose"><${Sentence} text=${contradiction(analysis)} /></p>
    ${undo && html`<${Button} primary wide icon="undo" onClick=${undo}>Undo last change<//>`}
    <${Mends} clues=${clues} position=${position} put=${put} />`;
}

/** Numbers that would make the position consistent if a clue in conflict showed them. */
function Mends({ clues, position, put }) {
  const [mends, setMends] = useState(null);
  const key = toText(position);
  useEffect(() => {
    const stop = new AbortController();
    setMends(null);
    const tries = clues.slice(0, 4).flatMap(([row, col]) => {
      const index = row * position.cols + col;
      const now = Number(position.symbols[index]);
      return [now - 1, now + 1, now - 2, now + 2]
        .filter((number) => number >= 0 && number <= 8)
        .map((number) => ({ index, now, number }));
    });
    (async () => {
      const corrections = [];
      for (const attempt of tries) {
        const symbols =
          position.symbols.slice(0, attempt.index) + attempt.number + position.symbols.slice(attempt.index + 1);
        const question = { position: toText({ ...position, symbols }), seconds: 1 };
        const analysis = await post("analyse", question, stop.signal).catch(() => null); // then it is not offered
        if (stop.signal.aborted) return;
        if (analysis?.consistent) corrections.push({ ...attempt, symbols, solutions: analysis.solutions });
      }
      setMends(corrections);
    })();
    return () => stop.abort();
  }, [key]);
  if (!clues.length || mends?.length === 0) return null;
  return html`<section class="section">
    <h3 class="section__title"><span>Possible corrections</span><span>boards</span></h3>
    ${mends
      ? html`<div class="mends">
          ${mends.slice(
            0,
            6,
          ).map(({ index, now, number, symbols, solutions }) => html`<button key=${`${index}.${number}`} type="button"
            class="mend" onClick=${() => put({ ...position, symbols })}>
            <b class="ref">${nameOf(index, position.cols)}</b>
            <span class="mend__swap">
              <span class="cell" data-n=${now || undefined}>${now || ""}</span><${Icon} name="arrow" />
              <span class="cell" data-n=${number || undefined}>${number || ""}</span>
            </span>
            <span class="mend__count">${solutions ? html`<${Count} digits=${String(solutions)} />` : ""}</span>
          </button>`)}
        </div>`
      : html`<${Waiting} text="Trying" />`}
  </section>`;
}

/** What follows from a position that some board fits: the move to make, the number of boards, and all certain cells. */
export function Follows({ analysis: { safe, mined, best, solutions, exact }, mode, ask }) {
  const chips = (title, cells) => cells.length > 0 && html`<${Fold} title=${title} end=${cells.length}>
    <p class="prose fold__pad">
      ${cells.slice(0, 60).map((cell, i) => html`${i > 0 && " "}
        <button key=${String(cell)} type="button" class="chip chip--button" title="Why?" data-cell=${nameAt(cell)}
          onClick=${() => ask(cell)}>
          ${nameAt(cell)}
        </button>`)}
      ${cells.length > 60 && ` and ${cells.length - 60} more`}
    </p>
  <//>`;
  const move = best?.cell ?? safe[0];
  const name = move && nameAt(move);
  return html`${!move
      ? html`<${Verdict} sign="quiet" icon="sure" text="Nothing left to open" note="" />`
      : safe.length
        ? html`<${Verdict} sign="safe" icon="tick" text=${`Open ${name}`} note="certainly safe" />`
        : html`<${Verdict} sign="quiet" icon="target" text=${`Guess ${name}`} note="no cell is certainly safe" />
            <p class="prose"><${Sentence} text=${best.text} /></p>`}
    ${move &&
    html`<${Button} primary wide data-cell=${name} onClick=${() => ask(move)}>Why ${name}?<//>`}
    <div class="figure">
      ${solutions && exact !== false
        ? html`<span class="figure__number"><${Count} digits=${String(solutions)} /></span>
            <span class="figure__unit">${solutions === "1" ? "board fits" : "boards fit"}</span>`
        : html`<span class="figure__number">Estimated</span>
            <span class="figure__unit">too many ways to count in time</span>`}
    </div>
    ${chips("Certain safe", safe)}${chips("Certain mines", mined)}
    <p class="note">
      ${mode === "ask"
        ? "A click says why a cell is safe or a mine; P paints instead."
        : "A click paints the chosen symbol; A asks instead."}
      ${" "}The keys 0 to 8, H, F, Q, S and * choose it, and paint the cell that the arrows have reached; the wheel
      cycles through them.
    </p>`;
}
