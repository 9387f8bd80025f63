import type { RunAddress } from "../../../../domain/run-pages.ts";

/** What `runName` made; null: it did not. */
export function runNamed(name: string): RunAddress | null {
  const [, skill, n, trial] = /^(.+)@(\d+)\/(.+)$/s.exec(name) ?? [];
  return skill === undefined || trial === undefined ? null : { skill, n: Number(n), trial };
}
