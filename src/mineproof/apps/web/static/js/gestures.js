// Mouse, touch and keys on a board. Left opens, right flags, both or middle or a double click chords; a tap opens, a
// long press flags, two fingers zoom. Says what is meant; the board's owner decides what follows.
import { isClosed, isNumber } from "./cells.js";

const LONG_PRESS = 350;
const SLIP = 12; // px that a finger may move in a tap

export function listen(board) {
  const { grid, viewport } = board;
  const stop = new AbortController();
  const on = (target, type, handler, options = {}) =>
    target.addEventListener(type, handler, { signal: stop.signal, ...options });
  const tell = (what, ...rest) => board.on[what]?.(...rest);
  /** @type {any} */
  let down = null; // the press under way
  let flaggedByButton = false;

  const begin = (event) => {
    const index = board.indexAt(event.target);
    if (index === null || !board.show) return;
    if (event.pointerType === "touch") return void touchDown(event, index);
    if (event.button === 1) event.preventDefault();
    board.focusOn(index, false);
    const both = (event.buttons & 3) === 3;
    if (board.on.paint) {
      down = { index, painted: new Set([index]), button: event.button };
      tell("paint", index, event.button);
    } else if (both || event.button === 1) {
      down = { index, chord: true };
      board.press(index);
    } else if (event.button === 2) {
      flaggedByButton = true;
      down = null;
      const symbol = board.show.symbols[index];
      if (!isClosed(symbol)) return;
      down = { flagged: symbol, painted: new Set([index]) }; // dragged on, it does the same to other cells
      tell("flag", index);
    } else if (event.button === 0) {
      down = { index };
      board.press(index);
    }
  };

  const end = (event) => {
    board.release();
    const press = down;
    if (!press) return;
    if (press.touch) clearTimeout(press.timer);
    if (press.chord && event.buttons !== 0) return; // a chord ends when both buttons are up
    down = null;
    if (press.done || press.painted) return;
    const root = grid.getRootNode(); // a shadow tree in notebooks
    const released = root.elementFromPoint(event.clientX, event.clientY);
    if (!released || board.indexAt(released) !== press.index) return;
    if (press.chord) tell("chord", press.index);
    else if (press.touch) tell("tap", press.index);
    else tell("open", press.index);
  };

  const touchDown = (event, index) => {
    if (down) {
      clearTimeout(down.timer);
      down = null;
      board.release();
      return; // a second finger makes it a pinch
    }
    const press = { index, touch: true, x: event.clientX, y: event.clientY };
    press.timer = setTimeout(() => {
      press.done = true;
      board.release();
      tell("hold", index);
    }, LONG_PRESS);
    down = press;
    board.focusOn(index, false);
    board.press(index);
  };

  on(grid, "pointerdown", begin);
  // Pressing a second mouse button sends no pointerdown, but a mousedown.
  on(grid, "mousedown", (event) => {
    if (event.buttons === 3 && !board.on.paint) {
      const index = board.indexAt(event.target);
      if (index !== null && isNumber(board.show.symbols[index])) {
        down = { index, chord: true };
        board.press(index);
      } else down = null;
    }
    if (event.button === 1) event.preventDefault();
  });
  on(window, "pointerup", end);
  on(window, "pointercancel", () => {
    clearTimeout(down?.timer);
    down = null;
    board.release();
  });
  on(grid, "pointermove", (event) => {
    if (down?.touch && Math.hypot(event.clientX - down.x, event.clientY - down.y) > SLIP) {
      clearTimeout(down.timer);
      down = null;
      board.release();
    }
    if (down?.painted) {
      const index = board.indexAt(grid.getRootNode().elementFromPoint(event.clientX, event.clientY) ?? grid);
      if (index !== null && !down.painted.has(index)) {
        down.painted.add(index);
        if (!down.flagged) tell("paint", index, down.button, true);
        else if (board.show.symbols[index] === down.flagged) tell("flag", index);
      }
    }
  });
  on(grid, "click", (event) => {
    const index = board.indexAt(event.target);
    if (index !== null && event.detail === 0 && !board.on.paint) tell("open", index); // no pointer: a screen reader
  });
  on(grid, "dblclick", (event) => {
    const index = board.indexAt(event.target);
    if (index !== null && isNumber(board.show.symbols[index])) tell("chord", index);
  });
  on(grid, "contextmenu", (event) => {
    event.preventDefault();
    const index = board.indexAt(event.target);
    const byButton = flaggedByButton || event.pointerType === "touch" || event.button === 2;
    flaggedByButton = false;
    if (index !== null && !byButton) tell("flag", index); // the menu key, or a screen reader
  });
  on(grid, "pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const index = board.indexAt(event.target);
    board.light(index);
    tell("hover", index);
  });
  on(grid, "pointerleave", () => {
    board.light(null);
    tell("hover", null);
  });
  on(grid, "focusin", (event) => {
    const index = board.indexAt(event.target);
    if (index === null) return;
    if (index !== board.focus) board.focusOn(index, false);
    board.lightAxes(index);
    tell("select", index);
  });
  on(grid, "keydown", (event) => keyDown(board, event));
  on(grid, "wheel", (event) => {
    const index = board.indexAt(event.target);
    if (event.ctrlKey) {
      event.preventDefault();
      tell("zoom", Math.exp(-event.deltaY / 300), event);
    } else if (index !== null && board.on.wheel) {
      event.preventDefault();
      tell("wheel", index, Math.sign(event.deltaY));
    }
  }, { passive: false });
  pinch(board, viewport, on, tell);
  return () => stop.abort();
}

/** Two fingers zoom around the point between them. */
function pinch(board, viewport, on, tell) {
  let distance = 0;
  const span = ({ touches: [a, b] }) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  on(viewport, "touchstart", (event) => {
    if (event.touches.length === 2) distance = span(event);
  }, { passive: true });
  on(viewport, "touchmove", (event) => {
    if (event.touches.length !== 2 || !board.on.zoom) return;
    event.preventDefault();
    const now = span(event);
    const [a, b] = event.touches;
    tell("zoom", now / distance, { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 });
    distance = now;
  }, { passive: false });
}

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const LETTERS = { h: [0, -1], l: [0, 1], k: [-1, 0], j: [1, 0] };

function keyDown(board, event) {
  if (event.altKey || event.metaKey || !board.show) return;
  const { rows, cols } = board.show;
  const row = Math.floor(board.focus / cols);
  const col = board.focus % cols;
  const go = (r, c) => {
    event.preventDefault();
    event.stopPropagation();
    board.focusOn(Math.max(0, Math.min(rows - 1, r)) * cols + Math.max(0, Math.min(cols - 1, c)));
  };
  const step = ARROWS[event.key] ?? (board.on.paint || event.ctrlKey ? undefined : LETTERS[event.key]);
  if (step && !event.shiftKey) return go(row + step[0], col + step[1]);
  if (event.key === "Home") return go(event.ctrlKey ? 0 : row, 0);
  if (event.key === "End") return go(event.ctrlKey ? rows - 1 : row, cols - 1);
  if (event.key === "PageUp") return go(row - 10, col);
  if (event.key === "PageDown") return go(row + 10, col);
  if (event.ctrlKey) return undefined;
  if (board.on.key?.(event, board.focus)) {
    event.preventDefault();
    event.stopPropagation();
  }
  return undefined;
}
