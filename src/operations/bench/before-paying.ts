import type { Plan } from "../../domain/plan.ts";
import type { Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { plural } from "../../lib/plural.ts";
import type { Machine } from "../../machine.ts";
import { holdsTo } from "../../report/benchmark/arm.ts";
import { fewestRuns } from "../../stats/these-cases.ts";
import { DEFAULT_RUNS } from "./settings.ts";

export function requireSkills(suites: readonly Suite[]): readonly Suite[] {
  const bare = suites.find((suite) => suite.skill === null);
  if (bare === undefined) return suites;
  throw new UserError("bench/no-skill", `${bare.name} has no skill, so there is only one side to run`, {
    hint: "--skill PATH says which skill the evals are about",
  });
}

/** Without a check for both arms no run can count for either. */
export function requireChecks(plans: readonly Plan[]): void {
  const bare = plans.find(({ suite, trials, variants }) => {
    const planned = new Set(trials.map(({ caseId }) => caseId));
    const checks = suite.cases.filter(({ id }) => planned.has(id)).flatMap((one) => one.checks);
    return planned.size > 0 && !checks.some((check) => variants.every((variant) => holdsTo(check, variant)));
  });
  if (bare === undefined) return;
  throw new UserError(
    "bench/no-checks",
    `${bare.suite.name} has no check that applies to both sides, so there is nothing to compare`,
    {
      hint: "add expectations or checks to its evals, which assay propose can draft; --no-grade runs both sides anyway, for a person to look at",
    },
  );
}

/** Runs of one version against itself cost as much as any, and can show nothing. */
export function requireChange(
  unchanged: readonly string[],
  { suites, against }: { readonly suites: readonly Suite[]; readonly against: string | null },
  { note }: Pick<Machine, "note">,
): void {
  const [name] = unchanged;
  if (name === undefined) return;
  const hint = "assay bench --aa measures what chance alone does";
  if (unchanged.length >= suites.length)
    throw new UserError("bench/same", `${name} is the same in ${against}: there is nothing to compare`, {
      hint,
    });
  for (const one of unchanged)
    note(`${one} is the same in ${against}, so running it would show nothing; ${hint}`);
}

/** The clearest outcome of so few runs would decide nothing. One arm against itself (`aa`) is split in two. */
export function noteTooFew(
  { suite, trials, variants }: Plan,
  { aa, note }: { readonly aa: boolean } & Pick<Machine, "note">,
): void {
  const cases = new Set(trials.map(({ caseId }) => caseId)).size;
  const most = Math.max(...trials.map(({ repetition }) => repetition));
  const runs = aa ? Math.floor(most / 2) : most;
  const fewest = fewestRuns(cases);
  if (runs >= fewest || (!aa && variants.length < 2)) return;
  const [undecided, enough] = aa
    ? ["half cannot separate chance from order", fewest]
    : ["arm cannot decide whether it helps", Math.max(fewest, DEFAULT_RUNS)];
  note(
    `${suite.name}: ${plural(runs, "run")} of ${plural(cases, "case")} in each ${undecided}; --runs ${enough} can`,
  );
}
