import { readConfig } from "../operations/config.ts";
import type { Door } from "../operations/door.ts";
import {
  NoResultError,
  NOT_RECORDED,
  type OpenTest,
  openTesting,
  type TestEnd,
  type Testing,
  type TestIdentity,
} from "../operations/testing.ts";
import { UserError } from "../domain/user-error.ts";
import { thisMachine } from "../this-machine.ts";
import { measuringOf } from "./measuring.ts";
import { settingsOf, type SkillTestOptions } from "./settings.ts";
import { TestedSkill } from "./skill.ts";
import { withHint } from "./user-words.ts";

/** All tests of one file about one skill. */
export interface SkillTests {
  readonly begin: (attempt: BegunAttempt) => Promise<TestAttempt>;
  /** Sums up what the tests ran; the file's results are complete then. */
  readonly finish: () => Promise<void>;
}

/** An attempt at a test, as a test runner begins it. */
interface BegunAttempt extends Omit<TestIdentity, "signal"> {
  /** Fires when the runner gives the test up; absent: it does not say. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the test as skipped, for this reason. */
  readonly skip: (reason: string) => never;
}

interface TestAttempt {
  readonly skill: TestedSkill;
  /** Stops what still runs for the test, and writes down how it ended; null: it was skipped. */
  readonly end: (end: TestEnd | null) => Promise<void>;
}

/** `file` is the test file, absolute. Nothing is opened before the first test begins. */
export function skillTests(skill: string, options: SkillTestOptions, file: string): SkillTests {
  const machine = thisMachine();
  const settings = settingsOf(skill, options, { file, env: machine.env });
  let opened: Promise<{ readonly testing: Testing; readonly door: Door }> | null = null;
  const open = async () => {
    const door = { machine, config: await readConfig(null, machine) };
    const testing = await openTesting(settings.testing, door);
    return { testing: { ...testing, cases: () => withHint(testing.cases) }, door };
  };
  return {
    begin: async ({ signal, skip, ...identity }) => {
      const skipped = (thrown: unknown): never => {
        const error = isNothingRecorded(thrown) ? new NoResultError("not-recorded", NOT_RECORDED) : thrown;
        const isMissing = error instanceof NoResultError && error.reason === "not-recorded";
        if (isMissing && settings.missing === "skip") return skip(error.message);
        throw error;
      };
      const { testing, door } = await withHint(() => (opened ??= open())).catch(skipped);
      const stop = new AbortController();
      const abort = () => stop.abort(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      const atWork = new Set<Promise<unknown>>();
      const test = guarded(testing.test({ ...identity, signal: stop.signal }), { atWork, skipped });
      const measuring = measuringOf(settings.testing, { ...door, signal: stop.signal });
      return {
        skill: new TestedSkill(testing, test, measuring),
        end: async (end) => {
          signal?.removeEventListener("abort", abort);
          stop.abort(new Error("the test has ended"));
          await Promise.allSettled(atWork);
          if (end !== null) await test.end(end);
        },
      };
    },
    finish: async () => {
      const { testing } = (await opened?.catch(() => null)) ?? { testing: null };
      await testing?.finish();
    },
  };
}

/** An end that a thrown error stands for. */
export function endOf(
  error: { readonly name?: string | undefined; readonly message: string } | null,
): TestEnd {
  if (error === null) return { status: "passed" };
  return { status: error.name === "NoResultError" ? "unknown" : "failed", reason: error.message };
}

/** Not even one test of the folder. */
function isNothingRecorded(error: unknown): boolean {
  return error instanceof UserError && error.code === "replay/nothing-recorded";
}

/** The same test, whose errors say all they know, and which knows what is still at work. */
function guarded(
  test: OpenTest,
  {
    atWork,
    skipped,
  }: { readonly atWork: Set<Promise<unknown>>; readonly skipped: (error: unknown) => never },
): OpenTest {
  const guard =
    <A extends unknown[], T>(act: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> => {
      const working = withHint(() => act(...args));
      atWork.add(working);
      return working.catch(skipped).finally(() => atWork.delete(working));
    };
  return {
    ...test,
    run: guard(test.run),
    sample: guard(test.sample),
    ask: guard(test.ask),
    check: guard(test.check),
    checkText: guard(test.checkText),
    once: (what, measure) => guard(() => test.once(what, measure))(),
  };
}
