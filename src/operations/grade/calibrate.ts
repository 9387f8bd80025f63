import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import {
  calibrate,
  type Calibration,
  type JudgedVerdict,
  type Label,
  reviewLabels,
} from "../../grade/calibrate.ts";
import { capturedSubject } from "../../grade/captured-subject.ts";
import { type LabelledOutput, readLabels } from "../../grade/label-file.ts";
import type { Subject } from "../../grade/subject.ts";
import { feedbackReader } from "../../store/read/feedback.ts";
import { EXIT } from "../../cli/exit.ts";
import { findIteration } from "../find-run.ts";
import type { Machine } from "../../machine.ts";
import { calibrationText } from "../../cli/render/calibration.ts";
import { capturedFile } from "./captured.ts";
import type { GradeOptions } from "../../cli/options/grade.ts";
import { casesToGrade, wantedCases } from "./regrade.ts";
import { storedRuns } from "./stored.ts";
import { type TargetCase, targetCases } from "./targets.ts";
import type { Graders } from "./with-grading.ts";

export interface CalibrateCall {
  /** The labels' path as it was given. */
  readonly labels: string;
  /** The iteration as it was named; null: where the labels lie, else the newest. */
  readonly iteration: string | null;
  readonly results: string;
  readonly options: GradeOptions;
  readonly graders: Graders;
  readonly machine: Machine;
}

/** Asks the judge about what a person has labelled, and says how far they agree. */
export async function calibrateJudge(call: CalibrateCall, signal: AbortSignal): Promise<number> {
  const { options, graders, machine } = call;
  const folder = await mkdtemp(join(tmpdir(), "assay-labels-"));
  try {
    const { labels, subjects } = await readLabelled(call, folder);
    const verdicts: JudgedVerdict[] = [];
    for (const { name, subject } of subjects) {
      const grading = await graders.grade({ ...subject, case: judgedOnly(subject.case) }, signal);
      verdicts.push(...grading.verdicts.map((verdict) => ({ subject: name, verdict })));
    }
    const calibration = calibrate(labels, verdicts);
    machine.out(options.json ? `${JSON.stringify(calibration, null, 2)}\n` : calibrationText(calibration));
    return exitCode(calibration);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Disagreement is a finding, not a missed gate; only where nothing could be compared there is no answer. */
function exitCode({ compared }: Calibration): number {
  return compared === 0 ? EXIT.unfinished : EXIT.ok;
}

function judgedOnly(one: Case): Case {
  return { ...one, checks: one.checks.filter((check) => check.kind === "criterion") };
}

interface Labelled {
  readonly labels: readonly Label[];
  readonly subjects: readonly { readonly name: string; readonly subject: Subject }[];
}

async function readLabelled(call: CalibrateCall, folder: string): Promise<Labelled> {
  const path = resolve(call.machine.cwd, call.labels);
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UserError("labels/unreadable", `${call.labels} cannot be read: ${(error as Error).message}`);
  });
  if (basename(path) === "feedback.json" || /^\s*\{\s*"(reviews|status)"/.test(content)) {
    return fromFeedback(call, path, content);
  }
  return fromLabels(call, readLabels(path, content), { folder, path });
}

/** Reviews are of runs, named by their folder with hyphens for slashes. */
async function fromFeedback(call: CalibrateCall, path: string, content: string): Promise<Labelled> {
  const { value, diagnostics } = feedbackReader.parse(path, content);
  if (value === null) {
    throw new UserError("labels/unusable", `${call.labels} cannot be used as labels`, { diagnostics });
  }
  const labels = reviewLabels(value.reviews, value.status);
  const reviewed = new Set(labels.map(({ subject }) => subject));
  const runs = await runsOf(call, dirname(path));
  return {
    labels,
    subjects: runs
      .map(({ subject, folder }) => ({ name: folder.replaceAll("/", "-"), subject }))
      .filter(({ name }) => reviewed.has(name)),
  };
}

async function fromLabels(
  call: CalibrateCall,
  outputs: readonly LabelledOutput[],
  { folder, path }: { folder: string; path: string },
): Promise<Labelled> {
  const isRun = ({ kind }: LabelledOutput) => kind === "run";
  const runs = outputs.some(isRun) ? await runsOf(call, null) : [];
  const cases = outputs.every(isRun) ? [] : await targetCases(call.options, call.machine);
  const subjects: { name: string; subject: Subject }[] = [];
  for (const [index, output] of outputs.entries()) {
    if (output.kind === "run") {
      const run = runs.find(
        ({ subject, folder: at }) => at === output.value || subject.trial.id === output.value,
      );
      if (run !== undefined) subjects.push({ name: output.subject, subject: run.subject });
      continue;
    }
    const file = output.kind === "file" ? resolve(dirname(path), output.value) : join(folder, `${index}.txt`);
    if (output.kind === "text") await writeFile(file, output.value);
    const { suite, case: one } = caseOf(output, cases);
    const skill = suite.skill?.name ?? null;
    const subject = capturedSubject(one, await capturedFile(file), { skill, now: new Date() });
    subjects.push({ name: output.subject, subject });
  }
  return { labels: outputs.flatMap(({ labels }) => labels), subjects };
}

async function runsOf({ iteration, results, options, machine }: CalibrateCall, beside: string | null) {
  const name = iteration ?? (beside !== null && /^iteration-\d+$/.test(basename(beside)) ? beside : null);
  const found = await findIteration(name, { cwd: machine.cwd, results });
  return storedRuns(found, wantedCases(await casesToGrade(found, options, machine), options));
}

/** The case whose criteria the labels are about. */
function caseOf({ labels, subject }: LabelledOutput, cases: readonly TargetCase[]): TargetCase {
  const known = ({ case: one }: TargetCase) =>
    labels.filter(({ criterion }) =>
      one.checks.some(({ id, text }) => id === criterion || text.trim() === criterion?.trim()),
    ).length;
  const [best] = cases.toSorted((a, b) => known(b) - known(a));
  if (best !== undefined && known(best) > 0) return best;
  throw new UserError("labels/no-criterion", `the labels of ${subject} name no criterion of the evals`, {
    hint: "labels are by the id or the text of a criterion; assay list --json shows both",
  });
}
