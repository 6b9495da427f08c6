// The view library, in one place: Preact's hooks, and templates without a build step.
import { h, render, Fragment } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export const html = htm.bind(h);
export { h, render, Fragment };
export {
  useCallback, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useReducer, useRef, useState
} from "../vendor/hooks.js";
