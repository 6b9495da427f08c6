// The knowledge of the five systems, each in its own form.
import { html } from "../lib.js";
import { nameAt } from "../cells.js";
import { cellsListed } from "../words.js";

export const SYSTEMS = { chaining: "A", sat: "B", "normal-form": "C", matching: "D", csp: "E" };

const literal = ([row, col, mine]) => `${mine ? "" : "¬"}${nameAt([row, col])}`;

function Title({ text, end }) {
  return html`<p class="know__title"><span>${text}</span><span>${end}</span></p>`;
}

/** The first clauses, and how many more there are. */
function Clauses({ clauses, most, total = clauses.length }) {
  const shown = clauses.slice(0, most);
  return html`<ul class="clauses">${shown.map((clause, i) => html`<li key=${i}><span class=${clause.literals?.length === 1 ? "clauses__unit" : ""}>${clause.text}</span><span class="clauses__from">${clause.resolved ? "resolved" : (clause.because ?? []).slice(0, 2).map(nameAt).join(", ")}</span></li>`)}
    ${total > shown.length && html`<li class="clauses__more">and ${(total - shown.length).toLocaleString("en")} more</li>`}</ul>`;
}

/** Units first: they are what decides. */
const unitsFirst = (clauses) => [...clauses].sort((a, b) => (a.literals?.length ?? 9) - (b.literals?.length ?? 9));

export function Knowledge({ found, most = 7, size }) {
  const { knowledge, system } = found;
  const Form = FORMS[system];
  return html`<div class="know"><${Form} knowledge=${knowledge} most=${most} size=${size} /></div>`;
}

const FORMS = {
  chaining({ knowledge, most }) {
    const { clauses, limit } = knowledge;
    const resolved = clauses.filter((clause) => clause.resolved);
    const given = clauses.filter((clause) => !clause.resolved);
    return html`<${Title} text="Clauses of the clues" end=${countOf(knowledge, "clues") ?? given.length} /><${Clauses} clauses=${given} most=${most} />
      <${Title} text="What resolving added" end=${countOf(knowledge, "resolved") ?? resolved.length} />
      ${resolved.length ? html`<${Clauses} clauses=${unitsFirst(resolved)} most=${most} />` : html`<p class="note">nothing</p>`}
      ${limit && html`<p class="note">At most ${limit} clauses in an area.</p>`}`;
  },
  sat({ knowledge, most, size }) {
    const { clauses, models, encodings, variables } = knowledge;
    const number = (n) => (n === null || n === undefined ? "too many to make" : n.toLocaleString("en"));
    return html`<${Title} text="Clauses" end=${clauses.length} /><${Clauses} clauses=${clauses} most=${most} />
      <${Title} text="Models" end=${models.length >= 8 ? "8 of them" : models.length} /><${Models} models=${models.slice(0, 3)} size=${size} />
      ${encodings && html`<p class="note">${typeof variables === "number" ? variables : variables?.length} variables. Direct encoding: ${number(encodings.direct)} clauses; multiplied out, as in the report: ${number(encodings.multiplied_out)}.</p>`}`;
  },
  "normal-form"({ knowledge, most }) {
    return html`<${Title} text="Table of clues" end=${knowledge.clues.length} />
      <table class="table table--small"><thead><tr><th scope="col">clue</th><th scope="col" class="num">no.</th><th scope="col" class="num">safe</th><th scope="col" class="num">mines</th><th scope="col" class="num">hidden</th><th scope="col">status</th></tr></thead>
      <tbody>${knowledge.clues.slice(0, most).map((row) => html`<tr key=${String(row.clue)}><td>${nameAt(row.clue)}</td><td class="num">${row.number}</td><td class="num">${row.safe}</td><td class="num">${row.mines}</td><td class="num">${row.hidden}</td><td>${row.status}</td></tr>`)}</tbody></table>
      ${knowledge.clues.length > most && html`<p class="note">and ${knowledge.clues.length - most} more</p>`}
      <${Title} text="Normal forms" end=${knowledge.forms.length} />
      ${knowledge.forms.slice(0, 3).map((form) => html`<${Form} key=${String(form.clue)} form=${form} />`)}`;
  },
  matching({ knowledge, most }) {
    const { kb, kb0, rounds } = knowledge;
    return html`<${Title} text="KB0, proved" end=${kb0.length} />${kb0.length ? html`<p class="clauses clauses--wrap"><span class="clauses__unit">${kb0.slice(0, 24).map(literal).join(", ")}</span>${kb0.length > 24 && " …"}</p>` : html`<p class="note">nothing yet</p>`}
      <${Title} text=${`KB, after ${rounds} ${rounds === 1 ? "round" : "rounds"}`} end=${kb.length} /><${Clauses} clauses=${kb} most=${most} />`;
  },
  csp({ knowledge, most }) {
    const { variables, constraints, solved } = knowledge;
    return html`<${Title} text=${`${variables.length} variables in {0, 1}`} end=${`${constraints.length} sums`} />
      <ul class="clauses">${constraints.slice(0, most).map((row) => html`<li key=${String(row.clue)}><span class="clauses__sum">${row.cells.map(nameAt).join(" + ")}</span><span>= ${row.mines}</span></li>`)}
      ${constraints.length > most && html`<li class="clauses__more">and ${constraints.length - most} more</li>`}</ul>
      <${Title} text="In all solutions" end="" />
      <ul class="clauses"><li class="clauses__wrap"><span class="clauses__unit">${solved.mined.length ? cellsListed(solved.mined, 8) : "none"}</span><span class="clauses__from">always 1</span></li>
      <li class="clauses__wrap"><span class="clauses__unit">${solved.safe.length ? cellsListed(solved.safe, 8) : "none"}</span><span class="clauses__from">always 0</span></li>
      <li class="clauses__more">${solved.ambiguous.length} ambiguous</li></ul>`;
  },
};

const countOf = ({ count }, name) => (count && typeof count === "object" ? count[name] : undefined);

/** The arrangements of one clue: a row each, filled dots are mines. */
function Form({ form }) {
  const has = (mines, cell) => mines.some((mine) => String(mine) === String(cell));
  return html`<table class="forms"><thead><tr><th scope="col">${nameAt(form.clue)}</th>${form.cells.map((cell) => html`<th scope="col" key=${String(cell)}>${nameAt(cell)}</th>`)}</tr></thead>
    <tbody>${form.arrangements.slice(0, 6).map((mines, i) => html`<tr key=${i}><th scope="row">${i + 1}</th>${form.cells.map((cell) => html`<td key=${String(cell)}><span class=${`forms__dot ${has(mines, cell) ? "forms__dot--mine" : ""}`} role="img" aria-label=${has(mines, cell) ? "mine" : "safe"} /></td>`)}</tr>`)}</tbody></table>`;
}

function Models({ models, size }) {
  if (!size || size.rows * size.cols > 60) return models.length ? html`<p class="note">${models.map((mines, i) => `Model ${i + 1}: ${cellsListed(mines, 10)}`).join(". ")}.</p>` : html`<p class="note">none</p>`;
  return html`<div class="models">${models.map((mines, i) => html`<div key=${i} class="model"><div class="model__grid" style=${{ "--cols": size.cols }} role="img" aria-label=${`mines at ${cellsListed(mines, 20)}`}>
    ${[...size.symbols].map((symbol, index) => {
      const mine = mines.some(([row, col]) => row * size.cols + col === index);
      return html`<span key=${index} class=${`model__cell ${mine ? "model__cell--mine" : "HFQS".includes(symbol) ? "model__cell--unknown" : ""}`} />`;
    })}</div><span>${i + 1}</span></div>`)}</div>`;
}
