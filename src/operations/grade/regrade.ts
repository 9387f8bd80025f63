import { probedSkillOf } from "../../domain/canary.ts";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { regrade } from "../../iteration/regrade.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import type { Reporter } from "../../report/reporter.ts";
import { local } from "../../run/executors/local.ts";
import { openIteration } from "../../store/iteration.ts";
import { probeName } from "../../triggers/probe.ts";
import type { FoundIteration } from "../find-run.ts";
import { exitCodeOf } from "../../cli/exit-code.ts";
import { summarizeIteration } from "../../iteration/summarize.ts";
import type { Machine } from "../../machine.ts";
import { currentCases } from "./current-cases.ts";
import { gatesOf, type GradeOptions } from "../../cli/options/grade.ts";
import type { Graders } from "./with-grading.ts";

export interface RegradeCall {
  readonly found: FoundIteration;
  readonly options: GradeOptions;
  readonly graders: Graders;
  readonly reporter: Required<Reporter>;
  readonly mask: SecretMask;
  readonly machine: Machine;
}

/** Grades an iteration again, keeps the verdicts, and reports as a run does. Answers the exit code. */
export async function regradeIteration(call: RegradeCall, signal: AbortSignal): Promise<number> {
  const { found, options, graders, reporter, mask, machine } = call;
  const graded = wantedCases(await casesToGrade(found, options, machine), options);
  const cases = found.state.cases.map((one) => graded.find(({ id }) => id === one.id) ?? one);
  const ended = await inLock();
  const report = await summarizeIteration(
    { folder: found.folder.root },
    { ...gatesOf(options, found.state.iteration), mask },
  );
  await reporter.finish([report]);
  return exitCodeOf({ reports: [report], ended });

  async function inLock() {
    await using iteration = await openIteration(found.folder, mask);
    return await regrade(
      {
        iteration,
        cases,
        wanted: new Set(graded.map(({ id }) => id)),
        grade: graders.grade,
        skillNameOf: skillNameOf(found),
        mask,
        executor: local({ concurrency: options.concurrency }),
        listen: (event) => reporter.event(event),
        now: () => new Date(),
      },
      signal,
    );
  }
}

/** The cases of the iteration with the checks that are asked for, and notes on what became of them. */
export async function casesToGrade(
  { state }: FoundIteration,
  options: GradeOptions,
  machine: Machine,
): Promise<readonly Case[]> {
  const { iteration } = state;
  if (iteration === null) throw new Error("an iteration was found without its start");
  const planned = state.cases.map((one) => state.casesAsRun.get(one.id) ?? one);
  const { cases, notes } = await currentCases(planned, iteration, options, machine);
  for (const note of notes) machine.note(note);
  return cases;
}

/** Those that `--case` names, else all. */
export function wantedCases(cases: readonly Case[], { cases: named }: GradeOptions): readonly Case[] {
  const wanted = cases.filter(
    ({ id, declaredId }) => named.length === 0 || named.includes(id) || named.includes(String(declaredId)),
  );
  if (wanted.length > 0) return wanted;
  throw new UserError("grade/nothing-selected", `the iteration has no case ${named.join(", ")}`, {
    hint: `it has ${cases
      .slice(0, 12)
      .map(({ id }) => id)
      .join(", ")}`,
  });
}

/** The name a client knew the skill by: in probes one that only the trial has. */
export function skillNameOf({ state }: FoundIteration) {
  const { iteration, cases } = state;
  const skill = iteration?.skill === null ? null : (probedSkillOf(cases)?.name ?? iteration?.suite ?? null);
  return (one: Case, trial: { readonly key: string }): string | null =>
    skill === null || one.kind === "task" ? skill : probeName(skill, trial);
}
