// The panel beside the board; on a small screen a sheet that can be folded away.
import { html, useEffect, useRef, useState } from "./lib.js";

/** `sheet` is [open, setOpen] if the view controls the folding; otherwise the panel does. Whenever `content`, which
 * names what is shown, changes, the panel shows its beginning. */
export function Panel({ label, title, head, foot, sheet, about, content, children }) {
  const own = useState(true);
  const [open, setOpen] = sheet ?? own;
  const body = useRef();
  useEffect(() => void (body.current.scrollTop = 0), [content]);
  return html`<aside class="coach" aria-label=${label} data-folded=${String(!open)}>
    <button type="button" class="coach__grip" aria-label=${open ? `Fold ${label}` : `Unfold ${label}`}
      aria-expanded=${String(open)} onClick=${() => setOpen(!open)}></button>
    <div class="coach__head"><h2 class="coach__title">${title}</h2>${head}</div>
    <div class="coach__body" ref=${body} tabindex="0" role="region" aria-label=${about}>${children}</div>
    ${foot && html`<div class="coach__foot actions">${foot}</div>`}
  </aside>`;
}
