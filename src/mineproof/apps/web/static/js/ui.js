// Small parts that every view is made of.
import { html, useEffect, useId, useLayoutEffect, useRef, useState } from "./lib.js";
import { Store, useStore } from "./store.js";

export const Icon = ({ name, className = "" }) => html`<svg class=${`icon ${className}`} aria-hidden="true">
  <use href=${`#${name}`} />
</svg>`;
export const Glyph = ({ name }) => html`<svg class=${`glyph glyph--${name}`} aria-hidden="true">
  <use href=${`#${name}`} />
</svg>`;

export function Button({
  icon, keyName, label, primary, quiet, wide, pressed, children, title, className = "", ...rest
}) {
  const kinds = [primary && "btn--primary", quiet && "btn--quiet", wide && "btn--wide", !children && "btn--icon"];
  const kind = ["btn", ...kinds, className].filter(Boolean).join(" ");
  return html`<button type="button" class=${kind} aria-label=${label} title=${title ?? label}
    aria-pressed=${pressed === undefined ? undefined : String(pressed)} ...${rest}>
    ${icon && html`<${Icon} name=${icon} />`}${children && html`<span>${children}</span>`}
    ${keyName && html`<kbd class="btn__key" aria-hidden="true">${keyName}</kbd>`}
  </button>`;
}

/** A choice of one among several: a radio group, or tabs. `options`: [[value, text, icon?], …] */
export function Segmented({ label, value, options, onChange, tabs = false, icons = false }) {
  const root = useRef();
  const move = (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const at = options.findIndex(([option]) => option === value);
    const next = (at + by + options.length) % options.length;
    onChange(options[next][0]);
    root.current.children[next].focus();
  };
  return html`<div ref=${root} class=${`segmented ${icons ? "segmented--icons" : ""}`}
    role=${tabs ? "tablist" : "radiogroup"} aria-label=${label} onKeyDown=${move}>
    ${options.map(([option, text, icon]) => {
      const on = String(option === value);
      return html`<button key=${option} type="button" class="segmented__item" role=${tabs ? "tab" : "radio"}
        aria-selected=${tabs ? on : undefined} aria-checked=${tabs ? undefined : on}
        tabindex=${option === value ? 0 : -1} aria-label=${icons ? text : undefined} title=${icons ? text : undefined}
        onClick=${() => onChange(option)}>
        ${icon && html`<${Icon} name=${icon} />`}${!icons && text}
      </button>`;
    })}
  </div>`;
}

/** A button that opens a list of actions. `items`: [{title} | {text, note, end, checked, act}] */
export function Menu({ label, text, icon, keyName, items, end = false, className = "" }) {
  const [open, setOpen] = useState(false);
  const root = useRef();
  const id = useId();
  const buttons = () => [...root.current.querySelectorAll("[role^=menuitem]")];
  useEffect(() => {
    if (!open) return undefined;
    (buttons().find((item) => item.getAttribute("aria-checked") === "true") ?? buttons()[0])?.focus();
    const away = (event) => !root.current.contains(event.target) && setOpen(false);
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [open]);
  useLayoutEffect(() => { // above everything, on the side of the button with more room
    if (!open) return;
    const panel = root.current.lastElementChild;
    panel.showPopover?.();
    const { left, right, top, bottom } = root.current.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const below = clientHeight - bottom;
    const up = below < panel.offsetHeight + 14 && top > below;
    panel.style.maxHeight = `${Math.min((up ? top : below) - 14, 560)}px`;
    panel.style.top = `${up ? top - 6 - panel.offsetHeight : bottom + 6}px`;
    const wanted = end ? right - panel.offsetWidth : left;
    panel.style.left = `${Math.max(8, Math.min(wanted, clientWidth - panel.offsetWidth - 8))}px`;
  }, [open]);
  const keys = (event) => {
    const choices = buttons();
    const at = choices.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: choices.length - 1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") {
      setOpen(false);
      if (event.key === "Escape") root.current.firstElementChild.focus();
    } else if (to !== undefined) choices[(to + choices.length) % choices.length]?.focus();
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  };
  return html`<div class=${`menu ${className}`} ref=${root}
    onFocusOut=${(event) => event.relatedTarget && !root.current.contains(event.relatedTarget) && setOpen(false)}>
    <button type="button" class="btn" aria-haspopup="menu" aria-expanded=${String(open)}
      aria-controls=${open ? id : undefined} aria-label=${label} onClick=${() => setOpen(!open)}>
      ${icon && html`<${Icon} name=${icon} />`}<span class="menu__text">${text}</span>
      ${keyName && html`<kbd class="btn__key" aria-hidden="true">${keyName}</kbd>`}
      <${Icon} name="down" className="btn__caret" />
    </button>
    ${open &&
    html`<div id=${id} class="menu__panel" popover="manual" role="menu" aria-label=${label} onKeyDown=${keys}>
      ${items.map((item) =>
        item.title
          ? html`<div key=${item.title} class="menu__title" role="presentation">${item.title}</div>`
          : html`<button key=${item.text} type="button" class="menu__item"
              role=${item.checked === undefined ? "menuitem" : "menuitemradio"}
              aria-checked=${item.checked === undefined ? undefined : String(item.checked)} tabindex="-1"
              onClick=${() => {
                setOpen(false);
                item.act();
              }}>
              <span>${item.text}</span>${item.end && html`<span class="menu__end">${item.end}</span>`}
              ${item.note && html`<small>${item.note}</small>`}
            </button>`,
      )}
    </div>`}
  </div>`;
}

export function Dialog({ title, onClose, children, foot }) {
  const dialog = useRef();
  const id = useId();
  useEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    dialog.current.showModal();
    return () => before?.focus?.();
  }, []);
  const backdrop = (event) => event.target === dialog.current && onClose();
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby=${id} onClose=${onClose} onClick=${backdrop}
    onKeyDown=${(event) => event.key !== "Escape" && event.stopPropagation()}>
    <div class="dialog__head">
      <h2 class="dialog__title" id=${id}>${title}</h2><${Button} icon="close" label="Close" quiet onClick=${onClose} />
    </div>
    <div class="dialog__body">${children}${foot && html`<div class="dialog__foot">${foot}</div>`}</div>
  </dialog>`;
}

/** The head of a panel: a sign, a sentence, a note. */
export function Verdict({ sign, icon, text, note }) {
  const mark =
    icon === "spinner"
      ? html`<span class="spinner" />`
      : ["tick", "cross", "mine", "flag"].includes(icon)
        ? html`<${Glyph} name=${icon} />`
        : html`<${Icon} name=${icon} className="verdict__icon" />`;
  return html`<div class="verdict">
    <span class=${`verdict__sign verdict__sign--${sign}`}>${mark}</span><h3 class="verdict__text">${text}</h3>
    <p class="verdict__note">${note}</p>
  </div>`;
}

/** The view of an address that does not exist. */
export function NoPage() {
  return html`<main class="view view--page" id="main">
    <div class="lone">
      <div class="card">
        <${Verdict} sign="quiet" icon="target" text="There is no such page" note=${location.pathname} />
        <p class="prose">The address may be mistyped, or the page has moved.</p>
        <div class="actions">
          <a class="btn btn--primary" href="/play">Play</a><a class="btn" href="/learn">Learn</a>
        </div>
      </div>
    </div>
  </main>`;
}

export function Fold({ title, end, children, onOpen, open }) {
  return html`<details class="fold" open=${open} onToggle=${(event) => event.currentTarget.open && onOpen?.()}>
    <summary class="fold__head">
      <${Icon} name="right" className="fold__caret" />${title}<span class="fold__end">${end}</span>
    </summary>
    <div class="fold__body">${children}</div>
  </details>`;
}

/** A spinner for work under way, with its seconds and a button to cancel it. `still` is the text after a second. */
export function Waiting({ text = "Counting", still = `Still ${text.toLowerCase()},`, onCancel }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return html`<div class="waiting" role="status">
    <span class="spinner" aria-hidden="true" /><span>${seconds ? `${still} ${seconds} s` : `${text} …`}</span>
    ${onCancel && seconds > 0 && html`<${Button} onClick=${onCancel}>Cancel<//>`}
  </div>`;
}

// ---- short messages -------------------------------------------------------------------------------------------------
const toasts = new Store({ list: [] });
let count = 0;

/** Show a message for a while; `link` is a way back.
 * @param {string} text @param {{wrong?: boolean, link?: {to: string, text: string}}} [kind] */
export function say(text, { wrong = false, link } = {}) {
  const id = ++count;
  const others = toasts.value.list.filter((toast) => !link || !toast.link);
  toasts.set({ list: [...others.slice(-2), { id, text, wrong, link }] });
  setTimeout(() => hush((toast) => toast.id === id), link ? 8000 : wrong ? 6000 : 3000);
}

/** Tell the player of an error. */
export const complain = (error) => say(error.message, { wrong: true });

/** Remove messages: by default the complaints, which do not outlive their game.
 * @param {(toast: any) => boolean} [which] */
export function hush(which = ({ wrong }) => wrong) {
  if (toasts.value.list.some(which)) toasts.set({ list: toasts.value.list.filter((toast) => !which(toast)) });
}

export function Toasts() {
  const { list } = useStore(toasts);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${list.map(({ id, text, wrong, link }) => html`<div key=${id} class=${`toast ${wrong ? "toast--wrong" : ""}`}>
      ${text}
      ${link &&
      html` <a class="toast__link" href=${link.to} onClick=${() => hush((toast) => toast.id === id)}>${link.text}</a>`}
    </div>`)}
  </div>`;
}

export async function copy(text, message) {
  try {
    await navigator.clipboard.writeText(text);
    say(message);
  } catch {
    prompt("Copy this:", text); // browsers give the clipboard only to secure pages
  }
}
