import { UserError } from "../../domain/user-error.ts";
import { COMPARE } from "../../options/compare.ts";
import { type Given, type Settled, settle, type Sources } from "../../options/table.ts";
import type { RunSettled } from "../shared/run-request.ts";

/** Every option of a comparison with its value, and both names. */
export type CompareSettled = Settled<typeof COMPARE> & { readonly first: string; readonly second: string };

/** Throws a UserError for options that are wrong, missing or exclude each other. */
export function settleComparing(given: Given<typeof COMPARE>, sources: Sources): CompareSettled {
  const settled = settle(COMPARE, given, sources);
  const { first, second } = settled;
  if (first === null || second === null) {
    throw new UserError("compare/no-names", "a comparison needs two names: first and second", {
      hint: "pass two iterations, two run folders, two text files, or two versions of a skill",
    });
  }
  for (const name of ["analyze", "human"] as const) {
    if (!settled.flips || !settled[name]) continue;
    throw new UserError("compare/flips-only", `--flips and --${name} cannot be combined`, {
      hint: `--flips looks at checks alone; --${name} needs the blind comparison`,
    });
  }
  return { ...settled, first, second };
}

/** What running the versions is told: tasks only, each run graded by one judge as `evaluate` does it. */
export function runSettledOf(settled: CompareSettled): RunSettled {
  return { ...settled, targets: [], strict: false, mode: "artifact", grade: true, judges: 1 };
}
