// The address names the view, so that Back, Forward and links work.
import { Store } from "./store.js";

const read = () => ({ path: location.pathname, query: Object.fromEntries(new URLSearchParams(location.search)) });

export const route = new Store(read());

export function href(path, query = {}) {
  const text = new URLSearchParams(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  ).toString();
  return text ? `${path}?${text}` : path;
}

export function go(to, { replace = false } = {}) {
  if (to !== location.pathname + location.search) history[replace ? "replaceState" : "pushState"](null, "", to);
  route.set(read());
}

/** Change the query of the address without a new history entry, so that Back skips it. */
export function note(query) {
  go(href(location.pathname, { ...route.value.query, ...query }), { replace: true });
}

addEventListener("popstate", () => route.set(read()));
addEventListener("click", (event) => {
  /** @type {HTMLAnchorElement | null} */
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/") || link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  go(link.pathname + link.search);
});
