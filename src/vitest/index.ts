import { basename } from "node:path";
import { afterAll, expect, type TestAPI, test, vi } from "vitest";
import { plural } from "../operations/text.ts";
import * as matchers from "../runners/matchers.ts";
import type { BenchAsked } from "../runners/measuring.ts";
import type { RateAsked } from "../runners/rate-asked.ts";
import type { SkillTestOptions } from "../runners/settings.ts";
import { endOf, type SkillTests, skillTests } from "../runners/skill-tests.ts";
import type { TestedSkill } from "../runners/skill.ts";
import { wrongUse } from "../runners/user-words.ts";
import { fullNameOf, lastErrorOf } from "./task.ts";

export { expect };
export type { ReportRowsOptions, ReportRow } from "../runners/report.ts";
export { report } from "../runners/report.ts";
export type { BenchAsked } from "../runners/measuring.ts";
export type { RateAsked } from "../runners/rate-asked.ts";
export type { SkillTestOptions } from "../runners/settings.ts";
export type { SkillRun } from "../runners/skill-run.ts";
export type { SkillTask, TaskOptions, TestedSkill } from "../runners/skill.ts";

/**
 * Vitest's `test` with the skill at hand: `test("...", async ({ skill }) => ...)`. The path is relative to the test file.
 * All that the tests of the file run is one iteration in the results.
 */
export function skillTest(skill: string, options: SkillTestOptions = {}): TestAPI<{ skill: TestedSkill }> {
  const file = expect.getState().testPath;
  if (file === undefined)
    throw wrongUse(
      "testing/no-file",
      "skillTest must be called in a test file",
      "call it at the top of the file",
    );
  let tests: SkillTests | null = null;
  const opened = () => (tests ??= skillTests(skill, options, file));
  vi.setConfig({ testTimeout: options.testTimeoutMs ?? TEST_TIMEOUT_MS });
  const skipped: string[] = [];
  afterAll(async () => {
    await tests?.finish();
    // Vitest's default reporter counts skipped tests and keeps their reasons to itself.
    if (skipped.length > 0)
      // oxlint-disable-next-line no-console -- Vitest shows it with the file
      console.warn(`${plural(skipped.length, "test")} of ${basename(file)} skipped: ${skipped[0]}`);
  }, FINISH_TIMEOUT_MS);
  return test.extend<{ skill: TestedSkill }>({
    skill: async ({ task, signal, skip }, use) => {
      const attempt = await opened().begin({
        key: task.id,
        name: fullNameOf(task),
        attempt: task.result?.retryCount ?? 0,
        repeat: task.result?.repeatCount ?? 0,
        signal,
        skip: (reason) => {
          skipped.push(reason);
          return skip(reason);
        },
      });
      await use(attempt.skill);
      const state = task.result?.state;
      await attempt.end(state === "skip" ? null : endOf(state === "fail" ? lastErrorOf(task) : null));
    },
  });
}

const TEST_TIMEOUT_MS = 600_000;
/** Ending agents and writing the summary down. */
const FINISH_TIMEOUT_MS = 60_000;

expect.extend({
  toHaveUsedSkill: (run: unknown) => shown(matchers.toHaveUsedSkill(run)),
  toHaveTriggered: (run: unknown) => shown(matchers.toHaveTriggered(run)),
  // What a run is not to pass is no check that results should hold it to.
  async toPassChecks(run: unknown, checks?: readonly unknown[]) {
    return shown(await matchers.toPassChecks(run, checks, { kept: !this.isNot }));
  },
  toPass: async (task: unknown, asked?: Partial<RateAsked>) => shown(await matchers.toPass(task, asked)),
  toBeat: async (skill: unknown, baseline?: string, asked?: BenchAsked) =>
    shown(await matchers.toBeat(skill, baseline, asked)),
  // Vitest has a matcher of this name for predicates, which goes on working.
  toSatisfy(received: unknown, wanted: unknown, message?: string) {
    if (typeof wanted !== "function")
      return matchers.toSatisfy(received, wanted as string, { kept: !this.isNot }).then(shown);
    const failure = message ?? `expected ${this.utils.stringify(received)} to satisfy the predicate`;
    return { pass: Boolean(wanted(received)), message: () => failure };
  },
});

function shown({ pass, message }: { readonly pass: boolean; readonly message: string }) {
  return { pass, message: () => message };
}

declare module "vitest" {
  // oxlint-disable-next-line typescript/no-explicit-any -- as Vitest declares it
  interface Assertion<T = any> {
    /** The agent took the skill up, by its own choice or because it was told to. */
    toHaveUsedSkill: () => void;
    /** Of a run: the agent chose the skill by itself. Of `skill.query`: it does so in most runs. */
    toHaveTriggered: () => void;
    /** The checks that the run was made with hold, and these. */
    toPassChecks: (checks?: readonly unknown[]) => Promise<void>;
    /** A judge finds that the criterion holds. Or, as in Vitest: the predicate does. */
    toSatisfy: {
      (criterion: string): Promise<void>;
      // oxlint-disable-next-line typescript/no-explicit-any -- as Vitest declares it
      (matcher: (value: any) => boolean, message?: string): any;
    };
    /** Run again and again, it passes its checks at least so often. */
    toPass: (asked?: Partial<RateAsked>) => Promise<void>;
    /** On its eval files, the skill does better than no skill, or than another version: a git ref, or a directory. */
    toBeat: (baseline?: string, asked?: BenchAsked) => Promise<void>;
  }
}
