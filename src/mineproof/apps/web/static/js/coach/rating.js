// How difficult a board is: the steps that it needs, the guesses, and how it compares.
import { html, useEffect, useState } from "../lib.js";
import { post } from "../api.js";
import { nameAt } from "../cells.js";
import { Waiting } from "../ui.js";
import { Sentence, TECHNIQUE_LEVELS, levelName, listed, plural } from "../words.js";

/** `of`: {game} that is over, or {board}, the text of one. */
export function Rating({ of }) {
  const [rating, setRating] = useState(null);
  const [failed, setFailed] = useState(null);
  useEffect(() => {
    setRating(null);
    setFailed(null);
    const stop = new AbortController();
    post("rate", of, stop.signal).then(
      ({ boards: [first] }) => setRating(first),
      (error) => error.name !== "AbortError" && setFailed(error.message),
    );
    return () => stop.abort();
  }, [of.game, of.board]);
  const start = rating?.start && nameAt(rating.start);
  return html`<section class="section rating">
    <h3 class="section__title"><span>This board</span><span>${start ? `started at ${start}` : ""}</span></h3>
    ${failed
      ? html`<p class="note">${failed}</p>`
      : !rating
        ? html`<${Waiting} text="Rating" />`
        : rating.difficulty === null
          ? html`<p class="note">Not rated: ${rating.not_rated}</p>`
          : html`<p class="prose">${difficultyText(rating)}</p>
              <p class="prose"><${Sentence} text=${stepsText(rating)} /></p>`}
  </section>`;
}

function difficultyText({
  difficulty, guesses, compared_with: level, harder_than: than, harder_than_no_guess: thanFair,
}) {
  const boards = `${levelName(level).toLowerCase()} boards`;
  const fair = guesses ? "" : `, and than ${thanFair} % of those that need no guess`;
  return html`<strong>Difficulty ${Math.round(difficulty)}</strong>: harder than ${than} % of ${boards}${fair}.`;
}

function stepsText({ levels, guesses, hardest, level }) {
  const steps = Object.entries(levels)
    .filter(([, count]) => count)
    .map(([at, count]) => `${count} by ${TECHNIQUE_LEVELS[at]}`);
  const luck = guesses ? `${plural(guesses, "guess is", "guesses are")} needed` : "no guess is needed";
  const worst = level > 1 && hardest ? ` The hardest step is at ${nameAt(hardest)}.` : "";
  const course = steps.length ? `Certain steps: ${listed(steps)}` : "The first click opens all";
  return `${course}; ${luck}.${worst}`;
}
