// Questions about a position and their answers. The panels show them, and the board draws them.
import { nameAt } from "../cells.js";
import { marksOf } from "../overlay.js";
import { Store } from "../store.js";

const NOTHING = { hint: null, rung: 0, why: null, step: 0, busy: null, failed: null };

/** An explanation, shown at its last step. */
const explained = (why) => ({ why, step: Math.max(0, why.steps.length - 1) });

export class Coach extends Store {
  /** `source` has hint(), why(cell) and prove(cell), which promise the JSON of the server, and cancel(promise). */
  constructor(source, tab = "hint") {
    super({ tab, ...NOTHING });
    this.source = source;
    this.prove = (cell) => source.prove(cell);
  }

  /** Discard all answers, because the position has changed. */
  forget() {
    this.cancel();
    this.set(NOTHING);
  }

  cancel() {
    if (this.value.busy) this.source.cancel?.(this.value.busy);
    this.set({ busy: null });
  }

  show(tab) {
    if (tab !== this.value.tab) this.set({ tab });
  }

  async fetch(pending, take) {
    this.cancel();
    this.set({ busy: pending, failed: null });
    try {
      const answer = await pending;
      if (this.value.busy === pending) this.set({ busy: null, ...take(answer) });
    } catch (error) {
      if (this.value.busy === pending)
        this.set({ busy: null, failed: error.kind === "cancelled" ? null : error.message });
    }
  }

  /** Show one more part of the hint. The first part asks the server. */
  async more() {
    this.show("hint");
    const { hint, rung, busy } = this.value;
    if (busy && busy === this.looking) return; // asking again would begin the search anew
    if (!hint) {
      this.looking = this.source.hint();
      await this.fetch(this.looking, (answer) => ({ hint: answer, rung: 1, why: null }));
    }
    else if (hint.certain && hint.level !== undefined && rung < 5) await this.toRung(rung + 1);
  }

  async toRung(rung) {
    const { hint, why } = this.value;
    this.set({ rung });
    if (rung === 5 && String(why?.cell) !== String(hint.cell)) {
      await this.fetch(this.source.why(nameAt(hint.cell)), explained);
    }
  }

  async ask(cell) {
    this.show("why");
    if (this.value.why && nameAt(this.value.why.cell) === cell) return;
    this.set({ hint: null, rung: 0, why: null });
    await this.fetch(this.source.why(cell), explained);
  }

  async mayGuess() {
    await this.fetch(this.source.hint(), (answer) => ({ hint: answer, rung: 1 }));
  }

  toStep(step) {
    const { why } = this.value;
    if (why && step >= 0 && step < why.steps.length) this.set({ step });
  }

  /** The marks on the board for the answer that is shown. */
  marks(cols) {
    const { tab, hint, rung, why, step } = this.value;
    const index = ([row, col]) => row * cols + col;
    if (tab === "why" && why) return { marks: marksOf(why.steps, step, cols), chosen: index(why.cell) };
    if (tab !== "hint" || !hint) return {};
    if (!hint.certain) return hint.cell ? { best: index(hint.cell) } : {};
    if (rung === 5 && why) return { marks: marksOf(why.steps, step, cols), chosen: index(hint.cell) };
    if (hint.level === undefined) return { chosen: index(hint.cell) }; // before the first click: the cell to begin with
    const marks = new Map();
    if (rung >= 3) for (const clue of hint.clues) marks.set(index(clue), { role: "clue" });
    if (rung >= 4) marks.set(index(hint.cell), { role: "settled", verdict: hint.verdict });
    return { marks };
  }
}
