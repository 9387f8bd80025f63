import type { RunnerTestCase } from "vitest";

/** With the names of the suites it is in. */
export function fullNameOf(task: Readonly<RunnerTestCase>): string {
  const names = [task.name];
  for (let suite = task.suite; suite !== undefined; suite = suite.suite) names.unshift(suite.name);
  return names.join(" > ");
}

/** What the attempt failed with; retries add theirs behind it. */
export function lastErrorOf({ result }: Readonly<RunnerTestCase>): { name?: string; message: string } {
  const error = result?.errors?.at(-1);
  return {
    message: error?.message ?? "the test failed",
    ...(error?.name !== undefined && { name: error.name }),
  };
}
