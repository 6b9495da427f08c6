// The two dialogs of the top bar: preferences, and the keys.
import { html } from "./lib.js";
import { KEYS } from "./keyboard.js";
import { change, settings } from "./settings.js";
import { useStore } from "./store.js";
import { Dialog, Segmented } from "./ui.js";

export function SettingsDialog({ onClose }) {
  const now = useStore(settings);
  const row = (label, name, options, note) => html`<div class="form__row">
    <span class="form__label">${label}</span>
    <div class="form__controls">
      <${Segmented} label=${label} value=${now[name]} onChange=${(value) => change({ [name]: value })}
        options=${options} />
      ${note && html`<p class="form__note">${note}</p>`}
    </div>
  </div>`;
  const check = (name, text) => html`<label class="check">
    <input type="checkbox" checked=${now[name]}
      onChange=${(event) => change({ [name]: event.currentTarget.checked })} />
    ${text}
  </label>`;
  return html`<${Dialog} title="Settings" onClose=${onClose}>
    <div class="form">
      ${row("Colours", "theme", [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]])}
      ${row("Contrast", "contrast", [["system", "As the system"], ["more", "High"]])}
      ${row(
        "Board",
        "board",
        [["plain", "Plain"], ["classic", "Classic"], ["csp", "CSP report (blue, green, red)"]],
        now.board === "csp"
          ? "Proved safe cells are blue, proved mines green. " +
            "At the end, mines that were neither flagged nor proved are red."
          : null,
      )}
      ${row("Numbers", "numbers", [["colour", "Colours"], ["safe", "Colour-blind safe"], ["ink", "One ink"]])}
      <div class="form__row">
        <span class="form__label">Playing</span>
        <div class="form__controls form__controls--column">
          ${check("oneClickChord", "One click on a number opens the rest around it")}
          ${check("dim", "Numbers that have all their flags are paler")}
          ${check("questions", "Question marks, in new games")}
          ${check("shortcuts", "Single-letter shortcuts")}
          ${check("sound", "Sound on moves")}
        </div>
      </div>
    </div>
  <//>`;
}

export function KeysDialog({ onClose }) {
  return html`<${Dialog} title="Fingers, mouse and keys" onClose=${onClose}>
    <p class="prose">
      Finger: tap opens, a long press flags, tap on a number opens the rest around it, two fingers zoom. Mouse: left
      opens, right flags; double click, middle, or both buttons open the rest around a number.
    </p>
    ${KEYS.map(([title, keys]) => html`<section key=${title} class="section">
      <h3 class="section__title">${title}</h3>
      <dl class="keys">
        ${keys.map(([names, text]) => html`<dt>
            ${names.map((name) => html`<kbd class="key" key=${name}>${name}</kbd>`)}
          </dt>
          <dd>${text}</dd>`)}
      </dl>
    </section>`)}
  <//>`;
}
