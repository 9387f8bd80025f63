import type { Suite } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { plural } from "../lib/plural.ts";
import { someOf } from "../lib/some-of.ts";

/** What to say when no case of the suites is wanted. */
export function nothingSelected(suites: readonly Suite[]): UserError {
  const cases = suites.flatMap((suite) => suite.cases);
  return new UserError(
    "run/nothing-selected",
    cases.length === 0
      ? "nothing to run: no cases found"
      : `no case matches: ${plural(cases.length, "case")} found, none selected`,
    {
      hint:
        cases.length === 0
          ? "pass a skill that has eval files; assay check shows what was found"
          : `check --case, --filter, --mode and --shard; cases: ${someOf(cases.map(({ id }) => id))}`,
    },
  );
}
