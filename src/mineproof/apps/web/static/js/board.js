// The board: an ARIA grid that draws only what is visible and updates only what has changed.
//
// It is plain DOM, without a view library, so that it can be used anywhere. Give it an element and handlers, then call
// `update` with what to show; it reports clicks, keys and hovering, and never changes a position itself.
import { columnName, indexOf, isClosed, isNumber, nameOf, neighbours } from "./cells.js";
import { lookOf } from "./looks.js";
import { listen } from "./gestures.js";

const DRAWN_WHOLE = 3000; // a board of at most this many cells is drawn as a whole
const MARGIN = 4; // rows and columns that are drawn beyond the visible part
const SVG = "http://www.w3.org/2000/svg";

export function glyph(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", `glyph glyph--${name}`);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}

const element = (className, parent) => {
  const node = document.createElement("div");
  node.className = className;
  parent?.append(node);
  return node;
};

export class Board {
  /** `on` has the handlers, all optional and called with the index of a cell: open, flag, chord, paint, hover, select,
   * tap, hold, wheel, key and zoom. */
  constructor(viewport, on = {}) {
    this.viewport = viewport;
    this.on = on;
    this.rowNodes = new Map();
    this.cellNodes = new Map(); // index -> {node, key}
    this.focus = 0;
    this.frame = 0; // of the scheduled drawing; 0: none
    this.lit = new Set();
    /** @type {{cols: HTMLElement[], rows: HTMLElement[]}} */
    this.labels = { cols: [], rows: [] };
    /** @type {any} */
    this.show = null; // until the first update
    this.root = element("board", viewport);
    this.corner = element("board__corner", this.root);
    this.colAxis = element("board__cols", this.root);
    this.rowAxis = element("board__rows", this.root);
    this.grid = element("grid", this.root);
    this.grid.setAttribute("role", "grid");
    for (const axis of [this.colAxis, this.rowAxis]) axis.setAttribute("aria-hidden", "true");
    this.stop = listen(this);
    this.grid.addEventListener("point", (event) => this.point(/** @type {CustomEvent} */ (event).detail));
    this.onScroll = () => this.schedule();
    viewport.addEventListener("scroll", this.onScroll, { passive: true });
    this.watch = new ResizeObserver(this.onScroll);
    this.watch.observe(viewport);
    this.watch.observe(this.grid);
  }

  destroy() {
    this.stop();
    this.watch.disconnect();
    this.viewport.removeEventListener("scroll", this.onScroll);
    cancelAnimationFrame(this.frame);
    this.root.remove();
  }

  /** Draw what has changed. @param {import("./looks.js").Shown} show */
  update(show) {
    const before = this.show;
    this.show = show;
    if (!before || before.rows !== show.rows || before.cols !== show.cols || before.bare !== show.bare) this.rebuild();
    const kinds = ["bare", "still", "edit", "party"].map((kind) => show[kind] && `board--${kind}`);
    this.root.className = ["board", ...kinds].filter(Boolean).join(" ");
    this.grid.setAttribute("aria-label", show.label ?? "Board");
    if (show.still) this.grid.setAttribute("aria-readonly", "true");
    else this.grid.removeAttribute("aria-readonly");
    this.drawWindow();
  }

  rebuild() {
    const { rows, cols, bare } = this.show;
    this.root.style.setProperty("--rows", rows);
    this.root.style.setProperty("--cols", cols);
    this.grid.setAttribute("aria-rowcount", rows);
    this.grid.setAttribute("aria-colcount", cols);
    this.grid.replaceChildren();
    this.rowNodes.clear();
    this.cellNodes.clear();
    this.focus = Math.min(this.focus, rows * cols - 1);
    this.labels = { cols: [], rows: [] };
    for (const axis of [this.corner, this.colAxis, this.rowAxis]) axis.hidden = Boolean(bare);
    const label = (axis, side, i, text) => {
      const span = document.createElement("span");
      span.textContent = text;
      span.style[side] = `calc(1px + ${i} * var(--pitch))`;
      axis.append(span);
      return span;
    };
    this.colAxis.replaceChildren();
    this.rowAxis.replaceChildren();
    if (bare) return;
    for (let c = 0; c < cols; c++) this.labels.cols.push(label(this.colAxis, "left", c, columnName(c)));
    for (let r = 0; r < rows; r++) this.labels.rows.push(label(this.rowAxis, "top", r, r + 1));
  }

  schedule() {
    if (!this.show || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.drawWindow(true);
    });
  }

  get pitch() {
    return this.grid.clientWidth / this.show.cols || 1;
  }

  /** [first row, row after the last, first column, column after the last] that are drawn. */
  window() {
    const { rows, cols } = this.show;
    if (rows * cols <= DRAWN_WHOLE) return [0, rows, 0, cols];
    const pitch = this.pitch;
    const view = this.viewport;
    const clampTo = (value, most) => Math.max(0, Math.min(most, value));
    return [
      clampTo(Math.floor(view.scrollTop / pitch) - MARGIN, rows),
      clampTo(Math.ceil((view.scrollTop + view.clientHeight) / pitch) + MARGIN, rows),
      clampTo(Math.floor(view.scrollLeft / pitch) - MARGIN, cols),
      clampTo(Math.ceil((view.scrollLeft + view.clientWidth) / pitch) + MARGIN, cols),
    ];
  }

  /** Draw the visible cells; with `onlyNew`, after scrolling, only those that were not drawn before. */
  drawWindow(onlyNew = false) {
    if (!this.show) return;
    const { rows, cols } = this.show;
    const [top, bottom, left, right] = this.window();
    const inside = (index) => {
      const row = Math.floor(index / cols);
      const col = index % cols;
      return row >= top && row < bottom && col >= left && col < right;
    };
    if (rows * cols > DRAWN_WHOLE) {
      for (const [index, cell] of this.cellNodes) {
        if (inside(index) || index === this.focus) continue;
        cell.node.remove();
        this.cellNodes.delete(index);
      }
      for (const [row, node] of this.rowNodes) {
        if (node.firstChild) continue;
        node.remove();
        this.rowNodes.delete(row);
      }
    }
    for (let row = top; row < bottom; row++) {
      for (let col = left; col < right; col++)
        if (!onlyNew || !this.cellNodes.has(row * cols + col)) this.drawCell(row * cols + col);
    }
    if (!inside(this.focus)) this.drawCell(this.focus);
  }

  rowNode(row) {
    let node = this.rowNodes.get(row);
    if (!node) {
      node = element("grid__row");
      node.setAttribute("role", "row");
      node.setAttribute("aria-rowindex", String(row + 1));
      node.dataset.row = String(row);
      node.style.top = `calc(1px + ${row} * var(--pitch))`;
      const rows = /** @type {HTMLElement[]} */ ([...this.grid.children]);
      const after = rows.find((other) => Number(other.dataset.row) > row); // they are read in order
      this.grid.insertBefore(node, after ?? null);
      this.rowNodes.set(row, node);
    }
    return node;
  }

  cellNode(index) {
    let cell = this.cellNodes.get(index);
    if (!cell) {
      const { cols } = this.show;
      const node = document.createElement("div");
      const col = index % cols;
      node.setAttribute("role", "gridcell");
      node.setAttribute("aria-colindex", String(col + 1));
      node.dataset.index = String(index);
      node.style.left = `calc(1px + ${col} * var(--pitch))`;
      node.tabIndex = -1;
      const row = this.rowNode(Math.floor(index / cols));
      const last = row.lastElementChild;
      const after =
        last && Number(last.dataset.index) > index
          ? [...row.children].find((other) => Number(other.dataset.index) > index)
          : null;
      row.insertBefore(node, after);
      cell = { node, key: null };
      this.cellNodes.set(index, cell);
    }
    return cell;
  }

  drawCell(index) {
    const cell = this.cellNode(index);
    const look = lookOf(this.show, index, this.lit.has(index));
    const focused = index === this.focus;
    const key = `${look.key}|${focused}`;
    if (cell.key === key) return;
    const { node } = cell;
    const opened = cell.symbol && isClosed(cell.symbol) && isNumber(look.symbol);
    cell.key = key;
    cell.symbol = look.symbol;
    node.className = look.className;
    node.setAttribute("aria-label", look.name);
    node.tabIndex = focused ? 0 : -1;
    for (const name of ["n", "odds", "step"]) {
      if (look[name] === undefined) delete node.dataset[name];
      else node.dataset[name] = look[name];
    }
    node.replaceChildren(...look.content.map((part) => this.part(part)));
    if (opened && this.show.ripple !== undefined) this.rippleFrom(node, index);
  }

  part({ kind, text, side }) {
    if (kind === "glyph") return glyph(text);
    const node = document.createElement("span");
    node.textContent = text;
    if (kind === "callout") {
      node.className = `callout callout--${side}`;
      node.setAttribute("aria-hidden", "true");
    } else if (kind) node.className = `cell__${kind}`;
    return node;
  }

  /** Let an opening spread from the clicked cell, in at most 150 ms. */
  rippleFrom(node, index) {
    const { cols, ripple } = this.show;
    const far = Math.max(
      Math.abs(Math.floor(index / cols) - Math.floor(ripple / cols)),
      Math.abs((index % cols) - (ripple % cols)),
    );
    node.style.animationDelay = `${Math.min(far * 8, 120)}ms`;
    node.classList.add("is-rippling");
    node.addEventListener("animationend", () => node.classList.remove("is-rippling"), { once: true });
  }

  /** Highlight the neighbours of a number, or the clues that see a closed cell. */
  light(index) {
    const before = this.lit;
    this.lit = new Set();
    if (index !== null && this.show && !this.show.still) {
      const { rows, cols, symbols } = this.show;
      const wanted = isClosed(symbols[index]) ? (s) => s >= "1" && s <= "8" : isClosed;
      if (symbols[index] !== "0")
        for (const other of neighbours(index, rows, cols)) if (wanted(symbols[other])) this.lit.add(other);
    }
    for (const other of new Set([...before, ...this.lit])) if (this.cellNodes.has(other)) this.drawCell(other);
    this.lightAxes(index);
  }

  /** Ring the cell that a sentence names, or none; with `reveal`, scroll to it. */
  point({ name, reveal }) {
    this.pointed?.classList.remove("is-pointed");
    this.pointed = null;
    const index = name ? indexOf(name, this.show.rows, this.show.cols) : -1;
    this.lightAxes(index < 0 ? null : index);
    if (index < 0) return;
    if (reveal) {
      this.viewport.scrollIntoView({ block: "nearest" });
      this.reveal(index);
    }
    this.drawCell(index);
    this.pointed = this.cellNodes.get(index).node;
    this.pointed.classList.add("is-pointed");
  }

  lightAxes(index) {
    for (const old of this.axesLit ?? []) old.classList.remove("board__axis-lit");
    this.axesLit = [];
    if (index === null || this.show.bare) return;
    const { cols } = this.show;
    this.axesLit = [this.labels.cols[index % cols], this.labels.rows[Math.floor(index / cols)]].filter(Boolean);
    for (const label of this.axesLit) label.classList.add("board__axis-lit");
  }

  /** Make a cell the one that Tab reaches; with `grab`, focus it. */
  focusOn(index, grab = true) {
    const before = this.focus;
    this.focus = index;
    if (this.cellNodes.has(before)) this.drawCell(before);
    this.drawCell(index);
    const { node } = this.cellNodes.get(index);
    if (grab) {
      this.reveal(index);
      node.focus({ preventScroll: true });
    }
  }

  /** Scroll a cell into view, clear of the axes. */
  reveal(index) {
    const { cols } = this.show;
    const pitch = this.pitch;
    const view = this.viewport;
    const axis = this.show.bare ? 0 : 26;
    const along = (at, size, scroll, lead) => {
      const from = at * pitch;
      if (from < scroll) return from - pitch;
      if (from + pitch + lead > scroll + size) return from + 2 * pitch + lead - size;
      return scroll;
    };
    view.scrollTop = along(Math.floor(index / cols), view.clientHeight, view.scrollTop, axis);
    view.scrollLeft = along(index % cols, view.clientWidth, view.scrollLeft, axis);
  }

  shake() {
    this.grid.classList.remove("is-shaking");
    void this.grid.offsetWidth; // reading a size restarts the animation
    this.grid.classList.add("is-shaking");
  }

  indexAt(target) {
    const node = target.closest?.("[role=gridcell]");
    return node && this.grid.contains(node) ? Number(node.dataset.index) : null;
  }

  press(index) {
    this.release();
    const cell = this.cellNodes.get(index);
    if (!cell || this.show.still) return;
    const { rows, cols, symbols } = this.show;
    const pressed = symbols[index] === "H" || symbols[index] === "S" ? [index] : [];
    if (isNumber(symbols[index]) && symbols[index] !== "0")
      pressed.push(...neighbours(index, rows, cols).filter((i) => symbols[i] === "H"));
    this.pressed = pressed.map((i) => this.cellNodes.get(i)?.node).filter(Boolean);
    for (const node of this.pressed) node.classList.add("is-pressed");
  }

  release() {
    for (const node of this.pressed ?? []) node.classList.remove("is-pressed");
    this.pressed = [];
  }

  name(index) {
    return nameOf(index, this.show.cols);
  }
}
