import { open, stat } from "node:fs/promises";
import { countsAs } from "../../domain/run.ts";
import type { CutText, RunPage } from "../../domain/run-pages.ts";
import { outcomeText, verdictText } from "../../report/text.ts";
import { boundsIn, promptOf } from "../shared/kept-run.ts";
import { runFiles } from "./files.ts";
import { feedbackId } from "./feedback-id.ts";
import { skillUse } from "./skill-use.ts";
import type { StoredResults, ViewedRun } from "./stored.ts";

export async function runPage(found: ViewedRun, stored: StoredResults): Promise<RunPage> {
  const { at, within, finished, one, files } = found;
  const { state, iteration, summary } = within;
  const { trial, run } = finished;
  const prompt = promptOf(finished, one, iteration);
  return {
    at,
    trial,
    caseName: one?.name ?? null,
    run,
    attempts: state.attempts.get(trial.id) ?? finished.attempt,
    grading: state.gradings.get(trial.id) ?? null,
    checks: one?.checks ?? [],
    bounds: boundsIn(summary, trial),
    prompt,
    expected: one?.expectedOutput ?? null,
    answer: await beginningOf(files.outputText),
    files: await runFiles(found),
    siblings: state.trials
      .filter(({ caseId, variant }) => caseId === trial.caseId && variant === trial.variant)
      .toSorted((a, b) => a.repetition - b.repetition)
      .map(({ id }) => id),
    skill: await skillUse(found),
    rerun: rerunCommand(found),
    asPrompt: failureAsPrompt(found, prompt),
    feedbackId: feedbackId(finished.folder),
    before: await runBefore(found, stored),
  };
}

/** Named by its folder, as feedback is: what a person said then was about that run. */
async function runBefore({ at, finished }: ViewedRun, stored: StoredResults): Promise<RunPage["before"]> {
  const earlier = (await stored.iterations(at.skill)).filter(({ number }) => number < at.n);
  for (const { number, folder } of earlier.toReversed()) {
    const { outputText } = folder.run(finished.folder);
    if ((await stat(outputText).catch(() => null)) !== null) return { ...at, n: number };
  }
  return null;
}

const MOST_ANSWER_BYTES = 256 * 1024;

async function beginningOf(path: string): Promise<CutText | null> {
  const file = await open(path, "r").catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, MOST_ANSWER_BYTES));
    await file.read(bytes, 0, bytes.length, 0);
    return { text: bytes.toString("utf8"), cut: size - bytes.length };
  } finally {
    await file.close();
  }
}

/** As far as options tell: the same case with the same agent and model, and both arms where two were compared. */
function rerunCommand({ within: { iteration }, finished: { trial } }: ViewedRun): string {
  const words = [
    "assay",
    iteration.purpose === "bench" ? "bench" : "run",
    iteration.skill?.path ?? iteration.evalFiles[0]?.path ?? iteration.suite,
    "--case",
    trial.caseId,
    "--harness",
    iteration.harness,
    ...(iteration.model === null ? [] : ["--model", iteration.model]),
  ];
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** What somebody who is to mend the skill needs to know of one run. */
function failureAsPrompt({ within, finished, files, one }: ViewedRun, prompt: string | null): string {
  const { run, trial } = finished;
  const verdicts = within.state.gradings.get(trial.id)?.verdicts ?? [];
  const open = verdicts.filter(({ status }) => status !== "passed");
  const skill = within.iteration.skill?.path ?? within.iteration.suite;
  return [
    `The skill ${within.iteration.suite} (${skill}) was evaluated on the case ${one?.name ?? trial.caseId}, ${trial.variant.replaceAll("_", " ")}.`,
    countsAs(run.outcome) === "graded" ? "" : `Outcome: ${outcomeText(run.outcome)}.`,
    `The agent was asked:\n\n${prompt ?? "(unknown)"}`,
    open.length === 0
      ? "All checks passed."
      : `These checks did not pass:\n\n${open.map((one) => `- ${one.text} (${one.status}): ${verdictText(one)}`).join("\n")}`,
    `Everything that was kept of the run is in ${files.root}: transcript.md, output.txt, outputs/.`,
    "Find out why, and change the skill so that it does better on cases like this one. Do not write the case's answer into the skill.",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
