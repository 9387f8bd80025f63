import type { Check } from "../../domain/check.ts";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";

/** The cases with only the checks whose id or text contains one of the texts; cases without any are left out. */
export function withOnlyChecks(cases: readonly Case[], only: readonly string[]): readonly Case[] {
  if (only.length === 0) return cases;
  const wanted = only.map((text) => text.toLowerCase());
  const isWanted = ({ id, text }: Check) =>
    wanted.some((part) => id.toLowerCase().includes(part) || text.toLowerCase().includes(part));
  const found = cases
    .map((one) => ({ ...one, checks: one.checks.filter(isWanted) }))
    .filter((one) => one.checks.length > 0);
  if (found.length > 0) return found;
  const ids = cases.flatMap((one) => one.checks.map(({ id }) => id));
  throw new UserError(
    "grade/no-such-check",
    `no check has ${only.map((text) => JSON.stringify(text)).join(" or ")} in its id or text`,
    {
      hint: ids.length === 0 ? "there are no checks here" : `checks: ${ids.slice(0, 12).join(", ")}`,
    },
  );
}
