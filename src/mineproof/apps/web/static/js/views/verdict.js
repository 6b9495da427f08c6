// What follows from a position: certain cells and the least risk; or the clues in conflict, and possible corrections.
import { html, useEffect, useState } from "../lib.js";
import { post } from "../api.js";
import { isClosed, nameAt, nameOf, neighbours, toText } from "../cells.js";
import { setOf } from "../overlay.js";
import { Button, Icon, Verdict, Waiting } from "../ui.js";
import { Count, Sentence, cellsListed } from "../words.js";

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

export function Conflict({ analysis, position, put, undo }) {
  const clues = cluesOf(analysis);
  const [noun, claim] = clues.length === 1 ? ["clue", "be right"] : ["clues", "all be right"];
  const given = analysis.conflict?.mine_count ? ", with this number of mines" : "";
  const text = clues.length
    ? `The ${noun} at ${cellsListed(clues, 8)} cannot ${claim}${given}.`
    : analysis.conflict
      ? "The number of mines does not fit the board."
      : "Time ran out before the clues in conflict were found.";
  return html`<${Verdict} sign="wrong" icon="cross" text="No board fits"
      note=${`0 solutions${clues.length ? ` · ${clues.length} ${noun} in conflict` : ""}`} />
    <p class="prose"><${Sentence} text=${text} /></p>
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

/** What follows from a position that some board fits. */
export function Follows({ analysis: { safe, mined, best, solutions, exact }, ask }) {
  const chips = (cells) => html`<p class="prose">
    ${cells.slice(0, 24).map((cell, i) => html`${i > 0 && " "}
      <button key=${String(cell)} type="button" class="chip chip--button" title="Why?" onClick=${() => ask(cell)}>
        ${nameAt(cell)}
      </button>`)}
    ${cells.length > 24 && ` and ${cells.length - 24} more`}
  </p>`;
  return html`<div class="figure">
      ${solutions && exact !== false
        ? html`<span class="figure__number"><${Count} digits=${String(solutions)} /></span>
            <span class="figure__unit">${solutions === "1" ? "board fits" : "boards fit"}</span>`
        : html`<span class="figure__number">Estimated</span>
            <span class="figure__unit">too many ways to count in time</span>`}
    </div>
    ${safe.length > 0 &&
    html`<section class="section">
      <h3 class="section__title"><span>Certain safe</span><span>${safe.length}</span></h3>${chips(safe)}
    </section>`}
    ${mined.length > 0 &&
    html`<section class="section">
      <h3 class="section__title"><span>Certain mines</span><span>${mined.length}</span></h3>${chips(mined)}
    </section>`}
    ${!safe.length &&
    best &&
    html`<${Verdict} sign="quiet" icon="target" text="No certain move" note="a guess is needed" />
      <p class="prose"><${Sentence} text=${best.text} /></p>`}
    ${!safe.length && !best && html`<${Verdict} sign="quiet" icon="sure" text="Nothing left to open" note="" />`}
    <p class="note">
      Choose a cell to see why. Keys paint: 0 to 8, H, F, Q, S, *; the wheel cycles through them; Y asks why.
    </p>`;
}
