// Cells, their names and neighbours, and positions in their text form. Knows nothing of the page.

/** The letters of a column, from 0: A … Z, AA … */
export function columnName(col) {
  let name = "";
  for (let rest = col + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

export const nameOf = (index, cols) => columnName(index % cols) + (Math.floor(index / cols) + 1);

export const nameAt = ([row, col]) => columnName(col) + (row + 1);

/** The index of a cell by its name, or -1. */
export function indexOf(name, rows, cols) {
  const match = /^([A-Z]{1,4})([1-9]\d{0,5})$/i.exec(name.trim());
  if (!match) return -1;
  const col = [...match[1].toUpperCase()].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;
  const row = Number(match[2]) - 1;
  return row < rows && col < cols ? row * cols + col : -1;
}

export function neighbours(index, rows, cols) {
  const row = Math.floor(index / cols);
  const col = index % cols;
  const found = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++) {
    for (let c = Math.max(0, col - 1); c <= Math.min(cols - 1, col + 1); c++) {
      if (r !== row || c !== col) found.push(r * cols + c);
    }
  }
  return found;
}

export const isClosed = (symbol) => "HFQS".includes(symbol);
export const isNumber = (symbol) => symbol >= "0" && symbol <= "8";

/** {cols, rows, mines, symbols} of a text that the server wrote. */
export function parsePosition(text) {
  const lines = text.trim().split(/\r?\n/);
  const [cols, rows, mines] = lines[0].split("x").map(Number);
  return { cols, rows, mines, symbols: lines.slice(1).join("").replace(/\s/g, "") };
}

export function toText({ cols, rows, mines, symbols }) {
  const lines = [`${cols}x${rows}x${mines}`];
  for (let row = 0; row < rows; row++) lines.push(symbols.slice(row * cols, (row + 1) * cols));
  return lines.join("\n") + "\n";
}

/** The symbols with [row, col, symbol] changes applied. */
export function withChanges({ cols, symbols }, changed) {
  const cells = [...symbols];
  for (const [row, col, symbol] of changed) cells[row * cols + col] = symbol;
  return cells.join("");
}

export function blank(cols, rows, mines) {
  return { cols, rows, mines, symbols: "H".repeat(cols * rows) };
}
