import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** What one key does on a screen. */
export interface KeyAction {
  readonly does: string;
  readonly run: () => void;
}
export type KeyMap = Readonly<Record<string, KeyAction>>;

/** The innermost last: it answers first. */
const layers = signal<readonly { readonly current: KeyMap }[]>([]);

/** Listens to these keys while the component is shown. */
export function useKeys(map: KeyMap): void {
  const latest = useRef(map);
  latest.current = map;
  useEffect(() => {
    layers.value = [...layers.peek(), latest];
    return () => {
      layers.value = layers.peek().filter((layer) => layer !== latest);
    };
  }, []);
}

/** What can be pressed now, each key once. */
export function offered(): readonly (readonly [string, KeyAction])[] {
  const found = new Map<string, KeyAction>();
  for (const layer of layers.value)
    for (const [key, action] of Object.entries(layer.current)) found.set(key, action);
  return [...found];
}

export function listen(): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) && event.key !== "Escape") return;
    if (event.key === "Enter" && opensItself(event.target)) return;
    const action = layers.peek().findLast((layer) => Object.hasOwn(layer.current, event.key))?.current[
      event.key
    ];
    if (action === undefined) return;
    event.preventDefault();
    if (isTyping(event.target)) (event.target as HTMLElement).blur();
    else action.run();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
}

function opensItself(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("a, button, summary") !== null;
}
