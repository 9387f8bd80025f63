import { after, test, type TestContext, type TestOptions } from "node:test";
import { AssertionError } from "node:assert";
import type { Matched } from "../runners/matched.ts";
import * as matchers from "../runners/matchers.ts";
import type { BenchAsked } from "../runners/measuring.ts";
import type { RateAsked } from "../runners/rate-asked.ts";
import type { SkillTestOptions } from "../runners/settings.ts";
import { endOf, type SkillTests, skillTests } from "../runners/skill-tests.ts";
import type { TestedSkill } from "../runners/skill.ts";
import { callerFile } from "./caller-file.ts";

export type { ReportRowsOptions, ReportRow } from "../runners/report.ts";
export { report } from "../runners/report.ts";
export type { BenchAsked } from "../runners/measuring.ts";
export type { RateAsked } from "../runners/rate-asked.ts";
export type { SkillTestOptions } from "../runners/settings.ts";
export type { SkillRun } from "../runners/skill-run.ts";
export type { SkillTask, TaskOptions, TestedSkill } from "../runners/skill.ts";

/** A test of node:test with the skill at hand. */
export interface SkillTestFunction {
  (name: string, body: SkillTestBody): Promise<void>;
  (name: string, options: TestOptions, body: SkillTestBody): Promise<void>;
}

type SkillTestBody = (at: { readonly skill: TestedSkill; readonly t: TestContext }) => unknown;

/**
 * node:test's `test` with the skill at hand: `test("...", async ({ skill }) => ...)`. The path is relative to the test file.
 * All that the tests of the file run is one iteration in the results.
 */
export function skillTest(skill: string, options: SkillTestOptions = {}): SkillTestFunction {
  const file = callerFile(skillTest);
  let tests: SkillTests | null = null;
  const opened = () => (tests ??= skillTests(skill, options, file));
  after(async () => tests?.finish());
  const timeout = options.testTimeoutMs ?? TEST_TIMEOUT_MS;
  return (name: string, ...rest: [SkillTestBody] | [TestOptions, SkillTestBody]) => {
    const body = rest.length === 1 ? rest[0] : rest[1];
    const given = rest.length === 1 ? {} : rest[0];
    return test(name, { timeout, ...given }, (t) => runTest(t, opened(), { name, body }));
  };
}

const TEST_TIMEOUT_MS = 600_000;

async function runTest(
  t: TestContext,
  tests: SkillTests,
  { name, body }: { readonly name: string; readonly body: SkillTestBody },
): Promise<void> {
  const skip = (reason: string): never => {
    throw new Skipped(reason);
  };
  try {
    // Newer versions of Node run failed tests again, and say how often.
    const { attempt = 0 } = t as { readonly attempt?: number };
    const begun = await tests.begin({ key: name, name, attempt, repeat: 0, signal: t.signal, skip });
    let failure: unknown = null;
    try {
      await body({ skill: begun.skill, t });
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      const isSkipped = failure instanceof Skipped;
      await begun.end(isSkipped ? null : endOf(failure === null ? null : (failure as Error)));
    }
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    t.skip(error.message);
  }
}

class Skipped extends Error {
  override readonly name = "Skipped";
}

/** The agent took the skill up, by its own choice or because it was told to. */
export function assertUsedSkill(run: unknown): void {
  hold(matchers.toHaveUsedSkill(run), assertUsedSkill);
}

/** Of a run: the agent chose the skill by itself. Of `skill.query`: it does so in most runs. */
export function assertTriggered(run: unknown): void {
  hold(matchers.toHaveTriggered(run), assertTriggered);
}

/** The agent left the skill alone; of a query, in most runs. What is unsettled is thrown as it is. */
export function assertNotTriggered(run: unknown): void {
  const { pass, message } = matchers.toHaveTriggered(run);
  hold({ pass: !pass, message }, assertNotTriggered);
}

/** The checks that the run was made with hold, and these. */
export async function assertPassesChecks(run: unknown, checks?: readonly unknown[]): Promise<void> {
  hold(await matchers.toPassChecks(run, checks), assertPassesChecks);
}

/** A judge finds that the criterion holds. */
export async function assertSatisfies(run: unknown, criterion: string): Promise<void> {
  hold(await matchers.toSatisfy(run, criterion), assertSatisfies);
}

/** Run again and again, it passes its checks at least so often. */
export async function assertPasses(task: unknown, asked?: Partial<RateAsked>): Promise<void> {
  hold(await matchers.toPass(task, asked), assertPasses);
}

/** On its eval files, the skill does better than no skill, or than another version: a git ref, or a directory. */
export async function assertBeats(skill: unknown, baseline?: string, asked?: BenchAsked): Promise<void> {
  hold(await matchers.toBeat(skill, baseline, asked), assertBeats);
}

function hold({ pass, message }: Matched, stackStartFn: (...args: never[]) => unknown): void {
  if (!pass) throw new AssertionError({ message, stackStartFn });
}
