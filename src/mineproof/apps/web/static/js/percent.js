// Percentages, written as in percent.py: "0" and "100" mean certainty, so other shares are never rounded to them.

/** A share in percent, without the sign. */
export function percent(share, digits = 1) {
  const text = (100 * share).toFixed(digits);
  const least = 10 ** -digits;
  if (share > 0 && Number(text) === 0) return `<${least.toFixed(digits)}`;
  return share < 1 && Number(text) === 100 ? `>${(100 - least).toFixed(digits)}` : text;
}

export const percentOf = (share, digits = 1) => `${percent(share, digits)} %`;

/** A share in percent with its article: "an 8 %", "less than a 0.1 %". */
export function aPercent(share) {
  const text = percentOf(share);
  if (/^[<>]/.test(text)) return `${text[0] === "<" ? "less" : "more"} than a ${text.slice(1)}`;
  return `${/^(8|11\.|18\.)/.test(text) ? "an" : "a"} ${text}`;
}
