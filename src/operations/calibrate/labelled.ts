import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { type Label, reviewLabels } from "../../grade/calibrate.ts";
import { capturedSubject } from "../../grade/captured-subject.ts";
import { type LabelledOutput, readLabels } from "../../grade/label-file.ts";
import type { Subject } from "../../grade/subject.ts";
import { whyUnreadable } from "../../lib/text-file.ts";
import type { Machine } from "../../machine.ts";
import { feedbackReader } from "../../store/read/feedback.ts";
import { findIteration } from "../find-run.ts";
import { capturedFile } from "../grade/captured-file.ts";
import type { ChecksAsked } from "../grade/current-cases.ts";
import { casesToGrade } from "../grade/iteration-cases.ts";
import { storedRuns } from "../grade/stored.ts";
import { type ChecksFrom, type TargetCase, targetCases } from "../grade/targets.ts";

/** What a person labelled: their labels, and what they are about. */
export interface Labelled {
  readonly labels: readonly Label[];
  readonly subjects: readonly { readonly name: string; readonly subject: Subject }[];
}

export interface LabelWishes extends ChecksAsked, ChecksFrom {
  /** The labels' path as it was given. */
  readonly file: string;
  /** The iteration as it was named; null: the one that the labels are in, else the newest. */
  readonly iteration: string | null;
}

interface Place {
  readonly results: string;
  /** For texts that the labels quote. */
  readonly folder: string;
  readonly machine: Machine;
}

export async function readLabelled(wishes: LabelWishes, place: Place): Promise<Labelled> {
  const path = resolve(place.machine.cwd, wishes.file);
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UserError(
      "labels/unreadable",
      `${wishes.file} cannot be read: ${whyUnreadable(error as NodeJS.ErrnoException)}`,
      {
        hint: "pass a YAML or JSON file with labels, or the feedback.json of an iteration",
      },
    );
  });
  if (basename(path) === "feedback.json" || /^\s*\{\s*"(reviews|status)"/.test(content)) {
    return fromFeedback(wishes, { ...place, path, content });
  }
  return fromLabels(wishes, readLabels(path, content), { ...place, path });
}

/** Reviews are of runs, named by their folder with hyphens for slashes. */
async function fromFeedback(
  wishes: LabelWishes,
  { path, content, ...place }: Place & { path: string; content: string },
): Promise<Labelled> {
  const { value, diagnostics } = feedbackReader.parse(path, content);
  if (value === null) {
    throw new UserError("labels/unusable", `${wishes.file} cannot be used as labels`, { diagnostics });
  }
  const labels = reviewLabels(value.reviews, value.status);
  const reviewed = new Set(labels.map(({ subject }) => subject));
  const runs = await runsOf(wishes, place, dirname(path));
  return {
    labels,
    subjects: runs
      .map(({ subject, folder }) => ({ name: folder.replaceAll("/", "-"), subject }))
      .filter(({ name }) => reviewed.has(name)),
  };
}

async function fromLabels(
  wishes: LabelWishes,
  outputs: readonly LabelledOutput[],
  { path, ...place }: Place & { path: string },
): Promise<Labelled> {
  const { folder, machine } = place;
  const isRun = ({ kind }: LabelledOutput) => kind === "run";
  const runs = outputs.some(isRun) ? await runsOf(wishes, place, null) : [];
  const cases = outputs.every(isRun) ? [] : await targetCases(wishes, machine);
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
    const subject = capturedSubject(one, await capturedFile(file), { skill, now: machine.now() });
    subjects.push({ name: output.subject, subject });
  }
  return { labels: outputs.flatMap(({ labels }) => labels), subjects };
}

async function runsOf(wishes: LabelWishes, { results, machine }: Place, beside: string | null) {
  const own = beside !== null && /^iteration-\d+$/.test(basename(beside)) ? beside : null;
  const found = await findIteration(wishes.iteration ?? own, { machine, results });
  return storedRuns(found, await casesToGrade(found, wishes, machine));
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
    hint: "labels refer to a criterion by its id or text; assay list --json shows both",
  });
}
