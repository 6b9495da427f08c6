import type { StateUpdater } from "preact/hooks";

export * from "preact/hooks";

// State and references that begin empty are filled with what the server or the document gives: any value.
export function useState(initial: null): [any, (value: any) => void];
export function useState(initial: never[]): [any[], (value: any[]) => void];
export function useState<S>(initial: S | (() => S)): [S, (value: StateUpdater<S>) => void];
export function useRef(initial?: null): { current: any };
export function useRef(initial: never[]): { current: any[] };
export function useRef<T>(initial: T): { current: T };
