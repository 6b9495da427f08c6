// Starting a game, and the dialog in which all about it can be chosen.
import { html, useEffect, useState } from "../lib.js";
import { getOnce, post } from "../api.js";
import { systemOf } from "../coach/knowledge.js";
import { go } from "../router.js";
import { Store, kept } from "../store.js";
import { settings } from "../settings.js";
import { Button, Dialog, Segmented, complain, say } from "../ui.js";
import { levelName } from "../words.js";

const USUAL = { level: "intermediate", first_click: "opening", no_guess: false, difficulty: null };

/** What a new game is, unless something else is asked for. */
export const wanted = new Store({ ...USUAL, ...kept.get("wanted", {}) });
wanted.watch((value) => kept.set("wanted", value));

/** The game on the table, which a new one replaces; and the one that was started here last.
 * @type {{game: any, started: string | null}} */
export const table = { game: null, started: null };

/** Make a game and go there. */
export async function start(body = {}, { replace = false } = {}) {
  const request = Object.keys(body).length ? body : usual();
  const game = await post("games", request);
  const left = table.game;
  table.started = game.id;
  kept.set("game", game.id);
  go(`/play/${game.id}`, { replace });
  if (left?.state === "playing" && left.seq > 0)
    say("New game.", { link: { to: `/play/${left.id}`, text: "Back to the last one" } });
  return game;
}

export function usual() {
  const { level, first_click, no_guess, difficulty, preset } = wanted.value;
  if (preset) return { preset, level };
  return {
    level, first_click, ...(no_guess ? { no_guess, ...(difficulty ? { difficulty } : {}) } : {}),
    ...(settings.value.questions ? { rules: { questions: true } } : {}),
  };
}

export const startOrSay = (body, options) => start(body, options).catch(complain);

export function useLevels() {
  const [levels, setLevels] = useState(null);
  useEffect(() => void getOnce("levels").then(setLevels, () => undefined), []);
  return levels;
}

const MOST_SEED = 2n ** 64n - 1n;

/** What is wrong with a size, as typed: columns, rows, mines; null if nothing is. @param {string[]} size */
function wrongSize(size, most = 40000) {
  for (const [i, name] of ["columns", "rows", "mines"].entries()) {
    const least = name === "mines" ? 0 : 1;
    if (!/^\d{1,9}$/.test(size[i].trim()) || Number(size[i]) < least)
      return `The number of ${name} is a whole number, at least ${least}.`;
  }
  const [cols, rows, mines] = size.map(Number);
  if (cols * rows > most)
    return `${cols} × ${rows} is too large: a board has at most ${most.toLocaleString("en")} cells.`;
  return mines > cols * rows ? `${cols} × ${rows} cells hold at most ${cols * rows} mines.` : null;
}

function wrongSeed(text) {
  if (!/^\d*$/.test(text)) return "A seed is a whole number, 0 or more.";
  return text && BigInt(text) > MOST_SEED ? `The largest seed is ${MOST_SEED} (2^64 − 1).` : null;
}

const FIRST_CLICKS = [["opening", "An opening"], ["safe", "Safe"], ["any", "May be a mine"]];

export function NewGameDialog({ onClose }) {
  const offer = useLevels();
  const now = wanted.value;
  const custom = /^(\d+)x(\d+)x(\d+)$/.exec(now.level);
  const [kind, setKind] = useState(now.preset ? "preset" : custom ? "custom" : "level");
  const [level, setLevel] = useState(custom ? "expert" : now.level);
  const [size, setSize] = useState(custom ? custom.slice(1, 4) : ["24", "20", "99"]);
  const [first, setFirst] = useState(now.first_click);
  const [noGuess, setNoGuess] = useState(now.no_guess);
  const [difficulty, setDifficulty] = useState(now.difficulty ?? "");
  const [preset, setPreset] = useState(now.preset);
  const [seed, setSeed] = useState("");
  const [failed, setFailed] = useState(null);
  const [busy, setBusy] = useState(false);
  const chosen = offer && (systemOf(offer.presets, preset) ?? offer.presets[0]);
  const play = async (event) => {
    event?.preventDefault();
    const wrong = (kind === "custom" && wrongSize(size, offer?.most.cells)) || wrongSeed(seed.trim());
    setFailed(wrong);
    if (wrong) return;
    setBusy(true);
    const next =
      kind === "preset"
        ? { ...USUAL, preset: chosen.name, level: chosen.levels.includes(level) ? level : chosen.levels[0] }
        : {
            preset: undefined, level: kind === "custom" ? size.map(Number).join("x") : level, first_click: first,
            no_guess: noGuess, difficulty: difficulty || null,
          };
    const before = wanted.value;
    wanted.set(next);
    try {
      await start({ ...usual(), ...(seed.trim() ? { seed: BigInt(seed.trim()) } : {}) });
      onClose();
    } catch (error) {
      wanted.set(before);
      setFailed(error.message);
    } finally {
      setBusy(false);
    }
  };
  const edit = (set) => (value) => { // the message about the last input is out of date
    setFailed(null);
    set(value);
  };
  const number = (i, label) => html`<label class="field">
    ${label}
    <input class="input input--number" inputmode="numeric" value=${size[i]}
      onInput=${(event) => edit(setSize)(size.map((value, j) => (i === j ? event.currentTarget.value : value)))} />
  </label>`;
  return html`<${Dialog} title="New game" onClose=${onClose}>
    <form class="form" onSubmit=${play} noValidate>
      <${Segmented} label="Kind of board" value=${kind} onChange=${edit(setKind)}
        options=${[["level", "Level"], ["custom", "Own size"], ["preset", "A published system"]]} />
      ${kind === "level" &&
      html`<div class="form__row">
        <span class="form__label">Level</span>
        <div class="form__controls">
          ${(offer?.levels ?? []).map(({ name, rows, cols, mines }) => html`<${Button} key=${name}
            pressed=${name === level} title=${`${cols} × ${rows}, ${mines} mines`}
            onClick=${() => edit(setLevel)(name)}>
            ${levelName(name)}
          <//>`)}
        </div>
      </div>`}
      ${kind === "custom" &&
      html`<div class="form__row">
        <span class="form__label">Size</span>
        <div class="form__controls">${number(0, "Columns")}${number(1, "Rows")}${number(2, "Mines")}</div>
      </div>`}
      ${kind === "preset" &&
      html`<div class="form__row">
        <span class="form__label">Rules of</span>
        <div class="form__controls">
          <select class="input select input--text" aria-label="System" value=${chosen?.name}
            onChange=${(event) => edit(setPreset)(event.currentTarget.value)}>
            ${(offer?.presets ?? []).map(({ name, title }) => html`<option key=${name} value=${name}
              selected=${name === chosen.name}>
              ${title}
            </option>`)}
          </select>
          ${chosen && html`<p class="form__note">${chosen.game}</p>`}
          ${chosen?.levels.map(
            (name) => html`<${Button} key=${name}
              pressed=${name === (chosen.levels.includes(level) ? level : chosen.levels[0])}
              onClick=${() => edit(setLevel)(name)}>
              ${levelName(name)}
            <//>`,
          )}
        </div>
      </div>`}
      ${kind !== "preset" &&
      html`
        <div class="form__row">
          <span class="form__label">First click</span>
          <div class="form__controls">
            <${Segmented} label="First click" value=${first} onChange=${edit(setFirst)} options=${FIRST_CLICKS} />
          </div>
        </div>
        <div class="form__row">
          <span class="form__label">Guessing</span>
          <div class="form__controls">
            <label class="check">
              <input type="checkbox" checked=${noGuess}
                onChange=${(event) => edit(setNoGuess)(event.currentTarget.checked)} />
              A board that needs no guess
            </label>
            ${noGuess &&
            html`<select class="input select" aria-label="Difficulty" value=${difficulty}
              onChange=${(event) => edit(setDifficulty)(event.currentTarget.value)}>
              <option value="">any difficulty</option>
              ${(offer?.difficulties ?? []).map(({ name, text }) => html`<option key=${name} value=${name}
                selected=${name === difficulty}>
                ${name}: ${text}
              </option>`)}
            </select>`}
          </div>
        </div>`}
      <div class="form__row">
        <label class="form__label" for="seed">Seed</label>
        <div class="form__controls">
          <input id="seed" class="input input--text" inputmode="numeric" placeholder="leave empty for a new board"
            value=${seed} onInput=${(event) => edit(setSeed)(event.currentTarget.value)} />
          <p class="form__note">
            The same seed gives the same board on every machine. A game whose seed you chose does not count in your
            statistics.
          </p>
        </div>
      </div>
      ${failed && html`<p class="form__error" role="alert">${failed}</p>`}
      <div class="dialog__foot">
        <${Button} onClick=${onClose}>Cancel<//>
        <button class="btn btn--primary" type="submit" disabled=${busy}>
          ${busy ? "Laying the mines …" : "Play"}
        </button>
      </div>
    </form>
  <//>`;
}
