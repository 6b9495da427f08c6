// Cells, their names and neighbours, and positions in their text form. Knows nothing of the page.
//
// A cell is [row, col], counted from 0, as the server writes it; or its index, row by row, where a board is drawn.

/** @typedef {[row: number, col: number]} Cell */
/** @typedef {{cols: number, rows: number, mines: number, symbols: string}} Position a symbol per cell, row by row */

/** The letters of a column, from 0: A … Z, AA … @param {number} col */
export function columnName(col) {
  let name = "";
  for (let rest = col + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/** The name of a cell by its index. @param {number} index @param {number} cols */
export const nameOf = (index, cols) => columnName(index % cols) + (Math.floor(index / cols) + 1);

/** The name of a cell. @param {Cell} cell */
export const nameAt = ([row, col]) => columnName(col) + (row + 1);

/** The index of a cell by its name, or -1. @param {string} name @param {number} rows @param {number} cols */
export function indexOf(name, rows, cols) {
  const match = /^([A-Z]{1,4})([1-9]\d{0,5})$/i.exec(name.trim());
  if (!match) return -1;
  const col = [...match[1].toUpperCase()].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;
  const row = Number(match[2]) - 1;
  return row < rows && col < cols ? row * cols + col : -1;
}

/** The indices of the cells around a cell. @param {number} index @param {number} rows @param {number} cols */
export function neighbours(index, rows, cols) {
  const row = Math.floor(index / cols);
  const col = index % cols;
  const indices = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++) {
    for (let c = Math.max(0, col - 1); c <= Math.min(cols - 1, col + 1); c++) {
      if (r !== row || c !== col) indices.push(r * cols + c);
    }
  }
  return indices;
}

/** @param {string} symbol */
export const isClosed = (symbol) => "HFQS".includes(symbol);
/** @param {string} symbol */
export const isNumber = (symbol) => symbol >= "0" && symbol <= "8";

/** The position of a text that the server wrote. @param {string} text @returns {Position} */
export function parsePosition(text) {
  const lines = text.trim().split(/\r?\n/);
  const [cols, rows, mines] = lines[0].split("x").map(Number);
  return { cols, rows, mines, symbols: lines.slice(1).join("").replace(/\s/g, "") };
}

/** The text of a position. @param {Position} position */
export function toText({ cols, rows, mines, symbols }) {
  const lines = [`${cols}x${rows}x${mines}`];
  for (let row = 0; row < rows; row++) lines.push(symbols.slice(row * cols, (row + 1) * cols));
  return lines.join("\n") + "\n";
}

/** The symbols of a position after changes. @param {Position} position @param {[number, number, string][]} changed */
export function withChanges({ cols, symbols }, changed) {
  const cells = [...symbols];
  for (const [row, col, symbol] of changed) cells[row * cols + col] = symbol;
  return cells.join("");
}

/** A closed board. @param {number} cols @param {number} rows @param {number} mines @returns {Position} */
export function blank(cols, rows, mines) {
  return { cols, rows, mines, symbols: "H".repeat(cols * rows) };
}
