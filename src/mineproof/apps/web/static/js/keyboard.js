// Shortcuts that work anywhere in a view, except where text is typed.
import { useEffect, useRef } from "./lib.js";
import { settings } from "./settings.js";

const WRITING = "input, textarea, select, dialog, [role=menu], [role=slider]";
const WITH_ARROWS = "[role=grid], [role=radiogroup], [role=tablist]"; // these use the arrows themselves

/** Whether the player's last action was by key. */
export const hands = { onKeys: false };
addEventListener("keydown", () => (hands.onKeys = true), true);
addEventListener("pointerdown", () => (hands.onKeys = false), true);

/** Listen to shortcuts; `keys` maps a key to its action. Single letters can be switched off in the settings. */
export function useKeys(keys) {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const down = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest?.(WRITING)) return;
      if (event.key.length === 1 && !settings.value.shortcuts) return;
      const act = now.current[event.key];
      if (!act || (event.key.startsWith("Arrow") && event.target.closest?.(WITH_ARROWS))) return;
      event.preventDefault();
      act(event);
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, []);
}

/** The list of keys for people, by section: [[keys, what they do]].
 * @type {[string, [string[], string][]][]} */
export const KEYS = [
  ["On the board", [
    [["←", "↑", "↓", "→"], "move; h j k l as well, Home, End, Page up and down"],
    [["Enter"], "or space: open; on a number, open the rest around it"],
    [["F"], "flag"],
    [["C"], "chord: open the rest around a number"],
    [["Y"], "why is this cell safe, or a mine?"],
    [[".", ","], "next, previous unknown cell beside a number"],
  ]],
  ["The game", [
    [["N"], "new game"],
    [["R"], "same board again"],
    [["U"], "undo"],
    [["M"], "flag mode: a tap or a click flags"],
    [["P"], "pause: hides the board"],
    [["+", "−", "0"], "larger, smaller, as it fits"],
  ]],
  ["Help", [
    [["W"], "hint: one more part"],
    [["O"], "odds of each cell"],
    [["S"], "certain cells"],
    [["B"], "best guess"],
    [["A"], "the agent takes one step"],
    [["←", "→"], "step of an explanation, outside the board"],
    [["?"], "this list"],
  ]],
];
