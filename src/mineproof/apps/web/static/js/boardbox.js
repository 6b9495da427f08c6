// The board as a component: size, zoom and scrolling around board.js.
import { html, useLayoutEffect, useRef } from "./lib.js";
import { Board } from "./board.js";

const LEAST = 14;
const MOST = 128;

/** `show` as in board.js; `on` its handlers; `handle` a ref that receives the board. */
export function BoardBox({ show, on = {}, handle, cell, children, className = "" }) {
  const viewport = useRef();
  const board = useRef();
  const handlers = useRef(on);
  handlers.current = on;
  useLayoutEffect(() => {
    const view = viewport.current;
    const through = {};
    for (const name of Object.keys(on)) through[name] = (...rest) => handlers.current[name]?.(...rest);
    through.zoom ??= (factor, at) => zoomBy(board.current, factor, at);
    board.current = new Board(view, through);
    if (handle) handle.current = board.current;
    return () => board.current.destroy();
  }, []);
  useLayoutEffect(() => {
    if (cell) viewport.current.style.setProperty("--cell", `${cell}px`);
  }, [cell]);
  useLayoutEffect(() => board.current.update(show), [show]);
  return html`<div class=${`viewport ${className}`} ref=${viewport}>${children}</div>`;
}

/** Make the cells larger or smaller around a point, or, if `factor` is null, as large as fits. */
export function zoomBy(board, factor, at) {
  const stage = board?.viewport.closest(".stage__inner");
  if (!stage) return;
  if (factor === null) {
    stage.style.removeProperty("--zoom");
    return;
  }
  const before = board.pitch;
  const now = board.zoomed ?? before - 1;
  const size = Math.max(LEAST, Math.min(MOST, now * factor));
  board.zoomed = size;
  const box = board.viewport.getBoundingClientRect();
  const x = (at?.clientX ?? box.left + box.width / 2) - box.left;
  const y = (at?.clientY ?? box.top + box.height / 2) - box.top;
  const { scrollLeft, scrollTop } = board.viewport;
  stage.style.setProperty("--zoom", `${Math.round(size)}px`);
  const scale = board.pitch / before;
  board.viewport.scrollLeft = (scrollLeft + x) * scale - x;
  board.viewport.scrollTop = (scrollTop + y) * scale - y;
}
