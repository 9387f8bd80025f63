import { createHash, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Grading } from "../../domain/grading.ts";
import { countsAs, type Run } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import type { Trial } from "../../domain/trial.ts";
import type { QuerySummary } from "../../domain/triggers.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Verdict } from "../../domain/verdict.ts";
import type { Models } from "../../engine/models/open-models.ts";
import { capturedSubject } from "../../grade/captured-subject.ts";
import { storedSubject } from "../../iteration/stored-subject.ts";
import { inlineChecks } from "../../load/inline-checks.ts";
import { runFolder, slug } from "../../store/layout.ts";
import type { KeptIteration } from "../shared/kept-iteration.ts";
import { makeRuns } from "./make-runs.ts";
import { noResultOf } from "./no-result.ts";
import { type AskedPrompt, promptCase, queryCase } from "./prompt-case.ts";
import type { RunningParts } from "./run-cases.ts";
import { type FurtherGrading, gradedByTest } from "./test-verdict.ts";

/** Which test asks, in which attempt. */
export interface TestIdentity {
  /** Tells it from every other test of the file. */
  readonly key: string;
  /** With the names of what it is in. */
  readonly name: string;
  /** How often it was tried before: a retry. */
  readonly attempt: number;
  /** How often it was run before, whatever came of it: a repeat is a run of its own. */
  readonly repeat: number;
  readonly signal: AbortSignal;
}

/** A prompt of the test's own, or a case of an eval file. */
export type AskedTask = AskedPrompt | { readonly case: Case };

export type AskedQuery =
  | { readonly query: string; readonly shouldTrigger: boolean }
  | { readonly case: Case };

/** A run with what is kept of it. */
export interface TestRun {
  readonly case: Case;
  readonly trial: Trial;
  readonly run: Run;
  /** Of the checks that it was run with; null: there are none, or it was left out. */
  readonly grading: Grading | null;
  /** What text checks read; null: the run left none. */
  readonly output: string | null;
  /** Its folder in the results, absolute. */
  readonly folder: string;
  /** False for a retry of a run that counted: it is not in the numbers. */
  readonly counts: boolean;
}

/** What became of a query, over all of its runs. */
export interface MeasuredQuery extends QuerySummary {
  /** Why it says nothing, such as a skill that does not even answer to its name; null: it does. */
  readonly invalid: string | null;
}

/** How the test ended. `unknown`: nothing was found out. */
export type TestEnd =
  | { readonly status: "passed" }
  | { readonly status: "failed" | "unknown"; readonly reason: string };

/** One attempt at one test. */
export interface OpenTest {
  /** Rejects with a NoResultError where there is no run to speak of. */
  readonly run: (asked: AskedTask) => Promise<TestRun>;
  /** So many runs of the same, left-out ones too; results are held to the rate. Throws a UserError where there is no check. */
  readonly sample: (
    asked: AskedTask,
    wanted: { readonly runs: number; readonly rate: number },
  ) => Promise<readonly TestRun[]>;
  /** Each query several times. */
  readonly ask: (queries: readonly AskedQuery[]) => Promise<readonly MeasuredQuery[]>;
  /** Holds a run to further checks, as the `assay` key spells them; `kept`: results hold it to them too. */
  readonly check: (
    run: TestRun,
    checks: readonly unknown[],
    how: { readonly kept: boolean },
  ) => Promise<readonly Verdict[]>;
  /** The same of a text that somebody captured: by these checks, or those of a case. Kept nowhere. */
  readonly checkText: (
    text: string,
    by: { readonly case: Case } | readonly unknown[],
  ) => Promise<readonly Verdict[]>;
  /** What is measured once for all attempts: a retry must not draw until it likes the result. A failure is not kept. */
  readonly once: <T>(what: string, measure: () => Promise<T>) => Promise<T>;
  /** Writes down what the test found of its runs. */
  readonly end: (end: TestEnd) => Promise<void>;
}

/** What the tests of a file share. */
export interface TestingWork extends RunningParts {
  readonly models: Pick<Models, "grade" | "mask">;
  /** Null until something was run. */
  kept: Promise<KeptIteration> | null;
  /** By case id: the test it belongs to. */
  readonly owners: Map<string, string>;
  readonly measured: Map<string, Promise<unknown>>;
}

export function openTest(identity: TestIdentity, work: TestingWork): OpenTest {
  const { name, attempt, repeat, signal } = identity;
  const further = new Map<TestRun, readonly FurtherGrading[]>();
  const take = `${repeat === 0 ? "" : `.repeat-${repeat}`}${attempt === 0 ? "" : `.retry-${attempt}`}`;
  const file = work.file.path;
  let calls = 0;
  const named = () => nameOf(identity, ++calls, work);
  const make = (cases: readonly Case[], runs: number) =>
    makeRuns({ cases, runs, take, repeat }, work, signal);
  const once: OpenTest["once"] = (what, measure) =>
    measureOnce(`${identity.key}\n${repeat}\n${what}`, measure, work);
  const taskOf = (of: Named, asked: AskedTask) =>
    "case" in asked
      ? { ...asked.case, id: `${of.id}.${asked.case.id}` }
      : promptCase(of.id, of.name, asked, file);
  return {
    once,
    run: async (asked) => {
      const [run] = (await make([taskOf(named(), asked)], 1)).runs;
      if (run === undefined) throw new Error("the case left no run");
      if (countsAs(run.run.outcome) === "left-out") throw noResultOf(run.run);
      further.set(run, []);
      return run;
    },
    sample: async (asked, { runs, rate }) => {
      const of = named();
      const one = taskOf(of, asked);
      if (one.checks.length === 0) throw noChecks();
      const settings = { ...one.settings, variance: { runs, minStability: rate } };
      return once(of.id, async () => withoutMiss((await make([{ ...one, settings }], runs)).runs));
    },
    ask: (queries) => {
      const { id } = named();
      const cases = queries.map((asked, at) =>
        "case" in asked
          ? { ...asked.case, id: `${id}.${asked.case.id}` }
          : queryCase(`${id}.q${at + 1}`, asked, file),
      );
      return once(id, async () => {
        const { triggers, runs } = await make(cases, 1);
        withoutMiss(runs);
        const invalid = triggers?.validity.status === "invalid" ? triggers.validity.reason : null;
        return (triggers?.queries ?? []).map((query) => ({ ...query, invalid }));
      });
    },
    check: async (run, wanted, { kept }) => {
      const earlier = further.get(run) ?? [];
      const taken = [...run.case.checks, ...earlier.flatMap(({ checks }) => checks)].map(({ id }) => id);
      const checks = inlineChecks(wanted, ["test", ...taken]);
      const one = { ...run.case, checks, sections: [] };
      const subject = await storedSubject(finishedOf(run), one, runFolder(run.folder), work.skill.name);
      const grading = await work.models.grade(subject, signal);
      if (kept) further.set(run, [...earlier, { checks, grading }]);
      return grading.verdicts;
    },
    checkText: async (text, by) => {
      const path = join(work.scratch, `text-${randomUUID()}.txt`);
      await writeFile(path, text);
      const prompt = { prompt: { kind: "turns", turns: [] }, checks: Array.isArray(by) ? by : [] } as const;
      const one = "case" in by ? by.case : promptCase("text", name, prompt, file);
      const output = { path, bytes: Buffer.byteLength(text) };
      const about = { skill: work.skill.name, now: work.request.machine.now() };
      return (await work.models.grade(capturedSubject(one, output, about), signal)).verdicts;
    },
    end: async (end) => {
      const kept = await work.kept;
      const at = work.request.machine.now().toISOString();
      for (const [run, asked] of further) {
        if (kept === null || !run.counts) continue;
        const { checks, grading } = gradedByTest(run, asked, { name, end, at });
        await kept.grade(run.trial.id, { ...run.case, checks }, grading);
      }
    },
  };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The n-th thing that a test runs, by a name that only the test's own decides, so that recordings are found again. */
function nameOf({ key, name }: TestIdentity, call: number, { owners }: TestingWork): Named {
  const plain = slug(name, 36);
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 6);
  const id = name.replaceAll(" ", "-") === plain ? plain : [plain, digest].filter(Boolean).join("-");
  if ((owners.get(id) ?? key) !== key) {
    throw new UserError("testing/same-name", `two tests of this file are called ${JSON.stringify(name)}`, {
      hint: "results and recordings are told apart by the names of tests: rename one",
    });
  }
  owners.set(id, key);
  return call === 1 ? { id, name } : { id: `${id}-${call}`, name: `${name} (${call})` };
}

async function measureOnce<T>(
  what: string,
  measure: () => Promise<T>,
  { measured }: TestingWork,
): Promise<T> {
  const known = (measured.get(what) as Promise<T> | undefined) ?? measure();
  measured.set(what, known);
  known.catch(() => measured.delete(what));
  return known;
}

/** A recording that is missing or does not fit is no run. */
function withoutMiss(runs: readonly TestRun[]): readonly TestRun[] {
  const missed = runs.find(({ run }) => run.replay?.match === "miss");
  if (missed !== undefined) throw noResultOf(missed.run);
  return runs;
}

function noChecks(): UserError {
  return new UserError("testing/no-checks", "there is no check by which a run passes", {
    hint: "pass checks with the prompt, or use a case of an eval file that has some",
  });
}

function finishedOf({ trial, run, folder }: TestRun) {
  return { at: run.startedAt, kind: "trial-finished", trial, attempt: 1, run, folder } as const;
}
