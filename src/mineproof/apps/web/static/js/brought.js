// Text or files pasted or dropped anywhere on the page.
import { html, useEffect, useRef, useState } from "./lib.js";
import { fileBody } from "./api.js";
import { Icon, complain } from "./ui.js";

/** Give what is pasted or dropped to `take`, as the body of a request. Returns the drop zone, while it is needed. */
export function useBrought(take) {
  const [over, setOver] = useState(false);
  const taker = useRef();
  taker.current = take;
  useEffect(() => {
    const stop = new AbortController();
    const on = (type, handler) => addEventListener(type, handler, { signal: stop.signal });
    const bring = (data) => {
      const [file] = data.files;
      const text = data.getData("text/plain");
      if (file)
        fileBody(file)
          .then((body) => taker.current(body))
          .catch(complain);
      else if (text.trim()) taker.current({ text });
    };
    on("paste", (event) => event.target.closest?.("input, textarea") || bring(event.clipboardData));
    on("dragover", (event) => {
      event.preventDefault();
      setOver(true);
    });
    on("dragleave", (event) => event.relatedTarget || setOver(false));
    on("drop", (event) => {
      event.preventDefault();
      setOver(false);
      bring(event.dataTransfer);
    });
    return () => stop.abort();
  }, []);
  return (
    over &&
    html`<div class="dropzone">
      <${Icon} name="paste" className="cover__icon" /><strong>Drop it here</strong>
      <span class="note">a position, a board or a game, in any format</span>
    </div>`
  );
}
