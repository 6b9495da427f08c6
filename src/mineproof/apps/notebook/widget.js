// A game in a notebook: the board of the web page, a bar, and reasons. Python holds the game and says what may be seen;
// here is only what is drawn. STYLE and SIGNS come from page.py, which also puts the imported files in front of this
// one.
import { Board, glyph } from "../web/static/js/board.js";
import { isClosed, isNumber, nameOf } from "../web/static/js/cells.js";
import { marksOf, overlayOf } from "../web/static/js/overlay.js";
import { percent } from "../web/static/js/percent.js";

const HELP =
  "Left opens, right flags, a double click on a number opens the rest around it. " +
  "On the keyboard: arrows, Enter, F flag, C chord, Y why, O odds, U undo.";
const MODES = [["open", "Open"], ["flag", "Flag"], ["why", "Why?"]];

function node(tag, className, parent, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

function button(parent, text, act) {
  const made = node("button", "btn", parent, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** The colour scheme of the notebook; undefined if it names none. */
function scheme() {
  const { dataset, classList } = document.body;
  if (dataset.jpThemeLight !== undefined) return dataset.jpThemeLight === "true" ? "light" : "dark";
  return ["dark", "light"].find((name) => classList.contains(`vscode-${name}`));
}

class View {
  constructor(model, el) {
    this.model = model;
    this.questions = new Map(); // id -> {resolve, reject}
    /** @type {[string, HTMLElement][]} */
    this.modes = []; // the name of each, and its button
    this.mode = "open";
    this.odds = false;
    this.analysis = null;
    this.why = null;
    this.at = 0;
    this.failed = null;
    el.dataset.lmSuppressShortcuts = "true"; // the notebook must not take the keys of the board
    const host = node("div", "", el);
    this.host = host;
    const tree = host.attachShadow({ mode: "open" });
    node("style", "", tree, STYLE);
    this.root = node("div", "widget", tree);
    this.root.innerHTML = SIGNS;
    this.root.addEventListener("keydown", (event) => event.stopPropagation());
    const play = node("div", "widget__play", this.root);
    const status = node("div", "status", play);
    this.left = node("span", "counter", status);
    this.state = node("span", "note", status);
    const viewport = node("div", "viewport", play);
    // a right click sets a flag, and opens no menu of the notebook
    viewport.addEventListener("contextmenu", (event) => event.stopPropagation());
    this.board = new Board(viewport, this.handlers());
    this.bar(node("div", "toolbar", play));
    this.coach = node("div", "widget__coach", this.root);
    this.coach.setAttribute("role", "status");
    this.paint = () => {
      const now = scheme();
      if (now) this.root.dataset.theme = now;
      else delete this.root.dataset.theme;
      if (matchMedia("(prefers-contrast: more)").matches) this.root.dataset.contrast = "more";
    };
    this.paint();
    this.themes = new MutationObserver(this.paint);
    this.themes.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light"] });
    this.onChange = () => this.changed();
    this.onMessage = (message) => this.hear(message);
    model.on("change:board", this.onChange);
    model.on("msg:custom", this.onMessage);
    this.changed();
  }

  destroy() {
    this.model.off("change:board", this.onChange);
    this.model.off("msg:custom", this.onMessage);
    this.themes.disconnect();
    this.board.destroy();
    this.host.remove();
  }

  get game() {
    return this.model.get("board");
  }

  bar(bar) {
    const group = node("div", "segmented", bar);
    group.setAttribute("role", "radiogroup");
    group.setAttribute("aria-label", "What a click does");
    this.modes = MODES.map(([mode, text]) => {
      const item = node("button", "segmented__item", group, text);
      item.type = "button";
      item.setAttribute("role", "radio");
      item.addEventListener("click", () => this.setMode(mode));
      return [mode, item];
    });
    group.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const next = (MODES.findIndex(([mode]) => mode === this.mode) + by + MODES.length) % MODES.length;
      this.setMode(MODES[next][0]);
      this.modes[next][1].focus();
    });
    this.oddsButton = button(bar, "Odds", () => this.toggleOdds());
    this.undoButton = button(bar, "Undo", () => this.play("undo"));
    button(bar, "New game", () => this.tell(this.ask({ do: "new" })));
    this.setMode("open");
  }

  setMode(mode) {
    this.mode = mode;
    for (const [name, item] of this.modes) {
      item.setAttribute("aria-checked", String(name === mode));
      item.tabIndex = name === mode ? 0 : -1;
    }
  }

  // ---- asking ---------------------------------------------------------------------------------------------------

  ask(message) {
    const id = `${Date.now()}-${Math.random()}`;
    return new Promise((resolve, reject) => {
      this.questions.set(id, { resolve, reject });
      this.model.send({ id, ...message });
    });
  }

  hear({ id, ok, error }) {
    const question = this.questions.get(id);
    if (!question) return; // it answers another view of the same game
    this.questions.delete(id);
    if (error === undefined) question.resolve(ok);
    else question.reject(new Error(error));
  }

  /** Wait for an answer, and show its error if it has one. */
  async tell(promise) {
    try {
      await promise;
      return true;
    } catch (error) {
      this.failed = error.message;
      this.draw();
      return false;
    }
  }

  // ---- playing --------------------------------------------------------------------------------------------------

  async play(kind, index) {
    this.failed = null;
    this.ripple = index;
    const done = await this.tell(
      this.ask({ do: "move", move: index === undefined ? kind : `${kind} ${nameOf(index, this.game.cols)}` }),
    );
    if (!done && kind === "chord") this.board.shake();
  }

  open(index) {
    const { symbols, open_flags: openFlags, state } = this.game;
    if (state === "playing" && isClosed(symbols[index]) && (symbols[index] !== "F" || openFlags))
      this.play("open", index); // a flag protects its cell from clicks
  }

  flag(index) {
    const { symbols, questions, state } = this.game;
    if (state !== "playing" || !isClosed(symbols[index])) return;
    this.play({ F: questions ? "question" : "unflag", Q: "unflag" }[symbols[index]] ?? "flag", index);
  }

  chord(index) {
    const { symbols, state } = this.game;
    if (state === "playing" && symbols[index] >= "1" && symbols[index] <= "8") this.play("chord", index);
  }

  async explain(index) {
    const { symbols, cols, state, step } = this.game;
    if (state !== "playing" || !isClosed(symbols[index])) return;
    this.failed = null;
    await this.tell(this.ask({ do: "why", cell: nameOf(index, cols) }).then((why) => {
      if (this.game.step !== step) return;
      this.why = why;
      this.at = Math.max(0, why.steps.length - 1);
      this.draw();
    }));
  }

  toggleOdds() {
    this.odds = !this.odds;
    this.oddsButton.setAttribute("aria-pressed", String(this.odds));
    this.failed = null;
    this.draw();
    this.refreshOdds();
  }

  async refreshOdds() {
    const { step, state, unlaid } = this.game;
    if (!this.odds || this.analysis || state !== "playing" || unlaid) return;
    await this.tell(this.ask({ do: "odds" }).then((analysis) => {
      if (this.game.step !== step) return;
      this.analysis = analysis;
      this.draw();
    }));
  }

  handlers() {
    const click = (index) => {
      if (this.mode === "why") this.explain(index);
      else if (this.mode === "flag") this.flag(index);
      else this.open(index);
    };
    const keys = {
      Enter: (index) => (isNumber(this.game.symbols[index]) ? this.chord(index) : this.open(index)),
      f: (index) => this.flag(index),
      c: (index) => this.chord(index),
      y: (index) => this.explain(index),
      o: () => this.toggleOdds(),
      u: () => this.play("undo"),
    };
    keys[" "] = keys.Enter;
    return {
      open: click,
      tap: (index) => (isNumber(this.game.symbols[index]) ? this.chord(index) : click(index)),
      hold: (index) => this.flag(index),
      flag: (index) => this.flag(index),
      chord: (index) => this.chord(index),
      key: (event, index) => {
        keys[event.key]?.(index);
        return event.key in keys;
      },
    };
  }

  // ---- drawing --------------------------------------------------------------------------------------------------

  /** Draw the game anew, without the answers about its last position. */
  changed() {
    this.analysis = null;
    this.why = null;
    this.failed = null;
    this.draw();
    this.ripple = undefined;
    this.refreshOdds();
  }

  draw() {
    const game = this.game;
    const { rows, cols, symbols, state } = game;
    const over = state !== "playing";
    this.root.style.setProperty("--cols", cols);
    this.left.replaceChildren(glyph("flag"), game.mines_left);
    node("span", "counter__note", this.left, "mines left");
    this.state.textContent = over
      ? `${state[0].toUpperCase()}${state.slice(1)}: ${game.id}`
      : `${cols} × ${rows}, ${game.mines} mines`;
    this.undoButton.disabled = game.step === 0;
    const hit = state === "lost" ? [...symbols].flatMap((symbol, index) => (symbol === "*" ? [index] : [])) : [];
    const show = {
      rows, cols, symbols, label: "Minesweeper board", still: over, ripple: this.ripple, hit: new Set(hit),
      wrong: new Set(game.wrong),
    };
    if (!over)
      Object.assign(show, overlayOf(this.analysis, game, { odds: this.odds, certain: this.odds, best: this.odds }));
    if (this.why)
      Object.assign(show, {
        marks: marksOf(this.why.steps, this.at, cols), chosen: this.why.cell[0] * cols + this.why.cell[1],
      });
    this.board.update(show);
    this.drawCoach(show.unseen?.risk ?? null);
  }

  /** `unseen`: the risk of the cells that no clue sees, which is not written on each of them. */
  drawCoach(unseen) {
    const { coach, why, analysis } = this;
    coach.replaceChildren();
    if (this.failed) node("p", "widget__wrong", coach, this.failed);
    if (this.odds && this.game.unlaid)
      node("p", "prose", coach, "The mines are laid after the first click: there are no odds yet.");
    if (this.odds && analysis) node("p", "prose", coach, this.counted(analysis, unseen));
    if (why) {
      node("h3", "verdict__text", coach, why.claim);
      if (why.note) node("p", "verdict__note", coach, why.note);
      if (!why.steps.length) node("p", "prose", coach, why.text);
      const list = node("ol", "steps", coach);
      why.steps.forEach((step, i) => this.drawStep(list, step, i));
    } else if (!this.failed && !analysis) node("p", "note", coach, HELP);
  }

  drawStep(list, step, i) {
    const item = node("li", "step", list);
    const number = node("span", "step__no", item, i + 1);
    number.setAttribute("aria-hidden", "true");
    const pick = node("p", "step__text", item, step.text);
    pick.tabIndex = 0;
    if (i === this.at) item.setAttribute("aria-current", "step");
    const choose = () => {
      this.at = i;
      this.draw();
      this.root.querySelectorAll(".step__text")[i].focus();
    };
    item.addEventListener("click", choose);
    pick.addEventListener("keydown", (event) => event.key === "Enter" && choose());
  }

  counted({ consistent, exact, complete, safe, mined, best, solutions }, unseen) {
    if (consistent === false) return "No board fits these numbers.";
    const boards = !exact
      ? "Too many boards to count: the odds are estimates."
      : solutions && solutions.length < 16
        ? `${Number(solutions).toLocaleString("en")} boards fit.`
        : "";
    const mines = `${mined.length} ${mined.length === 1 ? "mine" : "mines"}`;
    const certain = `Certain: ${safe.length} safe, ${mines}${complete ? "" : ", perhaps more"}.`;
    const guess = best && !safe.length ? best.text : "";
    const elsewhere = unseen === null ? "" : `Cells without a number beside them: ${percent(unseen)}\u00a0%.`;
    return [boards, certain, elsewhere, guess].filter(Boolean).join(" ");
  }
}

export default {
  render({ model, el }) {
    const view = new View(model, el);
    return () => view.destroy();
  },
};
