// The knowledge of the agents of the five systems, each in its own form.
import { html, useEffect, useState } from "../lib.js";
import { getOnce } from "../api.js";
import { nameAt } from "../cells.js";
import { cellsListed, plural, settles } from "../words.js";

export function useSystems() {
  const [list, setList] = useState([]);
  useEffect(() => void getOnce("agents").then(({ systems }) => setList(systems), () => undefined), []);
  return list;
}

/** The system with this name, which may be its own, its author's or an agent's, with options or without. */
export const systemOf = (systems, name) =>
  systems.find(({ names }) => names.includes(name?.toLowerCase().split(":")[0]));

/** The authors of a system in short: "Nguyen and Kafafian", "Sharma et al." */
export const authorOf = ({ authors }) => authors.replace(/,.*/, " et al.");

const literal = ([row, col, mine]) => `${mine ? "" : "¬"}${nameAt([row, col])}`;

function Title({ text, end }) {
  return html`<p class="know__title"><span>${text}</span><span>${end}</span></p>`;
}

const Clause = ({ clause: { text, literals, because, resolved } }) => html`<li>
  <span class=${literals.length === 1 ? "clauses__unit" : ""}>${text}</span>
  <span class="clauses__from">${resolved ? "resolved" : because.slice(0, 2).map(nameAt).join(", ")}</span>
</li>`;

/** The first clauses, and how many more there are. */
function Clauses({ clauses, most, total = clauses.length }) {
  const shown = clauses.slice(0, most);
  return html`<ul class="clauses">
    ${shown.map((clause, i) => html`<${Clause} key=${i} clause=${clause} />`)}
    ${total > shown.length &&
    html`<li class="clauses__more">and ${(total - shown.length).toLocaleString("en")} more</li>`}
  </ul>`;
}

/** Put unit clauses first, because each of them settles a cell. */
const unitsFirst = (clauses) => [...clauses].sort((a, b) => a.literals.length - b.literals.length);

export function Knowledge({ answer: { knowledge, options, short }, most = 7, size }) {
  const parts = PARTS.filter(([key]) => knowledge[key]);
  return html`<div class="know">
    ${parts.length
      ? parts.map(([key, Part]) => html`<${Part} key=${key} knowledge=${knowledge} options=${options} short=${short}
          most=${most} size=${size} />`)
      : html`<p class="note">${short || "Nothing yet"}.</p>`}
  </div>`;
}

/** Areas of clues in the order in which they were resolved: the first in full, then only how the next ones ended. */
function Areas({ knowledge: { areas, chaining_count: counts }, options, most }) {
  const limit = options.chaining.clauses;
  if (!areas.length)
    return html`<${Title} text="Areas of clues" end="0" />
      <p class="note">Single clues decide everything that they see.</p>`;
  const more = counts.areas - Math.min(areas.length, 3);
  return html`${areas.slice(0, 3).map((area, i) => html`<${Area} key=${i} area=${area} first=${i === 0} limit=${limit}
      most=${most} />`)}
    ${more > 0 &&
    html`<p class="note">
      ${plural(more, "more area")}; the limit was reached in ${counts.cut_off} of ${counts.areas}.
    </p>`}`;
}

function Area({ area, first, limit, most }) {
  const { clues, clauses, count, exhausted } = area;
  const total = count.clues + count.resolved;
  const given = clauses.filter(({ resolved }) => !resolved);
  const derived = unitsFirst(clauses.filter(({ resolved }) => resolved));
  const units = derived.filter(({ literals }) => literals.length === 1);
  const start = [...given.slice(0, most - Math.min(2, derived.length)), ...derived].slice(0, most);
  const shown = first ? start : units.slice(0, 3);
  const end = exhausted
    ? "until nothing new follows"
    : count.resolved
      ? `until ${limit} are reached`
      : `too many for the limit of ${limit}`;
  return html`<${Title}
      text=${first ? `Area of ${cellsListed(clues, 3)}` : `Next area, ${plural(clues.length, "clue")}`}
      end=${plural(first ? count.clues : total, "clause")} />
    <ul class="clauses">
      ${shown.map((clause, i) => html`<${Clause} key=${i} clause=${clause} />`)}
      <li class="clauses__more">
        ${first
          ? `${total > shown.length ? `and ${(total - shown.length).toLocaleString("en")} more, ` : ""}${end}`
          : units.length
            ? ""
            : exhausted
              ? "No clause of one literal."
              : `${limit} are reached before any clause of one literal.`}
      </li>
    </ul>`;
}

/** The suppositions that were made, and whether they led to a contradiction. */
function Refutations({ knowledge: { refutations, resolution_count: counts }, options, most }) {
  if (!counts.areas) return null;
  return html`<${Title} text="Suppose the opposite" end=${plural(counts.areas, "time")} />
    <ul class="clauses">
      ${refutations.slice(0, Math.min(most, 4)).map(({ supposed, contradiction, exhausted }, i) => html`<li key=${i}>
        <span class=${contradiction ? "clauses__unit" : ""}>${literal(supposed)}</span>
        <span class="clauses__from">
          ${contradiction
            ? `contradiction: ${settles({ cells: [supposed], verdict: supposed[2] ? "safe" : "mine" })}`
            : exhausted
              ? "no contradiction"
              : `${options.resolution.clauses} reached`}
        </span>
      </li>`)}
      <li class="clauses__more">
        The limit of ${options.resolution.clauses} clauses was reached ${plural(counts.cut_off, "time")}.
      </li>
    </ul>`;
}

function Matching({ knowledge: { kb, kb0, rounds, count }, short, most }) {
  return html`<p class="know__window">${short}</p>
    <${Title} text="KB0, proved" end=${count.kb0} />
    ${kb0.length
      ? html`<p class="clauses clauses--wrap">
          <span class="clauses__unit">${kb0.slice(0, 24).map(literal).join(", ")}</span>${count.kb0 > 24 && " …"}
        </p>`
      : html`<p class="note">nothing yet</p>`}
    <${Title} text=${`KB, after ${plural(rounds, "round")}`} end=${plural(count.kb, "clause")} />
    <${Clauses} clauses=${kb} most=${most} total=${count.kb} />`;
}

function Table({ knowledge: { clues, forms }, most }) {
  return html`<${Title} text="Table of clues" end=${clues.length} />
    <table class="table table--small">
      <thead>
        <tr>
          <th scope="col">clue</th><th scope="col" class="num">no.</th><th scope="col" class="num">safe</th>
          <th scope="col" class="num">mines</th><th scope="col" class="num">hidden</th><th scope="col">status</th>
        </tr>
      </thead>
      <tbody>
        ${clues.slice(0, most).map((row) => html`<tr key=${String(row.clue)}>
          <td>${nameAt(row.clue)}</td><td class="num">${row.number}</td><td class="num">${row.safe}</td>
          <td class="num">${row.mines}</td><td class="num">${row.hidden}</td><td>${row.status}</td>
        </tr>`)}
      </tbody>
    </table>
    ${clues.length > most && html`<p class="note">and ${clues.length - most} more</p>`}
    ${forms &&
    html`<${Title} text="Normal forms" end=${forms.length} />
      ${forms.slice(0, 3).map((form) => html`<${Form} key=${String(form.clue)} form=${form} />`)}`}`;
}

function Sat({ knowledge: { clauses, models, encodings, variables, mine_count: counted }, options, most, size }) {
  const number = (n) => (n === null ? "too many to make" : n.toLocaleString("en"));
  const few = options.sat.mine_count;
  return html`<${Title} text=${`Clauses about ${plural(variables.length, "cell")}`}
      end=${encodings.direct.toLocaleString("en")} />
    <${Clauses} clauses=${clauses} most=${most} total=${encodings.direct} />
    <${Title} text="Models" end=${models.length >= 8 ? "8 of them" : models.length} />
    <${Models} models=${models.slice(0, 3)} size=${size} />
    <p class="note">
      The number of
      mines ${typeof few === "number"
        ? `is used if no cell is safe by the clues, and at most ${few} closed cells are not proved mines: here it `
        : ""}was ${counted ? "" : "not "}used.
    </p>
    <p class="note">
      Direct encoding: ${number(encodings.direct)} clauses; multiplied out, as in the
      report: ${number(encodings.multiplied_out)}.
    </p>`;
}

function Csp({ knowledge: { variables, constraints, solved }, most }) {
  return html`<${Title} text=${`${variables.length} variables in {0, 1}`} end=${plural(constraints.length, "sum")} />
    <ul class="clauses">
      ${constraints.slice(0, most).map((row) => html`<li key=${String(row.clue)}>
        <span class="clauses__sum">${row.cells.map(nameAt).join(" + ")}</span><span>= ${row.mines}</span>
      </li>`)}
      ${constraints.length > most && html`<li class="clauses__more">and ${constraints.length - most} more</li>`}
    </ul>
    <${Title} text="In all solutions" end="" />
    <ul class="clauses">
      <li class="clauses__wrap">
        <span class="clauses__unit">${solved.mined.length ? cellsListed(solved.mined, 8) : "none"}</span>
        <span class="clauses__from">always 1</span>
      </li>
      <li class="clauses__wrap">
        <span class="clauses__unit">${solved.safe.length ? cellsListed(solved.safe, 8) : "none"}</span>
        <span class="clauses__from">always 0</span>
      </li>
      <li class="clauses__more">${solved.ambiguous.length} ambiguous</li>
    </ul>`;
}

/** The parts of a knowledge by name.
 * @type {[string, import("preact").FunctionComponent<any>][]} */
const PARTS = [
  ["areas", Areas], ["refutations", Refutations], ["kb", Matching], ["clues", Table], ["models", Sat],
  ["constraints", Csp],
];

/** The arrangements of mines around one clue: a row for each, where a filled dot is a mine. */
function Form({ form }) {
  const has = (mines, cell) => mines.some((mine) => String(mine) === String(cell));
  return html`<table class="forms">
    <thead>
      <tr>
        <th scope="col">${nameAt(form.clue)}</th>
        ${form.cells.map((cell) => html`<th scope="col" key=${String(cell)}>${nameAt(cell)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${form.arrangements.slice(0, 6).map((mines, i) => html`<tr key=${i}>
        <th scope="row">${i + 1}</th>
        ${form.cells.map((cell) => html`<td key=${String(cell)}>
          <span class=${`forms__dot ${has(mines, cell) ? "forms__dot--mine" : ""}`} role="img"
            aria-label=${has(mines, cell) ? "mine" : "safe"} />
        </td>`)}
      </tr>`)}
    </tbody>
  </table>`;
}

function Models({ models, size }) {
  if (!size || size.rows * size.cols > 60)
    return models.length
      ? html`<p class="note">${models.map((mines, i) => `Model ${i + 1}: ${cellsListed(mines, 10)}`).join(". ")}.</p>`
      : html`<p class="note">none</p>`;
  return html`<div class="models">
    ${models.map((mines, i) => html`<div key=${i} class="model">
      <div class="model__grid" style=${{ "--cols": size.cols }} role="img"
        aria-label=${`mines at ${cellsListed(mines, 20)}`}>
        ${[...size.symbols].map((symbol, index) => {
          const mine = mines.some(([row, col]) => row * size.cols + col === index);
          const kind = mine ? "model__cell--mine" : "HFQS".includes(symbol) ? "model__cell--unknown" : "";
          return html`<span key=${index} class=${`model__cell ${kind}`} />`;
        })}
      </div>
      <span>${i + 1}</span>
    </div>`)}
  </div>`;
}
