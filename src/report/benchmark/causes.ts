import type { MissingCause } from "../../domain/benchmark.ts";
import { countsAs, type LeftOut } from "../../domain/run.ts";
import { groupBy } from "../../lib/group-by.ts";
import { plural } from "../../lib/plural.ts";
import type { Arm } from "./arm.ts";

/** Why results of an arm are missing, once per cause: runs that were left out first, then checks that nobody could decide. */
export function causesOf({ trials, evaluated }: Pick<Arm, "trials" | "evaluated">): readonly MissingCause[] {
  const ended = trials.flatMap(({ id }) => {
    const run = evaluated.runs.get(id)?.run;
    return run === undefined ? [] : [{ id, outcome: run.outcome }];
  });
  const leftOut = ended.flatMap(({ outcome }) =>
    countsAs(outcome) === "left-out" ? (outcome as LeftOut) : [],
  );
  const unscored = ended
    .filter(({ outcome }) => countsAs(outcome) !== "left-out")
    .flatMap(({ id }) => evaluated.gradings.get(id)?.verdicts ?? [])
    .filter(({ status }) => status === "unscored");
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
