// The five systems on one position, side by side: what each writes down, what it concludes, what it misses.
import { html, useEffect, useMemo, useState } from "../lib.js";
import { post } from "../api.js";
import { BoardBox } from "../boardbox.js";
import { parsePosition, toText } from "../cells.js";
import { Knowledge, authorOf, useSystems } from "../coach/knowledge.js";
import { useKeys } from "../keyboard.js";
import { setOf } from "../overlay.js";
import { go, href, note } from "../router.js";
import { Button, Verdict, Waiting } from "../ui.js";
import { Sentence, cellsListed, plural } from "../words.js";

const USUAL = "5x4x6-1HHHH-1HH2H-H2H2H-H2HH1";
const OTHERS = [
  ["Ten certain cells", USUAL],
  ["A wall", "3x2x2-HHH-121"],
  ["An end", "5x4x4-001HH-112HH-1F2HH-112HH"],
  ["By the mine count", "5x4x6-H2HHH-HHH4H-24H2H-HHH1H"],
  ["Harnjan: an end that needs the mine count", "5x4x5-H101H-H101H-22111-HH1HH"],
  ["Harnjan: a pair that cannot be decided", "5x4x5-00000-01232-02HHH-02HHH"],
];

export function SystemsView({ query }) {
  const text = (query.position ?? USUAL).replaceAll("-", "\n");
  const position = useMemo(() => {
    try {
      return parsePosition(text);
    } catch {
      return parsePosition(USUAL.replaceAll("-", "\n"));
    }
  }, [text]);
  const systems = useSystems();
  const [answers, setAnswers] = useState({});
  useEffect(() => {
    const stop = new AbortController();
    setAnswers({});
    for (const { name } of systems) {
      post(`systems/${name}`, { position: toText(position) }, stop.signal).then(
        (answer) => setAnswers((before) => ({ ...before, [name]: answer })),
        (error) =>
          error.name !== "AbortError" && setAnswers((before) => ({ ...before, [name]: { failed: error.message } })),
      );
    }
    return () => stop.abort();
  }, [text, systems]);
  const most = Math.max(1, ...Object.values(answers).map(({ steps }) => cellsOf(steps ?? []).length));
  const step = Math.max(0, Math.min(most, query.step === undefined ? most : Number(query.step)));
  const to = (value) => note({ step: Math.max(0, Math.min(most, value)) });
  useKeys({ ArrowLeft: () => to(step - 1), ArrowRight: () => to(step + 1) });
  const clues = [...position.symbols].filter((symbol) => /[0-8]/.test(symbol)).length;
  const certain = Object.values(answers)
    .map(({ safe, mined, misses }) =>
      misses ? safe.length + mined.length + misses.safe.length + misses.mined.length : 0,
    )
    .reduce((a, b) => Math.max(a, b), 0);
  const show = { ...position, label: "The position", still: true };
  return html`<main class="view view--page page" id="main" tabindex="-1">
    <div class="page__inner page__inner--wide">
      <header class="learn__head">
        <${BoardBox} show=${show} on=${{}} cell=${20} />
        <div>
          <a class="note" href="/learn">Learn</a><h1 class="learn__title">Five ways to reason about one position</h1>
          <p class="learn__lead">
            ${clues} clues, ${position.rows * position.cols - clues} closed
            cells, ${position.mines} mines${certain
              ? `; ${plural(certain, "cell is", "cells are")} certain`
              : ""}.<br />
            Each system, set as in its report, builds its own knowledge, and stops at its own limit.
          </p>
          <div class="actions">
            ${OTHERS.map(([name, other]) => html`<${Button} key=${other} pressed=${text === other.replaceAll("-", "\n")}
              onClick=${() => go(href("/learn/systems", { position: other }))}>
              ${name}
            <//>`)}
          </div>
        </div>
        <div class="slider">
          <${Button} icon="left" label="Step back" disabled=${step === 0} onClick=${() => to(step - 1)} />
          <input class="range" type="range" min="0" max=${most} value=${step} aria-label="Conclusions shown"
            onInput=${(event) => to(Number(event.currentTarget.value))} />
          <${Button} icon="right" label="Step on" disabled=${step === most} onClick=${() => to(step + 1)} />
          <span class="slider__text">${step} of ${most}</span>
        </div>
      </header>
      <div class="systems">
        ${!systems.length || Object.keys(answers).length < systems.length
          ? html`<div class="systems__waiting"><${Waiting} text="Reasoning" /></div>`
          : systems.map((system) => html`<${System} key=${system.name} system=${system} answer=${answers[system.name]}
              position=${position} step=${step} certain=${certain} />`)}
      </div>
    </div>
  </main>`;
}

/** The conclusions of steps, in order: one per cell. */
const cellsOf = (steps) =>
  steps.flatMap((step) => step.cells.map((cell) => ({ cell, verdict: step.verdict, text: step.text })));

function System({ system, answer, position, step, certain }) {
  const { name, title, agent, idea, limit } = system;
  const head = `${authorOf(system)} · ${agent}`;
  const heading = html`<h2 class="system__name" title=${title}>
    <span class="system__author">${authorOf(system)}<span class="visually-hidden"> · </span></span>${agent}
  </h2>`;
  if (answer.failed)
    return html`<section class="system system--waiting" aria-label=${head}>
      <div class="system__head">${heading}</div><div><p class="prose">${answer.failed}</p></div>
    </section>`;
  if (answer.consistent === false)
    return html`<section class="system system--waiting" aria-label=${head}>
      <div class="system__head">${heading}</div>
      <div><${Verdict} sign="wrong" icon="cross" text="No board fits" note="" /></div>
    </section>`;
  const conclusions = cellsOf(answer.steps);
  const shown = conclusions.slice(0, step);
  const { cols } = position;
  const pick = (sign) => setOf(shown.filter(({ verdict }) => verdict === sign).map(({ cell }) => cell), cols);
  const show = {
    ...position, label: `What ${agent} has concluded`, still: true, safe: pick("safe"), mined: pick("mine"),
  };
  const missed = answer.misses ? [...answer.misses.safe, ...answer.misses.mined] : [];
  const last = shown.at(-1);
  return html`<section class="system" aria-label=${head}>
    <div class="system__head">
      ${heading}<span class="system__count"><b>${conclusions.length}</b>${certain ? ` of ${certain}` : ""}</span>
      <span class="meter" aria-hidden="true">
        ${Array.from(
          { length: Math.max(1, certain) },
          (_, i) => html`<span key=${i} class=${i < shown.length ? "is-on" : ""} />`,
        )}
      </span>
      <p class="system__idea">${idea}</p>
    </div>
    <div class="system__board" data-board=${agent === "csp" ? "csp" : undefined}>
      <${BoardBox} show=${show} on=${{}} cell=${position.cols > 6 ? 20 : 26} />
      ${last?.text && html`<p class="system__last"><${Sentence} text=${last.text} /></p>`}
    </div>
    <div class="system__know"><${Knowledge} answer=${answer} most=${5} size=${position} /></div>
    <div class="system__miss">
      <p>
        ${missed.length
          ? html`<strong>Misses</strong> ${plural(missed.length, "cell")}: ${cellsListed(missed, 6)}. ${limit}`
          : answer.misses
            ? html`<strong>Misses</strong> nothing.`
            : "Time ran out before it was known what it misses."}
      </p>
      <p class="system__links">
        Its
        game: <a href=${href("/watch", { as: name })} aria-label=${`Watch ${agent} play its game`}>
          watch
        </a>, <a href=${href("/play", { as: name })} aria-label=${`Play the game of ${authorOf(system)}`}>play</a>
      </p>
    </div>
  </section>`;
}
