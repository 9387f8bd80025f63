import type { MissingCause } from "../../domain/benchmark.ts";
import type { LeftOut } from "../../domain/run.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { groupBy } from "../../lib/group-by.ts";
import { plural } from "../../lib/plural.ts";
import type { Arm } from "./arm.ts";

/** Why results of an arm are missing, once per cause: runs that were left out first, then checks that nobody could decide. */
export function causesOf({ trials }: Pick<Arm, "trials">): readonly MissingCause[] {
  const leftOut: LeftOut[] = [];
  const unscored: Verdict[] = [];
  for (const { as, outcome, given, unscored: open } of trials) {
    if (as === "left-out") leftOut.push(outcome as LeftOut);
    if (open > 0) unscored.push(...given.filter(({ status }) => status === "unscored"));
  }
  return [
    ...[...groupBy(leftOut, ({ status, message }) => `${status}\n${message}`).values()].flatMap(
      (alike): MissingCause[] => {
        const [first] = alike;
        if (first === undefined) return [];
        return [{ kind: "left-out", status: first.status, reason: first.message, runs: alike.length }];
      },
    ),
    ...[...groupBy(unscored, ({ reason }) => reason)].map(([reason, alike]): MissingCause => {
      const runsOf = new Set(alike.map(({ trialId }) => trialId)).size;
      return { kind: "unscored", reason, checks: alike.length, runs: runsOf };
    }),
  ];
}

/** `2 runs left out (invalid): the skill was not offered`. */
export function causeText(cause: MissingCause): string {
  const why = cause.reason.replaceAll(/\s+/g, " ").trim().slice(0, 300);
  const what =
    cause.kind === "left-out"
      ? `${plural(cause.runs, "run")} left out (${cause.status})`
      : `${plural(cause.checks, "check")} unscored in ${plural(cause.runs, "run")}`;
  return why === "" ? what : `${what}: ${why}`;
}
