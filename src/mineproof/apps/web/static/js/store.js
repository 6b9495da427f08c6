// A value that can be watched; and values that outlive the page, where the browser allows it.
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

/** The value of a store; the component is drawn again when it changes. */
export function useStore(store) {
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    redraw(null); // the value may have changed since it was drawn
    return store.watch(redraw);
  }, [store]);
  return store.value;
}

export const kept = {
  /** @returns {any} */
  get(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`mineproof.${name}`) ?? "null") ?? otherwise;
    } catch {
      return otherwise; // no storage, or invalid content
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`mineproof.${name}`, JSON.stringify(value));
    } catch {
      // a private window: it is kept as long as the page
    }
  },
};
