import path from "node:path";

import { type EntryKind, isAtOrBelow, parentOf } from "./layer.ts";
import type { Staged } from "./stage.ts";

/** What stood at a path when the agent started. */
export interface Original {
  readonly kind: EntryKind;
  /** Absolute path of the untouched content. */
  readonly host: string;
}

export type Layers = Pick<Staged, "base" | "layer" | "setup">;

export function originalAt(layers: Layers, relative: string): Original | null {
  const { base, layer, setup } = layers;
  const made = setup?.entries.get(relative);
  if (setup !== undefined && made !== undefined)
    return { kind: made, host: path.join(setup.directory, relative) };
  if (setup?.deleted.has(relative) === true) return null;
  const staged = layer.entries.get(relative);
  if (staged !== undefined) return { kind: staged, host: path.join(layer.directory, relative) };
  const kind = base.entries.get(relative);
  if (kind === undefined || isCovered(layers, relative)) return null;
  return { kind, host: path.join(base.directory, relative) };
}

/** Every file and link that stood at or below a path; "" for all of them. */
export function* originalsBelow(layers: Layers, directory: string): Iterable<string> {
  const { base, layer, setup } = layers;
  const isSettled = (relative: string): boolean =>
    setup !== undefined && (setup.entries.has(relative) || setup.deleted.has(relative));
  for (const relative of setup?.entries.keys() ?? []) {
    if (isAtOrBelow(relative, directory)) yield relative;
  }
  for (const [relative, kind] of layer.entries) {
    if (kind !== "directory" && isAtOrBelow(relative, directory) && !isSettled(relative)) yield relative;
  }
  for (const [relative, kind] of base.entries) {
    if (kind === "directory" || !isAtOrBelow(relative, directory) || isSettled(relative)) continue;
    if (!layer.entries.has(relative) && !isCovered(layers, relative)) yield relative;
  }
}

/** Something other than a directory was staged on the way to it. */
function isCovered(layers: Layers, relative: string): boolean {
  const { entries } = layers.layer;
  if (entries.size === 0) return false;
  for (let at = parentOf(relative); at !== ""; at = parentOf(at)) {
    const kind = entries.get(at);
    if (kind !== undefined) return kind !== "directory";
  }
  return false;
}
