// Values that components watch, and values that the browser keeps when the page is closed.
import { useEffect, useReducer } from "./lib.js";

export class Store {
  constructor(/** @type {Record<string, any>} */ value) {
    this.value = value;
    this.watchers = new Set();
  }

  set(changes) {
    this.value = { ...this.value, ...changes };
    for (const watcher of [...this.watchers]) watcher(this.value);
  }

  watch(watcher) {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

/** Return the value of a store, and draw the component again whenever it changes. */
export function useStore(store) {
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    redraw(null); // the value may have changed before this effect ran
    return store.watch(redraw);
  }, [store]);
  return store.value;
}

/** Values kept in the browser, by name. */
export const kept = {
  /** @returns {any} */
  get(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`mineproof.${name}`) ?? "null") ?? otherwise;
    } catch {
      return otherwise; // the browser allows no storage, or the text is no JSON
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`mineproof.${name}`, JSON.stringify(value));
    } catch {
      // a private window allows no storage: the value lasts as long as the page
    }
  },
};
