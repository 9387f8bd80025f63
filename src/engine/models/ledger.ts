import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { BudgetState } from "../../gateway/budget.ts";
import { numberOrNull, objectAt, parseLine } from "../../lib/loose.ts";

/** What a limited run has spent and reserved, on disk before each request, so that a resumed run keeps to the same cap. */
export interface Ledger {
  readonly before: BudgetState | null;
  readonly onChange: (state: BudgetState) => void;
}

/** Without `resume` it starts from nothing. */
export function openLedger(path: string, resume: boolean): Ledger {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(`${path}.new`, { force: true });
  return {
    before: resume ? readLedger(path) : null,
    onChange(state) {
      writeFileSync(`${path}.new`, JSON.stringify(state));
      renameSync(`${path}.new`, path);
    },
  };
}

function readLedger(path: string): BudgetState | null {
  const read = (key: string, from: unknown) => ({
    costUsd: numberOrNull(objectAt(from, key), "costUsd") ?? 0,
    tokens: numberOrNull(objectAt(from, key), "tokens") ?? 0,
  });
  try {
    const state = parseLine(readFileSync(path, "utf8"));
    return state === null ? null : { spent: read("spent", state), reserved: read("reserved", state) };
  } catch {
    return null;
  }
}
