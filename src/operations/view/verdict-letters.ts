import type { Grading } from "../../domain/grading.ts";
import { decidedChecks } from "../../domain/verdict.ts";

/** By check id: `p`assed, `f`ailed or `u`nscored. One on several extracted entries passes when all do. */
export function verdictLetters(
  grading: Pick<Grading, "verdicts"> | undefined,
): ReadonlyMap<string, "p" | "f" | "u"> {
  const verdicts = grading?.verdicts ?? [];
  const decided = decidedChecks(verdicts);
  return new Map(
    verdicts.map(({ checkId }) => {
      const passed = decided.get(checkId);
      return [checkId, passed === undefined ? "u" : passed ? "p" : "f"];
    }),
  );
}
