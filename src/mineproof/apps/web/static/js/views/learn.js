// Learn: the techniques as a tour with boards to solve, the five systems side by side, and why Minesweeper is hard.
import { html, useEffect, useState } from "../lib.js";
import { isClosed, isNumber, parsePosition } from "../cells.js";
import { kept } from "../store.js";
import { NoPage, Waiting } from "../ui.js";
import { TECHNIQUE_LEVELS } from "../words.js";
import { HardView } from "./hard.js";
import { Lesson } from "./lesson.js";
import { SystemsView } from "./systems.js";

export function LearnView({ name, query }) {
  const [lessons, setLessons] = useState(null);
  useEffect(() =>
    void fetch("/static/lessons.json")
      .then((answer) => answer.json())
      .then(setLessons, () => setLessons([])), []);
  if (name === "systems") return html`<${SystemsView} query=${query} />`;
  if (name === "hard") return html`<${HardView} />`;
  if (!lessons)
    return html`<main class="view view--page" id="main"><div class="lone"><${Waiting} text="Fetching" /></div></main>`;
  const at = lessons.findIndex((lesson) => lesson.name === name);
  if (at >= 0) return html`<${Lesson} key=${name} lesson=${lessons[at]} next=${lessons[at + 1]} query=${query} />`;
  return name ? html`<${NoPage} />` : html`<${Tour} lessons=${lessons} />`;
}

/** The first board of a lesson, to look at. */
function Picture({ text }) {
  const { cols, symbols } = parsePosition(text);
  return html`<span class="tour__picture" aria-hidden="true" style=${{ "--cols": cols }}>
    ${[...symbols].map((symbol, i) => html`<span key=${i} class=${isClosed(symbol) ? "cell cell--closed" : "cell"}
      data-n=${symbol > "0" && isNumber(symbol) ? symbol : undefined}>
      ${symbol > "0" && isNumber(symbol) ? symbol : ""}
    </span>`)}
  </span>`;
}

function Tour({ lessons }) {
  const solved = kept.get("solved", {});
  const count = ({ name, boards }) => boards.filter((_, i) => solved[`${name}.${i}`]).length;
  const first = lessons.find((lesson) => count(lesson) < lesson.boards.length) ?? lessons[0];
  return html`<main class="view view--page page" id="main" tabindex="-1">
    <div class="page__inner">
      <header>
        <h1 class="page__title">Learn</h1>
        <p class="page__lead">
          Every certain cell has a reason. Find the safe cell yourself, then read the idea. The level of a reason says
          what you must look at together to see it:
        </p>
        <ol class="levels">
          ${TECHNIQUE_LEVELS.slice(1).map((about, i) => html`<li key=${about}>
            <strong>Level ${i + 1}</strong>: ${about}
          </li>`)}
        </ol>
        <div class="actions">
          <a class="btn btn--primary" href=${`/learn/${first.name}`}>
            ${first === lessons[0] ? "Start" : "Go on"}: ${first.title.toLowerCase()}
          </a>
        </div>
      </header>
      <section class="section">
        <h2 class="section__title">Techniques</h2>
        <ol class="tour">
          ${lessons.map((lesson) => html`<li key=${lesson.name}>
            <a class="tour__item" href=${`/learn/${lesson.name}`}>
              <span class="tour__level">Level ${lesson.level}: ${TECHNIQUE_LEVELS[lesson.level]}</span>
              <span class="tour__title">${lesson.title}</span><${Picture} text=${lesson.boards[0]} />
              <span class="tour__done">${count(lesson) === 4 ? "done" : `${count(lesson)} of 4`}</span>
              <span class="tour__dots" aria-hidden="true">
                ${lesson.boards.map((_, i) => html`<span key=${i}
                  class=${solved[`${lesson.name}.${i}`] ? "is-on" : ""} />`)}
              </span>
            </a>
          </li>`)}
        </ol>
      </section>
      <div class="cards cards--two">
        <section class="card">
          <h2>Five systems, one position</h2>
          <p class="prose">
            Five published reports solve Minesweeper by logic, each in its own way. See what each writes down, what it
            concludes, and what it misses.
          </p>
          <div class="actions"><a class="btn btn--primary" href="/learn/systems">Side by side</a></div>
        </section>
        <section class="card">
          <h2>Why Minesweeper is hard</h2>
          <p class="prose">
            Deciding whether any board is consistent with a position is NP-complete. A position that no chain of simple
            steps solves, and what it takes instead.
          </p>
          <div class="actions"><a class="btn" href="/learn/hard">See it</a></div>
        </section>
      </div>
    </div>
  </main>`;
}
