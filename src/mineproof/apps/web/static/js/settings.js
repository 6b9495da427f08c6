// What a person prefers: colours, board, clicks. Kept in the browser, shown on <html> for the style sheets.
import { Store, kept } from "./store.js";

const DEFAULTS = {
  theme: "system", // light | dark | system
  contrast: "system", // more | system
  board: "plain", // plain | classic | csp
  numbers: "colour", // colour | safe | ink
  oneClickChord: false,
  questions: false,
  dim: true,
  shortcuts: true,
  sound: false,
};

export const settings = new Store({ ...DEFAULTS, ...kept.get("settings", {}) });

const moreContrast = matchMedia("(prefers-contrast: more)");

function apply() {
  const { theme, contrast, board, numbers } = settings.value;
  const root = document.documentElement.dataset;
  const put = (name, value) => (value ? (root[name] = value) : delete root[name]);
  put("theme", theme !== "system" && theme);
  put("contrast", (contrast === "more" || moreContrast.matches) && "more");
  put("board", board !== "plain" && board);
  put("numbers", numbers !== "colour" && numbers);
}

export function change(changes) {
  settings.set(changes);
  kept.set("settings", settings.value);
}

settings.watch(apply);
moreContrast.addEventListener("change", apply);
apply();
